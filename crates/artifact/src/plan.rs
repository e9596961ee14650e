//! What the thin link decided for one module.

use std::borrow::Cow;

use serde::Serialize;
use wincode::{SchemaRead, SchemaWrite};

use crate::{Artifact, ModuleId};

/// Everything that the import phase of one module must do.
///
/// A plan changes only when its module's job must change. So it names other modules and their
/// symbols and nothing else of them: no digest, no path, no position, no size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct Plan {
    /// The module that the plan is for.
    pub module_id: ModuleId,
    /// Architecture of the module, such as `sm_90`.
    pub architecture: String,
    /// Own definitions that do not stay as they are, sorted by name.
    pub symbols: Vec<SymbolResolution>,
    /// What to import, sorted by module id. Every list names at least one symbol.
    pub imports: Vec<ImportList>,
    /// Imported functions shall say where they come from, in the metadata `thinlto_src_module`.
    pub import_metadata: bool,
}

impl Artifact for Plan {
    type Record = Self;
    const KIND: &'static str = "plan";
    const MAGIC: [u8; 8] = *b"WEFTPLAN";
    const VERSION: u32 = 2;

    fn to_record(&self) -> Cow<'_, Self> {
        Cow::Borrowed(self)
    }

    fn of_record(record: Self) -> Result<Self, String> {
        Ok(record)
    }
}

/// What becomes of one own definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct SymbolResolution {
    /// The definition's name in its module.
    pub name: String,
    /// What becomes of it.
    pub resolution: Resolution,
}

/// The ways in which a definition can change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
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
}

/// What one module gives to the plan's module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct ImportList {
    /// The module that the definitions come from.
    pub module_id: ModuleId,
    /// Functions and variables whose definitions are imported, by their names in that module,
    /// sorted. What they refer to comes along as declarations, and copyable constants as copies.
    pub symbols: Vec<String>,
}
