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

use weft_artifact::{Body, ModuleId, Symbol};

use crate::host::{Host, Use};
use crate::index::{HOST_LISTING, Index, Node, is_listing, is_special};
use crate::link::Policy;

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
        let mut root = vec![false; index.len()];
        let mut unknown_keeps: BTreeSet<&str> = policy.keep.iter().map(String::as_str).collect();
        for node in 0..index.len() {
            let symbol = index.symbol(node);
            if symbol.is_definition() {
                unknown_keeps.remove(symbol.name.as_str());
            }
            let module_id = index.module_id(index.module(node));
            if is_root(symbol, module_id, host, policy) {
                for definition in index.definitions(node) {
                    root[definition] = true;
                }
            }
        }
        let fixed = (0..index.len())
            .map(|node| {
                root[node]
                    || index.is_kernel(node)
                    || host.usage(index.module_id(index.module(node)), index.symbol(node)).is_some()
            })
            .collect();
        let live = reach(index, &root);
        let unknown_keeps = unknown_keeps.into_iter().map(str::to_owned).collect();
        Self { fixed, live, unknown_keeps }
    }
}

/// Whether the symbol, defined or only declared, makes the definitions of its name roots.
fn is_root(symbol: &Symbol, module: &ModuleId, host: &Host<'_>, policy: &Policy) -> bool {
    if is_special(symbol) {
        return !is_listing(&symbol.name);
    }
    if symbol.name == HOST_LISTING {
        // With complete information the listing has no purpose left and would refer to what goes.
        return !host.complete;
    }
    if symbol.used || policy.keep.contains(&symbol.name) || host.names(symbol) {
        return true;
    }
    let usage = host.usage(module, symbol);
    let local = symbol.linkage.is_local();
    let kernel = symbol.function().is_some_and(|function| function.flags.kernel);
    if !host.complete {
        return !local || symbol.used_by_host || usage.is_some() || kernel;
    }
    match &symbol.body {
        Body::Declaration(_) => symbol.used_by_host && usage.is_none(),
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

fn reach(index: &Index<'_>, root: &[bool]) -> Vec<bool> {
    let mut live = root.to_vec();
    let mut work: Vec<Node> = (0..index.len()).filter(|&node| root[node]).collect();
    while let Some(node) = work.pop() {
        if is_listing(&index.symbol(node).name) {
            continue;
        }
        for edge in index.edges(node) {
            for definition in index.definitions(edge) {
                if !live[definition] {
                    live[definition] = true;
                    work.push(definition);
                }
            }
        }
    }
    live
}
