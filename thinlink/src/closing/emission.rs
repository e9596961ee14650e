//! Which definitions their own modules still have to keep, once others have copies.
//!
//! A definition *stays* in its module if it is a root, a kernel or registered with the host, if a body
//! that stays or is copied anywhere refers to it other than by a call, or calls it without having a copy.
//! It is *exposed* if another module names it. That module may import its body, and with it all that the
//! body names, so what an exposed body names is exposed, too. A module's own copy of a name that another
//! module emits stays where something in the module uses that name.
//!
//! Cost: each edge of a body once for each module that has the body, and once more if it is exposed.

use super::{World, own_copy};
use crate::index::{Module, Node};
use crate::liveness::Liveness;

pub(super) struct Emission {
    /// For each node, whether its module keeps the definition.
    pub(super) stays: Vec<bool>,
    /// For each module, those of the copies that something calls.
    pub(super) copies: Vec<Box<[u32]>>,
}

struct Walk<'a, 'units> {
    world: &'a World<'a, 'units>,
    /// For each module, the leaders of functions of which it may have copies.
    copies: &'a [Box<[u32]>],
    /// For each of these, whether something calls it.
    used: Vec<Vec<bool>>,
    stays: Vec<bool>,
    exposed: Vec<bool>,
    /// What is still to be looked at.
    queue: Vec<Step>,
}

#[derive(Clone, Copy)]
enum Step {
    /// What a body names that `module` has as its definition or as a copy.
    Body { module: u32, node: u32 },
    /// What a body names that other modules may import.
    Exposed { node: u32 },
}

impl Emission {
    /// Starts at what `liveness` fixes.
    pub(super) fn new(world: &World<'_, '_>, liveness: &Liveness, copies: &[Box<[u32]>]) -> Self {
        let index = world.index;
        let mut walk = Walk {
            world,
            copies,
            used: copies.iter().map(|copies| vec![false; copies.len()]).collect(),
            stays: vec![false; index.len()],
            exposed: vec![false; index.len()],
            queue: Vec::new(),
        };
        for node in (0..index.len()).filter(|&node| liveness.live[node]) {
            // Where nothing is removed, what no root reaches is live all the same.
            let is_root = liveness.fixed[node]
                || liveness.reasons[node].is_some()
                || liveness.parents[node] == u32::MAX
                || index.is_special(node);
            if is_root {
                walk.keep(node);
            }
        }
        while let Some(step) = walk.queue.pop() {
            match step {
                Step::Body { module, node } => walk.visit(module as usize, node as usize),
                Step::Exposed { node } => walk.visit_exposed(node as usize),
            }
        }
        let used = walk.used.iter().zip(copies);
        let copies = used.map(|(used, copies)| {
            let used = used.iter().zip(copies).filter(|(is_used, _)| **is_used);
            used.map(|(_, &leader)| leader).collect()
        });
        Self { copies: copies.collect(), stays: walk.stays }
    }
}

impl Walk<'_, '_> {
    /// The module of `node` keeps its definition.
    fn keep(&mut self, node: Node) {
        let index = self.world.index;
        if !index.is_definition(node) || std::mem::replace(&mut self.stays[node], true) {
            return;
        }
        if index.counts(node) {
            self.queue.push(Step::Body { module: number(index.module(node)), node: number(node) });
        }
    }

    /// The module of `node` keeps its definition, and another module may import it.
    fn expose(&mut self, node: Node) {
        self.keep(node);
        if self.stays[node] && !std::mem::replace(&mut self.exposed[node], true) {
            self.queue.push(Step::Exposed { node: number(node) });
        }
    }

    /// Looks at what the body at `node`, of which `module` has the definition or a copy, names.
    fn visit(&mut self, module: Module, node: Node) {
        let world = self.world;
        world.for_each_call(node, |callee| self.call(module, callee));
        world.index.for_each_reference(node, |target| self.refer(module, target));
        for target in
            world.index.function(node).into_iter().flat_map(|it| world.virtual_calls.tested(it))
        {
            self.refer(module, target);
        }
    }

    fn visit_exposed(&mut self, node: Node) {
        let world = self.world;
        let mut expose = |target: Node| {
            if let Some(provider) = world.index.provider(target) {
                self.expose(provider);
            }
        };
        world.for_each_call(node, &mut expose);
        world.index.for_each_reference(node, &mut expose);
    }

    /// A body in `module` calls `callee`.
    fn call(&mut self, module: Module, callee: Node) {
        let index = self.world.index;
        let leader = index.leader(callee);
        let Ok(place) = self.copies[module].binary_search(&number(leader)) else {
            return self.refer(module, callee);
        };
        if std::mem::replace(&mut self.used[module][place], true) {
            return;
        }
        match own_copy(index, module, leader) {
            Some(own) => self.keep(own),
            None => {
                self.queue.push(Step::Body { module: number(module), node: number(leader) });
            }
        }
    }

    /// A body in `module` needs the program's definition of the symbol at `target`.
    fn refer(&mut self, module: Module, target: Node) {
        let index = self.world.index;
        let Some(provider) = index.provider(target) else {
            // Nothing prevails: whatever definitions there are stay as they were.
            for &copy in index.definitions(target) {
                self.keep(copy as usize);
            }
            return;
        };
        if index.module(provider) == module {
            return self.keep(provider);
        }
        self.expose(provider);
        if let Some(own) = own_copy(index, module, provider) {
            self.keep(own);
        }
    }
}

/// A position among nodes or modules: the index refuses programs with more.
fn number(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}
