//! Packing a summary's device code.

use weft_artifact::{
    Access, Body, Declaration, DeviceModule, FunctionSummary, LaunchBounds, Linkage, SymbolIndex,
    VariableSummary,
};

use super::view::{ALIAS, DECLARED, FUNCTION, KERNEL, VARIABLE};
use super::{Call, Device, PackedFunction, PackedSymbol, PackedVariable, Rarities, Table};

/// The lists of a device that grow while its symbols are packed.
#[derive(Default)]
struct Packer {
    functions: Vec<PackedFunction>,
    calls: Vec<Call>,
    references: Vec<u32>,
    variables: Vec<PackedVariable>,
    initialisers: Vec<SymbolIndex>,
    rarities: Vec<Rarities>,
    tables: Vec<Table>,
}

impl Device {
    /// Packs device code that keeps the rules of the record.
    pub(super) fn pack(device: &DeviceModule) -> Self {
        let mut names = String::with_capacity(device.symbols.iter().map(|it| it.name.len()).sum());
        let mut packer = Packer::default();
        let mut name_ends = Vec::with_capacity(device.symbols.len());
        let mut symbols = Vec::with_capacity(device.symbols.len());
        for symbol in &device.symbols {
            names.push_str(&symbol.name);
            name_ends.push(position(names.len()));
            let (kind, body) = packer.body(&symbol.body);
            let flags = [symbol.used, symbol.used_by_host];
            let flags = flags.iter().rev().fold(0, |bits, &is_set| bits << 1 | u8::from(is_set));
            symbols.push(PackedSymbol {
                body,
                address_space: u8::try_from(symbol.address_space).unwrap_or(u8::MAX),
                special: symbol.name.starts_with("llvm.") || symbol.linkage == Linkage::Appending,
                linkage: symbol.linkage,
                bits: kind | flags << 3,
            });
        }
        Self {
            architecture: device.architecture.as_str().into(),
            triple: device.triple.as_str().into(),
            data_layout: device.data_layout.as_str().into(),
            options: device.options.as_slice().into(),
            names: names.into(),
            name_ends: name_ends.into(),
            symbols: symbols.into(),
            functions: packer.functions.into(),
            calls: packer.calls.into(),
            references: packer.references.into(),
            variables: packer.variables.into(),
            initialisers: packer.initialisers.into(),
            rarities: packer.rarities.into(),
            tables: packer.tables.into(),
        }
    }
}

impl Packer {
    /// The kind of a body and what the symbol says of it.
    fn body(&mut self, body: &Body) -> (u8, u32) {
        match body {
            Body::Declaration(Declaration::Kernel) => (KERNEL, 0),
            Body::Declaration(Declaration::Function) => (DECLARED, 1),
            Body::Declaration(Declaration::Variable) => (DECLARED, 0),
            Body::Function(function) => (FUNCTION, self.function(function)),
            Body::Variable(variable) => (VARIABLE, self.variable(variable)),
            Body::Alias(alias) => (ALIAS, alias.target.0),
        }
    }

    fn function(&mut self, function: &FunctionSummary) -> u32 {
        let number = position(self.functions.len());
        self.calls.extend(function.calls.iter().map(Call::of));
        self.references.extend(function.references.iter().map(|reference| {
            let access = match reference.access {
                Access::Read => 0,
                Access::Write => 1,
                Access::Other => 2,
            };
            reference.target.0 << 2 | access
        }));
        self.functions.push(PackedFunction {
            calls_end: position(self.calls.len()),
            references_end: position(self.references.len()),
            instruction_count: function.instruction_count,
            indirect_calls: function.indirect_calls,
            flags: function.flags,
            import_priority: function.import_priority,
            memory: function.memory,
            own_memory: function.own_memory,
        });
        let is_rare = !function.virtual_calls.is_empty()
            || function.constant_result.is_some()
            || function.launch_bounds != LaunchBounds::default();
        if is_rare {
            self.rarities.push(Rarities {
                function: number,
                constant_result: function.constant_result,
                launch_bounds: function.launch_bounds,
                virtual_calls: function.virtual_calls.as_slice().into(),
            });
        }
        number
    }

    fn variable(&mut self, variable: &VariableSummary) -> u32 {
        let number = position(self.variables.len());
        self.initialisers.extend(&variable.references);
        self.variables.push(PackedVariable {
            size: variable.size,
            references_end: position(self.initialisers.len()),
            constant: variable.constant,
            externally_initialized: variable.externally_initialized,
            copyable: variable.copyable,
        });
        if !variable.virtual_functions.is_empty() || !variable.type_ids.is_empty() {
            self.tables.push(Table {
                variable: number,
                virtual_functions: variable.virtual_functions.as_slice().into(),
                type_ids: variable.type_ids.as_slice().into(),
            });
        }
        number
    }
}

/// A position in a list of one module. A summary's lists are far below 2^30: its record may take no
/// more than 2^28 bytes.
fn position(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
