//! Finds the definitions that their own modules still have to keep, once others have copies.
//!
//! A definition *stays* in its module if it is a root, a kernel or registered with the host, if a
//! body that stays or is copied anywhere refers to it other than by a call, or calls it without a
//! copy. A function that another module calls without a copy is *exposed*: the other module may
//! import its body, so its callees stay, and are exposed as well. Other symbols that it names stay
//! anyway, as the function itself does. A module's own copy of a name that another module emits
//! stays where something in the module uses that name.
//!
//! Cost: each edge of a body once for each module that has the body, and once more if it is
//! exposed.

use super::closure::Closure;
use super::program_view::{ProgramView, own_copy};
use crate::model::ids::{ModuleIndex, NodeId, OptionalNode, PerModule, PerNode};

pub(super) struct Emission {
    /// For each node, whether its module keeps the definition.
    pub(super) stays: PerNode<bool>,
    /// For each node, whether all its callees are visible to all modules.
    pub(super) exposed: PerNode<bool>,
    /// For each module, the copies that something calls.
    pub(super) copies: PerModule<Box<[NodeId]>>,
    /// For each module, the guests that something names.
    pub(super) guests: PerModule<Box<[NodeId]>>,
}

struct Walk<'a, 'units> {
    program: &'a ProgramView<'a, 'units>,
    /// For each module, the leaders of functions that may be copied to it.
    copies: PerModule<Chosen<'a>>,
    /// For each module, its guests.
    guests: PerModule<Chosen<'a>>,
    stays: PerNode<bool>,
    exposed: PerNode<bool>,
    /// Steps that are still to be taken.
    queue: Vec<Step>,
}

/// A sorted list of nodes, some of which turn out to be used.
struct Chosen<'a> {
    nodes: &'a [NodeId],
    used: Vec<bool>,
}

/// Result of looking for a node in such a list.
enum Use {
    Missing,
    First,
    Again,
}

#[derive(Clone, Copy)]
enum Step {
    /// Visit the edges of a body that `module` has as its definition, as a copy or as a guest.
    Body { module: ModuleIndex, node: NodeId },
    /// Expose the callees of a body that other modules may import.
    Exposed { node: NodeId },
}

impl Emission {
    /// Starts at roots and at other definitions that have to stay.
    pub(super) fn new(program: &ProgramView<'_, '_>, closures: &[Closure]) -> Self {
        let (index, liveness) = (program.index, program.liveness);
        let mut walk = Walk {
            program,
            copies: closures.iter().map(|closure| Chosen::among(&closure.copies)).collect(),
            guests: closures.iter().map(|closure| Chosen::among(&closure.guests)).collect(),
            stays: PerNode::filled(false, index.len()),
            exposed: PerNode::filled(false, index.len()),
            queue: Vec::new(),
        };
        for node in index.all_nodes().filter(|&node| liveness.live[node]) {
            // Where nothing is removed, a symbol that no root reaches is live all the same.
            let is_root = liveness.fixed[node]
                || liveness.parents[node] == OptionalNode::NONE
                || index.is_special(node);
            if is_root {
                walk.keep(node);
            }
        }
        while let Some(step) = walk.queue.pop() {
            match step {
                Step::Body { module, node } => walk.visit(module, node),
                Step::Exposed { node } => walk.visit_exposed(node),
            }
        }
        Self {
            stays: walk.stays,
            exposed: walk.exposed,
            copies: walk.copies.into_iter().map(Chosen::into_used).collect(),
            guests: walk.guests.into_iter().map(Chosen::into_used).collect(),
        }
    }
}

impl Walk<'_, '_> {
    /// Notes that the module of `node` keeps its definition.
    fn keep(&mut self, node: NodeId) {
        let index = self.program.index;
        if !index.is_definition(node) || std::mem::replace(&mut self.stays[node], true) {
            return;
        }
        if index.may_be_used(node) {
            self.enqueue(index.module(node), node);
        }
    }

    /// Notes that `module` has the body at `node`.
    fn enqueue(&mut self, module: ModuleIndex, node: NodeId) {
        self.queue.push(Step::Body { module, node });
    }

    /// Notes that the module of `node` keeps its definition, and that another module may import it.
    fn expose(&mut self, node: NodeId) {
        self.keep(node);
        if self.program.candidates.is_code(node)
            && !std::mem::replace(&mut self.exposed[node], true)
        {
            self.queue.push(Step::Exposed { node });
        }
    }

    /// Visits the edges of the body at `node`, which `module` has.
    fn visit(&mut self, module: ModuleIndex, node: NodeId) {
        let program = self.program;
        program.for_each_call(node, |callee| self.call(module, callee));
        program.for_each_reference(node, |target| self.refer(module, target));
    }

    fn visit_exposed(&mut self, node: NodeId) {
        let program = self.program;
        program.for_each_call(node, |callee| {
            if let Some(provider) = program.index.provider(callee) {
                self.expose(provider);
            }
        });
    }

    /// Notes that a body in `module` calls `callee`.
    fn call(&mut self, module: ModuleIndex, callee: NodeId) {
        let index = self.program.index;
        let leader = index.leader(callee);
        match self.copies[module].use_of(leader) {
            Use::Again => {}
            Use::First => match own_copy(index, module, leader) {
                Some(own) => self.keep(own),
                None => self.enqueue(module, leader),
            },
            Use::Missing => {
                self.need(module, callee);
                if let Some(provider) = index.provider(callee)
                    && index.module(provider) != module
                {
                    self.expose(provider);
                }
            }
        }
    }

    /// Notes that a body in `module` names `target` other than as a callee.
    fn refer(&mut self, module: ModuleIndex, target: NodeId) {
        let program = self.program;
        self.need(module, target);
        let Some(provider) = program.index.provider(target) else { return };
        self.invite(module, provider);
        if program.candidates.lists_functions(provider) {
            program.for_each_reference(provider, |listed| {
                self.invite(module, program.index.provider(listed).unwrap_or(listed));
            });
        }
    }

    /// Notes that a body in `module` names `function`, itself or in a table.
    fn invite(&mut self, module: ModuleIndex, function: NodeId) {
        if matches!(self.guests[module].use_of(function), Use::First) {
            self.enqueue(module, function);
        }
    }

    /// Notes that a body in `module` needs the program's definition of the symbol at `target`.
    fn need(&mut self, module: ModuleIndex, target: NodeId) {
        let index = self.program.index;
        let Some(provider) = index.provider(target) else {
            // Nothing prevails, so all definitions stay as they were.
            for &copy in index.definitions(target) {
                self.keep(copy);
            }
            return;
        };
        self.keep(provider);
        if index.module(provider) != module
            && let Some(own) = own_copy(index, module, provider)
        {
            self.keep(own);
        }
    }
}

impl<'a> Chosen<'a> {
    fn among(nodes: &'a [NodeId]) -> Self {
        Self { nodes, used: vec![false; nodes.len()] }
    }

    /// Notes that `node` is used, if it is in the list.
    fn use_of(&mut self, node: NodeId) -> Use {
        match self.nodes.binary_search(&node) {
            Err(_) => Use::Missing,
            Ok(place) if std::mem::replace(&mut self.used[place], true) => Use::Again,
            Ok(_) => Use::First,
        }
    }

    fn into_used(self) -> Box<[NodeId]> {
        let nodes = self.nodes.iter().zip(self.used);
        nodes.filter(|(_, is_used)| *is_used).map(|(&node, _)| node).collect()
    }
}
