//! The error of reading an object's host side.

use thiserror::Error;

/// Why an object's host side could not be read.
#[derive(Debug, Error)]
pub enum HostFactsError {
    /// The object reader gave up.
    #[error("malformed object: {0}")]
    Object(#[from] object::Error),
    /// An executable or shared library: its references are resolved already.
    #[error("a linked file, expected a relocatable object")]
    Linked,
    /// An entry that cannot be read.
    #[error("offload entry {position}: {fault}")]
    Entry {
        /// Number of the entry, from 0.
        position: u64,
        /// What is wrong with it.
        fault: &'static str,
    },
    /// A host reference table of nvcc that is no list of names.
    #[error("section {table}: a name that is no text")]
    Table {
        /// The table's section.
        table: &'static str,
    },
}
