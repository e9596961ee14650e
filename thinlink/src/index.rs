//! All summaries merged: who defines what, and which definition each reference binds to.
//!
//! Every symbol of every module with device code is a *node*, numbered through in module-id order,
//! so facts about symbols are plain arrays. Symbols that other modules can see share a *name*.
//!
//! The prevailing definition of a name is its strong one, or else the first merged copy in module-id
//! order. A linker would take the first in link order; that order is not ours to know, and going by
//! it would make the outcome depend on the order of arguments.
//!
//! Cost: one parallel sort of the visible symbols by name, then one pass.

use std::ops::Range;

use rayon::prelude::*;
use weft_artifact::{DeviceModule, Linkage, ModuleId, Symbol, SymbolIndex, VariableSummary};

use crate::load::{self, Unit};
use crate::{LinkError, clashes};

/// Position of a symbol among all modules' symbols.
pub(crate) type Node = usize;

/// Position of a module among those with device code.
pub(crate) type Module = usize;

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

/// The merged summaries.
pub(crate) struct Index<'units> {
    /// Units with device code in module-id order.
    pub(crate) units: Vec<(&'units Unit, &'units DeviceModule)>,
    /// First node of each module, and the number of nodes at the end.
    starts: Vec<Node>,
    symbols: Vec<&'units Symbol>,
    modules: Vec<Module>,
    /// Name of each node, unless only its module sees it.
    names: Vec<Option<usize>>,
    groups: Vec<Group>,
    /// Definitions, grouped by name, in module-id order.
    definitions: Vec<Node>,
    /// Whether an alias of the same module stands for the node.
    aliased: Vec<bool>,
    /// What the user should hear of definitions that differ.
    pub(crate) disagreements: Vec<String>,
}

/// All that is known of one name.
struct Group {
    definitions: Range<usize>,
    prevailing: Option<Node>,
}

/// LLVM's own arrays are not symbols: each module has its own under the same name.
pub(crate) fn is_special(symbol: &Symbol) -> bool {
    symbol.name.starts_with("llvm.") || symbol.linkage == Linkage::Appending
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
            units.iter().filter_map(|unit| Some((*unit, unit.summary.device.as_ref()?))).collect();
        let mut starts = vec![0];
        let (mut symbols, mut modules) = (Vec::new(), Vec::new());
        let mut aliased = Vec::new();
        for (module, (_, device)) in units.iter().enumerate() {
            let start = symbols.len();
            symbols.extend(&device.symbols);
            modules.resize(symbols.len(), module);
            aliased.resize(symbols.len(), false);
            for symbol in &device.symbols {
                if let weft_artifact::Body::Alias(alias) = &symbol.body {
                    aliased[start + alias.target.0 as usize] = true;
                }
            }
            starts.push(symbols.len());
        }
        let names = vec![None; symbols.len()];
        let (groups, definitions) = (Vec::new(), Vec::new());
        let mut index = Self {
            units,
            starts,
            symbols,
            modules,
            names,
            groups,
            definitions,
            aliased,
            disagreements: Vec::new(),
        };
        index.resolve_names()?;
        Ok(index)
    }

    fn resolve_names(&mut self) -> Result<(), LinkError> {
        let mut visible: Vec<(&str, Node)> = self
            .symbols
            .par_iter()
            .enumerate()
            .filter(|(_, symbol)| !symbol.linkage.is_local() && !is_special(symbol))
            .map(|(node, symbol)| (symbol.name.as_str(), node))
            .collect();
        visible.par_sort_unstable();
        for group in visible.chunk_by(|first, second| first.0 == second.0) {
            if group.len() > 1 {
                let seen = group
                    .iter()
                    .map(|&(_, node)| (self.unit(self.modules[node]), self.symbols[node]));
                self.disagreements.extend(clashes::check(&seen.collect::<Vec<_>>())?);
            }
            let start = self.definitions.len();
            for &(_, node) in group {
                self.names[node] = Some(self.groups.len());
                if self.symbols[node].is_definition() {
                    self.definitions.push(node);
                }
            }
            let definitions = start..self.definitions.len();
            let prevailing = self.choose_prevailing(&self.definitions[definitions.clone()])?;
            self.groups.push(Group { definitions, prevailing });
        }
        Ok(())
    }

    fn choose_prevailing(&self, definitions: &[Node]) -> Result<Option<Node>, LinkError> {
        let linkage = |node: Node| self.symbols[node].linkage;
        let mut strong = definitions.iter().copied().filter(|&node| {
            !linkage(node).is_merged()
                && !matches!(linkage(node), Linkage::AvailableExternally | Linkage::ExternalWeak)
        });
        match (strong.next(), strong.next()) {
            (Some(first), Some(second)) => Err(LinkError::DuplicateSymbol {
                symbol: self.symbols[first].name.clone(),
                first: self.unit(self.modules[first]).path.clone(),
                second: self.unit(self.modules[second]).path.clone(),
            }),
            (Some(only), None) => Ok(Some(only)),
            (None, _) => Ok(definitions.iter().copied().find(|&node| linkage(node).is_merged())),
        }
    }

    /// Number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.symbols.len()
    }

    /// The symbol at `node`.
    pub(crate) fn symbol(&self, node: Node) -> &'units Symbol {
        self.symbols[node]
    }

    /// The module that `node` belongs to.
    pub(crate) fn module(&self, node: Node) -> Module {
        self.modules[node]
    }

    /// The unit of `module`.
    pub(crate) fn unit(&self, module: Module) -> &'units Unit {
        self.units[module].0
    }

    /// The id of `module`.
    pub(crate) fn module_id(&self, module: Module) -> &'units ModuleId {
        &self.unit(module).summary.module_id
    }

    /// The nodes of `module`, in order of their symbols' names.
    pub(crate) fn nodes(&self, module: Module) -> Range<Node> {
        self.starts[module]..self.starts[module + 1]
    }

    /// The node that `index` means in the module of `node`.
    pub(crate) fn sibling(&self, node: Node, index: SymbolIndex) -> Node {
        self.starts[self.modules[node]] + index.0 as usize
    }

    /// What the body at `node` names: calls, references, alias target.
    pub(crate) fn edges(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        load::indices(&self.symbols[node].body).map(move |index| self.sibling(node, index))
    }

    /// Whether only its own module sees `node`.
    pub(crate) fn is_local(&self, node: Node) -> bool {
        self.names[node].is_none()
    }

    /// All definitions of the name that `node` has, in module-id order; none for a local.
    fn copies(&self, node: Node) -> &[Node] {
        match self.names[node] {
            Some(name) => &self.definitions[self.groups[name].definitions.clone()],
            None => &[],
        }
    }

    /// Every definition that a reference to the symbol at `node` could mean: all copies of its name,
    /// or the local itself.
    pub(crate) fn definitions(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        self.copies(node).iter().copied().chain(self.is_local(node).then_some(node))
    }

    /// The definition that a reference to the symbol at `node` binds to in the linked program.
    /// `None` where no module defines it: it is the device runtime's or an opaque object's.
    pub(crate) fn provider(&self, node: Node) -> Option<Node> {
        match self.names[node] {
            Some(name) => self.groups[name].prevailing,
            None => self.symbols[node].is_definition().then_some(node),
        }
    }

    /// Whether an alias of its module stands for `node`.
    pub(crate) fn is_aliased(&self, node: Node) -> bool {
        self.aliased[node]
    }

    /// Whether `module` keeps a body of its own for the symbol at `node`.
    pub(crate) fn has_own_body(&self, module: Module, node: Node) -> bool {
        let Range { start, end } = self.nodes(module);
        let copies = self.copies(node);
        let position = copies.partition_point(|&copy| copy < start);
        copies
            .get(position)
            .is_some_and(|&own| own < end && self.standing(own) != Standing::Dropped)
    }

    /// What the definition at `node` is to the linked program.
    pub(crate) fn standing(&self, node: Node) -> Standing {
        let symbol = self.symbols[node];
        if self.is_local(node) {
            Standing::Local
        } else if self.provider(node) == Some(node) {
            Standing::Prevailing
        } else if symbol.linkage == Linkage::AvailableExternally {
            Standing::Copy
        } else if symbol.function().is_some_and(|function| function.flags.kernel) {
            Standing::Dropped
        } else if self.aliased[node] {
            Standing::Untouched
        } else if symbol.linkage.is_interposable()
            || matches!(symbol.body, weft_artifact::Body::Alias(_))
        {
            Standing::Dropped
        } else {
            Standing::Copy
        }
    }

    /// The variable at `node`, if importers take a copy of it in place of a reference.
    pub(crate) fn copyable(&self, node: Node) -> Option<&'units VariableSummary> {
        self.symbols[node].variable().filter(|variable| self.is_local(node) && variable.copyable)
    }

    /// Whether `node` is a kernel with a body.
    pub(crate) fn is_kernel(&self, node: Node) -> bool {
        self.symbols[node].function().is_some_and(|function| function.flags.kernel)
    }
}
