//! Choices about single kernels, which the plan takes from feedback about earlier builds.
//!
//! They are attributes of the kernels in the linked module, so they are part of its content and of
//! the keys of the phases after it.
//!
//! A register limit is passed to the code generator only after the optimizer, for kernels that no
//! longer call functions: nvlink refuses a kernel with a limit below the registers of a function
//! that it calls.

use weft_artifact::{KernelChoice, Plan};

use crate::handles::{Call, Callee, Function, Instruction};
use crate::module::Module;

/// Weft's attribute of a kernel: its share of a kernel's budget, in percent.
const INLINE_PERCENT: &str = "weft-inline-percent";
/// Weft's attribute of a kernel: the maximum number of registers per thread.
const LIMIT: &str = "weft-max-registers";
/// LLVM's attribute that becomes the directive `.maxnreg`.
const MAX_REGISTERS: &str = "nvvm.maxnreg";
/// LLVM's attribute that becomes the directive `.minnctapersm`, which itself limits registers.
const MIN_BLOCKS: &str = "nvvm.minctasm";

/// Writes the plan's choices into the module. A limit of registers that the source states, directly
/// or by a number of resident blocks, stays.
pub(crate) fn record(module: &Module<'_>, plan: &Plan) {
    for planned in &plan.kernels {
        let kernel = module.function(&planned.name).filter(|function| function.is_kernel());
        let Some(kernel) = kernel else { continue };
        let KernelChoice { inline_percent, max_registers } = planned.choice;
        if let Some(percent) = inline_percent {
            kernel.set_string_attribute(INLINE_PERCENT, &percent.to_string());
        }
        let stated = [MAX_REGISTERS, MIN_BLOCKS].map(|name| kernel.string_attribute(name));
        if let Some(limit) = max_registers.filter(|_| stated.iter().all(Option::is_none)) {
            kernel.set_string_attribute(LIMIT, &limit.to_string());
        }
    }
}

/// Gives the code generator the limits of registers of the kernels that call no function, in a
/// module that is optimized.
pub(crate) fn limit_registers(module: &Module<'_>) {
    for kernel in module.functions().filter(|function| !function.is_declaration()) {
        if let Some(limit) = kernel.string_attribute(LIMIT).filter(|_| !calls_functions(kernel)) {
            kernel.set_string_attribute(MAX_REGISTERS, &limit);
        }
    }
}

/// Whether the function calls any function that is not LLVM's own.
fn calls_functions(function: Function<'_>) -> bool {
    let calls = function.instructions().filter_map(Instruction::call);
    let mut callees = calls.map(Call::callee);
    callees.any(|callee| matches!(callee, Callee::Symbol(_) | Callee::Unknown))
}

/// Returns the kernel's individual share of the kernel budget in percent, if it has one.
pub(crate) fn inline_percent(kernel: Function<'_>) -> Option<u32> {
    kernel.string_attribute(INLINE_PERCENT)?.parse().ok()
}
