//! Resolves each definition, once it is known which are live and which are needed by other modules.
//!
//! | definition | becomes |
//! |---|---|
//! | not live, or used only by copies | removed |
//! | local, needed elsewhere | promoted |
//! | local of a bundle's member | renamed, unless its name has to stay |
//! | non-prevailing, equal to the prevailing one | available externally |
//! | the same, and a kernel of its module calls it | localized: the module emits it for itself |
//! | non-prevailing, interposable or a kernel | removed: its uses bind to the prevailing one |
//! | prevailing, needed by nobody outside | internal |
//! | prevailing, discardable, needed outside | kept |
//!
//! Aliases and their targets are never made internal, as PTX's `.alias` ties visible symbols. A
//! non-prevailing alias is removed like an interposable definition.

use std::borrow::Cow;

use weft_artifact::{Linkage, Resolution, promoted_name};

use crate::analyses::liveness::Liveness;
use crate::closing::Closing;
use crate::imports::Imports;
use crate::model::ids::{ModuleIndex, NodeId, PerNode};
use crate::model::index::{Index, Role};

/// Finds the definitions that some other module needs.
pub(crate) fn exported(index: &Index<'_>, imports: &[Imports]) -> PerNode<bool> {
    let mut exported = PerNode::filled(false, index.len());
    for node in imports.iter().flat_map(|imports| &imports.needed) {
        exported[*node] = true;
    }
    exported
}

/// Names of definitions in linked modules.
#[derive(Clone, Copy)]
pub(crate) struct LinkedNames<'a, 'units> {
    pub(crate) index: &'a Index<'units>,
    pub(crate) liveness: &'a Liveness,
    /// For each node, whether another module needs the definition.
    pub(crate) exported: &'a PerNode<bool>,
}

impl<'a> LinkedNames<'a, '_> {
    /// Returns the name that the definition at `node` has in the linked module of `module`. A local
    /// keeps its name in its own module, unless other modules need it or the module is a bundle's.
    pub(crate) fn of(self, module: ModuleIndex, node: NodeId) -> Cow<'a, str> {
        let name = self.index.name(node);
        if self.is_promoted(module, node) {
            Cow::Owned(promoted_name(self.index.module_id(self.index.member(node)), name))
        } else {
            Cow::Borrowed(name)
        }
    }

    /// Whether the definition at `node` is a local that has its promoted name in the linked module
    /// of `module`.
    pub(crate) fn is_promoted(self, module: ModuleIndex, node: NodeId) -> bool {
        let Self { index, liveness, exported } = self;
        index.is_local(node)
            && (exported[node] || index.module(node) != module || is_renamed(index, liveness, node))
    }
}

/// Whether the local at `node` gets another name because it is compiled with other modules.
fn is_renamed(index: &Index<'_>, liveness: &Liveness, node: NodeId) -> bool {
    index.is_bundled(node) && !liveness.fixed[node] && !index.is_listing(node)
}

/// Returns the resolution of the definition at `node`, unless it stays as it is.
pub(crate) fn resolution(
    index: &Index<'_>,
    liveness: &Liveness,
    closing: &Closing,
    exported: &PerNode<bool>,
    node: NodeId,
) -> Option<Resolution> {
    if index.is_special(node) {
        return None;
    }
    if !liveness.live[node] || !closing.stays(node) {
        return Some(Resolution::Remove);
    }
    let linkage = index.linkage(node);
    match index.role(node) {
        Role::Local if exported[node] => Some(Resolution::Promote),
        Role::Local => is_renamed(index, liveness, node).then_some(Resolution::Rename),
        Role::Dropped => Some(Resolution::Remove),
        Role::Copy if closing.is_copied(index.module(node), index.leader(node)) => {
            Some(Resolution::Localize)
        }
        Role::Copy => {
            (linkage != Linkage::AvailableExternally).then_some(Resolution::AvailableExternally)
        }
        Role::Untouched => None,
        Role::Prevailing => {
            let visible = liveness.fixed[node] || exported[node];
            match linkage {
                // PTX's aliases tie visible symbols.
                _ if !visible && !index.is_alias(node) && !index.is_aliased(node) => {
                    Some(Resolution::Internalize)
                }
                Linkage::LinkonceAny | Linkage::LinkonceOdr => Some(Resolution::Keep),
                _ => None,
            }
        }
    }
}
