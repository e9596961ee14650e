//! Facts and orders for modules of NVIDIA's LTO IR.
//!
//! nvcc writes LTO IR, which only NVIDIA's linker reads. nvlink turns a unit into PTX, which shows
//! the symbols of the unit, and a list of units into optimized PTX of chosen kernels with all that
//! they reach. So a job for such a module gets whole units and the relevant names, while a job for
//! bitcode gets functions.

use serde::Serialize;
use wincode::{SchemaRead, SchemaWrite};

use crate::{ModuleId, SymbolIndex};

/// Facts that only a module of LTO IR has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct LtoIrModule {
    /// Release of the CUDA toolkit whose nvlink described the module, such as `13.5`.
    pub release: String,
    /// Version of the PTX that this nvlink writes, such as `9.5`.
    pub ptx_version: String,
    /// Variables, defined or declared, that code of the module may write, or whose address leaves
    /// the code that can be seen, sorted.
    pub written: Vec<SymbolIndex>,
}

/// Orders for the job of a module of LTO IR, or of a bundle of them. A symbol of its units that no
/// list names belongs to the job alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct LtoIrPlan {
    /// Value of [`LtoIrModule::ptx_version`]. A job that emits nothing writes PTX of that version.
    pub ptx_version: String,
    /// Kernels that the job emits, by their names in the module, sorted.
    pub kernels: Vec<String>,
    /// Modules whose LTO IR nvlink reads, the own one among them, in the order of the link.
    pub units: Vec<ModuleId>,
    /// Variables that code outside of the job may write, so that nvlink must neither fold nor
    /// change them, sorted.
    pub used_variables: Vec<String>,
    /// Symbols that the job shares with other jobs, with the host or with opaque code, sorted by
    /// name.
    pub symbols: Vec<LtoIrSymbol>,
}

/// A symbol that several jobs share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct LtoIrSymbol {
    /// Name in the LTO IR.
    pub name: String,
    /// Name in the program; `None` if it is the same.
    pub linked_name: Option<String>,
    /// Part of this job in the symbol.
    pub role: LtoIrRole,
    /// Alignment in bytes that all jobs give the variable at least, if they agree on one.
    pub alignment: Option<u32>,
}

/// Part of a job in a symbol that several jobs share.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, SchemaRead, SchemaWrite,
)]
#[serde(rename_all = "snake_case")]
pub enum LtoIrRole {
    /// The job defines the symbol for the program.
    Define,
    /// Another job defines the symbol, and this one refers to it.
    Extern,
    /// The same, of a function of which the job's own modules have another definition, which must
    /// not be inlined.
    Overridden,
}
