//! The merged units, as arrays with an entry for each node.

use std::cmp::Ordering;
use std::hint::black_box;
use std::num::NonZeroU32;

use weft_artifact::{Arithmetic, Definition, Linkage, ModuleId, SymbolIndex, TrackedOption};

use super::bundles::Bundles;
use super::definitions::Definitions;
use super::ranks::Ranks;
use super::role::{NodeFacts, Role};
use crate::model::ids::{
    Id as _, ModuleIndex, ModuleRange, NodeId, NodeRange, PerModule, PerNode, number_of,
};
use crate::model::program::{Code, Device, Function, Kind, PackedUnit, Symbol, Variable};

/// The merged units.
pub(crate) struct Index<'units> {
    /// Units with device code in module-id order.
    pub(crate) units: PerModule<(&'units PackedUnit, &'units Device)>,
    /// Position of each module in the link, if the build states an order.
    pub(super) link_places: Option<PerModule<u32>>,
    pub(super) code: Code,
    /// Number of the first node of each module, and the number of all nodes at the end.
    pub(super) starts: Vec<u32>,
    /// The module that has each node.
    pub(super) members: PerNode<ModuleIndex>,
    pub(super) bundles: Bundles,
    pub(super) facts: PerNode<NodeFacts>,
    /// For each node, the leader of its name.
    pub(super) leaders: PerNode<NodeId>,
    pub(super) several: Definitions,
    /// For each node, the number of definitions before it.
    pub(super) ranks: Ranks,
    /// Nodes that are aliased in their module, sorted.
    pub(super) aliased: Vec<NodeId>,
    /// Warnings about definitions that differ, sorted.
    pub(crate) disagreements: Vec<String>,
}

/// Whether a symbol of that name is an array that lists symbols for the compiler. Being listed is
/// not a use of a symbol, as use is a flag of the symbol.
pub(crate) fn is_listing(name: &str) -> bool {
    matches!(name, "llvm.used" | "llvm.compiler.used") || name == HOST_LISTING
}

/// The array in which clang lists the symbols of other units that the unit's host code names, so
/// that archive members get linked. It is a plain internal variable and would end up in the image.
pub(crate) const HOST_LISTING: &str = "__clang_gpu_used_external";

impl<'units> Index<'units> {
    /// Returns the number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    /// Returns all nodes.
    pub(crate) fn all_nodes(&self) -> NodeRange {
        NodeRange::new(0, self.starts.last().copied().unwrap_or_default())
    }

    /// Returns all modules.
    pub(crate) fn modules(&self) -> ModuleRange {
        ModuleRange::new(0, number_of(self.units.len()))
    }

    /// Returns the module that `node` is compiled in: its own one, or the first member of the
    /// bundle that its own one is in.
    #[inline]
    pub(crate) fn module(&self, node: NodeId) -> ModuleIndex {
        self.bundles.first(self.members[node])
    }

    /// Returns the module that has `node`, regardless of the module it is compiled in.
    #[inline]
    pub(crate) fn member(&self, node: NodeId) -> ModuleIndex {
        self.members[node]
    }

    /// Returns the module that `member` is compiled in.
    pub(crate) fn module_of(&self, member: ModuleIndex) -> ModuleIndex {
        self.bundles.first(member)
    }

    /// Returns the modules that are compiled in `module`: itself and the other members of its
    /// bundle; none if it is compiled in another one.
    pub(crate) fn members(&self, module: ModuleIndex) -> ModuleRange {
        self.bundles.members(module)
    }

    /// Whether `node` is compiled with the symbols of other modules.
    pub(crate) fn is_bundled(&self, node: NodeId) -> bool {
        self.bundles.is_several(self.module(node))
    }

    /// Returns the architecture of all modules; empty if no unit has device code.
    pub(crate) fn architecture(&self) -> &str {
        self.units.first().map_or("", |(_, device)| &device.architecture)
    }

    /// Returns the unit of `module`.
    pub(crate) fn unit(&self, module: ModuleIndex) -> &'units PackedUnit {
        self.units[module].0
    }

    /// Returns the id of `module`.
    pub(crate) fn module_id(&self, module: ModuleIndex) -> &'units ModuleId {
        &self.unit(module).module_id
    }

    /// Whether `module` is NVIDIA's LTO IR and not bitcode.
    pub(crate) fn is_lto_ir(&self, module: ModuleIndex) -> bool {
        self.units[module].1.lto_ir.is_some()
    }

    /// Returns the options of arithmetic that `module` was compiled with, with their values, in
    /// order.
    pub(crate) fn arithmetic(&self, module: ModuleIndex) -> Vec<(TrackedOption, u32)> {
        let options = self.units[module].1.options.iter();
        let options = options.filter(|setting| Arithmetic::OPTIONS.contains(&setting.option));
        let mut settings: Vec<_> = options.map(|setting| (setting.option, setting.value)).collect();
        settings.sort_unstable();
        settings
    }

    /// Returns the position of `module` in the link, or its own where the build states no order.
    pub(crate) fn link_place(&self, module: ModuleIndex) -> (u32, ModuleIndex) {
        (self.link_places.as_ref().map_or(0, |places| places[module]), module)
    }

    /// Returns the digest of the content of the definition at `node`, if a different one may
    /// replace it.
    pub(crate) fn content(&self, node: NodeId) -> Option<u64> {
        self.code.content(node)
    }

    /// Returns the nodes that are compiled in `module`, by member of its bundle, and then in the
    /// order of their symbols' names. Without a bundle, these are its own.
    #[inline]
    pub(crate) fn nodes(&self, module: ModuleIndex) -> NodeRange {
        let end = self.bundles.end(module).index();
        let first = module.index().min(end);
        NodeRange::new(self.starts[first], self.starts[end])
    }

    /// Returns the nodes of `member` alone, in the order of their symbols' names.
    pub(crate) fn own_nodes(&self, member: ModuleIndex) -> NodeRange {
        let first = member.index();
        NodeRange::new(self.starts[first], self.starts[first + 1])
    }

    /// Returns the node of `member` with that name.
    pub(crate) fn find(&self, member: ModuleIndex, name: &str) -> Option<NodeId> {
        let nodes = self.own_nodes(member);
        let (mut low, mut high) = (nodes.start().number(), nodes.end().number());
        while low < high {
            let middle = low.midpoint(high);
            match self.name(NodeId::new(middle)).cmp(name) {
                Ordering::Equal => return Some(NodeId::new(middle)),
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Returns the node that `index` means in the module of `node`.
    pub(crate) fn sibling(&self, node: NodeId, index: SymbolIndex) -> NodeId {
        self.own_nodes(self.member(node)).at(index.0)
    }

    /// Returns the symbol at `node`.
    pub(crate) fn symbol(&self, node: NodeId) -> Symbol<'_> {
        self.code.symbol(node, self.leader(node))
    }

    /// Returns the name of the symbol at `node`.
    #[inline]
    pub(crate) fn name(&self, node: NodeId) -> &str {
        self.code.name(self.leaders[node])
    }

    /// Returns the kind of the symbol at `node`.
    #[inline]
    pub(crate) fn kind(&self, node: NodeId) -> Kind {
        self.facts[node].kind
    }

    /// Returns the linkage of the symbol at `node`.
    pub(crate) fn linkage(&self, node: NodeId) -> Linkage {
        self.facts[node].linkage
    }

    /// Returns the number of the address space of the symbol at `node`.
    pub(crate) fn address_space(&self, node: NodeId) -> u32 {
        self.code.address_space(node)
    }

    /// Returns the digest of the prototype of the function at `node`. It is known while names are
    /// resolved.
    pub(super) fn prototype(&self, node: NodeId) -> Option<NonZeroU32> {
        self.code.prototype(node)
    }

    /// Returns the function at `node`, if it has a body.
    #[inline]
    pub(crate) fn function(&self, node: NodeId) -> Option<Function<'_>> {
        self.is_function(node).then(|| self.code.function(node))
    }

    /// Returns the variable at `node`, if it has an initializer.
    pub(crate) fn variable(&self, node: NodeId) -> Option<Variable<'_>> {
        self.code.variable(node)
    }

    /// Returns the target of the alias at `node`.
    pub(crate) fn alias_target(&self, node: NodeId) -> Option<NodeId> {
        self.code.alias_target(node)
    }

    /// Returns the declarations of dynamic shared memory, in order, each with its alignment in
    /// bytes.
    pub(crate) fn dynamic_shared(&self) -> impl Iterator<Item = (NodeId, u32)> + '_ {
        self.code.dynamic_shared()
    }

    /// Prefetches the bodies at `nodes` and their kinds, which are read first. Fetching all at the
    /// same time takes little longer than fetching one.
    #[inline]
    pub(crate) fn fetch(&self, nodes: &[NodeId]) {
        let mut seen = 0;
        for &node in nodes {
            let kind = self.facts[node].kind as usize;
            seen ^= self.code.calls(node).len() ^ kind;
        }
        for &node in nodes {
            seen ^= self.code.calls(node).first().map_or(0, |call| call.callee().index());
        }
        black_box(seen);
    }

    /// Calls `each` with every symbol that the body at `node` names: callees, references, the
    /// target of an alias.
    #[inline]
    pub(crate) fn for_each_edge(&self, node: NodeId, mut each: impl FnMut(NodeId)) {
        for call in self.code.calls(node) {
            each(call.callee());
        }
        self.for_each_reference(node, each);
    }

    /// Calls `each` with every symbol that the body at `node` names other than as a callee:
    /// references, the target of an alias.
    #[inline]
    pub(crate) fn for_each_reference(&self, node: NodeId, mut each: impl FnMut(NodeId)) {
        if self.is_alias(node) {
            if let Some(target) = self.alias_target(node) {
                each(target);
            }
            return;
        }
        for &reference in self.code.references(node) {
            each(reference);
        }
    }

    /// Whether the body at `node` names a symbol for which `test` holds.
    pub(crate) fn any_edge(&self, node: NodeId, test: impl Fn(NodeId) -> bool) -> bool {
        if let Some(target) = self.alias_target(node) {
            return test(target);
        }
        self.code.calls(node).iter().any(|call| test(call.callee()))
            || self.code.references(node).iter().any(|&reference| test(reference))
    }

    /// Returns the functions with calls that their bodies do not hold, in order.
    pub(crate) fn distant_callers(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.code.distant_callers()
    }

    /// Returns the leader of the name of `node`.
    #[inline]
    pub(crate) fn leader(&self, node: NodeId) -> NodeId {
        self.leaders[node]
    }

    /// Every definition that a reference to the symbol at `node` could mean: all definitions of its
    /// name in module-id order, or the local itself.
    #[inline]
    pub(crate) fn definitions(&self, node: NodeId) -> &[NodeId] {
        let leader = &self.leaders[node];
        if let Some(copies) = self.copies(*leader) {
            copies
        } else if self.is_definition(*leader) || self.is_local(*leader) {
            std::slice::from_ref(leader)
        } else {
            &[]
        }
    }

    /// Returns the definitions of the name that `leader` leads, if there are several.
    #[inline]
    pub(crate) fn copies(&self, leader: NodeId) -> Option<&[NodeId]> {
        self.has_copies(leader).then(|| self.several.of(leader))
    }

    /// Whether the name that `leader` leads has several definitions.
    #[inline]
    pub(crate) fn has_copies(&self, leader: NodeId) -> bool {
        self.facts[leader].has_copies()
    }

    /// Returns the definition that a reference to the symbol at `node` binds to in the linked
    /// program, or `None` where no module defines the symbol: it is the device runtime's or an
    /// opaque object's.
    #[inline]
    pub(crate) fn provider(&self, node: NodeId) -> Option<NodeId> {
        // Nearly all nodes that bodies name prevail themselves.
        if self.facts[node].prevails() {
            return Some(node);
        }
        let leader = self.leaders[node];
        self.facts[leader].prevails().then_some(leader)
    }

    /// Whether references to the name of `node` bind to it.
    #[inline]
    pub(crate) fn prevails(&self, node: NodeId) -> bool {
        self.facts[node].prevails()
    }

    /// Returns the part that the definition at `node` plays in the linked program.
    pub(crate) fn role(&self, node: NodeId) -> Role {
        self.facts[node].role
    }

    /// Returns the number of definitions before `node`: for a definition, its number in the record
    /// of decisions.
    pub(crate) fn number(&self, node: NodeId) -> Definition {
        self.ranks.of(node.index())
    }

    /// Whether the module of `node` defines it.
    #[inline]
    pub(crate) fn is_definition(&self, node: NodeId) -> bool {
        self.facts[node].kind.is_definition()
    }

    /// Whether only its own module sees `node`.
    #[inline]
    pub(crate) fn is_local(&self, node: NodeId) -> bool {
        self.facts[node].is_local()
    }

    /// Whether `node` is aliased in its module.
    pub(crate) fn is_aliased(&self, node: NodeId) -> bool {
        self.aliased.binary_search(&node).is_ok()
    }

    /// Whether the definition at `node` serves inlining in its module, while another module has the
    /// program's definition, which does the same.
    pub(crate) fn is_inspected(&self, node: NodeId) -> bool {
        self.role(node) == Role::Copy
    }

    /// Whether the body at `node` can end up in the program, emitted or inlined. Edges of other
    /// bodies do not matter.
    #[inline]
    pub(crate) fn may_be_used(&self, node: NodeId) -> bool {
        self.facts[node].role != Role::Dropped
    }

    /// Whether an earlier definition of the name, which may be used, names and does the same as the
    /// definition at `node`. Callers that visit all definitions of a name can skip this one.
    #[inline]
    pub(crate) fn is_repeated(&self, node: NodeId) -> bool {
        self.facts[node].is_repeated()
    }

    /// Whether importers take a copy of the variable at `node` instead of a reference.
    #[inline]
    pub(crate) fn is_copyable(&self, node: NodeId) -> bool {
        let facts = self.facts[node];
        facts.kind == Kind::CopyableVariable && facts.is_local()
    }

    /// Whether `node` is one of LLVM's own, which each module has under the same name.
    pub(crate) fn is_special(&self, node: NodeId) -> bool {
        self.code.is_special(node)
    }

    /// Whether `node` is another name of a symbol of its module.
    pub(crate) fn is_alias(&self, node: NodeId) -> bool {
        self.facts[node].kind == Kind::Alias
    }

    /// Whether `node` is a function with a body.
    #[inline]
    pub(crate) fn is_function(&self, node: NodeId) -> bool {
        self.facts[node].kind == Kind::Function
    }

    /// Whether `node` is a kernel with a body.
    pub(crate) fn is_kernel(&self, node: NodeId) -> bool {
        self.function(node).is_some_and(|function| function.flags().kernel)
    }

    /// Whether `node` is one of the arrays that list symbols.
    pub(crate) fn is_listing(&self, node: NodeId) -> bool {
        self.facts[node].kind.is_variable() && self.is_local(node) && is_listing(self.name(node))
    }
}
