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

use crate::context::{Context, take_message};
use crate::error::IrError;
use crate::inline::{self, InlineOptions, InlineReport};
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
    /// What is inlined.
    pub inline: InlineOptions,
}

/// What the codegen phase makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compiled {
    /// PTX text.
    pub ptx: Vec<u8>,
    /// The architecture it is for, such as `sm_90`.
    pub architecture: String,
    /// What was inlined.
    pub inlining: InlineReport,
}

/// Optimises a linked module and emits PTX for the architecture that the module names.
pub fn compile(linked: &[u8], options: CodegenOptions) -> Result<Compiled, IrError> {
    initialise_target();
    let context = Context::new();
    let module = Module::read(&context, linked, Reading::Whole)?;
    let target = Target::recorded(&context, &module)
        .or_else(|| Target::of_functions(&module))
        .ok_or(IrError::NoArchitecture)?;
    let machine = TargetMachine::new(&module, &target, options.level)?;
    let inlining = inline::optimise(&module, machine.raw, options.level, options.inline);
    let ptx = machine.emit(&module).map_err(|reason| {
        let reason = context.take_errors(&reason);
        IrError::Codegen { reason }
    })?;
    Ok(Compiled { ptx, architecture: target.architecture, inlining })
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
