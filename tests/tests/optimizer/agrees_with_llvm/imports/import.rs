//! An import, in the form in which both thin links are compared.

/// An import of a symbol from another module, as a definition or only as a declaration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Import {
    pub(super) importer: String,
    pub(super) source: String,
    pub(super) guid: u64,
    pub(super) declaration: bool,
}
