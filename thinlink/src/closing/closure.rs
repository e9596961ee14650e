//! The functions that a module's functions reach by calls.

use std::collections::BTreeSet;

use super::bodies::{Bodies, Bounds};
use super::program_view::{Body, ProgramView};
use super::speculation::Speculation;
use crate::model::ids::{ModuleIndex, NodeId, number_of};

/// Reason for which calls of a kernel, or of a function that it reaches, leave its module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The kernel reaches more instructions than the limit.
    TooLarge,
    /// `caller` calls `callee`, which has to stay where it is defined.
    Fixed { caller: NodeId, callee: NodeId },
    /// `caller` calls `callee`, of which copies would make the program too large.
    Shared { caller: NodeId, callee: NodeId },
    /// `caller` calls `callee`, which is too large for other modules to get.
    OverCopyLimit { caller: NodeId, callee: NodeId },
    /// `caller` calls `callee`, which no module defines.
    Undefined { caller: NodeId, callee: NodeId },
    /// `caller` calls through pointers.
    Indirect { caller: NodeId },
    /// The module has as many functions of others as `--import-cutoff` allows.
    CutOff,
}

/// Outcome of closing one kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KernelClosure {
    pub(crate) kernel: NodeId,
    /// Functions that the kernel reaches within its module, without itself.
    pub(crate) functions: u32,
    /// IR instructions of these functions and of the kernel.
    pub(crate) instructions: u32,
    /// Reason for which calls leave the module, if they do.
    pub(crate) end: Option<End>,
}

/// The functions that the emitted functions of a module reach.
#[derive(Default)]
pub(super) struct Closure {
    /// The module's live kernels, in order.
    pub(super) kernels: Vec<KernelClosure>,
    /// Leaders of the functions that may be copied to the module, sorted.
    pub(super) copies: Box<[NodeId]>,
    /// Functions of other modules that the module's indirect calls may lead to, sorted.
    pub(super) guests: Box<[NodeId]>,
}

/// A thread's sets of bodies, empty between modules.
pub(super) struct Explorer {
    /// Bodies that the current function reaches.
    reached: Bodies,
    /// Bodies that all functions of the module reach.
    module: Bodies,
}

impl Explorer {
    pub(super) fn new(nodes: usize) -> Self {
        Self { reached: Bodies::new(nodes), module: Bodies::new(nodes) }
    }

    /// Follows the calls of all functions of `module` at which closures begin.
    pub(super) fn explore(
        &mut self,
        program: &ProgramView<'_, '_>,
        bounds: &Bounds<'_>,
        module: ModuleIndex,
    ) -> Closure {
        let index = program.index;
        let (mut kernels, mut copies): (Vec<KernelClosure>, _) = (Vec::new(), Vec::new());
        // Ends of the lists of copies that are for the kernels.
        let mut ends = Vec::new();
        let is_start = |node: &NodeId| bounds.starts[*node] || bounds.shared[*node];
        for start in index.nodes(module).filter(is_start) {
            let before = copies.len();
            let closure = self.follow(program, bounds, module, start, &mut copies);
            // A module has its own bodies and the copies; a kernel that stays open gets no copies.
            let is_open = copies.len() == before;
            for node in self.reached.drain() {
                if !is_open || index.module(node) == module {
                    self.module.meet(node);
                }
            }
            if index.is_kernel(start) {
                kernels.push(closure);
                ends.push(before..copies.len());
            }
        }
        let is_live = |&node: &NodeId| program.liveness.live[node] && index.may_be_used(node);
        for own in index.nodes(module).filter(|&node| index.is_function(node)).filter(is_live) {
            self.module.meet(own);
        }
        let speculation = Speculation { program, bounds, module };
        let guests = speculation.follow(&mut self.module, &mut copies);
        self.module.drain().for_each(drop);
        if let Some(cutoff) = bounds.cutoff {
            let kept = first(&copies, cutoff);
            let is_cut = |copy: &NodeId| !kept.contains(copy);
            for (kernel, own) in kernels.iter_mut().zip(ends) {
                if copies[own].iter().any(is_cut) {
                    kernel.end = Some(End::CutOff);
                }
            }
            copies = kept.into_iter().collect();
        }
        Closure { kernels, copies: sorted(copies), guests: sorted(guests) }
    }

    /// Follows the calls of `start`, a function of `module`, as far as `bounds` allow. Adds the
    /// bodies that it reaches to `reached`, and the leaders of the functions to be copied for it to
    /// `copies`.
    fn follow(
        &mut self,
        program: &ProgramView<'_, '_>,
        bounds: &Bounds<'_>,
        module: ModuleIndex,
        start: NodeId,
        copies: &mut Vec<NodeId>,
    ) -> KernelClosure {
        let index = program.index;
        let reached = &mut self.reached;
        let before = copies.len();
        let mut instructions = program.size(start);
        let mut end = None;
        reached.meet(start);
        let mut next = 0;
        while let Some(caller) = reached.get(next) {
            next += 1;
            if index.function(caller).is_some_and(|function| program.calls_anything(function)) {
                end.get_or_insert(End::Indirect { caller });
            }
            program.for_each_call(caller, |callee| {
                let (body, is_copy) = match program.body(module, callee) {
                    Body::Own(body) => (body, false),
                    Body::Copyable(body) => (body, true),
                    Body::Elsewhere(callee) => {
                        end.get_or_insert(if program.candidates.is_over_copy_limit(callee) {
                            End::OverCopyLimit { caller, callee }
                        } else {
                            End::Fixed { caller, callee }
                        });
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
                } else if reached.meet(body) {
                    instructions = instructions.saturating_add(program.size(body));
                    if is_copy {
                        copies.push(leader);
                    }
                }
            });
            if instructions > bounds.limit {
                end = Some(End::TooLarge);
                copies.truncate(before);
                break;
            }
        }
        let functions = number_of(reached.len() - 1);
        KernelClosure { kernel: start, functions, instructions, end }
    }
}

/// Returns the first `count` of the functions that are met, each of which is called by an earlier
/// function. So raising the count by one only adds a function.
fn first(copies: &[NodeId], count: u32) -> BTreeSet<NodeId> {
    let mut kept = BTreeSet::new();
    for &copy in copies {
        if kept.len() >= count as usize {
            break;
        }
        kept.insert(copy);
    }
    kept
}

fn sorted(mut nodes: Vec<NodeId>) -> Box<[NodeId]> {
    nodes.sort_unstable();
    nodes.dedup();
    nodes.into_boxed_slice()
}

/// Whether the driver provides the function. A call of it needs neither a stack nor more registers
/// than its arguments.
fn is_of_driver(name: &str) -> bool {
    crate::analyses::nvidia::DRIVER.contains(&name)
}
