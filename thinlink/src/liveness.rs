//! Roots, and what they reach.
//!
//! Roots are what someone outside device code may use. Without complete host information that is
//! every visible definition. With it, it is what the code itself marks as used, what the host may
//! launch or copy, kernels of which nothing is known, what opaque device code names, what the user
//! keeps, and arrays that the runtime walks (`llvm.global_ctors`).
//!
//! From the roots a work list follows calls, references and alias targets. A visible name reaches
//! all of its copies: a copy that does not prevail may still be inlined in its own module and then
//! needs its own locals.
//!
//! Cost: each symbol and each edge once.

use std::collections::BTreeSet;

use rayon::prelude::*;
use weft_artifact::ModuleId;

use crate::host::{Host, Use};
use crate::index::{HOST_LISTING, Index, Node, is_listing};
use crate::link::Policy;
use crate::program::{Body, Symbol};

/// Facts about every node that hold whatever is imported where.
pub(crate) struct Liveness {
    /// May not get another name or become internal, though it may go if it is not live: roots,
    /// kernels, and whatever has an offload entry.
    pub(crate) fixed: Vec<bool>,
    /// A root reaches it.
    pub(crate) live: Vec<bool>,
    /// Names to keep that no module defines: likely a mistake of the user's.
    pub(crate) unknown_keeps: Vec<String>,
}

impl Liveness {
    /// Finds roots and follows them.
    pub(crate) fn new(index: &Index<'_>, host: &Host<'_>, policy: &Policy) -> Self {
        let facts = |node: Node| {
            let symbol = index.symbol(node);
            let module_id = index.module_id(index.module(node));
            let fixed = symbol.function().is_some_and(|function| function.flags.kernel)
                || host.usage(module_id, &symbol).is_some();
            (fixed, is_root(&symbol, module_id, host, policy))
        };
        let (mut fixed, rooting): (Vec<bool>, Vec<bool>) =
            (0..index.len()).into_par_iter().map(facts).unzip();
        // The definitions of a name are looked at once, however many modules name it.
        let mut named = vec![false; index.name_count()];
        let first = |&node: &Node| match index.name(node) {
            Some(name) => !std::mem::replace(&mut named[name], true),
            None => true,
        };
        let roots: Vec<Node> = (0..index.len())
            .filter(|&node| rooting[node])
            .filter(first)
            .flat_map(|node| index.definitions(node))
            .collect();
        for &root in &roots {
            fixed[root] = true;
        }
        let unknown_keeps = unknown_keeps(index, policy);
        Self { fixed, live: reach(index, roots), unknown_keeps }
    }
}

/// Names to keep that no module defines.
fn unknown_keeps(index: &Index<'_>, policy: &Policy) -> Vec<String> {
    let mut unknown: BTreeSet<&str> = policy.keep.iter().map(String::as_str).collect();
    for node in 0..index.len() {
        if unknown.is_empty() {
            break;
        }
        let symbol = index.symbol(node);
        if symbol.is_definition() {
            unknown.remove(symbol.name);
        }
    }
    unknown.into_iter().map(str::to_owned).collect()
}

/// Whether the symbol, defined or only declared, makes the definitions of its name roots.
fn is_root(symbol: &Symbol<'_>, module: &ModuleId, host: &Host<'_>, policy: &Policy) -> bool {
    if symbol.special {
        return !is_listing(symbol.name);
    }
    if symbol.name == HOST_LISTING {
        // With complete information the listing has no purpose left and would refer to what goes.
        return !host.complete;
    }
    if symbol.used || policy.keep.contains(symbol.name) || host.names(symbol) {
        return true;
    }
    let usage = host.usage(module, symbol);
    let local = symbol.linkage.is_local();
    let kernel = symbol.function().is_some_and(|function| function.flags.kernel);
    if !host.complete {
        return !local || symbol.used_by_host || usage.is_some() || kernel;
    }
    match &symbol.body {
        Body::Declaration => symbol.used_by_host && usage.is_none(),
        Body::Variable(_) => match usage {
            Some(Use::Possible) => true,
            Some(Use::Unreferenced) => {
                let removable =
                    policy.optimize_unused_variables && matches!(symbol.address_space, 1 | 4);
                !removable
            }
            None => symbol.used_by_host,
        },
        Body::Function(_) if kernel => usage != Some(Use::Unreferenced),
        Body::Function(_) | Body::Alias(_) => usage.is_some() || symbol.used_by_host,
    }
}

/// Follows edges from `roots`. The copies of a name become live together, so a name is looked at
/// once however many copies and callers it has.
fn reach(index: &Index<'_>, roots: Vec<Node>) -> Vec<bool> {
    let mut live = vec![false; index.len()];
    let mut seen = vec![false; index.name_count()];
    for &root in &roots {
        live[root] = true;
        if let Some(name) = index.name(root) {
            seen[name] = true;
        }
    }
    let mut work = roots;
    while let Some(node) = work.pop() {
        if index.is_listing(node) {
            continue;
        }
        index.for_each_edge(node, |edge| match index.name(edge) {
            Some(name) if seen[name] => {}
            Some(name) => {
                seen[name] = true;
                for &copy in index.copies(name) {
                    live[copy as usize] = true;
                    work.push(copy as usize);
                }
            }
            None if !live[edge] => {
                live[edge] = true;
                work.push(edge);
            }
            None => {}
        });
    }
    live
}
