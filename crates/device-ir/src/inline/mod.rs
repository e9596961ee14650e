//! Inlining and the optimization pipeline around it.
//!
//! LLVM's inliner walks the call graph callees first and simplifies each function before it looks
//! at the callers, so a callee's cost is known. It asks an advisor about each call, which Weft
//! provides: `shim/optimize.cpp` answers with the decision of one of Weft's models. Attributes on
//! call sites were rejected, because they must all be there before the inliner starts, when no
//! callee has had its own calls inlined; inlining call by call ourselves was rejected, because the
//! simplification in between and the upkeep of the call graph would amount to a second inliner.

mod decision;
mod gpu;
mod imported;
mod nvidia;
mod options;
mod report;
mod session;
mod shim;
mod site;
#[cfg(test)]
mod tests;
mod verdict;

use llvm_sys::target_machine::LLVMTargetMachineRef;

use crate::error::IrError;
use crate::level::OptimizationLevel;
use crate::module::Module;
pub use decision::InlineDecision;
pub use imported::ImportedBodies;
pub use options::{InlineModel, InlineOptions, LlvmRules};
pub use report::InlineReport;
pub use verdict::InlineReason;

use session::Session;
use shim::{Order, Thresholds, weft_optimize};

/// Inlines and optimizes a module for a machine.
///
/// # Safety
///
/// `machine` is a target machine of LLVM's.
pub(crate) unsafe fn optimize(
    module: &mut Module<'_>,
    machine: LLVMTargetMachineRef,
    level: OptimizationLevel,
    options: InlineOptions,
    unrolls_loops: bool,
    largest_constant: Option<u32>,
) -> Result<InlineReport, IrError> {
    let imported = imported::sizes(module);
    let mut session = Session::new(options);
    let order = Order {
        thresholds: Thresholds::of(&options.llvm),
        counts_full_cost: options.llvm.counts_full_cost,
        defers: options.llvm.defers,
        keeps_allocas_apart: !options.merges_allocas,
        unrolls_loops,
        largest_constant: largest_constant.map_or(u64::MAX, u64::from),
    };
    let asker = session.asker();
    let optimized = module.context().guard(|has_crashed| {
        // SAFETY: the caller promises the machine, and the asker borrows the session until the call
        // ends. The context notes a crash, and the machine is leaked with it.
        unsafe {
            let (module, level) = (module.exclusive(), level.number());
            weft_optimize(module, machine, level, &order, &asker, has_crashed)
        }
    });
    optimized.map_err(|reason| IrError::Codegen { reason })?;
    Ok(session.report(&imported))
}
