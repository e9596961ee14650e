//! Which modules hold all that their kernels reach, as copies of their own.
//!
//! On a GPU all that runs starts at a kernel. A call that leaves the kernel's module costs the registers
//! of the worst function that could be behind it, and a stack; and what exporters compile for others has
//! mostly been inlined by everyone already. So a module *closes* a kernel: each function that the kernel
//! reaches by calls (direct ones, and virtual ones whose targets are known) becomes a function of the
//! kernel's module that nobody else sees. It may be inlined or, being `noinline` or large, stay a local
//! function of that module. A body that only closed kernels need is not compiled where it was defined.
//! Functions that have to stay where they are defined, as something refers to their address or as they
//! cannot be copied, are closed in the same way: what they call need not be visible to others either.
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
//! Cost: for each live kernel, or function that is closed like one, at most as many functions as fit into
//! its limit, with their calls, in parallel by module; then the edges of each body once for every module
//! that has it.

mod closure;
mod emission;
mod policy;
mod sharing;
mod speculation;

use rayon::prelude::*;

use crate::imports::{Candidates, policy::ImportModel};
use crate::index::{Index, Module, Node, position};
use crate::link::Policy;
use crate::liveness::Liveness;
use crate::program::Function;
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
    /// For each node, whether any module may import it.
    exposed: Vec<bool>,
    /// For each module, sorted, other functions that it may import.
    guests: Vec<Box<[u32]>>,
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
    liveness: &'a Liveness,
    candidates: &'a Candidates,
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
        for target in self.liveness.virtual_calls.targets(function) {
            each(target);
        }
    }

    /// Calls `each` with everything that the body at `node` names other than as a callee.
    fn for_each_reference(&self, node: Node, mut each: impl FnMut(Node)) {
        self.index.for_each_reference(node, &mut each);
        if let Some(function) = self.index.function(node) {
            self.liveness.virtual_calls.tested(function).for_each(each);
        }
    }

    /// Whether the body at `node` calls through pointers.
    fn calls_indirectly(&self, node: Node) -> bool {
        self.index.function(node).is_some_and(Function::calls_indirectly)
    }

    /// Whether `function` calls through pointers that are not known to lead to certain functions.
    fn calls_anything(&self, function: Function<'_>) -> bool {
        function.calls_indirectly()
            && self.liveness.virtual_calls.targets(function).next().is_none()
    }

    /// IR instructions of the function at `node`.
    fn size(&self, node: Node) -> u32 {
        self.index.function(node).map_or(0, Function::instruction_count)
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
                exposed: vec![true; index.len()],
                guests: vec![Box::default(); modules],
                kernels: vec![Vec::new(); modules],
            };
        }
        let world = World { index, liveness, candidates };
        let limit = policy.closing.closure_limit;
        let starts = starts(&world);
        let mut shared = vec![false; index.len()];
        let mut closures = closures(&world, &Bounds { limit, starts: &starts, shared: &shared });
        let costly = sharing::costly(&world, &closures, policy);
        if !costly.is_empty() {
            for node in costly {
                shared[node as usize] = true;
            }
            closures = self::closures(&world, &Bounds { limit, starts: &starts, shared: &shared });
        }
        let Emission { stays, exposed, copies, guests } = Emission::new(&world, &closures);
        let kernels = closures.into_iter().map(|closure| closure.kernels).collect();
        Self { copies, stays, exposed, guests, kernels }
    }

    /// Whether calls in `module` of the function that `leader` leads go to a copy of the module's own.
    #[inline]
    pub(crate) fn is_copied(&self, module: Module, leader: Node) -> bool {
        self.copies[module].binary_search(&position(leader)).is_ok()
    }

    /// Whether `module` may import the body of `function`, as all that it names is visible there.
    pub(crate) fn may_import(&self, module: Module, function: Node) -> bool {
        self.exposed[function] || self.guests[module].binary_search(&position(function)).is_ok()
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

/// For each node, whether closures begin there: at live kernels, and at functions that stay where they are
/// defined, because live code or a live variable names them other than as a callee or because they cannot
/// be copied.
fn starts(world: &World<'_, '_>) -> Vec<bool> {
    let index = world.index;
    let is_live = |node: Node| world.liveness.live[node];
    let mut named = vec![false; index.len()];
    for node in (0..index.len()).filter(|&node| is_live(node) && !index.is_listing(node)) {
        world.for_each_reference(node, |target| {
            if let Some(provider) = index.provider(target) {
                named[provider] = true;
            }
        });
    }
    let is_start = |(node, is_named): (Node, bool)| {
        index.is_function(node)
            && is_live(node)
            && index.prevails(node)
            && (is_named || index.is_kernel(node) || !world.candidates.is_code(node))
    };
    named.into_iter().enumerate().map(is_start).collect()
}

/// What the functions of each module reach at which closures begin, and those that several modules share.
fn closures(world: &World<'_, '_>, bounds: &Bounds<'_>) -> Vec<Closure> {
    let nodes = world.index.len();
    (0..world.index.units.len())
        .into_par_iter()
        .map_init(
            || Explorer::new(nodes),
            |explorer, module| explorer.explore(world, bounds, module),
        )
        .collect()
}
