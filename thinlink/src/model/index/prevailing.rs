//! Chooses the definition, among several of one name, that references bind to.
//!
//! Cost: a visit to each definition, and a look-up for each that a different one may replace.

use weft_artifact::Linkage;

use super::clashes::Clash;
use super::table::Index;
use crate::model::error::LinkError;
use crate::model::ids::NodeId;

/// The prevailing definition of a name, with its clash and its warning, if any.
#[derive(Default)]
pub(super) struct Choice {
    pub(super) prevailing: Option<NodeId>,
    pub(super) clash: Option<Clash>,
    pub(super) warning: Option<String>,
}

/// Chooses among `definitions`, which are all those of one name in module-id order.
pub(super) fn choose_prevailing(index: &Index<'_>, definitions: &[NodeId]) -> Choice {
    let mut strong = definitions.iter().copied().filter(|&node| {
        let linkage = index.linkage(node);
        !linkage.is_merged()
            && !matches!(linkage, Linkage::AvailableExternally | Linkage::ExternalWeak)
    });
    let Some(first) = strong.next() else { return choose_merged(index, definitions) };
    let clash = strong.next().map(|second| Clash {
        nodes: (first, second),
        error: Box::new(LinkError::DuplicateSymbol {
            symbol: index.code.name(first).to_owned(),
            first: path(index, first).clone(),
            second: path(index, second).clone(),
        }),
    });
    Choice { prevailing: Some(first), clash, warning: None }
}

/// Chooses among definitions of which none is strong.
fn choose_merged(index: &Index<'_>, definitions: &[NodeId]) -> Choice {
    let merged = definitions.iter().copied().filter(|&node| index.linkage(node).is_merged());
    let mut replaceable = merged.clone().filter(|&node| is_replaceable(index, node));
    if replaceable.next().is_none() {
        return Choice { prevailing: merged.clone().next(), ..Choice::default() };
    }
    let place = |node: &NodeId| {
        let places = index.link_places.as_ref();
        (places.map_or(0, |places| places[index.member(*node)]), *node)
    };
    let Some(first) = merged.clone().min_by_key(place) else { return Choice::default() };
    let content = |node: NodeId| index.code.content(node);
    let different = merged.filter(|&node| content(node) != content(first)).min_by_key(place);
    let choice = Choice { prevailing: Some(first), ..Choice::default() };
    let Some(second) = different else { return choice };
    let symbol = index.code.name(first);
    if index.link_places.is_none() {
        let nodes = (first, second);
        let error = LinkError::NoLinkOrder {
            symbol: symbol.to_owned(),
            first: path(index, first).clone(),
            second: path(index, second).clone(),
        };
        return Choice { clash: Some(Clash { nodes, error: Box::new(error) }), ..choice };
    }
    let (one, other) = (path(index, first).display(), path(index, second).display());
    let warning = format!(
        "the definitions of '{symbol}' in {one} and {other} differ: the program gets that of \
         {one}, which comes first in link order"
    );
    Choice { warning: Some(warning), ..choice }
}

/// Whether the kept definition may differ in meaning from the one at `node`.
fn is_replaceable(index: &Index<'_>, node: NodeId) -> bool {
    index.linkage(node).is_interposable()
}

fn path<'units>(index: &Index<'units>, node: NodeId) -> &'units std::path::PathBuf {
    &index.unit(index.member(node)).path
}
