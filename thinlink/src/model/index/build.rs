//! Merges all units: finds the definitions of each name, and the definition that each reference
//! binds to.
//!
//! Every symbol of every module with device code is a *node*, numbered in module-id order, so facts
//! about symbols are plain arrays. Visible symbols of the same name have one *leader* among them:
//! the prevailing definition, or else the first definition, or else the first declaration. A local
//! leads itself. References to a name are bound to its leader, and bodies name leaders directly, so
//! following an edge is one array access.
//!
//! The prevailing definition of a name is the strong one. Among merged definitions that must be
//! equal it is the first in module-id order, as the order of arguments must not affect the result.
//! Among merged definitions that may differ (`weak`, `linkonce`) it is the first in the link order
//! that the build states, as for linkers; where the build states none and the definitions do
//! differ, the program is refused.
//!
//! Cost: a hash of each visible name and one parallel sort of the hashes, then one pass over
//! symbols and one over edges.

use rayon::prelude::*;
use weft_artifact::Linkage;

use super::bundles::Bundles;
use super::clashes::Clash;
use super::definitions::Definitions;
use super::groups::Groups;
use super::prevailing::choose_prevailing;
use super::ranks::Ranks;
use super::repeated::note_repeated;
use super::role::{NodeFacts, Role};
use super::table::Index;
use crate::model::error::LinkError;
use crate::model::ids::{ModuleIndex, NodeId, PerNode, number_of};
use crate::model::link_order::LinkOrder;
use crate::model::program::{Code, PackedUnit};

/// Resolved names: fields of [`Index`] with the same names, and messages about the names.
struct Resolved {
    leaders: PerNode<NodeId>,
    facts: PerNode<NodeFacts>,
    several: Definitions,
    /// Warnings about names whose first definition in link order was taken although others differ.
    warnings: Vec<String>,
}

/// Merges `units`, which are sorted by module id, with their code, which is in `parts`. The
/// build links them in `link_order`, if it states one.
pub(crate) fn merge<'units>(
    units: &[&'units PackedUnit],
    parts: Vec<Code>,
    link_order: Option<&LinkOrder>,
) -> Result<Index<'units>, LinkError> {
    let places = link_order.map(|order| order.places(units)).transpose()?;
    let with_device = |(place, unit): (u32, &&PackedUnit)| unit.device.is_some().then_some(place);
    let link_places =
        places.map(|places| places.into_iter().zip(units).filter_map(with_device).collect());
    let units: Vec<_> =
        units.iter().filter_map(|unit| Some((*unit, unit.device.as_ref()?))).collect();
    let places: Vec<_> =
        units.iter().map(|(_, device)| (device.part, device.symbols.clone())).collect();
    let code = Code::gather(parts, &places)?;
    let mut starts = vec![0];
    let mut members = Vec::with_capacity(code.len());
    let mut nodes = 0;
    for (module, (_, symbols)) in (0..).map(ModuleIndex::new).zip(places) {
        members.resize(members.len() + symbols.len(), module);
        nodes += number_of(symbols.len());
        starts.push(nodes);
    }
    let facts: Vec<_> =
        code.kinds().map(|(linkage, kind)| NodeFacts::local(linkage, kind)).collect();
    let ranks = Ranks::new(&facts, |facts: &NodeFacts| facts.kind.is_definition());
    let bundles = Bundles::alone(units.len());
    let mut index = Index {
        units: units.into(),
        link_places,
        starts,
        members: members.into(),
        bundles,
        facts: facts.into(),
        leaders: (0..nodes).map(NodeId::new).collect(),
        several: Definitions::new(0),
        ranks,
        aliased: Vec::new(),
        disagreements: Vec::new(),
        code,
    };
    index.aliased = aliased(&index);
    resolve_names(&mut index)?;
    index.code.forget_prototypes();
    let roles: Vec<Role> =
        index.all_nodes().into_par().map(|node| find_role(&index, node)).collect();
    for (facts, role) in index.facts.iter_mut().zip(roles) {
        facts.role = role;
    }
    let Index { code, leaders, facts, starts, .. } = &mut index;
    code.bind(starts, |node| {
        let leader = leaders[node];
        // Without a prevailing definition, the module's own symbol is named.
        if facts[leader].prevails() { leader } else { node }
    });
    code.keep_names(|node| leaders[node] == node);
    note_repeated(&mut index);
    Ok(index)
}

/// Returns the aliased nodes, sorted.
fn aliased(index: &Index<'_>) -> Vec<NodeId> {
    let mut targets: Vec<NodeId> =
        index.all_nodes().filter_map(|node| index.alias_target(node)).collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}

/// Finds the leader of each name, and reports the first clash of two symbols of one name.
fn resolve_names(index: &mut Index<'_>) -> Result<(), LinkError> {
    let groups = Groups::new(index);
    let ((disagreements, clash), (resolved, other)) =
        rayon::join(|| groups.disagreements(index), || resolve(index, &groups));
    let Resolved { leaders, facts, several, mut warnings } = resolved;
    (index.leaders, index.facts, index.several) = (leaders, facts, several);
    warnings.extend(disagreements);
    warnings.sort_unstable();
    index.disagreements = warnings;
    Clash::first(clash, other).map_or(Ok(()), |clash| Err(*clash.error))
}

/// Resolves each name, and finds the first name with two definitions that both have to prevail.
fn resolve(index: &Index<'_>, groups: &Groups) -> (Resolved, Option<Clash>) {
    // Each node leads itself so far.
    let (mut leaders, mut facts) = (index.leaders.clone(), index.facts.clone());
    let mut several = Definitions::new(index.len());
    let (mut clash, mut warnings) = (None, Vec::new());
    let mut definitions = Vec::new();
    for group in groups.iter() {
        definitions.clear();
        definitions.extend(group.clone().filter(|&node| index.is_definition(node)));
        let choice = choose_prevailing(index, &definitions);
        let prevailing = choice.prevailing;
        clash = Clash::first(clash, choice.clash);
        warnings.extend(choice.warning);
        let leader = prevailing.or_else(|| definitions.first().copied());
        let Some(leader) = leader.or_else(|| group.clone().next()) else { continue };
        for node in group {
            leaders[node] = leader;
            facts[node].set_follower();
        }
        let has_copies = definitions.len() > 1;
        facts[leader].set_leader(prevailing.is_some(), has_copies);
        if has_copies {
            several.add(leader, &definitions);
        }
    }
    (Resolved { leaders, facts, several, warnings }, clash)
}

/// Finds the role of the definition at `node`.
fn find_role(index: &Index<'_>, node: NodeId) -> Role {
    if index.is_local(node) {
        return Role::Local;
    }
    if index.prevails(node) {
        return Role::Prevailing;
    }
    let linkage = index.linkage(node);
    if linkage == Linkage::AvailableExternally {
        Role::Copy
    } else if index.is_kernel(node) {
        Role::Dropped
    } else if index.is_aliased(node) {
        Role::Untouched
    } else if linkage.is_interposable() || index.is_alias(node) {
        Role::Dropped
    } else {
        Role::Copy
    }
}
