//! Attributes of functions, inferred from their callees across modules.
//!
//! A declaration tells an optimizer little: the function may touch any memory, may call back, may
//! not return. Its definition in another module says more, and callees of that definition may be in
//! a third module. So facts propagate bottom-up over the strongly connected components of the whole
//! program's call graph:
//!
//! - *memory*: the effects of a function itself and of its callees, unless its own module knows
//!   better;
//! - *does not recurse*: alone in its component, with no self-call, no indirect call and no callee
//!   that might call back;
//! - *does not unwind*: no personality function, no indirect call, and no callee that unwinds;
//! - *returns*: the fact that its own module states.
//!
//! All definitions of a name must agree, since a call may end up in any of them by inlining: an
//! attribute of a name holds for all its definitions but dropped ones, which are replaced by
//! another body. Nothing is known about a symbol that no module defines, except for a few functions
//! of the driver.
//!
//! Cost: each function and call once, as in Tarjan's algorithm.

use std::collections::BTreeSet;

use weft_artifact::{FunctionAttributes, MemoryEffects};

use super::components::{self, Vertex};
use super::host::Host;
use super::liveness::Liveness;
use super::nvidia::DRIVER;
use crate::model::ids::{NodeId, PerNode};
use crate::model::index::Index;
use crate::model::program::Function;

/// Attributes of a function about which nothing is known.
const UNKNOWN: FunctionAttributes = FunctionAttributes {
    no_unwind: false,
    no_recurse: false,
    will_return: false,
    memory: MemoryEffects::ANY,
};

const DRIVERS: FunctionAttributes =
    FunctionAttributes { no_unwind: true, no_recurse: true, ..UNKNOWN };

/// Attributes of the provider of each node. Nothing is known about kernels, which nobody calls, or
/// about symbols that are not functions.
pub(crate) struct Attributes {
    known: PerNode<FunctionAttributes>,
}

impl Attributes {
    /// Propagates over all live functions.
    pub(crate) fn propagate(index: &Index<'_>, host: &Host<'_>, liveness: &Liveness) -> Self {
        let replaceable = replaceable(index, host);
        let vertex = |node: NodeId| match (index.prevails(node), liveness.live[node]) {
            (false, _) => Vertex::outside(UNKNOWN),
            (true, true) if index.is_function(node) => Vertex::unvisited(UNKNOWN),
            (true, _) => Vertex::finished(UNKNOWN),
        };
        let callees = |node: NodeId, vertices: &PerNode<State>, callees: &mut Vec<NodeId>| {
            let first = callees.len();
            for body in bodies(index, node) {
                let calls = index.function(body).map_or(&[][..], |function| function.calls());
                for callee in calls.iter().map(|call| call.callee()) {
                    // Most callees are finished already, callees of further definitions in
                    // particular.
                    if vertices[callee].is_to_be_followed() {
                        callees.push(callee);
                    }
                }
            }
            // These bodies are visited next.
            index.fetch(&callees[first..]);
        };
        let solve = |members: &[NodeId], vertices: &mut PerNode<State>| {
            let of = |member: NodeId, inferred: &dyn Fn(NodeId) -> FunctionAttributes| {
                if replaceable.contains(&member) {
                    return UNKNOWN;
                }
                let known = bodies(index, member);
                let known = known.map(|copy| at_least(index, copy, inferred(copy)));
                known.reduce(weaker).unwrap_or(UNKNOWN)
            };
            if let &[alone] = members {
                // Each definition is judged by its own callees: most components are one function.
                let inferred = |copy| inferred(index, std::iter::once(copy), vertices, false);
                vertices[alone].fact = of(alone, &inferred);
                return;
            }
            let bodies = members.iter().flat_map(|&member| bodies(index, member));
            let inferred = inferred(index, bodies, vertices, true);
            for &member in members {
                vertices[member].fact = of(member, &|_| inferred);
            }
        };
        let vertices = index.all_nodes().map(vertex).collect();
        let vertices = components::bottom_up(index.all_nodes(), vertices, callees, solve);
        // Nothing is known of kernels, nor of a leader for whose name nothing prevails.
        let known = |node: NodeId| {
            let leader = index.leader(node);
            if index.is_kernel(leader) { UNKNOWN } else { vertices[leader].fact }
        };
        Self { known: index.all_nodes().map(known).collect() }
    }
}

/// A function in the search for components, with the attributes that its callers may rely on.
type State = Vertex<FunctionAttributes>;

/// Infers the attributes of `bodies`, which belong to one component, from their own effects and
/// their callees. Each callee is either in that component or finished.
fn inferred(
    index: &Index<'_>,
    bodies: impl Iterator<Item = NodeId>,
    states: &PerNode<State>,
    mut recurses: bool,
) -> FunctionAttributes {
    let mut inferred = FunctionAttributes {
        no_unwind: true,
        no_recurse: true,
        will_return: false,
        memory: MemoryEffects::NONE,
    };
    for node in bodies {
        let Some(function) = index.function(node) else { return UNKNOWN };
        inferred.memory = inferred.memory.or(function.own_memory());
        inferred.no_unwind &= !function.flags().has_unwind_info;
        if function.calls_indirectly() {
            return UNKNOWN;
        }
        for call in function.calls() {
            let state = &states[call.callee()];
            let of_callee = if state.is_finished() {
                state.fact
            } else if state.is_outside() {
                of_driver(index, call.callee())
            } else {
                // The callee is in the same component, whose members all contribute their own
                // effects here.
                recurses = true;
                continue;
            };
            inferred.no_unwind &= of_callee.no_unwind;
            inferred.no_recurse &= of_callee.no_recurse;
            inferred.memory = inferred.memory.or(of_callee.memory.seen_by_caller());
        }
    }
    if recurses {
        // The outer call does not know the memory that arguments of an inner call point to.
        inferred.no_recurse = false;
        inferred.memory = inferred.memory.or(inferred.memory.seen_by_caller());
    }
    inferred
}

/// Returns the attributes of a function that no module defines.
fn of_driver(index: &Index<'_>, node: NodeId) -> FunctionAttributes {
    if DRIVER.contains(&index.name(node)) { DRIVERS } else { UNKNOWN }
}

/// Returns the bodies that a call of `provider`, which prevails, may end up in; of equal bodies,
/// the first.
fn bodies<'a>(index: &'a Index<'_>, provider: NodeId) -> impl Iterator<Item = NodeId> + 'a {
    let copies = index.copies(provider);
    let alone = copies.is_none().then_some(provider);
    let copies = copies.unwrap_or_default().iter().copied();
    alone
        .into_iter()
        .chain(copies)
        .filter(|&copy| index.may_be_used(copy) && !index.is_repeated(copy))
}

/// Finds merged definitions of names that opaque code may define, too: the final link may take the
/// definition of that code.
fn replaceable(index: &Index<'_>, host: &Host<'_>) -> BTreeSet<NodeId> {
    if !host.has_opaque_code() {
        return BTreeSet::new();
    }
    let merged = |&node: &NodeId| index.linkage(node).is_merged();
    index.all_nodes().filter(merged).filter(|&node| host.may_define(index.name(node))).collect()
}

/// Returns the attributes that both have.
fn weaker(one: FunctionAttributes, other: FunctionAttributes) -> FunctionAttributes {
    FunctionAttributes {
        no_unwind: one.no_unwind && other.no_unwind,
        no_recurse: one.no_recurse && other.no_recurse,
        will_return: one.will_return && other.will_return,
        memory: one.memory.or(other.memory),
    }
}

/// Returns the attributes that a function's own module states.
fn declared(function: Function<'_>) -> FunctionAttributes {
    FunctionAttributes {
        no_unwind: function.flags().no_unwind,
        no_recurse: function.flags().no_recurse,
        will_return: function.flags().will_return,
        memory: function.memory(),
    }
}

/// Joins the attributes that the module of `node` states with the `inferred` ones.
fn at_least(index: &Index<'_>, node: NodeId, inferred: FunctionAttributes) -> FunctionAttributes {
    let Some(function) = index.function(node) else { return UNKNOWN };
    let own = declared(function);
    FunctionAttributes {
        no_unwind: own.no_unwind || inferred.no_unwind,
        no_recurse: own.no_recurse || inferred.no_recurse,
        will_return: own.will_return,
        memory: own.memory.and(inferred.memory),
    }
}

impl Attributes {
    /// Returns the attributes of `node` that a plan states, if they are worth recording. For a
    /// function that the module emits, these are attributes that the module does not know; for
    /// other functions, whether they return and their memory effects. That a callee does not
    /// recurse would only tell the same about its caller, which the plan states already.
    pub(crate) fn told(
        &self,
        index: &Index<'_>,
        node: NodeId,
        is_emitted: bool,
    ) -> Option<FunctionAttributes> {
        let known = self.known[node];
        if known == UNKNOWN {
            return None;
        }
        if !is_emitted {
            let informs = known.will_return || known.memory != MemoryEffects::ANY;
            return informs.then_some(known);
        }
        let before = declared(index.function(node)?);
        // clang marks all CUDA code as nounwind, so nounwind alone is not worth recording.
        let is_news = known.no_recurse && !before.no_recurse
            || known.will_return && !before.will_return
            || known.memory.and(before.memory) != before.memory;
        is_news.then_some(known)
    }
}
