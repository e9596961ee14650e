//! All units merged: who defines what, and which definition each reference binds to.
//!
//! Every symbol of every module with device code is a *node*, numbered through in module-id order,
//! so facts about symbols are plain arrays. Symbols that other modules can see and that have one name
//! have one *leader* among them: the prevailing definition, or else the first definition, or else
//! the first declaration. A local leads itself. Whatever is bound to a name is bound to its leader, and
//! bodies name leaders at once, so that a step along an edge is one look into an array.
//!
//! The prevailing definition of a name is the strong one. Among merged definitions that must be
//! equal it is the first in module-id order, as the order of arguments must not affect the result.
//! Among merged definitions that may differ (`weak`, `linkonce`) it is the first in the link order
//! that the build states, as for linkers; where the build states none and the definitions do
//! differ, the program is refused.
//!
//! Cost: a hash of each visible name and one parallel sort of the hashes, then one pass over symbols
//! and one over edges.

use rayon::prelude::*;
use weft_artifact::Linkage;

use super::clashes::Clash;
use super::groups::Groups;
use super::prevailing::choose_prevailing;
use super::ranks::Ranks;
use super::role::{Role, Traits};
use super::table::{Index, NONE, Node, position};
use crate::model::error::LinkError;
use crate::model::link_order::LinkOrder;
use crate::model::program::{Body, Code, PackedUnit};

/// Resolved names: the fields of [`Index`] with the same names, and messages about the names.
struct Resolved {
    leaders: Vec<u32>,
    traits: Vec<Traits>,
    copies: Vec<u32>,
    copies_start: Vec<u32>,
    /// Warnings about names whose first definition in link order was taken though others differ.
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
    let mut modules = Vec::with_capacity(code.len());
    for (module, (_, symbols)) in (0..).zip(places) {
        modules.resize(modules.len() + symbols.len(), module);
        starts.push(modules.len());
    }
    let kinds = code.kinds();
    let traits: Vec<_> = kinds.map(|(linkage, kind)| Traits::local(linkage, kind)).collect();
    let leaders = (0..code.len()).map(position).collect();
    let ranks = Ranks::new(&traits, |it: &Traits| it.is_definition());
    let mut index = Index {
        units,
        link_places,
        code,
        starts,
        modules,
        traits,
        leaders,
        copies: Vec::new(),
        copies_start: Vec::new(),
        ranks,
        aliased: Vec::new(),
        disagreements: Vec::new(),
    };
    index.aliased = find_aliased(&index);
    resolve_names(&mut index)?;
    let roles: Vec<Role> =
        (0..index.len()).into_par_iter().map(|node| find_role(&index, node)).collect();
    for (traits, role) in index.traits.iter_mut().zip(roles) {
        traits.role = role;
    }
    let Index { code, leaders, traits, starts, .. } = &mut index;
    code.bind(starts, |node| {
        let leader = leaders[node];
        // Where nothing prevails, what the module itself says of the symbol counts.
        if traits[leader as usize].prevails() { leader } else { position(node) }
    });
    code.keep_names(|node| leaders[node] as usize == node);
    let repeats: Vec<bool> =
        (0..index.len()).into_par_iter().map(|node| is_like_first(&index, node)).collect();
    for (traits, repeats) in index.traits.iter_mut().zip(repeats) {
        if repeats {
            traits.repeat();
        }
    }
    Ok(index)
}

/// Whether the definition at `node`, of which all is bound, is a later copy like the first of its
/// name, which counts. No other copy is looked at, so that a name costs no more than it has copies.
fn is_like_first(index: &Index<'_>, node: Node) -> bool {
    let copies = index.copies(index.leader(node)).unwrap_or_default();
    copies.first().map(|&copy| copy as usize).is_some_and(|first| {
        first < node && index.counts(first) && index.code.is_alike(first, node)
    })
}

fn find_aliased(index: &Index<'_>) -> Vec<Node> {
    let mut targets: Vec<Node> = (0..index.len())
        .filter(|&node| index.is_alias(node))
        .filter_map(|node| match index.body(node) {
            Body::Alias(target) => Some(target),
            _ => None,
        })
        .collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}

fn resolve_names(index: &mut Index<'_>) -> Result<(), LinkError> {
    let sorted = Groups::new(index);
    let ((disagreements, clash), (resolved, other)) =
        rayon::join(|| sorted.disagreements(index), || resolve(index, &sorted));
    let Resolved { leaders, traits, copies, copies_start, mut warnings } = resolved;
    (index.leaders, index.traits) = (leaders, traits);
    (index.copies, index.copies_start) = (copies, copies_start);
    warnings.extend(disagreements);
    warnings.sort_unstable();
    index.disagreements = warnings;
    Clash::first(clash, other).map_or(Ok(()), |clash| Err(*clash.error))
}

/// What each name stands for, and the first name of which two definitions cannot give way.
fn resolve(index: &Index<'_>, sorted: &Groups) -> (Resolved, Option<Clash>) {
    // Each leads itself so far.
    let (mut leaders, mut traits) = (index.leaders.clone(), index.traits.clone());
    let (mut copies, mut copies_start) = (Vec::new(), Vec::new());
    copies_start.resize(index.len(), NONE);
    let (mut clash, mut warnings) = (None, Vec::new());
    let mut definitions = Vec::new();
    for group in sorted.iter() {
        definitions.clear();
        definitions.extend(group.clone().filter(|&node| index.is_definition(node as usize)));
        let choice = choose_prevailing(index, &definitions);
        let prevailing = choice.prevailing;
        clash = Clash::first(clash, choice.clash);
        warnings.extend(choice.warning);
        let leader = prevailing.or_else(|| definitions.first().copied());
        let Some(leader) = leader.or_else(|| group.clone().next()) else { continue };
        for node in group {
            leaders[node as usize] = leader;
            traits[node as usize].follow();
        }
        let has_copies = definitions.len() > 1;
        traits[leader as usize].lead(prevailing.is_some(), has_copies);
        if has_copies {
            copies_start[leader as usize] = position(copies.len());
            copies.push(position(definitions.len()));
            copies.extend_from_slice(&definitions);
        }
    }
    (Resolved { leaders, traits, copies, copies_start, warnings }, clash)
}

fn find_role(index: &Index<'_>, node: Node) -> Role {
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
