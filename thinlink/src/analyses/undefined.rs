//! Names that live code refers to and no module defines.
//!
//! Opaque code, the device runtime or the driver may define them; any other name is most likely a
//! mistake, and the final link will refuse it. Where opaque code with unknown symbols takes part,
//! or not all units are known, nothing can be said.
//!
//! Cost: each symbol once and, of modules with a symbol that nobody defines, each edge of live
//! code, in parallel; and a sort of the names that are found.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::host::Host;
use super::nvidia::is_runtime_name;
use crate::analyses::nvidia::DRIVER;
use crate::model::ids::{NodeId, PerNode};
use crate::model::index::Index;
use crate::model::program::Symbol;

/// Shared memory among NVPTX's address spaces.
const SHARED: u32 = 3;

/// Finds the names, each with the first definition that refers to it.
pub(crate) fn find<'index>(
    index: &'index Index<'_>,
    live: &PerNode<bool>,
) -> BTreeMap<&'index str, NodeId> {
    let is_open = |node: NodeId| index.provider(node).is_none();
    let mut found: Vec<(&str, NodeId)> = index
        .modules()
        .into_par()
        .map(|module| index.nodes(module))
        .filter(|nodes| nodes.clone().any(is_open))
        .flat_map_iter(|nodes| nodes)
        .filter(|&node| live[node] && index.may_be_used(node) && !index.is_listing(node))
        .flat_map_iter(|node| {
            let mut open = Vec::new();
            index.for_each_edge(node, |edge| {
                if is_open(edge) {
                    let symbol = index.symbol(edge);
                    open.extend(may_not_stay_open(&symbol).then_some((symbol.name(), node)));
                }
            });
            open
        })
        .collect();
    found.par_sort_unstable();
    found.dedup_by_key(|(name, _)| *name);
    found.into_iter().collect()
}

/// Whether the final link refuses the symbol without a definition, as it does even if the symbol is
/// declared weak. Shared memory that is only declared gets its size from the launch.
fn may_not_stay_open(symbol: &Symbol<'_>) -> bool {
    let is_sized_by_launch = symbol.address_space() == SHARED;
    !symbol.is_special() && !is_sized_by_launch
}

/// Returns warnings about undefined names, of which `library` holds those that the device runtime
/// defines. Without complete host information the inputs may be a part of a program, which leaves
/// names to the rest. But the device code of `shared` libraries, which the program links, cannot be
/// that rest.
pub(crate) fn warnings(
    index: &Index<'_>,
    host: &Host<'_>,
    (undefined, library): (&BTreeMap<&str, NodeId>, &BTreeSet<&str>),
    shared: &[String],
) -> Vec<String> {
    if !host.complete && shared.is_empty() || host.has_unknown_code() {
        return Vec::new();
    }
    let is_known = |name: &str| {
        DRIVER.contains(&name)
            || is_runtime_name(name)
            || library.contains(name)
            || host.may_define(name)
    };
    let open = undefined.iter().filter(|(name, _)| !is_known(name));
    open.map(|(name, &node)| {
        let path = index.unit(index.member(node)).path.display();
        let by = index.name(node);
        let advice = advice(shared);
        format!(
            "undefined symbol '{name}': '{by}' of {path} refers to it, and no input defines \
             it{advice}"
        )
    })
    .collect()
}

/// Returns what follows the message about an undefined symbol of a program that links the `shared`
/// libraries.
fn advice(shared: &[String]) -> String {
    let named = shared.join(", ");
    match shared {
        [] => String::new(),
        [_] => format!(
            ". Device code cannot refer to that of a shared library: if {named} defines it, link \
             it statically"
        ),
        _ => format!(
            ". Device code cannot refer to that of a shared library: if one of {named} defines it, \
             link that one statically"
        ),
    }
}
