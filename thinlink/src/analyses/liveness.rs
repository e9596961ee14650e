//! Roots, and the symbols that they reach.
//!
//! Roots are symbols that code outside of device code may use. Without complete host information
//! that is every visible definition, or, where only the host side of some unit is unknown, every
//! visible kernel and variable, as host code cannot name device functions. With complete
//! information roots are symbols that the code itself marks as used, that the host may launch or
//! copy, that opaque device code names, or that the user keeps; kernels of which nothing is known;
//! and arrays that the runtime walks (`llvm.global_ctors`). clang's list of used variables is not
//! such a mark, as it has every visible one that the unit names: offload entries and references of
//! host code say more. Host code uses nothing of a library of device code unless an offload entry
//! says so.
//!
//! From the roots a queue follows calls, references and alias targets, so the recorded parent of a
//! live symbol lies on a shortest path from a root. A visible name reaches all of its definitions:
//! a non-prevailing definition may still be inlined in its own module and then needs its own
//! locals. The edges of a dropped definition, which another body replaces, are not followed.
//!
//! Cost: symbols in parallel, with the patterns to keep for each; then each edge once.

use rayon::prelude::*;
use weft_artifact::{ModuleId, RootReason};
use weft_cli::Glob;

use super::host::{Host, Use};
use crate::model::ids::{NodeId, OptionalNode, PerNode};
use crate::model::index::{HOST_LISTING, Index, is_listing};
use crate::model::policy::Policy;
use crate::model::program::{Kind, Symbol};

/// Facts about every node that do not depend on imports.
pub(crate) struct Liveness {
    /// Whether the node must keep its name and visibility, though it may be removed if it is dead:
    /// roots, kernels, and symbols with an offload entry, except variables that the host never
    /// names.
    pub(crate) fixed: PerNode<bool>,
    /// Whether a root reaches the node.
    pub(crate) live: PerNode<bool>,
    /// Reason for which the node is a root, if it is one; a root is `fixed`.
    pub(crate) reasons: PerNode<Option<RootReason>>,
    /// The node that makes this node live: itself for a root, or none if nothing reaches it.
    pub(crate) parents: PerNode<OptionalNode>,
}

impl Liveness {
    /// Finds roots and follows them.
    pub(crate) fn new(index: &Index<'_>, host: &Host<'_>, policy: &Policy) -> Self {
        let roots = Roots::new(host, policy);
        let facts = |node: NodeId| {
            let symbol = index.symbol(node);
            let module_id = index.module_id(index.member(node));
            let usage = host.usage(module_id, &symbol);
            let is_private = host.complete
                && policy.roots.takes_variables()
                && symbol.kind().is_variable()
                && !index.is_lto_ir(index.member(node))
                && matches!(symbol.address_space(), 1 | 4);
            let fixed = symbol.is_kernel()
                || usage.is_some_and(|usage| usage == Use::Possible || !is_private);
            (fixed, roots.reason(&symbol, module_id, usage))
        };
        let (fixed, given): (Vec<bool>, Vec<Option<RootReason>>) =
            index.all_nodes().into_par().map(facts).unzip();
        let mut fixed = PerNode::from(fixed);
        // A symbol that is only declared makes the definitions of its name roots.
        let mut reasons: PerNode<Option<RootReason>> = PerNode::filled(None, index.len());
        // The definitions of a name are visited once, however many modules name it.
        let mut named = PerNode::filled(false, index.len());
        let mut is_first = |node: NodeId| !std::mem::replace(&mut named[index.leader(node)], true);
        for (node, reason) in index.all_nodes().zip(given) {
            let Some(reason) = reason.filter(|_| is_first(node)) else { continue };
            for &definition in index.definitions(node) {
                reasons[definition] = Some(reason);
                fixed[definition] = true;
            }
        }
        let (mut live, parents) = reach(index, &reasons);
        if !policy.roots.compute_dead {
            live.fill(true);
        }
        Self { fixed, live, reasons, parents }
    }
}

/// The rules for roots.
struct Roots<'a, 'units> {
    host: &'a Host<'units>,
    policy: &'a Policy,
    keep: Vec<Glob<'a>>,
}

impl<'a, 'units> Roots<'a, 'units> {
    fn new(host: &'a Host<'units>, policy: &'a Policy) -> Self {
        let keep = policy.keep.iter().map(|pattern| Glob::new(pattern)).collect();
        Self { host, policy, keep }
    }

    /// Returns the reason for which the symbol, defined or only declared, makes the definitions of
    /// its name roots.
    fn reason(
        &self,
        symbol: &Symbol<'_>,
        module: &ModuleId,
        usage: Option<Use>,
    ) -> Option<RootReason> {
        let when = |condition: bool, reason| condition.then_some(reason);
        if symbol.is_special() {
            return when(!is_listing(symbol.name()), RootReason::Runtime);
        }
        if symbol.kind().is_variable() && symbol.name() == HOST_LISTING {
            // With complete information the listing has no purpose left and would refer to removed
            // symbols.
            return when(!self.host.complete, RootReason::ListedByHost);
        }
        if symbol.is_used() && !symbol.is_used_by_host() {
            return Some(RootReason::Used);
        }
        if self.keep.iter().any(|pattern| pattern.matches(symbol.name())) {
            return Some(RootReason::Kept);
        }
        if self.host.names(module, symbol) {
            return Some(RootReason::Named);
        }
        if let Some(used) = self.listed_as_used(symbol) {
            let opaque = self.host.has_unknown_code() && !symbol.linkage().is_local();
            let reason = if used { RootReason::Named } else { RootReason::Visible };
            return when(used || opaque, reason);
        }
        self.by_host(symbol, module, usage)
    }

    /// Whether the lists of all used kernels or variables name the symbol; `None` if they say
    /// nothing of its kind.
    fn listed_as_used(&self, symbol: &Symbol<'_>) -> Option<bool> {
        let roots = &self.policy.roots;
        let is_variable = symbol.kind().is_variable() && matches!(symbol.address_space(), 1 | 4);
        let list = if symbol.is_kernel() {
            roots.kernels_used.as_ref()
        } else if is_variable {
            roots.variables_used.as_ref()
        } else {
            None
        }?;
        Some(list.iter().any(|part| symbol.name().contains(part.as_str())))
    }

    /// Whether a variable stays although the caller's lists, which are all that is known of its
    /// unit's host side, do not name it.
    fn is_unlisted_variable(&self, symbol: &Symbol<'_>) -> bool {
        !self.policy.optimize_unused_variables
            && !symbol.linkage().is_local()
            && matches!(symbol.address_space(), 1 | 4)
    }

    fn by_host(
        &self,
        symbol: &Symbol<'_>,
        module: &ModuleId,
        usage: Option<Use>,
    ) -> Option<RootReason> {
        let when = |condition: bool, reason| condition.then_some(reason);
        let local = symbol.linkage().is_local();
        let kernel = symbol.is_kernel();
        let listed = when(symbol.is_used_by_host(), RootReason::ListedByHost);
        let is_registered = usage.is_some_and(|usage| usage != Use::LeftOut);
        let registered = when(is_registered, RootReason::Registered);
        if usage.is_none() && self.host.is_seen_library(module) {
            // The content of clang's list is unknown, so the list holds.
            return when(symbol.is_used(), RootReason::Used);
        }
        if !self.host.complete {
            let is_called_only = match symbol.kind() {
                Kind::Function => !kernel,
                kind => kind == Kind::DeclaredFunction,
            };
            if is_called_only && self.host.has_all_device_code {
                return registered.or(listed);
            }
            let stays = !local || symbol.is_used_by_host() || usage.is_some() || kernel;
            return when(stays, RootReason::Visible);
        }
        match symbol.kind() {
            Kind::DeclaredVariable | Kind::DeclaredFunction | Kind::DeclaredKernel => {
                listed.filter(|_| usage.is_none())
            }
            Kind::Variable | Kind::CopyableVariable => match usage {
                Some(Use::Possible) => Some(RootReason::Host),
                Some(Use::LeftOut) => None,
                Some(Use::Unreferenced) => {
                    when(!matches!(symbol.address_space(), 1 | 4), RootReason::Registered)
                }
                None if self.host.tells_nothing_of(module) => {
                    when(self.is_unlisted_variable(symbol), RootReason::Unregistered)
                }
                None => listed,
            },
            Kind::Function if kernel => match usage {
                Some(Use::Possible) => Some(RootReason::Host),
                Some(Use::Unreferenced | Use::LeftOut) => None,
                // A list of all references that does not name it says that nothing launches it.
                None => {
                    let is_listed = self.host.is_listed || self.host.has_tables(module);
                    when(!is_listed, RootReason::Unregistered)
                }
            },
            Kind::Function | Kind::Alias => registered.or(listed),
        }
    }
}

/// Number of bodies that are brought from memory at a time.
const BATCH: usize = 16;

/// Finds the nodes that the roots reach, and their parents. The definitions of a name become live
/// together, so a name is visited once, however many definitions and callers it has.
fn reach(
    index: &Index<'_>,
    reasons: &PerNode<Option<RootReason>>,
) -> (PerNode<bool>, PerNode<OptionalNode>) {
    let mut live = PerNode::filled(false, index.len());
    let mut parents = PerNode::filled(OptionalNode::NONE, index.len());
    let mut seen = PerNode::filled(false, index.len());
    let mut queue: Vec<NodeId> = Vec::new();
    for node in index.all_nodes().filter(|&node| reasons[node].is_some()) {
        live[node] = true;
        parents[node] = node.into();
        queue.push(node);
        seen[index.leader(node)] = true;
    }
    let (mut next, mut fetched) = (0, 0);
    while let Some(&node) = queue.get(next) {
        if next == fetched {
            fetched = queue.len().min(next + BATCH);
            index.fetch(&queue[next..fetched]);
        }
        next += 1;
        // Definitions become live in their order, so all that a repeated one names is live already.
        if index.is_repeated(node) || index.is_listing(node) || !index.may_be_used(node) {
            continue;
        }
        index.for_each_edge(node, |edge| {
            let leader = index.leader(edge);
            if !std::mem::replace(&mut seen[leader], true) {
                for &copy in index.definitions(leader) {
                    live[copy] = true;
                    parents[copy] = node.into();
                    queue.push(copy);
                }
            }
        });
    }
    (live, parents)
}
