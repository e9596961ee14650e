//! How much code a module holds: what a report compares before and after optimisation.

use crate::global::{Global, GlobalKind};
use crate::module::Module;
use crate::value::{self, Callee};

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
        for function in module.globals().into_iter().filter(|&it| has_body(it)) {
            counts.functions += 1;
            counts.kernels += u64::from(function.is_kernel());
            counts.instructions += instructions_of(function);
            for instruction in value::blocks(function.raw()).flat_map(value::instructions) {
                match value::callee(instruction) {
                    Some(Callee::Symbol(_)) => counts.calls += 1,
                    Some(Callee::Unknown) => counts.indirect_calls += 1,
                    Some(Callee::Intrinsic(_) | Callee::Assembly) | None => {}
                }
            }
        }
        counts
    }
}

/// Instructions of a function, without those of debug information.
pub(crate) fn instructions_of(function: Global<'_>) -> u64 {
    let instructions = value::blocks(function.raw()).flat_map(value::instructions);
    instructions.filter(|&it| !value::is_debug(it)).count() as u64
}

fn has_body(global: Global<'_>) -> bool {
    global.kind() == GlobalKind::Function && !global.is_declaration()
}
