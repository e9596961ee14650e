//! Combines several modules of one program into one, for output that must be a single piece, such
//! as PTX for the driver's compiler: it links no PTX by itself.

use std::collections::BTreeSet;

use crate::assembly::{self, Bound};
use crate::context::Context;
use crate::dynamic_shared::Largest;
use crate::error::IrError;
use crate::module::{Module, Reading};
use crate::options;
use crate::target::Target;

/// Failure to combine modules, with the place in the given list of the module that it is about.
#[derive(Debug)]
pub struct CombineError {
    /// Index of the module.
    pub module: usize,
    /// Error of the module.
    pub error: IrError,
}

/// Links linked or optimized modules of one program into one module, called `name`. They are taken
/// in the given order; all must be for one architecture.
pub fn combine(modules: &[Vec<u8>], name: &str) -> Result<Vec<u8>, CombineError> {
    let blame = |module| move |error| CombineError { module, error };
    let Some((first, others)) = modules.split_first() else {
        return Err(blame(0)(IrError::Import { reason: "there is no module".to_owned() }));
    };
    let context = Context::new();
    let mut whole = Module::read(&context, first, Reading::Whole).map_err(blame(0))?;
    let mut target = Target::of(&whole).map_err(blame(0))?;
    // One thin link settled them, so they are the same in all modules.
    let settled = options::recorded(&whole).map_err(blame(0))?;
    Target::forget(&mut whole);
    // A local symbol of another module by the same name would be renamed, which assembly does not
    // see.
    let mut bound: BTreeSet<String> = Bound::of(&whole).names().map(str::to_owned).collect();
    let mut shared_memory = Largest::default();
    shared_memory.add(&whole);
    for (index, bitcode) in others.iter().enumerate().map(|(index, other)| (index + 1, other)) {
        let mut module = Module::read(&context, bitcode, Reading::Whole).map_err(blame(index))?;
        let other = Target::of(&module).map_err(blame(index))?;
        if other.architecture != target.architecture {
            let reason = format!(
                "it is for {}, and the modules before it are for {}",
                other.architecture, target.architecture
            );
            return Err(blame(index)(IrError::Import { reason }));
        }
        target = target.or_newer(other);
        let own: BTreeSet<String> = Bound::of(&module).names().map(str::to_owned).collect();
        let shared = |name: &&String| whole.global(name).is_some() && module.global(name).is_some();
        if let Some(name) = bound.union(&own).find(shared) {
            return Err(blame(index)(assembly::clash(name)));
        }
        bound.extend(own);
        Target::forget(&mut module);
        shared_memory.add(&module);
        if whole.link_in(module).is_none() {
            let silent = || "LLVM's linker refused it and did not say why".to_owned();
            let reason = context.take_errors().unwrap_or_else(silent);
            return Err(blame(index)(IrError::Import { reason }));
        }
    }
    shared_memory.apply(&whole);
    target.record(&whole);
    options::record(&whole, &settled);
    whole.canonicalize(name);
    whole.verify().map_err(blame(0))?;
    whole.to_bitcode().map_err(blame(0))
}
