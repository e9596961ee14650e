//! What packed facts look like to the rest of the link: the fields of the summary's types.

use std::ops::Range;

use weft_artifact::{
    Declaration, FunctionFlags, FunctionHead, ImportPriority, LaunchBounds, Linkage, MemoryEffects,
    TypeMember, VirtualCall, VirtualFunction,
};

use super::call::Call;
use super::code::{
    ALIAS, CONSTANT, COPYABLE, Code, FUNCTION, INDIRECT, KERNEL, PackedSymbol, RARE, Rarities,
    SET_OUTSIDE, SPECIAL, Table, USED, USED_BY_HOST, VARIABLE,
};

/// See [`weft_artifact::Symbol`].
#[derive(Clone, Copy)]
pub(crate) struct Symbol<'p> {
    code: &'p Code,
    /// The symbol that has its name.
    pub(crate) leader: usize,
    /// LLVM's own arrays are not symbols: each module has its own under the same name.
    pub(crate) special: bool,
    pub(crate) linkage: Linkage,
    pub(crate) address_space: u32,
    pub(crate) used: bool,
    pub(crate) used_by_host: bool,
    pub(crate) body: Body<'p>,
}

/// What a symbol is in its module.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Declaration,
    Function,
    Variable,
    /// A variable of which importers take a copy in place of a reference.
    Copyable,
    Alias,
}

/// See [`weft_artifact::Body`].
#[derive(Clone, Copy)]
pub(crate) enum Body<'p> {
    Declaration(Declaration),
    Function(Function<'p>),
    Variable(Variable<'p>),
    /// The symbol of its module that it stands for.
    Alias(usize),
}

/// See [`weft_artifact::FunctionSummary`].
#[derive(Clone, Copy)]
pub(crate) struct Function<'p> {
    code: &'p Code,
    position: usize,
    packed: &'p PackedSymbol,
}

/// See [`weft_artifact::VariableSummary`].
#[derive(Clone, Copy)]
pub(crate) struct Variable<'p> {
    code: &'p Code,
    position: usize,
    packed: &'p PackedSymbol,
}

impl<'p> Symbol<'p> {
    /// Its name, which few ask for: it is far from all else.
    pub(crate) fn name(&self) -> &'p str {
        self.code.name(self.leader)
    }

    /// Whether its module holds a definition of it.
    pub(crate) fn is_definition(&self) -> bool {
        !matches!(self.body, Body::Declaration(_))
    }

    /// The function's facts, if it is a defined function.
    pub(crate) fn function(&self) -> Option<Function<'p>> {
        match self.body {
            Body::Function(function) => Some(function),
            _ => None,
        }
    }

    /// The variable's facts, if it is a defined variable.
    pub(crate) fn variable(&self) -> Option<Variable<'p>> {
        match self.body {
            Body::Variable(variable) => Some(variable),
            _ => None,
        }
    }
}

impl<'p> Function<'p> {
    /// IR instructions.
    #[inline]
    pub(crate) fn instruction_count(self) -> u32 {
        self.packed.body
    }

    /// What it is and what it allows.
    #[inline]
    pub(crate) fn flags(self) -> FunctionFlags {
        FunctionFlags::of_bits(self.packed.flags)
    }

    /// How much an importer should want it.
    pub(crate) fn import_priority(self) -> ImportPriority {
        FunctionHead::import_priority(self.packed.flags)
    }

    /// Whether it makes calls whose callee is not known.
    #[inline]
    pub(crate) fn calls_indirectly(self) -> bool {
        self.packed.bits & INDIRECT != 0
    }

    /// What memory it may touch, with what it calls.
    pub(crate) fn memory(self) -> MemoryEffects {
        MemoryEffects(self.packed.memory)
    }

    /// What memory it may touch by itself.
    pub(crate) fn own_memory(self) -> MemoryEffects {
        MemoryEffects(self.packed.own_memory)
    }

    /// Direct calls, one for each callee.
    #[inline]
    pub(crate) fn calls(self) -> &'p [Call] {
        self.code.calls(self.position)
    }

    /// What it names other than as a callee.
    #[inline]
    pub(crate) fn references(self) -> &'p [u32] {
        self.code.references(self.position)
    }

    /// Virtual calls through a tested table, sorted.
    #[inline]
    pub(crate) fn virtual_calls(self) -> &'p [VirtualCall] {
        self.rarities().map_or(&[], |it| &it.virtual_calls)
    }

    /// The integer that it returns and does nothing else.
    pub(crate) fn constant_result(self) -> Option<u64> {
        self.rarities()?.constant_result
    }

    /// Bounds of its launches.
    pub(crate) fn launch_bounds(self) -> LaunchBounds {
        self.rarities().map_or_else(LaunchBounds::default, |it| it.launch_bounds)
    }

    #[inline]
    fn rarities(self) -> Option<&'p Rarities> {
        if self.packed.bits & RARE == 0 {
            return None;
        }
        let list = &self.code.rarities;
        list.binary_search_by_key(&self.position, |it| it.symbol as usize).ok().map(|it| &list[it])
    }
}

impl<'p> Variable<'p> {
    /// Bytes.
    pub(crate) fn size(self) -> u64 {
        self.table().map_or(u64::from(self.packed.body), |it| it.size)
    }

    /// Never written by device code.
    pub(crate) fn constant(self) -> bool {
        self.packed.flags & u16::from(CONSTANT) != 0
    }

    /// The host may set it before a kernel runs.
    pub(crate) fn externally_initialized(self) -> bool {
        self.packed.flags & u16::from(SET_OUTSIDE) != 0
    }

    /// Symbols that the initializer names.
    pub(crate) fn references(self) -> &'p [u32] {
        self.code.references(self.position)
    }

    /// Functions in the initializer with their offsets, if it is a table of virtual functions. They
    /// are symbols of its module.
    pub(crate) fn virtual_functions(self) -> &'p [VirtualFunction] {
        self.table().map_or(&[], |it| &it.virtual_functions)
    }

    /// Type identifiers that the table belongs to.
    pub(crate) fn type_ids(self) -> &'p [TypeMember] {
        self.table().map_or(&[], |it| &it.type_ids)
    }

    fn table(self) -> Option<&'p Table> {
        if self.packed.bits & RARE == 0 {
            return None;
        }
        let list = &self.code.tables;
        list.binary_search_by_key(&self.position, |it| it.symbol as usize).ok().map(|it| &list[it])
    }
}

impl Code {
    /// The name of the symbol at `position`.
    #[inline]
    pub(crate) fn name(&self, position: usize) -> &str {
        let start = position.checked_sub(1).map_or(0, |it| self.name_ends[it]);
        &self.names[range(start, self.name_ends[position])]
    }

    /// The symbol at `position`, called as the one at `leader`.
    #[inline]
    pub(crate) fn symbol(&self, position: usize, leader: usize) -> Symbol<'_> {
        let packed = self.symbols[position];
        let is_set = |bit: u8| packed.bits & bit != 0;
        Symbol {
            code: self,
            leader,
            special: is_set(SPECIAL),
            linkage: packed.linkage,
            address_space: u32::from(packed.address_space),
            used: is_set(USED),
            used_by_host: is_set(USED_BY_HOST),
            body: self.body(position),
        }
    }

    /// The body of the symbol at `position`.
    #[inline]
    pub(crate) fn body(&self, position: usize) -> Body<'_> {
        let packed = &self.symbols[position];
        match packed.kind {
            FUNCTION => Body::Function(Function { code: self, position, packed }),
            VARIABLE => Body::Variable(Variable { code: self, position, packed }),
            ALIAS => Body::Alias(packed.body as usize),
            KERNEL => Body::Declaration(Declaration::Kernel),
            _ if packed.body == 1 => Body::Declaration(Declaration::Function),
            _ => Body::Declaration(Declaration::Variable),
        }
    }

    /// The function at `position`, which is one.
    #[inline]
    pub(crate) fn function(&self, position: usize) -> Function<'_> {
        Function { code: self, position, packed: &self.symbols[position] }
    }

    /// Whether the symbol at `position` is one that other modules can see.
    pub(crate) fn is_visible(&self, position: usize) -> bool {
        !self.symbols[position].linkage.is_local() && !self.is_special(position)
    }

    /// Whether the symbol at `position` is one of LLVM's own.
    pub(crate) fn is_special(&self, position: usize) -> bool {
        self.symbols[position].bits & SPECIAL != 0
    }

    /// Whether two definitions call and name the same, once that is bound, and do the same by themselves.
    pub(crate) fn is_alike(&self, one: usize, other: usize) -> bool {
        let facts = |position: usize| {
            let it = &self.symbols[position];
            (it.kind, it.flags, it.memory, it.own_memory, it.bits & INDIRECT)
        };
        let callees = |position: usize| self.calls(position).iter().map(|call| call.callee());
        facts(one) == facts(other)
            && self.symbols[one].kind != ALIAS
            && callees(one).eq(callees(other))
            && self.references(one) == self.references(other)
    }

    /// The declarations of dynamic shared memory, in order, each with its alignment in bytes.
    pub(crate) fn dynamic_shared(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.dynamic_shared.iter().map(|it| (it.symbol as usize, it.alignment))
    }

    /// The digest of the content of the definition at `position`, if a different one may replace
    /// it.
    pub(crate) fn content(&self, position: usize) -> Option<u64> {
        let list = &self.contents;
        let found = list.binary_search_by_key(&position, |it| it.symbol as usize).ok()?;
        Some(list[found].digest)
    }

    /// Linkage and kind of each symbol.
    pub(crate) fn kinds(&self) -> impl ExactSizeIterator<Item = (Linkage, Kind)> {
        self.symbols.iter().map(|it| {
            let kind = match it.kind {
                FUNCTION => Kind::Function,
                VARIABLE if it.flags & u16::from(COPYABLE) != 0 => Kind::Copyable,
                VARIABLE => Kind::Variable,
                ALIAS => Kind::Alias,
                _ => Kind::Declaration,
            };
            (it.linkage, kind)
        })
    }

    /// The number of the address space of the symbol at `position`.
    pub(crate) fn address_space(&self, position: usize) -> u32 {
        u32::from(self.symbols[position].address_space)
    }

    /// Direct calls of the body at `position`, one for each callee.
    #[inline]
    pub(crate) fn calls(&self, position: usize) -> &[Call] {
        let start = position.checked_sub(1).map_or(0, |it| self.symbols[it].calls_end);
        &self.calls[range(start, self.symbols[position].calls_end)]
    }

    /// What the body at `position` names other than as a callee.
    #[inline]
    pub(crate) fn references(&self, position: usize) -> &[u32] {
        let start = position.checked_sub(1).map_or(0, |it| self.symbols[it].references_end);
        &self.references[range(start, self.symbols[position].references_end)]
    }
}

fn range(start: u32, end: u32) -> Range<usize> {
    start as usize..end as usize
}
