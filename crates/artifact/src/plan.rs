//! The thin link's decisions about one module.

use serde::Serialize;
use wincode::{SchemaRead, SchemaWrite};

use crate::{
    Arithmetic, KernelChoice, LtoIrPlan, MemoryEffects, ModuleId, PhaseOptions, VirtualCall,
};

/// The work of the import phase of one module, or of a bundle: several modules that one job
/// compiles as one, under the id of the first.
///
/// A plan changes only when its module's job must change. So it names other modules and their
/// symbols, but has none of their digests, paths, positions and sizes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// The module that the plan is for; of a bundle, the first member.
    pub module_id: ModuleId,
    /// Architecture of the module, such as `sm_90`.
    pub architecture: String,
    /// Options for the phases after the import.
    pub options: PhaseOptions,
    /// Arithmetic of the module's own functions.
    pub arithmetic: Arithmetic,
    /// Resolutions of the module's own definitions that change, sorted by name.
    pub symbols: Vec<SymbolResolution>,
    /// The other members of the bundle, sorted by module id; none unless the module begins one.
    pub members: Vec<Member>,
    /// Lists of imports, sorted by module id. Every list names at least one symbol.
    pub imports: Vec<ImportList>,
    /// Virtual calls in own and imported bodies whose targets are known, sorted by call.
    pub virtual_calls: Vec<VirtualCallResolution>,
    /// Attributes of functions that the module defines, imports or declares, beyond those in its
    /// own bitcode, sorted by name.
    pub attributes: Vec<SymbolAttributes>,
    /// Whether the linked module emits nothing: no definition stays and none is copied.
    pub is_empty: bool,
    /// Whether imported functions name their module and its source file in the metadata
    /// `thinlto_src_module` and `thinlto_src_file`.
    pub import_metadata: bool,
    /// Dynamic shared memory that the linked module must declare with another alignment than its
    /// own bitcode, or that its own bitcode does not name, sorted by name.
    pub dynamic_shared: Vec<SharedAlignment>,
    /// Kernels that feedback from earlier builds makes choices for, sorted by name.
    pub kernels: Vec<PlannedKernel>,
    /// Variables whose initial values hold for the whole run, by their names in the linked module,
    /// sorted: the host never names them, and no live code writes to them.
    pub constants: Vec<String>,
    /// Symbols that a module declares otherwise than the program defines them, and that the linked
    /// module may name, sorted by name.
    pub definitions: Vec<PlannedDefinition>,
    /// Orders for a module of NVIDIA's LTO IR, for which the fields about resolutions, members,
    /// imports, virtual calls and attributes are empty; `None` for bitcode.
    pub lto_ir: Option<LtoIrPlan>,
}

impl Plan {
    /// Returns the resolutions of the definitions of all members, in the members' order.
    pub fn resolutions(&self) -> impl Iterator<Item = &SymbolResolution> {
        self.symbols.iter().chain(self.members.iter().flat_map(|member| &member.symbols))
    }

    /// Returns the other modules whose code the job reads.
    pub fn other_modules(&self) -> impl Iterator<Item = &ModuleId> {
        let members = self.members.iter().map(|member| &member.module_id);
        let imports = self.imports.iter().map(|list| &list.module_id);
        let units = self.lto_ir.iter().flat_map(|orders| &orders.units);
        let is_other = |unit: &&ModuleId| {
            **unit != self.module_id
                && !self.members.iter().any(|member| member.module_id == **unit)
        };
        members.chain(imports).chain(units.filter(is_other))
    }
}

/// A module that is compiled in the job of another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Member {
    /// The module.
    pub module_id: ModuleId,
    /// Arithmetic of its functions.
    pub arithmetic: Arithmetic,
    /// Resolutions of its definitions that change, sorted by name.
    pub symbols: Vec<SymbolResolution>,
}

/// The resolution of one of the module's own definitions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SymbolResolution {
    /// The definition's name in its module.
    pub name: String,
    /// Change of the definition.
    pub resolution: Resolution,
}

/// The ways in which a definition can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    /// The definition is removed, as no remaining definition needs it.
    Remove,
    /// The definition becomes internal, as nothing outside the module needs it.
    Internalize,
    /// The local becomes global under its [`promoted_name`](crate::promoted_name), hidden from
    /// other images, as importers refer to it.
    Promote,
    /// The definition is the prevailing one of a linkonce or weak symbol, and is no longer
    /// discardable.
    Keep,
    /// The definition is non-prevailing, and serves inspection and inlining alone.
    AvailableExternally,
    /// The definition is non-prevailing, and this module calls its own copy: direct calls go to an
    /// internal copy, while the function's address is that of the prevailing definition.
    Localize,
    /// The local stays one under its [`promoted_name`](crate::promoted_name), as another member of
    /// its bundle may have a symbol of its name.
    Rename,
}

/// The imports from one module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImportList {
    /// The module that the definitions come from.
    pub module_id: ModuleId,
    /// Arithmetic of the functions of this import source.
    pub arithmetic: Arithmetic,
    /// Functions and variables whose definitions are imported, by their names in that module,
    /// sorted. Symbols that they refer to come along as declarations, and copyable constants as
    /// copies.
    pub symbols: Vec<String>,
    /// Functions in `symbols` that the module emits as internal copies, sorted. Direct calls go to
    /// the copy, while the function's address is that of the original.
    pub copies: Vec<String>,
}

impl ImportList {
    /// Whether the module emits `symbol` as an internal copy.
    pub fn is_copy(&self, symbol: &str) -> bool {
        self.copies.binary_search_by(|copy| copy.as_str().cmp(symbol)).is_ok()
    }
}

/// The outcome of the virtual calls of a type through a slot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct VirtualCallResolution {
    /// The type and the slot.
    pub call: VirtualCall,
    /// Outcome of the calls.
    pub outcome: VirtualCallOutcome,
}

/// The outcome of a virtual call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
#[serde(rename_all = "snake_case")]
pub enum VirtualCallOutcome {
    /// The call goes to one of these functions and to no other. There is at least one; they have
    /// their names in the linked module and are sorted.
    Calls(Vec<String>),
    /// Every target does nothing but return this integer.
    Returns(u64),
}

/// The alignment of dynamic shared memory: the largest one that any unit of the program requests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct SharedAlignment {
    /// The name of the `extern __shared__` array.
    pub name: String,
    /// Alignment in bytes.
    pub alignment: u32,
}

/// A kernel that is not built as the models would build it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct PlannedKernel {
    /// The kernel's name in the linked module.
    pub name: String,
    /// How it is built.
    pub choice: KernelChoice,
}

/// The definition of a symbol that some module declares otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct PlannedDefinition {
    /// Name of the symbol.
    pub name: String,
    /// The program's definition of the symbol.
    pub kind: DefinitionKind,
}

/// The facts of a definition that its declarations have to agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
#[serde(rename_all = "snake_case")]
pub enum DefinitionKind {
    /// A kernel. clang declares a kernel of another unit as a device function.
    Kernel,
    /// A variable, with the number of its address space. clang puts a constant with a known content
    /// into constant memory, and declares it in global memory elsewhere.
    Variable(u32),
}

/// The attributes of one function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SymbolAttributes {
    /// The function's name in the linked module.
    pub name: String,
    /// The facts.
    pub attributes: FunctionAttributes,
}

/// Facts about a function that hold for all of its definitions and for calls from any module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FunctionAttributes {
    /// The function does not unwind.
    pub no_unwind: bool,
    /// No thread calls the function while an earlier call is in progress.
    pub no_recurse: bool,
    /// The function returns in the end.
    pub will_return: bool,
    /// Memory that the function may access.
    pub memory: MemoryEffects,
}
