//! What is known of functions, brought from those they call, across modules.
//!
//! A declaration tells an optimiser little: the function may touch any memory, may call back, may not
//! return. Its definition in another module says more, and what that one calls may be in a third. So
//! facts go bottom-up over the strongly connected components of the whole program's call graph:
//!
//! - *memory*: what a function does itself, and what its callees do, as far as its own module does
//!   not know better;
//! - *does not recurse*: alone in its component, without a call of itself, an indirect call or a
//!   callee that might call back;
//! - *does not unwind*: no part in unwinding, no indirect call, and no callee that unwinds;
//! - *returns*: only what its own module says.
//!
//! All copies of a name must agree, since a call may end up in any of them by inlining: what a name
//! is known for is what all its copies are known for, but those that give way to another body. Nothing
//! is known of a symbol that no module defines, but for the few functions of the driver that device
//! code calls without asking.
//!
//! Cost: each function and call once, as in Tarjan's algorithm.

use std::collections::BTreeSet;

use weft_artifact::{FunctionAttributes, MemoryEffects};

use crate::host::Host;
use crate::index::{Index, Node};
use crate::liveness::Liveness;
use crate::program::Function;

/// Nothing.
const UNKNOWN: FunctionAttributes = FunctionAttributes {
    no_unwind: false,
    no_recurse: false,
    will_return: false,
    memory: MemoryEffects::ANY,
};

/// Functions that the driver provides. They call nothing of the program.
pub(crate) const DRIVER: [&str; 4] = ["__assertfail", "free", "malloc", "vprintf"];

const DRIVERS: FunctionAttributes =
    FunctionAttributes { no_unwind: true, no_recurse: true, ..UNKNOWN };

/// What each node is known for, which is what the one that provides it is known for. Nothing is known of
/// kernels, which nobody calls, and of what is no function.
pub(crate) struct Attributes {
    known: Vec<FunctionAttributes>,
}

impl Attributes {
    /// Propagates over all live functions.
    pub(crate) fn propagate(index: &Index<'_>, host: &Host<'_>, liveness: &Liveness) -> Self {
        let replaceable = replaceable(index, host);
        let mut visit = Tarjan::new(index, liveness);
        for node in 0..index.len() {
            visit.from(node, |members, states| {
                let of = |member: Node, shown: &dyn Fn(Node) -> FunctionAttributes| {
                    if replaceable.contains(&member) {
                        return UNKNOWN;
                    }
                    let known = bodies(index, member);
                    let known = known.map(|copy| at_least(index, copy, shown(copy)));
                    known.reduce(weaker).unwrap_or(UNKNOWN)
                };
                if let &[alone] = members {
                    // Each copy by what it calls itself: most components are one function.
                    let shown = |copy| shown(index, std::iter::once(copy), states, false);
                    states[alone].known = of(alone, &shown);
                    return;
                }
                let bodies = members.iter().flat_map(|&it| bodies(index, it));
                let shown = shown(index, bodies, states, true);
                for &member in members {
                    states[member].known = of(member, &|_| shown);
                }
            });
        }
        let mut states = visit.states;
        for (node, state) in states.iter_mut().enumerate() {
            if index.is_kernel(node) {
                state.known = UNKNOWN;
            }
        }
        // Where nothing prevails for a name, nothing is known of its leader.
        let known = |node: Node| states[index.leader(node)].known;
        Self { known: (0..index.len()).map(known).collect() }
    }
}

/// What holds for `bodies`, which are of one component, by what they do and call. All that they call is
/// either of that component or done.
fn shown(
    index: &Index<'_>,
    bodies: impl Iterator<Item = Node>,
    states: &[State],
    mut recurses: bool,
) -> FunctionAttributes {
    let mut shown = FunctionAttributes {
        no_unwind: true,
        no_recurse: true,
        will_return: false,
        memory: MemoryEffects::NONE,
    };
    for node in bodies {
        let Some(function) = index.function(node) else { return UNKNOWN };
        shown.memory = shown.memory.or(function.own_memory());
        shown.no_unwind &= !function.flags().has_unwind_info;
        if function.calls_indirectly() {
            return UNKNOWN;
        }
        for call in function.calls() {
            let state = states[call.callee()];
            let of_callee = match state.order {
                DONE => state.known,
                OUTSIDE => of_driver(index, call.callee()),
                // Of its own component nothing is known yet, so all is known that can be: the
                // members' own effects.
                _ => {
                    recurses = true;
                    continue;
                }
            };
            shown.no_unwind &= of_callee.no_unwind;
            shown.no_recurse &= of_callee.no_recurse;
            shown.memory = shown.memory.or(of_callee.memory.seen_by_caller());
        }
    }
    if recurses {
        // What the arguments of an inner call point to is anything to the outer one.
        shown.no_recurse = false;
        shown.memory = shown.memory.or(shown.memory.seen_by_caller());
    }
    shown
}

/// What is known of a function that no module defines.
fn of_driver(index: &Index<'_>, node: Node) -> FunctionAttributes {
    if DRIVER.contains(&index.name(node)) { DRIVERS } else { UNKNOWN }
}

/// The bodies that a call of `provider`, which prevails, may end up in; of those that are alike, the first.
fn bodies<'a>(index: &'a Index<'_>, provider: Node) -> impl Iterator<Item = Node> + 'a {
    let copies = index.copies(provider);
    let alone = copies.is_none().then_some(provider);
    let copies = copies.unwrap_or_default().iter().map(|&copy| copy as usize);
    alone.into_iter().chain(copies).filter(|&copy| index.counts(copy) && !index.is_repeated(copy))
}

/// Providers with copies elsewhere that opaque code may define, too: the final link may take its.
fn replaceable(index: &Index<'_>, host: &Host<'_>) -> BTreeSet<Node> {
    if !host.has_opaque_code() {
        return BTreeSet::new();
    }
    let merged = |&node: &Node| index.symbol(node).linkage.is_merged();
    (0..index.len()).filter(merged).filter(|&node| host.may_define(index.name(node))).collect()
}

/// What holds whichever of the two it is.
fn weaker(one: FunctionAttributes, other: FunctionAttributes) -> FunctionAttributes {
    FunctionAttributes {
        no_unwind: one.no_unwind && other.no_unwind,
        no_recurse: one.no_recurse && other.no_recurse,
        will_return: one.will_return && other.will_return,
        memory: one.memory.or(other.memory),
    }
}

/// What a function's own module says of it.
fn declared(function: Function<'_>) -> FunctionAttributes {
    FunctionAttributes {
        no_unwind: function.flags().no_unwind,
        no_recurse: function.flags().no_recurse,
        will_return: function.flags().will_return,
        memory: function.memory(),
    }
}

/// What is known of one function: what its module says, or what its calls show.
fn at_least(index: &Index<'_>, node: Node, shown: FunctionAttributes) -> FunctionAttributes {
    let Some(function) = index.function(node) else { return UNKNOWN };
    let own = declared(function);
    FunctionAttributes {
        no_unwind: own.no_unwind || shown.no_unwind,
        no_recurse: own.no_recurse || shown.no_recurse,
        will_return: own.will_return,
        memory: own.memory.and(shown.memory),
    }
}

/// Strongly connected components of the call graph, callees first, without recursion of our own. All
/// copies of a name are one vertex, the node that provides it, so that a name costs no more the more
/// copies and callers it has.
struct Tarjan<'a, 'units> {
    index: &'a Index<'units>,
    states: Vec<State>,
    next: u32,
    open: Vec<Node>,
    path: Vec<Step>,
    /// Callees of the providers on the path, those of the last one at the end.
    callees: Vec<u32>,
}

/// What is known of a node. Each call leads to another one, so all of it is in one place.
#[derive(Clone, Copy)]
struct State {
    /// When a live function that prevails was first met, from 1; 0 if it was not; `DONE` once its
    /// component is out, and of all else that prevails. `OUTSIDE` where something else does, or nothing.
    order: u32,
    /// What a call of it may rely on, once it is `DONE`.
    known: FunctionAttributes,
}

/// A provider on the path to the one at hand.
struct Step {
    node: Node,
    /// The earliest provider that is reached from it, as far as is known.
    lowest: u32,
    /// Where its callees start; those that were followed are taken away.
    callees: usize,
}

const DONE: u32 = u32::MAX;
const OUTSIDE: u32 = u32::MAX - 1;

impl<'a, 'units> Tarjan<'a, 'units> {
    fn new(index: &'a Index<'units>, liveness: &Liveness) -> Self {
        let state = |node: Node| {
            let order = match (index.prevails(node), liveness.live[node]) {
                (false, _) => OUTSIDE,
                (true, true) if index.is_function(node) => 0,
                (true, _) => DONE,
            };
            State { order, known: UNKNOWN }
        };
        let states = (0..index.len()).map(state).collect();
        Self { index, states, next: 1, open: vec![], path: vec![], callees: vec![] }
    }

    /// Calls `found` for every component that `start` reaches and that was not found before, to say what
    /// is known of its members. Neither 0 nor `DONE` nor `OUTSIDE` is their order.
    fn from(&mut self, start: Node, mut found: impl FnMut(&[Node], &mut [State])) {
        if self.states[start].order != 0 {
            return;
        }
        self.enter(start);
        while let Some(step) = self.path.last_mut() {
            if self.callees.len() == step.callees {
                self.leave(&mut found);
            } else if let Some(callee) = self.callees.pop() {
                match self.states[callee as usize].order {
                    0 => self.enter(callee as usize),
                    DONE => {}
                    earlier => step.lowest = step.lowest.min(earlier),
                }
            }
        }
    }

    /// Starts with a function that was not met before.
    fn enter(&mut self, node: Node) {
        let index = self.index;
        self.states[node].order = self.next;
        self.open.push(node);
        self.path.push(Step { node, lowest: self.next, callees: self.callees.len() });
        self.next += 1;
        let first = self.callees.len();
        for body in bodies(index, node) {
            let calls = index.function(body).map_or(&[][..], |function| function.calls());
            for callee in calls.iter().map(|call| call.callee()) {
                // Most are done already, those of further copies in particular.
                if self.states[callee].order < OUTSIDE {
                    self.callees.extend(u32::try_from(callee));
                }
            }
        }
        // They are what comes next.
        index.fetch(&self.callees[first..]);
    }

    fn leave(&mut self, found: &mut impl FnMut(&[Node], &mut [State])) {
        let Some(Step { node, lowest, .. }) = self.path.pop() else { return };
        if lowest == self.states[node].order {
            let start = self.open.iter().rposition(|&it| it == node).unwrap_or(0);
            found(&self.open[start..], &mut self.states);
            for member in self.open.drain(start..) {
                self.states[member].order = DONE;
            }
        } else if let Some(parent) = self.path.last_mut() {
            parent.lowest = parent.lowest.min(lowest);
        }
    }
}

impl Attributes {
    /// What the module of `node` shall be told of it: of an own function that it emits what it does not
    /// know, and of others what they do with memory and whether they return. That a callee does not recurse serves to
    /// find out the same of its caller, and that is told already.
    pub(crate) fn told(
        &self,
        index: &Index<'_>,
        node: Node,
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
        // clang marks everything in CUDA code as not unwinding, so that alone is no news.
        let is_news = known.no_recurse && !before.no_recurse
            || known.will_return && !before.will_return
            || known.memory.and(before.memory) != before.memory;
        is_news.then_some(known)
    }
}
