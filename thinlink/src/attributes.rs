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

/// What each name and each local is known for, at the node that provides it; of others, nothing.
pub(crate) struct Attributes {
    known: Vec<FunctionAttributes>,
    /// Names whose copies may give way to one in opaque code.
    replaceable: BTreeSet<Node>,
}

impl Attributes {
    /// Propagates over all live functions.
    pub(crate) fn propagate(index: &Index<'_>, host: &Host<'_>, liveness: &Liveness) -> Self {
        let known = vec![UNKNOWN; index.len()];
        let mut attributes = Self { known, replaceable: replaceable(index, host) };
        let mut visit = Tarjan::new(index, liveness);
        for node in 0..index.len() {
            visit.from(node, &mut |members, order| match members {
                // Each copy by what it calls itself: most components are one function.
                &[alone] => {
                    attributes.known[alone] = of_copies(index, alone, |copy| {
                        attributes.shown(index, std::iter::once(copy), order, false)
                    });
                }
                several => {
                    let bodies = several.iter().flat_map(|&it| bodies(index, it));
                    let shown = attributes.shown(index, bodies, order, true);
                    for &member in several {
                        attributes.known[member] = of_copies(index, member, |_| shown);
                    }
                }
            });
        }
        attributes
    }

    /// What a call of what `provider` prevails for may rely on: what all copies of its name are known
    /// for.
    fn of_provider(&self, provider: Node) -> FunctionAttributes {
        if self.replaceable.contains(&provider) { UNKNOWN } else { self.known[provider] }
    }

    /// Whether callers gain by knowing what the function of the provider at `node` is known for.
    fn informs_callers(&self, node: Node) -> bool {
        let known = self.known[node];
        (known.will_return || known.memory != MemoryEffects::ANY)
            && !self.replaceable.contains(&node)
    }

    /// What holds for `bodies`, which are of one component, by what they do and call. All that they call
    /// is either of that component or done, by its `order`.
    fn shown(
        &self,
        index: &Index<'_>,
        bodies: impl Iterator<Item = Node>,
        order: &[u32],
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
                let callee = call.callee();
                let provider = index.provider(callee);
                if provider.is_some_and(|it| !matches!(order[it], 0 | DONE)) {
                    // Of its own component nothing is known yet, so all is known that can be: the
                    // members' own effects.
                    recurses = true;
                    continue;
                }
                let of_callee = match provider {
                    Some(provider) => self.of_provider(provider),
                    None => of_driver(index, callee),
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
}

/// What is known of a function that no module defines.
fn of_driver(index: &Index<'_>, node: Node) -> FunctionAttributes {
    if DRIVER.contains(&index.name(node)) { DRIVERS } else { UNKNOWN }
}

/// The bodies that a call of what `provider` stands for may end up in.
fn bodies<'a>(index: &'a Index<'_>, provider: Node) -> impl Iterator<Item = Node> + 'a {
    let copies = index.definitions(provider).iter().map(|&copy| copy as usize);
    copies.filter(|&copy| index.counts(copy))
}

/// What all bodies of a name are known for, each by what its module says or by what is `shown`.
fn of_copies(
    index: &Index<'_>,
    provider: Node,
    shown: impl Fn(Node) -> FunctionAttributes,
) -> FunctionAttributes {
    let known = bodies(index, provider).map(|copy| at_least(index, copy, shown(copy)));
    known.reduce(weaker).unwrap_or(UNKNOWN)
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
    liveness: &'a Liveness,
    /// When each provider was first met, from 1; 0 if it was not. `DONE` once its component is out.
    order: Vec<u32>,
    lowest: Vec<u32>,
    next: u32,
    open: Vec<Node>,
    path: Vec<Step>,
    /// Callees of the providers on the path, those of the last one at the end.
    callees: Vec<u32>,
}

/// A provider on the path to the one at hand.
struct Step {
    node: Node,
    /// Where its callees start; those that were followed are taken away.
    callees: usize,
}

const DONE: u32 = u32::MAX;

impl<'a, 'units> Tarjan<'a, 'units> {
    fn new(index: &'a Index<'units>, liveness: &'a Liveness) -> Self {
        let zeros = vec![0; index.len()];
        let lowest = zeros.clone();
        let (open, path, callees) = (vec![], vec![], vec![]);
        Self { index, liveness, order: zeros, lowest, next: 1, open, path, callees }
    }

    /// Calls `found` for every component that `start` reaches and that was not found before, with the
    /// order of all providers: that of the component's members is neither 0 nor `DONE`.
    fn from(&mut self, start: Node, found: &mut impl FnMut(&[Node], &[u32])) {
        if !self.index.prevails(start) {
            return;
        }
        self.enter(start);
        while let Some(&Step { node, callees }) = self.path.last() {
            if self.callees.len() == callees {
                self.leave(node, found);
            } else if let Some(callee) = self.callees.pop() {
                let callee = callee as usize;
                if !self.enter(callee) && !matches!(self.order[callee], 0 | DONE) {
                    self.lowest[node] = self.lowest[node].min(self.order[callee]);
                }
            }
        }
    }

    /// Starts with a live function that was not met before. Says whether it was one.
    fn enter(&mut self, node: Node) -> bool {
        let index = self.index;
        if self.order[node] != 0 || !self.liveness.live[node] || !index.is_function(node) {
            return false;
        }
        self.order[node] = self.next;
        self.lowest[node] = self.next;
        self.next += 1;
        self.open.push(node);
        self.path.push(Step { node, callees: self.callees.len() });
        for body in bodies(index, node) {
            let calls = index.function(body).map_or(&[][..], |function| function.calls());
            for call in calls {
                // What bodies call is what prevails, if anything does. Most are done already, those of
                // further copies in particular.
                let callee = call.callee();
                if self.order[callee] != DONE && index.prevails(callee) {
                    self.callees.extend(u32::try_from(callee));
                }
            }
        }
        true
    }

    fn leave(&mut self, node: Node, found: &mut impl FnMut(&[Node], &[u32])) {
        self.path.pop();
        if self.lowest[node] == self.order[node] {
            let start = self.open.iter().rposition(|&it| it == node).unwrap_or(0);
            found(&self.open[start..], &self.order);
            for member in self.open.drain(start..) {
                self.order[member] = DONE;
            }
        } else if let Some(parent) = self.path.last() {
            self.lowest[parent.node] = self.lowest[parent.node].min(self.lowest[node]);
        }
    }
}

impl Attributes {
    /// What the module of `node` shall be told of it: of an own function what it does not know, and of
    /// others what they do with memory and whether they return. That a callee does not recurse serves to
    /// find out the same of its caller, and that is told already.
    pub(crate) fn told(
        &self,
        index: &Index<'_>,
        node: Node,
        is_own: bool,
    ) -> Option<FunctionAttributes> {
        let provider = index.provider(node)?;
        let function = index.function(provider).filter(|it| !it.flags().kernel)?;
        if !is_own && !self.informs_callers(provider) || is_own && provider != node {
            return None;
        }
        let known = self.of_provider(provider);
        let before = if is_own { declared(function) } else { UNKNOWN };
        is_worth_telling(before, known).then_some(known)
    }
}

/// clang marks everything in CUDA code as not unwinding, so that alone is no news.
fn is_worth_telling(before: FunctionAttributes, known: FunctionAttributes) -> bool {
    known.no_recurse && !before.no_recurse
        || known.will_return && !before.will_return
        || known.memory.and(before.memory) != before.memory
}
