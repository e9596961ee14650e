//! Facts about a global value, in the form in which both summaries are compared.

use std::collections::BTreeSet;

/// Facts about a global value that both summaries hold.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) guid: u64,
    pub(super) linkage: String,
    pub(super) visibility: String,
    /// `None` for a declaration.
    pub(super) dso_local: Option<bool>,
    pub(super) function: Option<FunctionFacts>,
    /// Whether the value is constant, if it is a variable.
    pub(super) constant: Option<bool>,
    pub(super) references: BTreeSet<String>,
    pub(super) aliasee: Option<String>,
}

/// Facts about a function that both summaries hold.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FunctionFacts {
    pub(super) instructions: u32,
    pub(super) read_none: bool,
    pub(super) no_inline: bool,
    pub(super) always_inline: bool,
    pub(super) no_unwind: bool,
    /// Callees by name, or by GUID if the module does not declare them, and whether the call is
    /// critical.
    pub(super) calls: BTreeSet<(String, bool)>,
}
