//! LLVM's NVPTX target: optimizes for one architecture, and makes PTX.

use std::ffi::CString;
use std::ptr;
use std::sync::Once;

use llvm_sys::target::{
    LLVMInitializeNVPTXAsmPrinter, LLVMInitializeNVPTXTarget, LLVMInitializeNVPTXTargetInfo,
    LLVMInitializeNVPTXTargetMC,
};
use llvm_sys::target_machine::{
    LLVMCodeGenOptLevel, LLVMCodeModel, LLVMCreateTargetMachine, LLVMDisposeTargetMachine,
    LLVMGetTargetFromTriple, LLVMRelocMode, LLVMTargetMachineRef,
};

use crate::context::Context;
use crate::error::IrError;
use crate::inline::{self, InlineOptions, InlineReport};
use crate::level::OptimizationLevel;
use crate::module::{Exclusive, Module};
use crate::ptx_version::PtxVersion;
use crate::target::Target;
use crate::text::{Buffer, Bytes, ShimText, taken_message};

unsafe extern "C" {
    /// None for a processor that the NVPTX target knows, else the names that it knows. The target
    /// must be registered.
    safe fn weft_unknown_processor(name: Bytes<'_>) -> ShimText;

    /// Turns off passes of LLVM's code generator, for the whole process. It must be called once,
    /// before the first module is emitted. Whether this LLVM has all of these passes.
    fn weft_leave_loops_to_ptxas() -> bool;

    /// Makes PTX of the module, which the code generator changes. No text, or the reason for the
    /// failure. When LLVM crashed, neither the context nor the machine must be used or disposed of
    /// any more.
    fn weft_emit(
        machine: LLVMTargetMachineRef,
        module: Exclusive<'_>,
        ptx: &mut Buffer,
        has_crashed: &mut bool,
    ) -> ShimText;
}

/// LLVM's code generator for one architecture.
pub(crate) struct TargetMachine<'context> {
    raw: LLVMTargetMachineRef,
    /// Context of the modules that it works on.
    context: &'context Context,
    level: OptimizationLevel,
}

impl<'context> TargetMachine<'context> {
    pub(crate) fn new(
        module: &Module<'context>,
        target: &Target,
        level: OptimizationLevel,
    ) -> Result<Self, IrError> {
        initialize();
        check_processor(&target.architecture)?;
        let unusable = |what: &str| IrError::Codegen { reason: what.to_owned() };
        let terminated = |text: &str| {
            CString::new(text).map_err(|_| unusable("a target name holds a zero byte"))
        };
        let triple = terminated(&module.triple())?;
        let processor = terminated(target.architecture.as_str())?;
        let features = terminated(&target.ptx_feature)?;
        let effort = match level {
            OptimizationLevel::O0 => LLVMCodeGenOptLevel::LLVMCodeGenLevelNone,
            OptimizationLevel::O1 => LLVMCodeGenOptLevel::LLVMCodeGenLevelLess,
            // The next level eliminates common expressions twice more, in every function as a
            // whole, which ptxas does in any case: the same registers for a tenth more of the
            // generator's time.
            OptimizationLevel::O2 | OptimizationLevel::O3 => {
                LLVMCodeGenOptLevel::LLVMCodeGenLevelDefault
            }
        };
        let mut target = ptr::null_mut();
        let mut message = ptr::null_mut();
        // SAFETY: `triple`, `processor` and `features` are terminated and outlive the calls. LLVM
        // allocates the message for us to dispose of.
        let raw = unsafe {
            if LLVMGetTargetFromTriple(triple.as_ptr(), &raw mut target, &raw mut message) != 0 {
                return Err(IrError::Codegen { reason: taken_message(message) });
            }
            LLVMCreateTargetMachine(
                target,
                triple.as_ptr(),
                processor.as_ptr(),
                features.as_ptr(),
                effort,
                LLVMRelocMode::LLVMRelocDefault,
                LLVMCodeModel::LLVMCodeModelDefault,
            )
        };
        if raw.is_null() {
            return Err(unusable("LLVM has no code generator for the target"));
        }
        Ok(Self { raw, context: module.context(), level })
    }

    /// Inlines and optimizes a module.
    pub(crate) fn optimize(
        &self,
        module: &mut Module<'context>,
        options: InlineOptions,
        unrolls_loops: bool,
        largest_constant: Option<u32>,
    ) -> Result<InlineReport, IrError> {
        let (machine, level) = (self.raw, self.level);
        // SAFETY: the machine lives as long as `self`.
        unsafe {
            inline::optimize(module, machine, level, options, unrolls_loops, largest_constant)
        }
    }

    /// PTX of a module, which becomes LLVM's own: its code generator changes it.
    pub(crate) fn emit(&self, module: &mut Module<'context>) -> Result<Vec<u8>, IrError> {
        let mut ptx = Buffer::none();
        let emitted = self.context.guard(|has_crashed| {
            // SAFETY: the machine lives as long as `self`, which leaks it after a crash, as the
            // context notes.
            unsafe { weft_emit(self.raw, module.exclusive(), &mut ptx, has_crashed) }
        });
        // LLVM also goes on to the end after errors, such as a wrong operand of inline assembly.
        match self.context.take_errors().or(emitted.err()) {
            None => Ok(ptx.to_vec()),
            Some(reason) => Err(IrError::Codegen { reason }),
        }
    }
}

impl Drop for TargetMachine<'_> {
    fn drop(&mut self) {
        if self.context.is_broken() {
            return;
        }
        // SAFETY: `new` made the machine, and this is its only owner.
        unsafe { LLVMDisposeTargetMachine(self.raw) }
    }
}

/// The target with no newer PTX version than `newest`. An architecture that came with a newer
/// version is an error.
pub(crate) fn within(
    module: &Module<'_>,
    target: Target,
    newest: Option<PtxVersion>,
) -> Result<Target, IrError> {
    let Some(newest) = newest else { return Ok(target) };
    let architecture = target.architecture.clone();
    let (target, is_limited) = target.within(newest);
    // Where no version is asked for, LLVM takes the oldest that has the architecture, too.
    if is_limited || target.ptx_feature.is_empty() {
        let oldest = oldest_ptx(&architecture, &module.triple())?;
        if oldest.is_some_and(|oldest| oldest > newest) {
            let oldest = oldest.unwrap_or(newest);
            return Err(IrError::PtxVersion { architecture, oldest, newest });
        }
    }
    Ok(target)
}

/// The version that LLVM writes where none is asked for: the oldest that has the architecture. No
/// function of LLVM says it, so an empty module is emitted.
fn oldest_ptx(architecture: &str, triple: &str) -> Result<Option<PtxVersion>, IrError> {
    let context = Context::new();
    let mut module = Module::empty(&context, triple)?;
    let (architecture, ptx_feature) = (architecture.to_owned(), String::new());
    let target = Target { architecture, ptx_feature };
    let ptx = TargetMachine::new(&module, &target, OptimizationLevel::O0)?.emit(&mut module)?;
    Ok(PtxVersion::of_text(&String::from_utf8_lossy(&ptx)))
}

/// Refuses a processor that LLVM does not know. LLVM only warns of it, and takes another.
fn check_processor(name: &str) -> Result<(), IrError> {
    match weft_unknown_processor(Bytes::of(name)).into_string() {
        None => Ok(()),
        Some(known) => Err(IrError::UnknownArchitecture { found: name.to_owned(), known }),
    }
}

/// Registers the NVPTX target and chooses its passes, once per process.
pub(crate) fn initialize() {
    static ONCE: Once = Once::new();
    // SAFETY: `call_once` calls each function once, and every `TargetMachine` comes after it.
    ONCE.call_once(|| unsafe {
        LLVMInitializeNVPTXTargetInfo();
        LLVMInitializeNVPTXTarget();
        LLVMInitializeNVPTXTargetMC();
        LLVMInitializeNVPTXAsmPrinter();
        let all_known = weft_leave_loops_to_ptxas();
        debug_assert!(all_known, "the code generator of this LLVM has other passes");
    });
}
