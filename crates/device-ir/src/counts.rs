//! Sizes of a module's code, which a report compares before and after optimization.

use crate::handles::{Callee, Function, Instruction};
use crate::module::Module;

/// Sizes of a module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Functions with a body, imported ones included.
    pub functions: u64,
    /// Kernels with a body.
    pub kernels: u64,
    /// Instructions, without those of debug information.
    pub instructions: u64,
    /// Calls of named functions that are not LLVM's own.
    pub calls: u64,
    /// Calls through pointers.
    pub indirect_calls: u64,
}

impl Counts {
    pub(crate) fn of(module: &Module<'_>) -> Self {
        let mut counts = Self::default();
        for function in module.functions().filter(|function| !function.is_declaration()) {
            counts.functions += 1;
            counts.kernels += u64::from(function.is_kernel());
            counts.instructions += instructions_of(function);
            for call in function.instructions().filter_map(Instruction::call) {
                match call.callee() {
                    Callee::Symbol(_) => counts.calls += 1,
                    Callee::Unknown => counts.indirect_calls += 1,
                    Callee::Intrinsic(_) | Callee::Assembly(_) => {}
                }
            }
        }
        counts
    }
}

/// Number of a function's instructions, without those of debug information.
pub(crate) fn instructions_of(function: Function<'_>) -> u64 {
    function.instructions().filter(|instruction| !instruction.is_debug()).count() as u64
}
