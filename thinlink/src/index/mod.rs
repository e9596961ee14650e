//! All units merged: who defines what, and which definition each reference binds to.
//!
//! Every symbol of every module with device code is a *node*, numbered through in module-id order,
//! so facts about symbols are plain arrays. Symbols that other modules can see share a *name*.
//!
//! The prevailing definition of a name is its strong one, or else the first merged copy in module-id
//! order. A linker would take the first in link order; that order is not ours to know, and going by
//! it would make the outcome depend on the order of arguments.
//!
//! Cost: a hash of each visible name and one parallel sort of the hashes, then one pass.

mod names;

use std::ops::Range;

use rayon::prelude::*;
use weft_artifact::{Linkage, ModuleId, SymbolIndex};

use crate::LinkError;
use crate::clashes::Clash;
use crate::program::{Body, Device, Function, Symbol, Traits, Unit, Variable};

/// Position of a symbol among all modules' symbols.
pub(crate) type Node = usize;

/// Position of a module among those with device code.
pub(crate) type Module = usize;

/// Position of a name among those that several modules can see.
pub(crate) type Name = usize;

/// No node, or no name.
const NONE: u32 = u32::MAX;

/// What a definition is to the linked program. It does not depend on what is live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Seen by its module only.
    Local,
    /// The one that references from other modules bind to.
    Prevailing,
    /// A copy whose body stays for inspection, while another module emits the symbol.
    Copy,
    /// A copy that has to stay as it is, since an alias of its module stands for it, and LLVM takes
    /// no alias of a definition that is not emitted.
    Untouched,
    /// A copy that must not be looked at, since the prevailing one may mean something else.
    Dropped,
}

/// The merged units.
pub(crate) struct Index<'units> {
    /// Units with device code in module-id order.
    pub(crate) units: Vec<(&'units Unit, &'units Device)>,
    /// First node of each module, and the number of nodes at the end.
    starts: Vec<Node>,
    modules: Vec<u32>,
    /// Of each node, as nearly every phase asks for them in no order.
    traits: Vec<Traits>,
    /// Name of each node, unless only its module sees it.
    names: Vec<u32>,
    groups: Vec<Group>,
    /// Definitions, grouped by name, in module-id order.
    definitions: Vec<u32>,
    /// Nodes for which an alias of the same module stands, sorted.
    aliased: Vec<Node>,
    /// Of every node.
    standings: Vec<Standing>,
    /// What the user should hear of definitions that differ, sorted.
    pub(crate) disagreements: Vec<String>,
}

/// All that is known of one name. Its definitions end where the next one's begin.
#[derive(Clone, Copy)]
struct Group {
    definitions_end: u32,
    prevailing: u32,
}

/// Arrays that list symbols for the compiler. That a symbol is listed is a flag of the symbol, and
/// being in the array is no use of it.
pub(crate) fn is_listing(name: &str) -> bool {
    matches!(name, "llvm.used" | "llvm.compiler.used") || name == HOST_LISTING
}

/// Where clang lists what the unit's host code names in other units, so that archive members get
/// linked. It is a plain internal variable and would end up in the image.
pub(crate) const HOST_LISTING: &str = "__clang_gpu_used_external";

impl<'units> Index<'units> {
    /// Merges `units`, which are sorted by module id.
    pub(crate) fn new(units: &[&'units Unit]) -> Result<Self, LinkError> {
        let units: Vec<_> =
            units.iter().filter_map(|unit| Some((*unit, unit.device.as_ref()?))).collect();
        let mut starts = vec![0];
        let mut modules = Vec::new();
        for (module, (_, device)) in (0..).zip(&units) {
            modules.resize(modules.len() + device.len(), module);
            starts.push(modules.len());
        }
        let symbols = (0..units.len()).into_par_iter().flat_map_iter(|module| {
            let device = units[module].1;
            (0..device.len()).map(|position| device.traits(position))
        });
        let traits = symbols.collect();
        let names = vec![NONE; modules.len()];
        if u32::try_from(names.len()).is_err() {
            return Err(LinkError::TooManySymbols { count: names.len() });
        }
        let mut index = Self {
            units,
            starts,
            modules,
            traits,
            names,
            groups: Vec::new(),
            definitions: Vec::new(),
            aliased: Vec::new(),
            standings: Vec::new(),
            disagreements: Vec::new(),
        };
        index.aliased = index.find_aliased();
        index.resolve_names()?;
        index.standings =
            (0..index.len()).into_par_iter().map(|node| index.find_standing(node)).collect();
        Ok(index)
    }

    fn find_aliased(&self) -> Vec<Node> {
        let mut aliased: Vec<Node> = (0..self.len())
            .into_par_iter()
            .filter_map(|node| match self.body(node) {
                Body::Alias(target) => Some(self.sibling(node, target)),
                _ => None,
            })
            .collect();
        aliased.sort_unstable();
        aliased.dedup();
        aliased
    }

    fn resolve_names(&mut self) -> Result<(), LinkError> {
        let sorted = names::Groups::new(self);
        let (disagreements, mut clash) = sorted.disagreements(self);
        let mut names = std::mem::take(&mut self.names);
        let (mut groups, mut definitions) = (Vec::new(), Vec::new());
        for group in sorted.iter(self) {
            let (name, start) = (position(groups.len()), definitions.len());
            for node in group {
                names[node as usize] = name;
                if self.is_definition(node as usize) {
                    definitions.push(node);
                }
            }
            let (prevailing, two_strong) = self.choose_prevailing(&definitions[start..]);
            clash = Clash::first(clash, two_strong);
            groups.push(Group { definitions_end: position(definitions.len()), prevailing });
        }
        (self.names, self.groups, self.definitions) = (names, groups, definitions);
        self.disagreements = disagreements;
        clash.map_or(Ok(()), |clash| Err(*clash.error))
    }

    fn choose_prevailing(&self, definitions: &[u32]) -> (u32, Option<Clash>) {
        let linkage = |node: u32| self.linkage(node as usize);
        let mut strong = definitions.iter().copied().filter(|&node| {
            !linkage(node).is_merged()
                && !matches!(linkage(node), Linkage::AvailableExternally | Linkage::ExternalWeak)
        });
        let Some(first) = strong.next() else {
            let merged = definitions.iter().copied().find(|&it| linkage(it).is_merged());
            return (merged.unwrap_or(NONE), None);
        };
        let clash = strong.next().map(|second| Clash {
            nodes: (first as usize, second as usize),
            error: Box::new(LinkError::DuplicateSymbol {
                symbol: self.symbol(first as usize).name.to_owned(),
                first: self.unit(self.module(first as usize)).path.clone(),
                second: self.unit(self.module(second as usize)).path.clone(),
            }),
        });
        (first, clash)
    }

    /// Number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.modules.len()
    }

    /// Number of names.
    pub(crate) fn name_count(&self) -> usize {
        self.groups.len()
    }

    /// The symbol at `node`.
    pub(crate) fn symbol(&self, node: Node) -> Symbol<'units> {
        let module = self.module(node);
        self.units[module].1.symbol(node - self.starts[module])
    }

    /// The body of the symbol at `node`.
    pub(crate) fn body(&self, node: Node) -> Body<'units> {
        let module = self.module(node);
        self.units[module].1.body(node - self.starts[module])
    }

    /// The linkage of the symbol at `node`.
    pub(crate) fn linkage(&self, node: Node) -> Linkage {
        self.traits[node].linkage
    }

    /// The number of the address space of the symbol at `node`.
    pub(crate) fn address_space(&self, node: Node) -> u32 {
        let module = self.module(node);
        self.units[module].1.address_space(node - self.starts[module])
    }

    /// Whether the module of `node` defines it.
    pub(crate) fn is_definition(&self, node: Node) -> bool {
        self.traits[node].is_definition()
    }

    /// The module that `node` belongs to.
    pub(crate) fn module(&self, node: Node) -> Module {
        self.modules[node] as usize
    }

    /// The unit of `module`.
    pub(crate) fn unit(&self, module: Module) -> &'units Unit {
        self.units[module].0
    }

    /// The id of `module`.
    pub(crate) fn module_id(&self, module: Module) -> &'units ModuleId {
        &self.unit(module).module_id
    }

    /// The nodes of `module`, in order of their symbols' names.
    pub(crate) fn nodes(&self, module: Module) -> Range<Node> {
        self.starts[module]..self.starts[module + 1]
    }

    /// The node that `index` means in the module of `node`.
    pub(crate) fn sibling(&self, node: Node, index: SymbolIndex) -> Node {
        self.starts[self.module(node)] + index.0 as usize
    }

    /// Calls `each` with what the body at `node` names: calls, references, alias target.
    pub(crate) fn for_each_edge(&self, node: Node, mut each: impl FnMut(Node)) {
        match self.body(node) {
            Body::Declaration(_) => {}
            Body::Function(function) => {
                for call in function.calls() {
                    each(self.sibling(node, call.callee()));
                }
                for reference in function.references() {
                    each(self.sibling(node, reference.target));
                }
            }
            Body::Variable(variable) => {
                for &target in variable.references {
                    each(self.sibling(node, target));
                }
            }
            Body::Alias(target) => each(self.sibling(node, target)),
        }
    }

    /// Whether the body at `node` names one for which `test` holds.
    pub(crate) fn any_edge(&self, node: Node, mut test: impl FnMut(Node) -> bool) -> bool {
        let mut found = false;
        self.for_each_edge(node, |edge| found = found || test(edge));
        found
    }

    /// The name of `node`, unless only its own module sees it.
    pub(crate) fn name(&self, node: Node) -> Option<Name> {
        known(self.names[node])
    }

    /// Whether only its own module sees `node`.
    pub(crate) fn is_local(&self, node: Node) -> bool {
        self.names[node] == NONE
    }

    /// All definitions of a name, in module-id order.
    pub(crate) fn copies(&self, name: Name) -> &[u32] {
        let start = name.checked_sub(1).map_or(0, |it| self.groups[it].definitions_end);
        &self.definitions[start as usize..self.groups[name].definitions_end as usize]
    }

    /// Every definition that a reference to the symbol at `node` could mean: all copies of its name,
    /// or the local itself.
    pub(crate) fn definitions(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let copies = self.name(node).map_or(&[][..], |name| self.copies(name));
        copies.iter().map(|&it| it as usize).chain(self.is_local(node).then_some(node))
    }

    /// The definition that a reference to the symbol at `node` binds to in the linked program.
    /// `None` where no module defines it: it is the device runtime's or an opaque object's.
    pub(crate) fn provider(&self, node: Node) -> Option<Node> {
        match self.name(node) {
            Some(name) => known(self.groups[name].prevailing),
            None => self.is_definition(node).then_some(node),
        }
    }

    /// Whether an alias of its module stands for `node`.
    pub(crate) fn is_aliased(&self, node: Node) -> bool {
        self.aliased.binary_search(&node).is_ok()
    }

    /// What the definition at `node` is to the linked program.
    pub(crate) fn standing(&self, node: Node) -> Standing {
        self.standings[node]
    }

    /// Whether the body at `node` can end up in the program: emitted, or inlined somewhere. What
    /// another body names does not count.
    pub(crate) fn counts(&self, node: Node) -> bool {
        self.standings[node] != Standing::Dropped
    }

    fn find_standing(&self, node: Node) -> Standing {
        if self.is_local(node) {
            return Standing::Local;
        }
        if self.provider(node) == Some(node) {
            return Standing::Prevailing;
        }
        let symbol = self.symbol(node);
        if symbol.linkage == Linkage::AvailableExternally {
            Standing::Copy
        } else if symbol.function().is_some_and(|function| function.flags.kernel) {
            Standing::Dropped
        } else if self.is_aliased(node) {
            Standing::Untouched
        } else if symbol.linkage.is_interposable() || matches!(symbol.body, Body::Alias(_)) {
            Standing::Dropped
        } else {
            Standing::Copy
        }
    }

    /// The variable at `node`, if importers take a copy of it in place of a reference.
    pub(crate) fn copyable(&self, node: Node) -> Option<Variable<'units>> {
        if !self.is_local(node) || !self.traits[node].is_variable() {
            return None;
        }
        match self.body(node) {
            Body::Variable(variable) if variable.copyable => Some(variable),
            _ => None,
        }
    }

    /// Whether `node` is a function with a body.
    pub(crate) fn is_function(&self, node: Node) -> bool {
        self.traits[node].is_function()
    }

    /// The facts of the function at `node`, if it has a body.
    pub(crate) fn function(&self, node: Node) -> Option<Function<'units>> {
        if !self.is_function(node) {
            return None;
        }
        match self.body(node) {
            Body::Function(function) => Some(function),
            _ => None,
        }
    }

    /// Whether `node` is one of the arrays that list symbols.
    pub(crate) fn is_listing(&self, node: Node) -> bool {
        self.traits[node].is_variable() && self.is_local(node) && is_listing(self.symbol(node).name)
    }

    /// Whether `node` is a kernel with a body.
    pub(crate) fn is_kernel(&self, node: Node) -> bool {
        self.function(node).is_some_and(|function| function.flags.kernel)
    }
}

fn known(number: u32) -> Option<usize> {
    (number != NONE).then_some(number as usize)
}

/// A position among the nodes, of which there are fewer than 2^32.
fn position(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(NONE)
}
