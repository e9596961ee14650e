//! Dynamic shared memory: `extern __shared__` arrays without a size.
//!
//! No module defines such an array, so no linker of LLVM's compares the declarations: its IR mover and its
//! module linker keep the first that they meet, and nvlink takes the alignment of the first in link order
//! for all kernels. So every module has to declare it with the largest alignment that any unit asks for.

use std::collections::BTreeMap;

use llvm_sys::core::{LLVMGlobalGetValueType, LLVMSetAlignment};
use llvm_sys::target::{LLVMABISizeOfType, LLVMGetModuleDataLayout, LLVMPreferredAlignmentOfType};
use weft_artifact::SharedAlignment;

use crate::global::{Global, GlobalKind};
use crate::module::Module;

/// NVPTX's number of shared memory.
const SHARED: u32 = 3;

/// The alignment in bytes of `global` if it is dynamic shared memory: the alignment that it states,
/// or else the one that LLVM's code generator gives to its type.
pub(crate) fn alignment(module: &Module<'_>, global: Global<'_>) -> Option<u32> {
    let is_declared = global.kind() == GlobalKind::Variable && global.is_declaration();
    if !is_declared || global.address_space() != SHARED {
        return None;
    }
    // SAFETY: a variable of the module, whose type has a size: LLVM refuses other types.
    let (size, preferred) = unsafe {
        let layout = LLVMGetModuleDataLayout(module.raw());
        let of_type = LLVMGlobalGetValueType(global.raw());
        (LLVMABISizeOfType(layout, of_type), LLVMPreferredAlignmentOfType(layout, of_type))
    };
    (size == 0).then(|| match global.alignment() {
        0 => preferred,
        stated => stated,
    })
}

/// Gives each array that the module declares the alignment that the program's units agree on.
pub(crate) fn apply(module: &Module<'_>, alignments: &[SharedAlignment]) {
    for SharedAlignment { name, alignment } in alignments {
        if let Some(global) = module.global(name) {
            align(module, global, *alignment);
        }
    }
}

/// The largest alignment of each array in several modules.
#[derive(Default)]
pub(crate) struct Largest(BTreeMap<String, u32>);

impl Largest {
    /// Takes the declarations of `module` into account.
    pub(crate) fn add(&mut self, module: &Module<'_>) {
        for global in module.globals() {
            if let Some(alignment) = alignment(module, global) {
                let largest = self.0.entry(global.name()).or_default();
                *largest = alignment.max(*largest);
            }
        }
    }

    /// Gives each array that `module` declares its largest alignment.
    pub(crate) fn apply(&self, module: &Module<'_>) {
        for (name, alignment) in &self.0 {
            if let Some(global) = module.global(name) {
                align(module, global, *alignment);
            }
        }
    }
}

fn align(module: &Module<'_>, global: Global<'_>, wanted: u32) {
    // A definition keeps its own alignment, which is true.
    if wanted.is_power_of_two() && alignment(module, global).is_some() {
        // SAFETY: a variable, and an alignment that LLVM can express.
        unsafe { LLVMSetAlignment(global.raw(), wanted) }
    }
}
