//! What one kernel reaches by calls.

use super::{Body, KernelClosure, World};
use crate::index::{Index, Module, Node};
use crate::program::Function;

/// Why calls of a kernel, or of what it reaches, leave its module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The kernel reaches more instructions than the limit.
    TooLarge,
    /// `caller` calls `callee`, which has to stay where it is defined.
    Fixed { caller: Node, callee: Node },
    /// `caller` calls `callee`, of which copies would make the program too large.
    Shared { caller: Node, callee: Node },
    /// `caller` calls `callee`, which no module defines.
    Undefined { caller: Node, callee: Node },
    /// `caller` calls through pointers.
    Indirect { caller: Node },
}

/// Where closures end.
pub(super) struct Bounds<'a> {
    /// The most instructions of a closure.
    pub(super) limit: u32,
    /// For each node, whether copies of the function would make the program too large.
    pub(super) shared: &'a [bool],
}

/// What a kernel reaches.
pub(super) struct Closure {
    pub(super) outcome: KernelClosure,
    /// Leaders of the functions of which the module gets copies, in the order in which they were met.
    copies: Vec<u32>,
}

/// A thread's marks of what it met, empty between closures.
pub(super) struct Explorer {
    met: Vec<bool>,
    /// Bodies to look at: all that were met, in order.
    queue: Vec<u32>,
}

impl Explorer {
    pub(super) fn new(nodes: usize) -> Self {
        Self { met: vec![false; nodes], queue: Vec::new() }
    }

    /// Follows the calls of `start`, a function of `module`, as far as `bounds` let it.
    pub(super) fn explore(
        &mut self,
        world: &World<'_, '_>,
        bounds: &Bounds<'_>,
        module: Module,
        start: Node,
    ) -> Closure {
        let index = world.index;
        let size = |node: Node| index.function(node).map_or(0, Function::instruction_count);
        let mut copies = Vec::new();
        let mut instructions = size(start);
        let mut end = None;
        self.meet(start);
        let mut next = 0;
        while let Some(&caller) = self.queue.get(next) {
            let caller = caller as usize;
            next += 1;
            if index.function(caller).is_some_and(|it| {
                it.calls_indirectly() && world.virtual_calls.targets(it).next().is_none()
            }) {
                end.get_or_insert(End::Indirect { caller });
            }
            world.for_each_call(caller, |callee| {
                let (body, is_copy) = match world.body(module, callee) {
                    Body::Own(body) => (body, false),
                    Body::Copyable(body) => (body, true),
                    Body::Elsewhere(provider) => {
                        end.get_or_insert(End::Fixed { caller, callee: provider });
                        return;
                    }
                    Body::Undefined => {
                        if !is_of_driver(index.name(callee)) {
                            end.get_or_insert(End::Undefined { caller, callee });
                        }
                        return;
                    }
                };
                let leader = index.leader(body);
                if is_copy && bounds.shared[leader] {
                    end.get_or_insert(End::Shared { caller, callee: leader });
                } else if self.meet(body) {
                    instructions = instructions.saturating_add(size(body));
                    if is_copy {
                        copies.push(number(leader));
                    }
                }
            });
            if instructions > bounds.limit {
                end = Some(End::TooLarge);
                copies.clear();
                break;
            }
        }
        let functions = number(self.queue.len() - 1);
        for node in self.queue.drain(..) {
            self.met[node as usize] = false;
        }
        let outcome = KernelClosure { kernel: start, functions, instructions, end };
        Closure { outcome, copies }
    }

    /// Whether the body at `node` is met for the first time.
    fn meet(&mut self, node: Node) -> bool {
        let is_new = !std::mem::replace(&mut self.met[node], true);
        if is_new {
            self.queue.push(number(node));
        }
        is_new
    }
}

/// The sorted leaders of all functions of which a module gets copies for its kernels.
pub(super) fn copies(index: &Index<'_>, closures: &[Closure]) -> Box<[u32]> {
    let all = closures.iter().flat_map(|closure| &closure.copies).copied();
    let mut all: Vec<u32> = all.collect();
    all.sort_unstable();
    all.dedup();
    debug_assert!(all.iter().all(|&node| index.leader(node as usize) == node as usize));
    all.into_boxed_slice()
}

/// Whether the driver provides the function. A call of it needs neither a stack nor more registers than
/// its arguments.
fn is_of_driver(name: &str) -> bool {
    crate::attributes::DRIVER.contains(&name)
}

/// A position among the nodes: the index refuses programs with more.
fn number(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}
