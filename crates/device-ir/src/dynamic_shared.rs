//! Dynamic shared memory: `extern __shared__` arrays without a size.
//!
//! No module defines such an array, so none of LLVM's linkers compares the declarations: its IR
//! mover and its module linker keep the first one, and nvlink uses the alignment of the first in
//! link order for all kernels. So every module must declare it with the largest alignment that any
//! unit requires.

use std::collections::BTreeMap;

use weft_artifact::SharedAlignment;

use crate::handles::Variable;
use crate::module::Module;

/// NVPTX's number of shared memory.
const SHARED: u32 = 3;

/// Alignment in bytes of a variable that is dynamic shared memory: the alignment that it states, or
/// else the one that LLVM's code generator gives to its type.
pub(crate) fn alignment(variable: Variable<'_>) -> Option<u32> {
    if !variable.is_declaration() || variable.address_space() != SHARED {
        return None;
    }
    let sizes = variable.layout().sizes(variable.content_type());
    (sizes.allocated == 0).then(|| match variable.alignment() {
        0 => sizes.preferred_alignment,
        stated => stated,
    })
}

/// Gives each array that the module declares the alignment that the program's units agree on.
pub(crate) fn apply(module: &Module<'_>, alignments: &[SharedAlignment]) {
    for SharedAlignment { name, alignment } in alignments {
        align(module, name, *alignment);
    }
}

/// Largest alignment of each array in several modules.
#[derive(Default)]
pub(crate) struct Largest(BTreeMap<String, u32>);

impl Largest {
    /// Takes the declarations of `module` into account.
    pub(crate) fn add(&mut self, module: &Module<'_>) {
        for variable in module.globals().into_iter().filter_map(Variable::of) {
            if let Some(alignment) = alignment(variable) {
                let largest = self.0.entry(variable.name()).or_default();
                *largest = alignment.max(*largest);
            }
        }
    }

    /// Gives each array that `module` declares its largest alignment.
    pub(crate) fn apply(&self, module: &Module<'_>) {
        for (name, alignment) in &self.0 {
            align(module, name, *alignment);
        }
    }
}

/// Aligns the array called `name`. A definition keeps its own alignment, which is true.
fn align(module: &Module<'_>, name: &str, wanted: u32) {
    let declared = module.global(name).and_then(Variable::of);
    if let Some(variable) = declared.filter(|&variable| alignment(variable).is_some()) {
        variable.set_alignment(wanted);
    }
}
