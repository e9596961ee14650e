//! Definitions that some module declares as a different kind of symbol.
//!
//! clang declares a kernel of another unit as a device function, and a constant of another unit in
//! global memory although it defines the constant in constant memory. NVIDIA's tools refuse both,
//! although NVIDIA's own compiler links such programs. The definition decides, so the plans of all
//! modules that may name the symbol state its kind.
//!
//! Cost: each declaration once, in parallel.

use std::collections::BTreeMap;

use rayon::prelude::*;
use weft_artifact::DefinitionKind;

use crate::model::ids::NodeId;
use crate::model::index::Index;
use crate::model::program::Kind;

/// Definitions that some module declares otherwise.
pub(crate) struct Misdeclared(BTreeMap<NodeId, DefinitionKind>);

impl Misdeclared {
    /// Compares the declarations of all modules with their definitions.
    pub(crate) fn new(index: &Index<'_>) -> Self {
        let differing = |node: NodeId| {
            let declared = index.kind(node);
            let definition = index.provider(node).filter(|_| !declared.is_definition())?;
            let kind = match declared {
                Kind::DeclaredFunction if index.is_kernel(definition) => DefinitionKind::Kernel,
                Kind::DeclaredVariable => {
                    let space = index.address_space(definition);
                    (space != index.address_space(node)).then_some(())?;
                    DefinitionKind::Variable(space)
                }
                _ => return None,
            };
            Some((definition, kind))
        };
        let found: Vec<_> = index.all_nodes().into_par().filter_map(differing).collect();
        Self(found.into_iter().collect())
    }

    /// Whether every declaration agrees with its definition.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the kind of `definition`, if some module declares it otherwise.
    pub(crate) fn kind(&self, definition: NodeId) -> Option<DefinitionKind> {
        self.0.get(&definition).copied()
    }
}
