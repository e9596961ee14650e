//! The codegen phase: LLVM's ThinLTO pipeline for the target, then PTX.

use std::ffi::CString;
use std::ptr;
use std::sync::Once;

use llvm_sys::target::{
    LLVMInitializeNVPTXAsmPrinter, LLVMInitializeNVPTXTarget, LLVMInitializeNVPTXTargetInfo,
    LLVMInitializeNVPTXTargetMC,
};
use llvm_sys::target_machine::{
    LLVMCodeGenFileType, LLVMCodeGenOptLevel, LLVMCodeModel, LLVMCreateTargetMachine,
    LLVMDisposeTargetMachine, LLVMGetTargetFromTriple, LLVMRelocMode,
    LLVMTargetMachineEmitToMemoryBuffer, LLVMTargetMachineRef,
};

use weft_artifact::PhaseOptions;

use crate::context::{Context, take_message, take_shim_text};
use crate::counts::Counts;
use crate::emission_shim::{weft_leave_loops_to_ptxas, weft_unknown_processor};
use crate::error::IrError;
use crate::inline::{self, InlineOptions, InlineReport};
use crate::libnvvm::Libnvvm;
use crate::module::{Module, Reading, take_buffer};
use crate::options;
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

impl OptimisationLevel {
    fn of(options: &PhaseOptions) -> Self {
        match options.optimisation_level {
            Some(0) => Self::O0,
            Some(1) => Self::O1,
            Some(2) => Self::O2,
            _ => Self::O3,
        }
    }
}

/// What the codegen phase may be told. With the linked module's bytes and the tool's digest it is
/// the phase's whole key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodegenOptions {
    /// How hard to optimise; by default what the linked module says, or else for speed.
    pub level: Option<OptimisationLevel>,
    /// What is inlined.
    pub inline: InlineOptions,
    /// LLVM unrolls loops by its own limits, too.
    pub unrolls_loops: bool,
}

impl CodegenOptions {
    fn level_for(&self, settled: &PhaseOptions) -> OptimisationLevel {
        self.level.unwrap_or_else(|| OptimisationLevel::of(settled))
    }
}

/// What the codegen phase shall make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The optimised module.
    pub optimised: bool,
    /// PTX.
    pub ptx: bool,
}

/// Who makes PTX of an optimised module.
#[derive(Clone, Copy, Debug)]
pub enum Generator<'library> {
    /// LLVM's NVPTX target.
    Llvm,
    /// NVIDIA's libnvvm.
    Libnvvm(&'library Libnvvm),
}

/// What the codegen phase made. What was not wanted is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// The optimised module as bitcode, as the code generator gets it.
    pub optimised: Vec<u8>,
    /// PTX text.
    pub ptx: Vec<u8>,
    /// The architecture it is for, such as `sm_90`.
    pub architecture: String,
    /// What the thin link settled for the phases.
    pub options: PhaseOptions,
    /// Sizes before optimisation.
    pub before: Counts,
    /// Sizes after optimisation.
    pub after: Counts,
    /// What was inlined.
    pub inlining: InlineReport,
}

/// Optimises a linked module for the architecture that it names, and makes what is wanted of it.
pub fn compile(
    linked: &[u8],
    options: CodegenOptions,
    generator: Generator<'_>,
    wanted: Wanted,
) -> Result<Compiled, IrError> {
    let context = Context::new();
    let Optimised { module, target, settled, before, after, inlining } =
        optimised(&context, linked, options)?;
    // Before the code generator, which works on the module itself.
    let optimised = if wanted.optimised { module.to_bitcode()? } else { Vec::new() };
    let ptx =
        if wanted.ptx { generate(&context, &module, options, generator)? } else { Vec::new() };
    let architecture = target.architecture;
    Ok(Compiled { optimised, ptx, architecture, options: settled, before, after, inlining })
}

/// A module after the optimiser.
pub(crate) struct Optimised<'context> {
    pub(crate) module: Module<'context>,
    pub(crate) target: Target,
    pub(crate) settled: PhaseOptions,
    pub(crate) before: Counts,
    pub(crate) after: Counts,
    pub(crate) inlining: InlineReport,
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
    let settled = options::recorded(context, &module)?;
    let level = options.level_for(&settled);
    let machine = TargetMachine::new(&module, &target, level)?;
    let inlining = inline::optimise(&module, machine.raw, level, options);
    let after = Counts::of(&module);
    Ok(Optimised { module, target, settled, before, after, inlining })
}

/// PTX of an optimised module, with the options for the next phase.
pub(crate) fn generate(
    context: &Context,
    module: &Module<'_>,
    options: CodegenOptions,
    generator: Generator<'_>,
) -> Result<Vec<u8>, IrError> {
    let target = target_of(context, module)?;
    let settled = options::recorded(context, module)?;
    let level = options.level_for(&settled);
    let ptx = match generator {
        Generator::Llvm => {
            let machine = TargetMachine::new(module, &target, level)?;
            machine.emit(module).map_err(|reason| {
                let reason = context.take_errors(&reason);
                IrError::Codegen { reason }
            })?
        }
        Generator::Libnvvm(libnvvm) => {
            libnvvm.emit(module, &target.architecture, level, &settled)?
        }
    };
    Ok(options::with_header(ptx, &settled))
}

/// What the import phase recorded, or else what the functions say.
fn target_of(context: &Context, module: &Module<'_>) -> Result<Target, IrError> {
    Target::recorded(context, module)
        .or_else(|| Target::of_functions(module))
        .ok_or(IrError::NoArchitecture)
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
            // The next level eliminates common expressions twice more, in every function as a whole,
            // which ptxas does in any case: the same registers for a tenth more of the generator's time.
            OptimisationLevel::O2 | OptimisationLevel::O3 => {
                LLVMCodeGenOptLevel::LLVMCodeGenLevelDefault
            }
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

/// Registers the NVPTX target and chooses its passes, once per process.
fn initialise_target() {
    static ONCE: Once = Once::new();
    // SAFETY: LLVM's registration functions, called once, before any module is emitted.
    ONCE.call_once(|| unsafe {
        LLVMInitializeNVPTXTargetInfo();
        LLVMInitializeNVPTXTarget();
        LLVMInitializeNVPTXTargetMC();
        LLVMInitializeNVPTXAsmPrinter();
        let all_known = weft_leave_loops_to_ptxas();
        debug_assert!(all_known, "the code generator of this LLVM has other passes");
    });
}
