//! The record format of plans.
//!
//! A plan names hundreds of symbols. In the record each name occurs once where possible, as the
//! length of the prefix that it shares with the name before it and the rest. The attributes of a
//! function are stored with its resolution or its import; only functions that are neither own nor
//! imported have a separate list.

use crate::encoding::{EncodeError, frame, write_bytes, write_number, write_small};
use crate::record::error::RecordError;
use crate::record::input::Input;
use crate::record::names::{NextName, Reader, Writer};
use crate::record::numbers::{optional_number_in, optional_value_of};
use crate::{
    Arithmetic, Artifact, FunctionAttributes, ImportList, LtoIrPlan, Member, MemoryEffects,
    ModuleId, PhaseOptions, Plan, PlannedDefinition, PlannedKernel, Resolution, SharedAlignment,
    SymbolAttributes, SymbolResolution, VirtualCallResolution, promoted_name,
};

/// Resolutions by their numbers in files less 1; 0 is no resolution.
const RESOLUTIONS: [Resolution; 7] = [
    Resolution::Remove,
    Resolution::Internalize,
    Resolution::Promote,
    Resolution::Keep,
    Resolution::AvailableExternally,
    Resolution::Localize,
    Resolution::Rename,
];

/// The record of a [`Plan`]. All lists are sorted by name.
#[derive(Debug)]
pub struct PlanRecord<'a> {
    /// Value of [`Plan::module_id`].
    pub module_id: &'a ModuleId,
    /// Value of [`Plan::architecture`].
    pub architecture: &'a str,
    /// Value of [`Plan::options`].
    pub options: &'a PhaseOptions,
    /// Value of [`Plan::arithmetic`].
    pub arithmetic: Arithmetic,
    /// Own symbols with a resolution or with attributes.
    pub symbols: PlanNames<'a>,
    /// Value of [`Plan::members`], with the attributes of their symbols.
    pub members: PlanMembers,
    /// Value of [`Plan::imports`].
    pub imports: PlanImports,
    /// Value of [`Plan::virtual_calls`].
    pub virtual_calls: &'a [VirtualCallResolution],
    /// Functions with attributes that are in neither list above, by their names in the linked
    /// module.
    pub others: PlanNames<'a>,
    /// Value of [`Plan::is_empty`].
    pub is_empty: bool,
    /// Value of [`Plan::import_metadata`].
    pub import_metadata: bool,
    /// Value of [`Plan::dynamic_shared`].
    pub dynamic_shared: &'a [SharedAlignment],
    /// Value of [`Plan::kernels`].
    pub kernels: &'a [PlannedKernel],
    /// Value of [`Plan::constants`].
    pub constants: &'a [String],
    /// Value of [`Plan::definitions`].
    pub definitions: &'a [PlannedDefinition],
    /// Value of [`Plan::lto_ir`].
    pub lto_ir: Option<&'a LtoIrPlan>,
}

/// Attributes of a function, if there are any. The number is 0 without attributes, and else 1 plus,
/// from the low bit, the flags of [`FunctionAttributes`], whether the function has its promoted
/// name, and the memory effects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnownAttributes(u16);

/// Encodes the names of one list, which must come in order.
#[derive(Debug, Default)]
pub struct PlanNames<'a> {
    names: Writer<'a>,
    list: List,
}

/// Encodes the members of a bundle but for the first.
#[derive(Debug, Default)]
pub struct PlanMembers(List);

/// Encodes the lists of imports, of which there are many, and most are short.
#[derive(Debug, Default)]
pub struct PlanImports(List);

/// The bytes of a list without its length, which is known at the end.
#[derive(Debug, Default)]
struct List {
    count: u64,
    bytes: Vec<u8>,
}

/// Approximate number of bytes of a name with its attributes.
const NAME: usize = 24;

impl List {
    fn with_room(names: usize) -> Self {
        Self { count: 0, bytes: Vec::with_capacity(names * NAME) }
    }

    fn write(&self, file: &mut Vec<u8>) {
        write_number(self.count, file);
        file.extend_from_slice(&self.bytes);
    }
}

impl<'a> PlanNames<'a> {
    /// Creates an empty list with room for about `names` names.
    #[must_use]
    pub fn with_room(names: usize) -> Self {
        Self { names: Writer::default(), list: List::with_room(names) }
    }

    /// Appends an own symbol.
    pub fn own(&mut self, name: &'a str, resolution: Option<Resolution>, known: KnownAttributes) {
        self.name(name);
        self.list.bytes.push(optional_number_in(&RESOLUTIONS, resolution));
        self.known(known);
    }

    /// Appends a symbol of another module.
    pub fn other(&mut self, name: &'a str, known: KnownAttributes) {
        self.name(name);
        self.known(known);
    }

    fn name(&mut self, name: &'a str) {
        write_name(self.names.write(name), &mut self.list.bytes);
        self.list.count += 1;
    }

    fn known(&mut self, known: KnownAttributes) {
        write_number(u64::from(known.0), &mut self.list.bytes);
    }
}

impl PlanMembers {
    /// Appends a member with its symbols that have a resolution or attributes.
    pub fn member(
        &mut self,
        module_id: &ModuleId,
        arithmetic: Arithmetic,
        symbols: &PlanNames<'_>,
    ) {
        let List { count, bytes } = &mut self.0;
        write_bytes(module_id.as_str().as_bytes(), bytes);
        bytes.push(arithmetic.number());
        symbols.list.write(bytes);
        *count += 1;
    }
}

impl PlanImports {
    /// Creates empty lists with room for about `symbols` symbols.
    #[must_use]
    pub fn with_room(symbols: usize) -> Self {
        Self(List::with_room(symbols))
    }

    /// Appends the imports from a module: names, attributes, and whether the symbol becomes a copy.
    pub fn of_module<'a>(
        &mut self,
        module_id: &ModuleId,
        arithmetic: Arithmetic,
        symbols: impl ExactSizeIterator<Item = (&'a str, KnownAttributes, bool)>,
    ) {
        let List { count, bytes } = &mut self.0;
        write_bytes(module_id.as_str().as_bytes(), bytes);
        bytes.push(arithmetic.number());
        write_number(symbols.len() as u64, bytes);
        let mut names = Writer::default();
        for (name, known, is_copy) in symbols {
            write_name(names.write(name), bytes);
            write_number(u64::from(known.0) << 1 | u64::from(is_copy), bytes);
        }
        *count += 1;
    }
}

/// Encodes resolutions without attributes.
fn names(symbols: &[SymbolResolution]) -> PlanNames<'_> {
    let mut names = PlanNames::default();
    for symbol in symbols {
        names.own(&symbol.name, Some(symbol.resolution), KnownAttributes::NOTHING);
    }
    names
}

fn write_name(NextName { shared, rest }: NextName<'_>, bytes: &mut Vec<u8>) {
    write_number(u64::from(shared), bytes);
    write_bytes(rest.as_bytes(), bytes);
}

impl KnownAttributes {
    /// No attributes.
    pub const NOTHING: Self = Self(0);
    const PROMOTED: u16 = 8;

    /// Encodes the attributes of a function under its name, or under its promoted name.
    #[must_use]
    pub fn of(attributes: FunctionAttributes, is_promoted: bool) -> Self {
        let FunctionAttributes { no_unwind, no_recurse, will_return, memory } = attributes;
        let flags = [no_unwind, no_recurse, will_return, is_promoted].into_iter().zip(0..);
        let flags = flags.fold(0, |bits, (is_set, bit)| bits | u16::from(is_set) << bit);
        Self(1 + (flags | u16::from(memory.0) << 4))
    }

    fn attributes(self) -> Result<Option<FunctionAttributes>, RecordError> {
        let Some(bits) = self.0.checked_sub(1) else { return Ok(None) };
        let memory =
            u8::try_from(bits >> 4).ok().filter(|memory| memory & !MemoryEffects::ANY.0 == 0);
        let memory = memory.ok_or_else(|| format!("nothing is known by the number {}", self.0))?;
        Ok(Some(FunctionAttributes {
            no_unwind: bits & 1 != 0,
            no_recurse: bits & 2 != 0,
            will_return: bits & 4 != 0,
            memory: MemoryEffects(memory),
        }))
    }

    fn is_promoted(self) -> bool {
        self.0.wrapping_sub(1) & Self::PROMOTED != 0
    }
}

impl<'a> PlanRecord<'a> {
    /// Makes the record of a plan, with all attributes in a separate list.
    fn of(plan: &'a Plan) -> Self {
        let mut members = PlanMembers::default();
        for Member { module_id, arithmetic, symbols } in &plan.members {
            members.member(module_id, *arithmetic, &names(symbols));
        }
        let mut imports = PlanImports::default();
        for list in &plan.imports {
            let symbols = list.symbols.iter();
            let symbols =
                symbols.map(|name| (name.as_str(), KnownAttributes::NOTHING, list.is_copy(name)));
            imports.of_module(&list.module_id, list.arithmetic, symbols);
        }
        let mut others = PlanNames::default();
        for function in &plan.attributes {
            others.other(&function.name, KnownAttributes::of(function.attributes, false));
        }
        Self {
            module_id: &plan.module_id,
            architecture: &plan.architecture,
            options: &plan.options,
            arithmetic: plan.arithmetic,
            symbols: names(&plan.symbols),
            members,
            imports,
            virtual_calls: &plan.virtual_calls,
            others,
            is_empty: plan.is_empty,
            import_metadata: plan.import_metadata,
            dynamic_shared: &plan.dynamic_shared,
            kernels: &plan.kernels,
            constants: &plan.constants,
            definitions: &plan.definitions,
            lto_ir: plan.lto_ir.as_ref(),
        }
    }

    /// Returns the whole file of the plan.
    pub fn encode(&self) -> Result<Vec<u8>, EncodeError> {
        frame::<Plan>(|file| self.write(file))
    }

    fn write(&self, file: &mut Vec<u8>) -> Result<(), String> {
        let (symbols, imports, others) = (&self.symbols.list, &self.imports.0, &self.others.list);
        file.reserve([symbols, imports, others].iter().map(|list| list.bytes.len()).sum());
        write_small(self.module_id, file)?;
        write_small(&self.architecture, file)?;
        write_small(self.options, file)?;
        file.push(self.arithmetic.number());
        symbols.write(file);
        self.members.0.write(file);
        imports.write(file);
        write_small(&self.virtual_calls, file)?;
        others.write(file);
        write_small(&self.is_empty, file)?;
        write_small(&self.import_metadata, file)?;
        write_small(&self.dynamic_shared, file)?;
        write_small(&self.kernels, file)?;
        write_small(&self.constants, file)?;
        write_small(&self.definitions, file)?;
        write_small(&self.lto_ir, file)
    }
}

impl Artifact for Plan {
    const KIND: &'static str = "plan";
    const MAGIC: [u8; 8] = *b"WEFTPLAN";
    const VERSION: u32 = 14;

    fn write(&self, file: &mut Vec<u8>) -> Result<(), String> {
        PlanRecord::of(self).write(file)
    }

    fn read(record: &[u8]) -> Result<Self, String> {
        read(record)
    }
}

/// Reads a record that [`PlanRecord`] wrote.
fn read(record: &[u8]) -> Result<Plan, RecordError> {
    let mut input = Input::new(record);
    let mut attributes = Attributes::default();
    let module_id: ModuleId = input.get()?;
    let (architecture, options) = (input.get()?, input.get()?);
    let arithmetic = Arithmetic::of_number(input.get()?)?;
    let symbols = own_symbols(&mut input, &module_id, &mut attributes)?;
    let mut members = Vec::new();
    for _ in 0..input.length()? {
        let module_id: ModuleId = input.get()?;
        let arithmetic = Arithmetic::of_number(input.get()?)?;
        let symbols = own_symbols(&mut input, &module_id, &mut attributes)?;
        members.push(Member { module_id, arithmetic, symbols });
    }
    let mut imports = Vec::new();
    for _ in 0..input.length()? {
        let mut list = ImportList {
            module_id: input.get()?,
            arithmetic: Arithmetic::of_number(input.get()?)?,
            symbols: Vec::new(),
            copies: Vec::new(),
        };
        let mut names = Reader::default();
        for _ in 0..input.length()? {
            let name = names.read(&mut input)?;
            let number: u32 = input.get()?;
            let known = u16::try_from(number >> 1);
            let known = known.map_err(|_| format!("nothing is known by the number {number}"))?;
            attributes.add(&list.module_id, name, KnownAttributes(known))?;
            list.symbols.push(name.to_owned());
            if number & 1 != 0 {
                list.copies.push(name.to_owned());
            }
        }
        imports.push(list);
    }
    let virtual_calls = input.get()?;
    let mut names = Reader::default();
    for _ in 0..input.length()? {
        let name = names.read(&mut input)?;
        attributes.add(&module_id, name, KnownAttributes(input.get()?))?;
    }
    let is_empty = input.get()?;
    let (import_metadata, dynamic_shared) = (input.get()?, input.get()?);
    let kernels = input.get()?;
    let (constants, definitions, lto_ir) = (input.get()?, input.get()?, input.get()?);
    input.end()?;
    let attributes = attributes.finish();
    Ok(Plan {
        module_id,
        architecture,
        options,
        arithmetic,
        symbols,
        members,
        imports,
        virtual_calls,
        attributes,
        is_empty,
        import_metadata,
        dynamic_shared,
        kernels,
        constants,
        definitions,
        lto_ir,
    })
}

/// Reads the list of the symbols of `module_id`, and adds what is known of them to `attributes`.
fn own_symbols(
    input: &mut Input<'_>,
    module_id: &ModuleId,
    attributes: &mut Attributes,
) -> Result<Vec<SymbolResolution>, RecordError> {
    let mut symbols = Vec::new();
    let mut names = Reader::default();
    for _ in 0..input.length()? {
        let name = names.read(input)?;
        let number: u8 = input.get()?;
        attributes.add(module_id, name, KnownAttributes(input.get()?))?;
        if let Some(resolution) = optional_value_of(&RESOLUTIONS, number, "resolution")? {
            symbols.push(SymbolResolution { name: name.to_owned(), resolution });
        }
    }
    Ok(symbols)
}

/// Attributes of functions from all lists of the record.
#[derive(Default)]
struct Attributes(Vec<SymbolAttributes>);

impl Attributes {
    fn add(
        &mut self,
        module_id: &ModuleId,
        name: &str,
        known: KnownAttributes,
    ) -> Result<(), RecordError> {
        let Some(attributes) = known.attributes()? else { return Ok(()) };
        let name =
            if known.is_promoted() { promoted_name(module_id, name) } else { name.to_owned() };
        self.0.push(SymbolAttributes { name, attributes });
        Ok(())
    }

    fn finish(mut self) -> Vec<SymbolAttributes> {
        self.0.sort_by(|one, other| one.name.cmp(&other.name));
        self.0
    }
}
