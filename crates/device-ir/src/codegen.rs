//! The codegen phase: LLVM's ThinLTO pipeline for the target, then PTX.

use std::ffi::CString;
use std::ptr;
use std::sync::Once;

use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use llvm_sys::target::{
    LLVMInitializeNVPTXAsmPrinter, LLVMInitializeNVPTXTarget, LLVMInitializeNVPTXTargetInfo,
    LLVMInitializeNVPTXTargetMC,
};
use llvm_sys::target_machine::{
    LLVMCodeGenFileType, LLVMCodeGenOptLevel, LLVMCodeModel, LLVMCreateTargetMachine,
    LLVMDisposeTargetMachine, LLVMGetTargetFromTriple, LLVMRelocMode,
    LLVMTargetMachineEmitToMemoryBuffer, LLVMTargetMachineRef,
};
use llvm_sys::transforms::pass_builder::{
    LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions,
    LLVMPassBuilderOptionsSetInlinerThreshold, LLVMRunPasses,
};

use crate::context::{Context, take_message, take_shim_text};
use crate::counts::Counts;
use crate::emission_shim::weft_unknown_processor;
use crate::error::IrError;
use crate::libnvvm::Libnvvm;
use crate::module::{Module, Reading, take_buffer};
use crate::target::Target;

/// How hard to optimise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptimisationLevel {
    /// Not at all.
    O0,
    /// Quickly.
    O1,
    /// Moderately.
    O2,
    /// For speed.
    O3,
}

/// What the codegen phase may be told. With the linked module's bytes and the tool's digest it is
/// the phase's whole key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodegenOptions {
    /// How hard to optimise.
    pub level: OptimisationLevel,
    /// LLVM's inline threshold, in its units of five per instruction, before the factor of eleven
    /// that LLVM's NVPTX target multiplies it by.
    pub inline_threshold: u32,
}

/// Who makes PTX of an optimised module.
#[derive(Clone, Copy, Debug)]
pub enum Generator<'library> {
    /// LLVM's NVPTX target.
    Llvm,
    /// NVIDIA's libnvvm.
    Libnvvm(&'library Libnvvm),
}

/// What the codegen phase makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// PTX text.
    pub ptx: Vec<u8>,
    /// The architecture it is for, such as `sm_90`.
    pub architecture: String,
    /// Sizes before optimisation.
    pub before: Counts,
    /// Sizes after optimisation.
    pub after: Counts,
}

/// Optimises a linked module and emits PTX for the architecture that the module names.
pub fn compile(
    linked: &[u8],
    options: CodegenOptions,
    generator: Generator<'_>,
) -> Result<Compiled, IrError> {
    let context = Context::new();
    let Optimised { module, target, before, after } = optimised(&context, linked, options)?;
    let ptx = generate(&context, &module, options, generator)?;
    Ok(Compiled { ptx, architecture: target.architecture, before, after })
}

/// A module after the optimiser.
pub(crate) struct Optimised<'context> {
    pub(crate) module: Module<'context>,
    pub(crate) target: Target,
    pub(crate) before: Counts,
    pub(crate) after: Counts,
}

/// Reads and optimises a linked module.
pub(crate) fn optimised<'context>(
    context: &'context Context,
    linked: &[u8],
    options: CodegenOptions,
) -> Result<Optimised<'context>, IrError> {
    initialise_target();
    let module = Module::read(context, linked, Reading::Whole)?;
    let before = Counts::of(&module);
    let target = target_of(context, &module)?;
    let machine = TargetMachine::new(&module, &target, options.level)?;
    optimise(&module, &machine, options)?;
    let after = Counts::of(&module);
    Ok(Optimised { module, target, before, after })
}

/// PTX of an optimised module.
pub(crate) fn generate(
    context: &Context,
    module: &Module<'_>,
    options: CodegenOptions,
    generator: Generator<'_>,
) -> Result<Vec<u8>, IrError> {
    let target = target_of(context, module)?;
    match generator {
        Generator::Llvm => {
            let machine = TargetMachine::new(module, &target, options.level)?;
            machine.emit(module).map_err(|reason| {
                let reason = context.take_errors(&reason);
                IrError::Codegen { reason }
            })
        }
        Generator::Libnvvm(libnvvm) => libnvvm.emit(module, &target.architecture, options.level),
    }
}

/// What the import phase recorded, or else what the functions say.
fn target_of(context: &Context, module: &Module<'_>) -> Result<Target, IrError> {
    Target::recorded(context, module)
        .or_else(|| Target::of_functions(module))
        .ok_or(IrError::NoArchitecture)
}

fn optimise(
    module: &Module<'_>,
    machine: &TargetMachine,
    options: CodegenOptions,
) -> Result<(), IrError> {
    let pipeline = match options.level {
        OptimisationLevel::O0 => c"thinlto<O0>",
        OptimisationLevel::O1 => c"thinlto<O1>",
        OptimisationLevel::O2 => c"thinlto<O2>",
        OptimisationLevel::O3 => c"thinlto<O3>",
    };
    let threshold = i32::try_from(options.inline_threshold).unwrap_or(i32::MAX);
    // SAFETY: module and machine are valid; the options and the error are ours to dispose of.
    unsafe {
        let builder = LLVMCreatePassBuilderOptions();
        LLVMPassBuilderOptionsSetInlinerThreshold(builder, threshold);
        let error = LLVMRunPasses(module.raw(), pipeline.as_ptr(), machine.raw, builder);
        LLVMDisposePassBuilderOptions(builder);
        if error.is_null() {
            return Ok(());
        }
        let message = LLVMGetErrorMessage(error);
        let reason = std::ffi::CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(message);
        Err(IrError::Codegen { reason })
    }
}

/// LLVM's code generator for one architecture.
struct TargetMachine {
    raw: LLVMTargetMachineRef,
}

impl TargetMachine {
    fn new(
        module: &Module<'_>,
        target: &Target,
        level: OptimisationLevel,
    ) -> Result<Self, IrError> {
        check_processor(&target.architecture)?;
        let unusable = |what: &str| IrError::Codegen { reason: what.to_owned() };
        let terminated = |text: &str| {
            CString::new(text).map_err(|_| unusable("a target name holds a zero byte"))
        };
        let triple = terminated(&module.triple())?;
        let processor = terminated(target.architecture.as_str())?;
        let features = terminated(&target.ptx_feature)?;
        let level = match level {
            OptimisationLevel::O0 => LLVMCodeGenOptLevel::LLVMCodeGenLevelNone,
            OptimisationLevel::O1 => LLVMCodeGenOptLevel::LLVMCodeGenLevelLess,
            OptimisationLevel::O2 => LLVMCodeGenOptLevel::LLVMCodeGenLevelDefault,
            OptimisationLevel::O3 => LLVMCodeGenOptLevel::LLVMCodeGenLevelAggressive,
        };
        let mut target = ptr::null_mut();
        let mut message = ptr::null_mut();
        // SAFETY: all strings are terminated and outlive the calls; out parameters are ours.
        let raw = unsafe {
            if LLVMGetTargetFromTriple(triple.as_ptr(), &raw mut target, &raw mut message) != 0 {
                return Err(IrError::Codegen { reason: take_message(message) });
            }
            LLVMCreateTargetMachine(
                target,
                triple.as_ptr(),
                processor.as_ptr(),
                features.as_ptr(),
                level,
                LLVMRelocMode::LLVMRelocDefault,
                LLVMCodeModel::LLVMCodeModelDefault,
            )
        };
        if raw.is_null() {
            return Err(unusable("LLVM has no code generator for the target"));
        }
        Ok(Self { raw })
    }

    fn emit(&self, module: &Module<'_>) -> Result<Vec<u8>, String> {
        let mut message = ptr::null_mut();
        let mut buffer = ptr::null_mut();
        let assembly = LLVMCodeGenFileType::LLVMAssemblyFile;
        // SAFETY: machine and module are valid; message and buffer are ours to dispose of.
        unsafe {
            let failed = LLVMTargetMachineEmitToMemoryBuffer(
                self.raw,
                module.raw(),
                assembly,
                &raw mut message,
                &raw mut buffer,
            );
            if failed != 0 {
                return Err(take_message(message));
            }
            Ok(take_buffer(buffer))
        }
    }
}

impl Drop for TargetMachine {
    fn drop(&mut self) {
        // SAFETY: made in `new`.
        unsafe { LLVMDisposeTargetMachine(self.raw) }
    }
}

/// LLVM only warns of an architecture that it does not know, and takes another.
fn check_processor(name: &str) -> Result<(), IrError> {
    // SAFETY: the name has its length, and the target is registered; the text is ours to free.
    let known = unsafe { take_shim_text(weft_unknown_processor(name.as_ptr().cast(), name.len())) };
    match known {
        None => Ok(()),
        Some(known) => Err(IrError::UnknownArchitecture { found: name.to_owned(), known }),
    }
}

/// Registers the NVPTX target, once per process.
fn initialise_target() {
    static ONCE: Once = Once::new();
    // SAFETY: LLVM's registration functions, called once.
    ONCE.call_once(|| unsafe {
        LLVMInitializeNVPTXTargetInfo();
        LLVMInitializeNVPTXTarget();
        LLVMInitializeNVPTXTargetMC();
        LLVMInitializeNVPTXAsmPrinter();
    });
}
