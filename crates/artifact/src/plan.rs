//! What the thin link decided for one module.

use serde::Serialize;
use wincode::{SchemaRead, SchemaWrite};

use crate::{Arithmetic, MemoryEffects, ModuleId, PhaseOptions, VirtualCall};

/// Everything that the import phase of one module must do.
///
/// A plan changes only when its module's job must change. So it names other modules and their
/// symbols and nothing else of them: no digest, no path, no position, no size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// The module that the plan is for.
    pub module_id: ModuleId,
    /// Architecture of the module, such as `sm_90`.
    pub architecture: String,
    /// Options for the phases after the import.
    pub options: PhaseOptions,
    /// How the module's own functions compute.
    pub arithmetic: Arithmetic,
    /// Own definitions that do not stay as they are, sorted by name.
    pub symbols: Vec<SymbolResolution>,
    /// What to import, sorted by module id. Every list names at least one symbol.
    pub imports: Vec<ImportList>,
    /// Virtual calls of the module's own and of imported bodies whose targets are known, sorted by
    /// call.
    pub virtual_calls: Vec<VirtualCallResolution>,
    /// What is known of functions that the module defines, imports or declares, beyond what its own
    /// bitcode says, sorted by name.
    pub attributes: Vec<SymbolAttributes>,
    /// The linked module emits nothing: no definition stays and none is copied.
    pub is_empty: bool,
    /// Imported functions shall say where they come from, in the metadata `thinlto_src_module`.
    pub import_metadata: bool,
    /// Dynamic shared memory that the linked module must declare with another alignment than its own
    /// bitcode does, or that its own bitcode does not name, sorted by name.
    pub dynamic_shared: Vec<SharedAlignment>,
}

/// What becomes of one own definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SymbolResolution {
    /// The definition's name in its module.
    pub name: String,
    /// What becomes of it.
    pub resolution: Resolution,
}

/// The ways in which a definition can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    /// Nothing that stays needs it: the definition goes.
    Remove,
    /// Nothing outside the module needs it: it becomes internal.
    Internalize,
    /// A local that importers refer to: it becomes global under
    /// [`promoted_name`](crate::promoted_name), hidden from other images.
    Promote,
    /// The copy of a linkonce or weak symbol that the program keeps: it may no longer be discarded.
    Keep,
    /// Another module keeps the program's copy: this one serves inspection and inlining only.
    AvailableExternally,
    /// Another module keeps the program's copy, and this module calls its own one: direct calls go to
    /// an internal copy, while the function's address stays the one of the program's copy.
    Localize,
}

/// What one module gives to the plan's module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImportList {
    /// The module that the definitions come from.
    pub module_id: ModuleId,
    /// How the functions of this import source compute.
    pub arithmetic: Arithmetic,
    /// Functions and variables whose definitions are imported, by their names in that module,
    /// sorted. What they refer to comes along as declarations, and copyable constants as copies.
    pub symbols: Vec<String>,
    /// Those of `symbols` that the module emits as internal copies of its own, sorted: functions. Direct
    /// calls go to the copy, while the function's address stays the one of its own module.
    pub copies: Vec<String>,
}

/// What a virtual call of a type through a slot comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct VirtualCallResolution {
    /// The type and the slot.
    pub call: VirtualCall,
    /// What becomes of the call.
    pub outcome: VirtualCallOutcome,
}

/// What becomes of a virtual call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
#[serde(rename_all = "snake_case")]
pub enum VirtualCallOutcome {
    /// It calls one of these functions and no other: at least one, by their names in the linked
    /// module, sorted.
    Calls(Vec<String>),
    /// Whatever it calls does nothing but return this integer.
    Returns(u64),
}

/// The alignment of dynamic shared memory: the largest that any unit of the program asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct SharedAlignment {
    /// The name of the `extern __shared__` array.
    pub name: String,
    /// Alignment in bytes.
    pub alignment: u32,
}

/// What is known of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SymbolAttributes {
    /// The function's name in the linked module.
    pub name: String,
    /// The facts.
    pub attributes: FunctionAttributes,
}

/// Facts about a function that hold for every copy of it, whatever module it is called from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FunctionAttributes {
    /// It does not unwind.
    pub no_unwind: bool,
    /// No call of it is made while another one is under way in the same thread.
    pub no_recurse: bool,
    /// It returns, in the end.
    pub will_return: bool,
    /// What memory it may touch.
    pub memory: MemoryEffects,
}
