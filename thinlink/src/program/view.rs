//! What packed facts look like to the rest of the link: the fields of the summary's types.

use std::ops::Range;

use weft_artifact::{
    Access, Declaration, FunctionFlags, ImportPriority, LaunchBounds, Linkage, MemoryEffects,
    Reference, SymbolIndex, TypeMember, VirtualCall, VirtualFunction,
};

use super::{Call, Device, PackedFunction, PackedSymbol};

pub(super) const DECLARED: u8 = 0;
pub(super) const KERNEL: u8 = 1;
pub(super) const FUNCTION: u8 = 2;
pub(super) const VARIABLE: u8 = 3;
pub(super) const ALIAS: u8 = 4;

/// See [`weft_artifact::Symbol`].
#[derive(Clone, Copy)]
pub(crate) struct Symbol<'p> {
    pub(crate) name: &'p str,
    /// LLVM's own arrays are not symbols: each module has its own under the same name.
    pub(crate) special: bool,
    pub(crate) linkage: Linkage,
    pub(crate) address_space: u32,
    pub(crate) used: bool,
    pub(crate) used_by_host: bool,
    pub(crate) body: Body<'p>,
}

/// What is asked most often of a symbol, in two bytes.
#[derive(Clone, Copy)]
pub(crate) struct Traits {
    pub(crate) linkage: Linkage,
    kind: u8,
}

impl Traits {
    /// Whether its module holds a definition of it.
    pub(crate) fn is_definition(self) -> bool {
        !matches!(self.kind, DECLARED | KERNEL)
    }

    /// Whether it is a function with a body.
    pub(crate) fn is_function(self) -> bool {
        self.kind == FUNCTION
    }

    /// Whether it is a variable with an initialiser.
    pub(crate) fn is_variable(self) -> bool {
        self.kind == VARIABLE
    }
}

/// See [`weft_artifact::Body`].
#[derive(Clone, Copy)]
pub(crate) enum Body<'p> {
    Declaration(Declaration),
    Function(Function<'p>),
    Variable(Variable<'p>),
    /// The symbol that it stands for.
    Alias(SymbolIndex),
}

/// See [`weft_artifact::FunctionSummary`].
#[derive(Clone, Copy)]
pub(crate) struct Function<'p> {
    device: &'p Device,
    number: usize,
    packed: &'p PackedFunction,
    pub(crate) instruction_count: u32,
    pub(crate) flags: FunctionFlags,
    pub(crate) import_priority: ImportPriority,
    pub(crate) indirect_calls: u32,
    pub(crate) memory: MemoryEffects,
    pub(crate) own_memory: MemoryEffects,
}

/// See [`weft_artifact::VariableSummary`].
#[derive(Clone, Copy)]
pub(crate) struct Variable<'p> {
    device: &'p Device,
    number: usize,
    pub(crate) size: u64,
    pub(crate) constant: bool,
    pub(crate) externally_initialized: bool,
    pub(crate) copyable: bool,
    pub(crate) references: &'p [SymbolIndex],
}

impl Symbol<'_> {
    /// Whether its module holds a definition of it.
    pub(crate) fn is_definition(&self) -> bool {
        !matches!(self.body, Body::Declaration(_))
    }
}

impl<'p> Symbol<'p> {
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
    /// Direct calls, sorted by callee.
    pub(crate) fn calls(&self) -> &'p [Call] {
        let start = self.previous().map_or(0, |it| it.calls_end);
        &self.device.calls[range(start, self.packed.calls_end)]
    }

    /// What it names other than as a callee, sorted.
    pub(crate) fn references(&self) -> impl Iterator<Item = Reference> + 'p {
        let start = self.previous().map_or(0, |it| it.references_end);
        let packed = &self.device.references[range(start, self.packed.references_end)];
        packed.iter().map(|&packed| Reference {
            target: SymbolIndex(packed >> 2),
            access: [Access::Read, Access::Write, Access::Other, Access::Other]
                [(packed & 3) as usize],
        })
    }

    fn previous(&self) -> Option<&'p PackedFunction> {
        self.number.checked_sub(1).map(|it| &self.device.functions[it])
    }

    /// Virtual calls through a tested table, sorted.
    pub(crate) fn virtual_calls(&self) -> &'p [VirtualCall] {
        self.device.rarities(self.number).map_or(&[], |it| &it.virtual_calls)
    }

    /// The integer that it returns and does nothing else.
    pub(crate) fn constant_result(&self) -> Option<u64> {
        self.device.rarities(self.number)?.constant_result
    }

    /// Bounds of its launches.
    pub(crate) fn launch_bounds(&self) -> LaunchBounds {
        self.device.rarities(self.number).map_or_else(LaunchBounds::default, |it| it.launch_bounds)
    }
}

impl<'p> Variable<'p> {
    /// Functions in the initialiser with their offsets, if it is a table of virtual functions.
    pub(crate) fn virtual_functions(&self) -> &'p [VirtualFunction] {
        self.device.table(self.number).map_or(&[], |it| &it.virtual_functions)
    }

    /// Type identifiers that the table belongs to.
    pub(crate) fn type_ids(&self) -> &'p [TypeMember] {
        self.device.table(self.number).map_or(&[], |it| &it.type_ids)
    }
}

impl Device {
    /// Number of symbols.
    pub(crate) fn len(&self) -> usize {
        self.symbols.len()
    }

    /// The name of the symbol at `position`.
    #[inline]
    pub(crate) fn name(&self, position: usize) -> &str {
        let start = position.checked_sub(1).map_or(0, |it| self.name_ends[it]);
        &self.names[range(start, self.name_ends[position])]
    }

    /// The symbol at `position`.
    #[inline]
    pub(crate) fn symbol(&self, position: usize) -> Symbol<'_> {
        let packed = self.symbols[position];
        let is_set = |bit: u8| packed.bits & 1 << bit != 0;
        Symbol {
            name: self.name(position),
            special: packed.special,
            linkage: packed.linkage,
            address_space: u32::from(packed.address_space),
            used: is_set(3),
            used_by_host: is_set(4),
            body: self.body_of(packed),
        }
    }

    /// The body of the symbol at `position`.
    #[inline]
    pub(crate) fn body(&self, position: usize) -> Body<'_> {
        self.body_of(self.symbols[position])
    }

    #[inline]
    fn body_of(&self, packed: PackedSymbol) -> Body<'_> {
        match packed.bits & 7 {
            FUNCTION => Body::Function(self.function(packed.body as usize)),
            VARIABLE => Body::Variable(self.variable(packed.body as usize)),
            ALIAS => Body::Alias(SymbolIndex(packed.body)),
            KERNEL => Body::Declaration(Declaration::Kernel),
            _ if packed.body == 1 => Body::Declaration(Declaration::Function),
            _ => Body::Declaration(Declaration::Variable),
        }
    }

    /// Whether the symbol at `position` is one that other modules can see.
    pub(crate) fn is_visible(&self, position: usize) -> bool {
        let packed = self.symbols[position];
        !packed.linkage.is_local() && !packed.special
    }

    /// The position of the symbol called `name`.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.name(middle).cmp(name) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// What is asked most often of the symbol at `position`.
    pub(crate) fn traits(&self, position: usize) -> Traits {
        let packed = self.symbols[position];
        Traits { linkage: packed.linkage, kind: packed.bits & 7 }
    }

    /// The linkage of the symbol at `position`.
    pub(crate) fn linkage(&self, position: usize) -> Linkage {
        self.symbols[position].linkage
    }

    /// The number of the address space of the symbol at `position`.
    pub(crate) fn address_space(&self, position: usize) -> u32 {
        u32::from(self.symbols[position].address_space)
    }

    #[inline]
    fn function(&self, number: usize) -> Function<'_> {
        let packed = &self.functions[number];
        Function {
            device: self,
            number,
            packed,
            instruction_count: packed.instruction_count,
            flags: packed.flags,
            import_priority: packed.import_priority,
            indirect_calls: packed.indirect_calls,
            memory: packed.memory,
            own_memory: packed.own_memory,
        }
    }

    #[inline]
    fn variable(&self, number: usize) -> Variable<'_> {
        let packed = self.variables[number];
        let start = number.checked_sub(1).map_or(0, |it| self.variables[it].references_end);
        Variable {
            device: self,
            number,
            size: packed.size,
            constant: packed.constant,
            externally_initialized: packed.externally_initialized,
            copyable: packed.copyable,
            references: &self.initialisers[range(start, packed.references_end)],
        }
    }

    fn rarities(&self, function: usize) -> Option<&super::Rarities> {
        let position = self.rarities.binary_search_by_key(&function, |it| it.function as usize);
        position.ok().map(|it| &self.rarities[it])
    }

    fn table(&self, variable: usize) -> Option<&super::Table> {
        let position = self.tables.binary_search_by_key(&variable, |it| it.variable as usize);
        position.ok().map(|it| &self.tables[it])
    }
}

fn range(start: u32, end: u32) -> Range<usize> {
    start as usize..end as usize
}
