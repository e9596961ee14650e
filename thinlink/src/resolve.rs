//! What becomes of each definition, once it is known what is live and what other modules need.
//!
//! | definition | becomes |
//! |---|---|
//! | not live | removed |
//! | local, needed elsewhere | promoted |
//! | copy that does not prevail, equal to the one that does | available externally |
//! | copy that does not prevail, replaceable or a kernel | removed: its uses bind to the other |
//! | prevailing, needed by nobody outside | internal |
//! | prevailing, discardable, needed outside | kept |
//!
//! Aliases and what they stand for are never made internal, as PTX's `.alias` ties visible symbols.
//! An alias that does not prevail is removed like a replaceable copy.

use weft_artifact::{Linkage, Resolution, SymbolResolution, promoted_name};

use crate::imports::Imports;
use crate::index::{Index, Module, Node, Standing};
use crate::liveness::Liveness;
use crate::program::Body;

/// The definitions that some other module needs.
pub(crate) fn exported(index: &Index<'_>, imports: &[Imports]) -> Vec<bool> {
    let mut exported = vec![false; index.len()];
    for node in imports.iter().flat_map(|imports| &imports.needed) {
        exported[*node as usize] = true;
    }
    exported
}

/// The name that the definition at `node` has in every linked module that knows it.
pub(crate) fn linked_name(index: &Index<'_>, exported: &[bool], node: Node) -> String {
    let name = index.name(node);
    if index.is_local(node) && exported[node] {
        promoted_name(index.module_id(index.module(node)), name)
    } else {
        name.to_owned()
    }
}

/// The resolutions of a module's definitions, sorted by name.
pub(crate) fn resolutions(
    index: &Index<'_>,
    liveness: &Liveness,
    exported: &[bool],
    module: Module,
) -> Vec<SymbolResolution> {
    let resolutions = index.nodes(module).filter_map(|node| {
        let resolution = resolution(index, liveness, exported, node)?;
        Some(SymbolResolution { name: index.name(node).to_owned(), resolution })
    });
    resolutions.collect()
}

fn resolution(
    index: &Index<'_>,
    liveness: &Liveness,
    exported: &[bool],
    node: Node,
) -> Option<Resolution> {
    let symbol = index.symbol(node);
    if !symbol.is_definition() || symbol.special {
        return None;
    }
    if !liveness.live[node] {
        return Some(Resolution::Remove);
    }
    match index.standing(node) {
        Standing::Local => exported[node].then_some(Resolution::Promote),
        Standing::Dropped => Some(Resolution::Remove),
        Standing::Copy => (symbol.linkage != Linkage::AvailableExternally)
            .then_some(Resolution::AvailableExternally),
        Standing::Untouched => None,
        Standing::Prevailing => {
            let visible = liveness.fixed[node] || exported[node];
            let pinned_by_alias = index.is_aliased(node) || matches!(symbol.body, Body::Alias(_));
            match symbol.linkage {
                _ if !visible && !pinned_by_alias => Some(Resolution::Internalize),
                Linkage::LinkonceAny | Linkage::LinkonceOdr => Some(Resolution::Keep),
                _ => None,
            }
        }
    }
}
