//! Which modules hold all that their kernels reach, as copies of their own.
//!
//! On a GPU all that runs starts at a kernel. A call that leaves the kernel's module costs the registers
//! of the worst function that could be behind it, and a stack; and what exporters compile for others has
//! mostly been inlined by everyone already. So a module *closes* a kernel: each function that the kernel
//! reaches by calls (direct ones, and virtual ones whose targets are known) becomes a function of the
//! kernel's module that nobody else sees. It may be inlined or, being `noinline` or large, stay a local
//! function of that module. A body that only closed kernels need is not compiled where it was defined.
//!
//! *What may be copied.* Only the code of a function, never an identity. Variables are not copied, so
//! static locals and virtual tables stay one. Calls go to the copy while the function's address, in
//! comparisons and in tables, stays the one of the program's function, which its own module then emits
//! for those who take the address. Functions that another definition may replace, whose body cannot
//! move (assembly with labels, locals that must keep their names) and kernels are not copied; a kernel
//! that calls one is *open*, though all else that it reaches is still copied.
//!
//! *What must stay small.* A kernel that reaches more instructions than `--closure-limit` stays as it
//! was: it imports what its inliner can use, and calls the rest where it is defined ([`closure`]).
//! Where copies that will not be inlined would make the program larger than `--closure-growth` allows,
//! the functions that cost most stay shared ([`sharing`]).
//!
//! *What is still compiled where it was defined* follows from the kernels and other roots ([`emission`]).
//!
//! Decisions are made about definitions in order, so they depend on neither the order of arguments nor
//! the number of threads.
//!
//! Cost: for each live kernel at most as many functions as fit into its limit, with their calls, in
//! parallel by module; then the edges of each body once for every module that has it.

mod closure;
mod emission;
mod policy;
mod sharing;

use rayon::prelude::*;

use crate::devirtualise::Devirtualised;
use crate::imports::{Candidates, policy::ImportModel};
use crate::index::{Index, Module, Node};
use crate::link::Policy;
use crate::liveness::Liveness;
pub(crate) use closure::End;
use closure::{Bounds, Closure, Explorer};
use emission::Emission;
pub use policy::ClosingPolicy;

/// What is copied where, and which definitions their own modules keep.
pub(crate) struct Closing {
    /// For each module, the sorted leaders of the functions that it has as copies of its own.
    copies: Vec<Box<[u32]>>,
    /// For each node, whether its module keeps the definition, to be emitted or inlined.
    stays: Vec<bool>,
    /// For each module, its live kernels in order, with what closing them came to.
    kernels: Vec<Vec<KernelClosure>>,
}

/// What closing one kernel came to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KernelClosure {
    pub(crate) kernel: Node,
    /// Functions that the kernel reaches within its module, without itself.
    pub(crate) functions: u32,
    /// IR instructions of these functions and of the kernel.
    pub(crate) instructions: u32,
    /// Why calls leave the module, if they do.
    pub(crate) end: Option<End>,
}

/// What all parts of this decision look at.
#[derive(Clone, Copy)]
struct World<'a, 'units> {
    index: &'a Index<'units>,
    virtual_calls: &'a Devirtualised,
    candidates: &'a Candidates,
    live: &'a [bool],
}

/// Where a call in some module finds the body of the function that it calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Body {
    /// In the module itself, which owns the program's definition.
    Own(Node),
    /// In the module itself or elsewhere; a copy of it can become the module's own.
    Copyable(Node),
    /// In another module, and there it has to stay.
    Elsewhere(Node),
    /// No module defines it.
    Undefined,
}

impl World<'_, '_> {
    /// The body that a call of `callee` in `module` may use.
    fn body(&self, module: Module, callee: Node) -> Body {
        let index = self.index;
        let Some(provider) = index.provider(callee) else { return Body::Undefined };
        let nodes = index.nodes(module);
        if nodes.contains(&provider) {
            return Body::Own(provider);
        }
        match own_copy(index, module, provider) {
            Some(own) if self.candidates.is_code(own) && index.is_inspected(own) => {
                Body::Copyable(own)
            }
            None if self.candidates.is_code(provider) => Body::Copyable(provider),
            // With a definition of its own, a module cannot get another one of the same name.
            _ => Body::Elsewhere(provider),
        }
    }

    /// Calls `each` with every function that the body at `node` calls directly, or by virtual calls
    /// whose targets are known.
    fn for_each_call(&self, node: Node, mut each: impl FnMut(Node)) {
        let Some(function) = self.index.function(node) else { return };
        for call in function.calls() {
            each(call.callee());
        }
        for target in self.virtual_calls.targets(function) {
            each(target);
        }
    }
}

/// The definition that `module` itself has of the name of `leader`, which is another module's.
fn own_copy(index: &Index<'_>, module: Module, leader: Node) -> Option<Node> {
    let nodes = index.nodes(module);
    let copies = index.copies(leader)?;
    let next = copies.partition_point(|&copy| (copy as usize) < nodes.start);
    let own = *copies.get(next)? as usize;
    nodes.contains(&own).then_some(own)
}

impl Closing {
    /// Decides what is copied, as far as `policy` wants copies at all.
    pub(crate) fn new(
        index: &Index<'_>,
        liveness: &Liveness,
        candidates: &Candidates,
        policy: &Policy,
    ) -> Self {
        let modules = index.units.len();
        if !is_wanted(policy) {
            return Self {
                copies: vec![Box::default(); modules],
                stays: liveness.live.clone(),
                kernels: vec![Vec::new(); modules],
            };
        }
        let world = World {
            index,
            virtual_calls: &liveness.virtual_calls,
            candidates,
            live: &liveness.live,
        };
        let limit = policy.closing.closure_limit;
        let mut shared = vec![false; index.len()];
        let mut closures = closures(&world, &Bounds { limit, shared: &shared });
        let reached = |closures: &[Vec<Closure>]| -> Vec<Box<[u32]>> {
            closures.par_iter().map(|closures| closure::copies(index, closures)).collect()
        };
        let mut copies = reached(&closures);
        let costly = sharing::costly(&world, &copies, policy);
        if !costly.is_empty() {
            for node in costly {
                shared[node as usize] = true;
            }
            closures = self::closures(&world, &Bounds { limit, shared: &shared });
            copies = reached(&closures);
        }
        let emission = Emission::new(&world, liveness, &copies);
        let kernels = closures.into_iter().map(|closures| {
            closures.into_iter().map(|closure| closure.outcome).collect::<Vec<_>>()
        });
        Self { copies: emission.copies, stays: emission.stays, kernels: kernels.collect() }
    }

    /// Whether calls in `module` of the function that `leader` leads go to a copy of the module's own.
    #[inline]
    pub(crate) fn is_copied(&self, module: Module, leader: Node) -> bool {
        let leader = u32::try_from(leader).unwrap_or(u32::MAX);
        self.copies[module].binary_search(&leader).is_ok()
    }

    /// The leaders of the functions of which `module` has copies of its own, sorted.
    pub(crate) fn copies(&self, module: Module) -> &[u32] {
        &self.copies[module]
    }

    /// Whether the module of the live definition at `node` keeps it. Otherwise only copies of it are used.
    #[inline]
    pub(crate) fn stays(&self, node: Node) -> bool {
        self.stays[node]
    }

    /// The live kernels of `module`, in order. Empty where nothing is closed at all.
    pub(crate) fn kernels(&self, module: Module) -> &[KernelClosure] {
        &self.kernels[module]
    }
}

/// Other models of importing decide by themselves what a module gets, and so do lists.
fn is_wanted(policy: &Policy) -> bool {
    let imports = &policy.imports;
    policy.closing.is_on
        && imports.model == ImportModel::Gpu
        && imports.workload.is_empty()
        && !imports.all_index
}

/// What the live kernels of each module reach, and functions that several share.
fn closures(world: &World<'_, '_>, bounds: &Bounds<'_>) -> Vec<Vec<Closure>> {
    (0..world.index.units.len())
        .into_par_iter()
        .map_init(
            || Explorer::new(world.index.len()),
            |explorer, module| {
                let starts = world.index.nodes(module).filter(|&node| {
                    world.live[node]
                        && world.index.prevails(node)
                        && (world.index.is_kernel(node) || bounds.shared[node])
                });
                starts.map(|start| explorer.explore(world, bounds, module, start)).collect()
            },
        )
        .collect()
}
