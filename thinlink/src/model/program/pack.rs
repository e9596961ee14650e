//! Packs summaries as they are read, and checks the rules that decoding cannot.
//!
//! A summary that decodes has the right digest, so it is as written. This file checks that the
//! writer kept the rules of the record (names sorted, positions in range), so no later step needs
//! to.

use std::mem::take;
use std::num::NonZeroU32;
use std::path::PathBuf;

use weft_artifact::{
    BodyHead, Declaration, DeviceModule, FunctionHead, HostFacts, LaunchBounds, Linkage, ModuleId,
    OpaqueImage, SummarySink, SymbolHead, SymbolIndex, VariableSummary,
};

use super::call::Call;
use super::code::{
    CONSTANT, Code, Content, DynamicShared, INDIRECT, Kind, PackedSymbol, RARE, RareFacts,
    SET_OUTSIDE, SPECIAL, Table, USED, USED_BY_HOST, position,
};
use super::unit::{Device, PackedUnit};
use crate::model::flags::bit;
use crate::model::ids::NodeId;

/// Packs one unit after another.
#[derive(Default)]
pub(crate) struct Packer {
    code: Code,
    /// Number of this part of the code.
    part: usize,
    units: Vec<Packed>,
    unit: Option<(ModuleId, Option<DeviceModule>)>,
    /// Positions at which the unit's symbols and names start.
    start: usize,
    names_start: usize,
    /// The largest position that the next symbol's body names, and the largest of any, with the
    /// symbol.
    named: u32,
    largest: Option<(u32, usize)>,
    /// The largest position of a variable that the unit writes.
    written: Option<u32>,
    /// The first rule that the unit breaks.
    broken: Option<String>,
}

/// A unit without a path, with the rule that it breaks, if any.
pub(crate) struct Packed {
    pub(crate) module_id: ModuleId,
    pub(crate) device: Option<Device>,
    pub(crate) host: Option<HostFacts>,
    pub(crate) opaque: Vec<OpaqueImage>,
    pub(crate) broken: Option<String>,
}

impl Packed {
    /// Returns the unit that came from `path`, in that place among the units of the file, which may
    /// be a library of device code.
    pub(crate) fn of(self, path: PathBuf, member: usize, is_library: bool) -> PackedUnit {
        let Self { module_id, device, host, opaque, .. } = self;
        PackedUnit { path, member, module_id, device, host, opaque, is_library }
    }
}

impl Packer {
    /// Returns a packer of the part of that number.
    pub(crate) fn new(part: usize) -> Self {
        Self { part, ..Self::default() }
    }

    /// Returns the units since the last time.
    pub(crate) fn take_units(&mut self) -> Vec<Packed> {
        take(&mut self.units)
    }

    /// Returns the code of all units.
    pub(crate) fn finish(self) -> Code {
        self.code
    }

    /// Packs a function, and returns its flags and bits.
    fn function(&mut self, function: FunctionHead) -> (u16, u8) {
        self.named = function.reads.iter().fold(self.named, |named, symbol| named.max(symbol.0));
        let launch_bounds = function.launch_bounds();
        let is_rare = !function.virtual_calls.is_empty()
            || !function.distant_calls.is_empty()
            || !function.reads.is_empty()
            || function.constant_result.is_some()
            || function.complexity_budget != 0
            || launch_bounds != LaunchBounds::default();
        let bits = bit(RARE, is_rare) | bit(INDIRECT, function.indirect_calls() > 0);
        if is_rare {
            self.code.rare_facts.push(RareFacts {
                symbol: position(self.code.symbols.len()),
                constant_result: function.constant_result,
                launch_bounds,
                importance: function.complexity_budget,
                distant_calls: function.distant_calls.into(),
                virtual_calls: function.virtual_calls.into(),
                reads: function.reads.into(),
            });
        }
        (function.flags, bits)
    }

    fn variable(&mut self, variable: VariableSummary) -> (u16, u8) {
        let references = variable.references.iter().map(|target| NodeId::new(target.0));
        self.code.references.extend(references);
        let is_rare = !variable.virtual_functions.is_empty()
            || !variable.type_ids.is_empty()
            || u32::try_from(variable.size).is_err();
        if is_rare {
            self.code.tables.push(Table {
                symbol: position(self.code.symbols.len()),
                size: variable.size,
                virtual_functions: variable.virtual_functions.into(),
                type_ids: variable.type_ids.into(),
            });
        }
        let flags =
            bit(CONSTANT, variable.constant) | bit(SET_OUTSIDE, variable.externally_initialized);
        (u16::from(flags), bit(RARE, is_rare))
    }

    fn check(&mut self, symbol: &SymbolHead<'_>) {
        let name = symbol.name;
        let before = self.code.name_ends.len();
        if before > self.start && self.broken.is_none() {
            let end = self.code.name_ends[before - 1] as usize;
            let start = match before - 1 {
                first if first == self.start => self.names_start,
                other => self.code.name_ends[other - 1] as usize,
            };
            // As bytes, since slicing text would check character boundaries.
            let last = &self.code.names.as_bytes()[start..end];
            if last >= name.as_bytes() {
                let last = &self.code.names[start..end];
                self.broken = Some(format!(
                    "symbol '{name}' follows '{last}': names must be sorted and unique"
                ));
            }
        }
        let is_declared = matches!(symbol.body, BodyHead::Declaration(_));
        if is_declared && symbol.linkage.is_local() && self.broken.is_none() {
            self.broken = Some(format!("symbol '{name}' is local but not defined"));
        }
        if self.largest.is_none_or(|(largest, _)| largest < self.named) {
            self.largest = Some((self.named, before));
        }
        self.named = 0;
    }

    /// Returns the rule that no position may break, once it is known how many symbols there are.
    fn check_positions(&self) -> Option<String> {
        let count = self.code.symbols.len() - self.start;
        if let Some(written) = self.written.filter(|&written| written as usize >= count) {
            return Some(format!("it writes symbol {written}, but there are only {count}"));
        }
        let (named, symbol) = self.largest.filter(|&(named, _)| named as usize >= count)?;
        let name = self.code.name(NodeId::new(position(symbol)));
        Some(format!("symbol '{name}' names symbol {named}, but there are only {count}"))
    }
}

impl Packer {
    /// Returns the rule that positions in this part of the code are numbers of 32 bits.
    fn check_lengths(&self) -> Option<String> {
        let lengths = self.code.lengths().into_iter();
        let mut too_long = lengths.filter(|&(_, length)| u32::try_from(length).is_err());
        too_long.next().map(|(what, length)| format!("{length} {what} are too many for one part"))
    }
}

impl SummarySink for Packer {
    fn unit(&mut self, module_id: ModuleId, device: Option<DeviceModule>) {
        let written = device.iter().filter_map(|device| device.lto_ir.as_ref());
        let written = written.flat_map(|facts| &facts.written).map(|symbol| symbol.0).max();
        self.unit = Some((module_id, device));
        self.start = self.code.symbols.len();
        self.names_start = self.code.names.len();
        (self.named, self.largest, self.broken) = (0, None, None);
        self.written = written;
    }

    fn call(&mut self, call: weft_artifact::Call) {
        self.named = self.named.max(call.callee.0);
        self.code.calls.push(Call::of(&call));
    }

    fn reference(&mut self, target: SymbolIndex) {
        self.named = self.named.max(target.0);
        self.code.references.push(NodeId::new(target.0));
    }

    fn symbol(&mut self, symbol: SymbolHead<'_>) {
        let special = symbol.name.starts_with("llvm.") || symbol.linkage == Linkage::Appending;
        match &symbol.body {
            BodyHead::Alias(target) => self.named = target.0,
            BodyHead::Variable(variable) => {
                let slots = variable.virtual_functions.iter().map(|slot| slot.function);
                let named = variable.references.iter().copied().chain(slots);
                self.named = named.fold(0, |named, symbol| named.max(symbol.0));
            }
            BodyHead::Function(_) | BodyHead::Declaration(_) => {}
        }
        self.check(&symbol);
        self.code.names.push_str(symbol.name);
        self.code.name_ends.push(position(self.code.names.len()));
        let (mut memory, mut own_memory) = (0, 0);
        let mut space_or_markers = symbol.address_space;
        let (kind, body, (flags, bits)) = match symbol.body {
            BodyHead::Declaration(Declaration::Kernel) => (Kind::DeclaredKernel, 0, (0, 0)),
            BodyHead::Declaration(Declaration::Function) => (Kind::DeclaredFunction, 0, (0, 0)),
            BodyHead::Declaration(Declaration::Variable) => (Kind::DeclaredVariable, 0, (0, 0)),
            BodyHead::Declaration(Declaration::DynamicShared(alignment)) => {
                let symbol = position(self.code.symbols.len());
                self.code.dynamic_shared.push(DynamicShared { symbol, alignment });
                (Kind::DeclaredVariable, 0, (0, 0))
            }
            BodyHead::Function(function) => {
                (memory, own_memory) = (function.memory.0, function.own_memory.0);
                space_or_markers = function.lifetime_markers();
                (Kind::Function, function.instruction_count, self.function(function))
            }
            BodyHead::Variable(variable) => {
                let is_copyable = variable.copyable;
                let kind = if is_copyable { Kind::CopyableVariable } else { Kind::Variable };
                // Larger sizes are in the table of the variable.
                let size = u32::try_from(variable.size).unwrap_or(u32::MAX);
                (kind, size, self.variable(variable))
            }
            BodyHead::Alias(target) => {
                // The alias names a symbol of its own part.
                (Kind::Alias, target.0.saturating_add(position(self.start)), (0, 0))
            }
        };
        if let Some(digest) = symbol.content {
            let symbol = position(self.code.symbols.len());
            self.code.contents.push(Content { symbol, digest });
        }
        self.code.prototypes.push(symbol.prototype.map_or(0, NonZeroU32::get));
        self.code.symbols.push(PackedSymbol {
            calls_end: position(self.code.calls.len()),
            references_end: position(self.code.references.len()),
            body,
            flags,
            memory,
            own_memory,
            linkage: symbol.linkage,
            kind,
            space_or_markers: u8::try_from(space_or_markers).unwrap_or(u8::MAX),
            bits: bits
                | bit(USED, symbol.used)
                | bit(USED_BY_HOST, symbol.used_by_host)
                | bit(SPECIAL, special),
        });
    }

    fn end(&mut self, host: Option<HostFacts>, opaque: Vec<OpaqueImage>) {
        let Some((module_id, device)) = self.unit.take() else { return };
        let symbols = self.start..self.code.symbols.len();
        let broken = self.broken.take().or_else(|| self.check_positions());
        let broken = broken.or_else(|| self.check_lengths());
        let device = device.map(|device| Device {
            architecture: device.architecture.into(),
            triple: device.triple.into(),
            data_layout: device.data_layout.into(),
            nvvm_ir_version: device.nvvm_ir_version,
            options: device.options.into(),
            lto_ir: device.lto_ir,
            part: self.part,
            symbols,
        });
        self.units.push(Packed { module_id, device, host, opaque, broken });
    }
}
