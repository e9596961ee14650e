//! The error of reading an object's host side.

use thiserror::Error;

/// The error of reading an object's host side.
#[derive(Debug, Error)]
pub enum HostFactsError {
    /// The object is malformed.
    #[error("malformed object: {0}")]
    Object(#[from] object::Error),
    /// The file is an executable or shared library, whose references are resolved already.
    #[error("a linked file, expected a relocatable object")]
    Linked,
    /// An entry cannot be read.
    #[error("offload entry {position}: {fault}")]
    Entry {
        /// Number of the entry, from 0.
        position: u64,
        /// The fault of the entry.
        fault: &'static str,
    },
    /// A host reference table of nvcc is no list of names.
    #[error("section {table}: a name that is no text")]
    Table {
        /// Section of the table.
        table: &'static str,
    },
}
