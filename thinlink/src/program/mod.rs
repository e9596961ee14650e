//! All units in the least space that the link can do with.
//!
//! A [`Summary`] is made for reading: each symbol owns its name, each function its lists. A program
//! of two million symbols would take gigabytes that way. Here a module's names lie one after the
//! other in one text, and its functions, calls and references in one array each; what the link never
//! asks for (shapes, visibility, GUIDs of symbols) is left out. Summaries are packed as they are
//! read, one by one, so that no two of a thread are ever there in full.
//!
//! The rest of the link reads through views ([`Symbol`], [`Function`], [`Variable`]), which have the
//! fields of the summary's types and are made on the spot.
//!
//! Cost: symbols and edges, once each; about 100 bytes for a function, with its name and its calls.

mod call;
mod pack;
mod view;

use std::path::PathBuf;

use weft_artifact::{
    HostFacts, LaunchBounds, Linkage, MemoryEffects, ModuleId, OpaqueImage, OptionSetting, Summary,
    SymbolIndex, TypeMember, VirtualCall, VirtualFunction,
};

pub(crate) use call::Call;
pub(crate) use view::{Body, Function, Symbol, Traits, Variable};

/// One unit.
pub(crate) struct Unit {
    /// Where the summary came from, for messages.
    pub(crate) path: PathBuf,
    /// The name the build gave it.
    pub(crate) module_id: ModuleId,
    /// Its device code.
    pub(crate) device: Option<Device>,
    /// What its host code says of device code.
    pub(crate) host: Option<HostFacts>,
    /// Its device code that is not bitcode.
    pub(crate) opaque: Vec<OpaqueImage>,
}

impl Unit {
    /// Packs a summary that keeps the rules of the record.
    pub(crate) fn pack(path: PathBuf, summary: Summary) -> Self {
        let Summary { module_id, device, host, opaque } = summary;
        let device = device.as_ref().map(Device::pack);
        Self { path, module_id, device, host, opaque }
    }
}

/// Device code of one unit. See [`weft_artifact::DeviceModule`].
pub(crate) struct Device {
    pub(crate) architecture: Box<str>,
    pub(crate) triple: Box<str>,
    pub(crate) data_layout: Box<str>,
    pub(crate) options: Box<[OptionSetting]>,
    /// The names, one after the other.
    names: Box<str>,
    /// Where each name ends.
    name_ends: Box<[u32]>,
    symbols: Box<[PackedSymbol]>,
    functions: Box<[PackedFunction]>,
    calls: Box<[Call]>,
    /// What functions refer to: position times 4, plus the number of the access.
    references: Box<[u32]>,
    variables: Box<[PackedVariable]>,
    /// What variables refer to.
    initialisers: Box<[SymbolIndex]>,
    rarities: Box<[Rarities]>,
    tables: Box<[Table]>,
}

/// A symbol. What `body` counts depends on the kind.
#[derive(Clone, Copy)]
struct PackedSymbol {
    body: u32,
    address_space: u8,
    /// LLVM's own, so that each module has its own under the same name.
    special: bool,
    linkage: Linkage,
    /// From the low bit: kind (3 bits), used, used by host.
    bits: u8,
}

/// A function. Its lists end where the next one's begin.
#[derive(Clone, Copy)]
struct PackedFunction {
    calls_end: u32,
    references_end: u32,
    instruction_count: u32,
    indirect_calls: u32,
    flags: weft_artifact::FunctionFlags,
    import_priority: weft_artifact::ImportPriority,
    memory: MemoryEffects,
    own_memory: MemoryEffects,
}

/// A variable. Its references end where the next one's begin.
#[derive(Clone, Copy)]
struct PackedVariable {
    size: u64,
    references_end: u32,
    constant: bool,
    externally_initialized: bool,
    copyable: bool,
}

/// What few functions have.
struct Rarities {
    function: u32,
    constant_result: Option<u64>,
    launch_bounds: LaunchBounds,
    virtual_calls: Box<[VirtualCall]>,
}

/// What few variables have.
struct Table {
    variable: u32,
    virtual_functions: Box<[VirtualFunction]>,
    type_ids: Box<[TypeMember]>,
}
