//! Views of packed symbols. They copy nothing: each looks into the arrays of [`Code`] on demand.

use std::num::NonZeroU32;
use std::ops::Range;

use weft_artifact::{
    DistantCall, FunctionFlags, FunctionHead, ImportPriority, LaunchBounds, Linkage, MemoryEffects,
    SymbolIndex, TypeMember, VirtualCall, VirtualFunction,
};

use super::call::Call;
use super::code::{
    CONSTANT, Code, INDIRECT, Kind, PackedSymbol, RARE, RareFacts, SET_OUTSIDE, SPECIAL, Table,
    USED, USED_BY_HOST,
};
use crate::model::ids::{Id as _, NodeId};

/// A symbol.
#[derive(Clone, Copy)]
pub(crate) struct Symbol<'code> {
    code: &'code Code,
    node: NodeId,
    leader: NodeId,
    packed: &'code PackedSymbol,
}

/// A function with a body.
#[derive(Clone, Copy)]
pub(crate) struct Function<'code> {
    code: &'code Code,
    node: NodeId,
    packed: &'code PackedSymbol,
}

/// A variable with an initializer.
#[derive(Clone, Copy)]
pub(crate) struct Variable<'code> {
    code: &'code Code,
    node: NodeId,
    packed: &'code PackedSymbol,
}

impl<'code> Symbol<'code> {
    /// Returns the symbol that keeps the name.
    pub(crate) fn leader(&self) -> NodeId {
        self.leader
    }

    /// Returns the name. It is far from everything else in memory, so callers ask for it last.
    pub(crate) fn name(&self) -> &'code str {
        self.code.name(self.leader)
    }

    /// Returns the symbol's kind in its module.
    pub(crate) fn kind(&self) -> Kind {
        self.packed.kind
    }

    /// Returns the linkage.
    pub(crate) fn linkage(&self) -> Linkage {
        self.packed.linkage
    }

    /// Returns the number of the address space.
    pub(crate) fn address_space(&self) -> u32 {
        self.packed.address_space()
    }

    /// Whether the symbol is an array of LLVM's own, which each module has under the same name.
    pub(crate) fn is_special(&self) -> bool {
        self.packed.bits & SPECIAL != 0
    }

    /// Whether a list of the module names the symbol as used.
    pub(crate) fn is_used(&self) -> bool {
        self.packed.bits & USED != 0
    }

    /// Whether clang lists the symbol only because host code of the unit may name it.
    pub(crate) fn is_used_by_host(&self) -> bool {
        self.packed.bits & USED_BY_HOST != 0
    }

    /// Returns the function, if the symbol is one with a body.
    pub(crate) fn function(&self) -> Option<Function<'code>> {
        (self.packed.kind == Kind::Function).then_some(Function {
            code: self.code,
            node: self.node,
            packed: self.packed,
        })
    }

    /// Whether the module holds a definition of the symbol.
    pub(crate) fn is_definition(&self) -> bool {
        self.packed.kind.is_definition()
    }

    /// Whether the symbol is a kernel with a body.
    pub(crate) fn is_kernel(&self) -> bool {
        self.function().is_some_and(|function| function.flags().kernel)
    }

    /// Returns the variable, if the symbol is one with an initializer.
    pub(crate) fn variable(&self) -> Option<Variable<'code>> {
        self.code.variable(self.node)
    }
}

impl<'code> Function<'code> {
    /// Returns the number of IR instructions that become code: all but lifetime markers.
    #[inline]
    pub(crate) fn instruction_count(self) -> u32 {
        self.packed.body.saturating_sub(u32::from(self.packed.space_or_markers))
    }

    /// Returns the number of IR instructions that LLVM counts.
    pub(crate) fn llvm_instruction_count(self) -> u32 {
        self.packed.body
    }

    /// Returns the importance of the function by its profile; 0 without one.
    pub(crate) fn importance(self) -> u32 {
        self.rare_facts().map_or(0, |facts| facts.importance)
    }

    /// Calls that the body does not contain and that a profile or metadata states.
    pub(crate) fn distant_calls(self) -> &'code [DistantCall] {
        self.rare_facts().map_or(&[], |facts| &facts.distant_calls)
    }

    /// Flags of the summary.
    #[inline]
    pub(crate) fn flags(self) -> FunctionFlags {
        FunctionFlags::of_bits(self.packed.flags)
    }

    /// Priority of the function as an import.
    pub(crate) fn import_priority(self) -> ImportPriority {
        FunctionHead::import_priority(self.packed.flags)
    }

    /// Whether the function makes calls whose callee is not known.
    #[inline]
    pub(crate) fn calls_indirectly(self) -> bool {
        self.packed.bits & INDIRECT != 0
    }

    /// Memory that the function may touch, together with its callees.
    pub(crate) fn memory(self) -> MemoryEffects {
        MemoryEffects(self.packed.memory)
    }

    /// Memory that the function may touch by itself.
    pub(crate) fn own_memory(self) -> MemoryEffects {
        MemoryEffects(self.packed.own_memory)
    }

    /// Direct calls, one for each callee.
    #[inline]
    pub(crate) fn calls(self) -> &'code [Call] {
        self.code.calls(self.node)
    }

    /// Symbols that the function names other than as a callee.
    #[inline]
    pub(crate) fn references(self) -> &'code [NodeId] {
        self.code.references(self.node)
    }

    /// Virtual calls through a tested table, sorted.
    #[inline]
    pub(crate) fn virtual_calls(self) -> &'code [VirtualCall] {
        self.rare_facts().map_or(&[], |facts| &facts.virtual_calls)
    }

    /// Variables of its module that the function only reads.
    pub(crate) fn reads(self) -> &'code [SymbolIndex] {
        self.rare_facts().map_or(&[], |facts| &facts.reads)
    }

    /// Returns the integer that the function returns, if it does nothing else.
    pub(crate) fn constant_result(self) -> Option<u64> {
        self.rare_facts()?.constant_result
    }

    /// Bounds of the kernel's launches.
    pub(crate) fn launch_bounds(self) -> LaunchBounds {
        self.rare_facts().map_or_else(LaunchBounds::default, |facts| facts.launch_bounds)
    }

    #[inline]
    fn rare_facts(self) -> Option<&'code RareFacts> {
        if self.packed.bits & RARE == 0 {
            return None;
        }
        let list = &self.code.rare_facts;
        let found = list.binary_search_by_key(&self.node.number(), |facts| facts.symbol).ok()?;
        Some(&list[found])
    }
}

impl<'code> Variable<'code> {
    /// Size in bytes.
    pub(crate) fn size(self) -> u64 {
        self.table().map_or(u64::from(self.packed.body), |table| table.size)
    }

    /// Whether device code never writes the variable.
    pub(crate) fn is_constant(self) -> bool {
        self.packed.flags & u16::from(CONSTANT) != 0
    }

    /// Whether the host may set the variable before a kernel runs.
    pub(crate) fn is_externally_initialized(self) -> bool {
        self.packed.flags & u16::from(SET_OUTSIDE) != 0
    }

    /// Symbols that the initializer names.
    pub(crate) fn references(self) -> &'code [NodeId] {
        self.code.references(self.node)
    }

    /// Functions in the initializer with their offsets, if the variable is a table of virtual
    /// functions. They are symbols of its module.
    pub(crate) fn virtual_functions(self) -> &'code [VirtualFunction] {
        self.table().map_or(&[], |table| &table.virtual_functions)
    }

    /// Identifiers of the types that the table belongs to.
    pub(crate) fn type_ids(self) -> &'code [TypeMember] {
        self.table().map_or(&[], |table| &table.type_ids)
    }

    fn table(self) -> Option<&'code Table> {
        if self.packed.bits & RARE == 0 {
            return None;
        }
        let list = &self.code.tables;
        let found = list.binary_search_by_key(&self.node.number(), |table| table.symbol).ok()?;
        Some(&list[found])
    }
}

impl PackedSymbol {
    fn address_space(&self) -> u32 {
        if self.kind == Kind::Function { 0 } else { u32::from(self.space_or_markers) }
    }
}

impl Code {
    /// Returns the functions with calls that their bodies do not hold, in order.
    pub(crate) fn distant_callers(&self) -> impl Iterator<Item = NodeId> + '_ {
        let callers = self.rare_facts.iter().filter(|facts| !facts.distant_calls.is_empty());
        callers.map(|facts| NodeId::new(facts.symbol))
    }

    /// Returns the name of the symbol at `node`.
    #[inline]
    pub(crate) fn name(&self, node: NodeId) -> &str {
        let position = node.index();
        let start = position.checked_sub(1).map_or(0, |before| self.name_ends[before]);
        &self.names[range(start, self.name_ends[position])]
    }

    /// Returns the symbol at `node`, whose name the symbol at `leader` keeps.
    #[inline]
    pub(crate) fn symbol(&self, node: NodeId, leader: NodeId) -> Symbol<'_> {
        Symbol { code: self, node, leader, packed: self.packed(node) }
    }

    /// Returns the function at `node`, which has to be one.
    #[inline]
    pub(crate) fn function(&self, node: NodeId) -> Function<'_> {
        Function { code: self, node, packed: self.packed(node) }
    }

    /// Returns the variable at `node`, if it is one with an initializer.
    #[inline]
    pub(crate) fn variable(&self, node: NodeId) -> Option<Variable<'_>> {
        let packed = self.packed(node);
        packed.kind.is_variable().then_some(Variable { code: self, node, packed })
    }

    /// Returns the symbol of the same module that the alias at `node` refers to.
    pub(crate) fn alias_target(&self, node: NodeId) -> Option<NodeId> {
        let packed = self.packed(node);
        (packed.kind == Kind::Alias).then_some(NodeId::new(packed.body))
    }

    /// Whether other modules can see the symbol at `node`.
    pub(crate) fn is_visible(&self, node: NodeId) -> bool {
        !self.packed(node).linkage.is_local() && !self.is_special(node)
    }

    /// Whether the symbol at `node` is one of LLVM's own.
    pub(crate) fn is_special(&self, node: NodeId) -> bool {
        self.packed(node).bits & SPECIAL != 0
    }

    /// Whether two definitions call and name the same, once that is bound, and do the same by
    /// themselves.
    pub(crate) fn is_alike(&self, one: NodeId, other: NodeId) -> bool {
        let facts = |node: NodeId| {
            let symbol = self.packed(node);
            let is_indirect = symbol.bits & INDIRECT;
            (symbol.kind, symbol.flags, symbol.memory, symbol.own_memory, is_indirect)
        };
        let callees = |node: NodeId| self.calls(node).iter().map(|call| call.callee());
        facts(one) == facts(other)
            && self.packed(one).kind != Kind::Alias
            && callees(one).eq(callees(other))
            && self.references(one) == self.references(other)
    }

    /// Returns the declarations of dynamic shared memory, in order, each with its alignment in
    /// bytes.
    pub(crate) fn dynamic_shared(&self) -> impl Iterator<Item = (NodeId, u32)> + '_ {
        self.dynamic_shared.iter().map(|array| (NodeId::new(array.symbol), array.alignment))
    }

    /// Returns the digest of the content of the definition at `node`, if a different one may
    /// replace it.
    pub(crate) fn content(&self, node: NodeId) -> Option<u64> {
        let list = &self.contents;
        let found = list.binary_search_by_key(&node.number(), |content| content.symbol).ok()?;
        Some(list[found].digest)
    }

    /// Linkage and kind of each symbol.
    pub(crate) fn kinds(&self) -> impl ExactSizeIterator<Item = (Linkage, Kind)> {
        self.symbols.iter().map(|symbol| (symbol.linkage, symbol.kind))
    }

    /// Returns the digest of the prototype of the function at `node`.
    pub(crate) fn prototype(&self, node: NodeId) -> Option<NonZeroU32> {
        self.prototypes.get(node.number() as usize).copied().and_then(NonZeroU32::new)
    }

    /// Returns the number of the address space of the symbol at `node`.
    pub(crate) fn address_space(&self, node: NodeId) -> u32 {
        self.packed(node).address_space()
    }

    /// Direct calls of the body at `node`, one for each callee.
    #[inline]
    pub(crate) fn calls(&self, node: NodeId) -> &[Call] {
        let position = node.index();
        let start = position.checked_sub(1).map_or(0, |before| self.symbols[before].calls_end);
        &self.calls[range(start, self.symbols[position].calls_end)]
    }

    /// Symbols that the body at `node` names other than as a callee.
    #[inline]
    pub(crate) fn references(&self, node: NodeId) -> &[NodeId] {
        let position = node.index();
        let start = position.checked_sub(1).map_or(0, |before| self.symbols[before].references_end);
        &self.references[range(start, self.symbols[position].references_end)]
    }

    #[inline]
    fn packed(&self, node: NodeId) -> &PackedSymbol {
        &self.symbols[node.index()]
    }
}

fn range(start: u32, end: u32) -> Range<usize> {
    start as usize..end as usize
}
