//! Errors of summaries that contradict each other, and of a malformed one.

use std::path::PathBuf;

use thiserror::Error;
use weft_artifact::{ModuleId, ModuleIdError};

/// The reason for which a set of summaries is not a program. The message names every file involved.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum LinkError {
    /// A decoded module id that could not have been made.
    #[error("{}: {error}", path.display())]
    ModuleId {
        /// The summary.
        path: PathBuf,
        /// The fault of the id.
        error: ModuleIdError,
    },
    /// A line of the link order that means nothing.
    #[error("{}: '{id}' {reason}", path.display())]
    LinkOrder {
        /// The file of the link order.
        path: PathBuf,
        /// The line's content.
        id: String,
        /// The fault of the line.
        reason: &'static str,
    },
    /// Differing definitions of which the linker would keep the first, without a stated link order.
    #[error(
        "the definitions of '{symbol}' in {} and {} differ, and either may replace the \
         other: a linker keeps the first in link order, so state the order with --link-order FILE",
        first.display(), second.display()
    )]
    NoLinkOrder {
        /// The name of the definitions.
        symbol: String,
        /// The summary with one definition.
        first: PathBuf,
        /// The summary with the other definition.
        second: PathBuf,
    },
    /// A record breaks a rule that its type's documentation states.
    #[error("{}: malformed summary: {reason}", path.display())]
    Record {
        /// The summary.
        path: PathBuf,
        /// The broken rule, and the symbol that breaks it.
        reason: String,
    },
    /// Two units under one name.
    #[error(
        "{} and {} both are summaries of module '{module_id}'",
        first.display(), second.display()
    )]
    DuplicateModule {
        /// The name.
        module_id: ModuleId,
        /// One summary.
        first: PathBuf,
        /// The other summary.
        second: PathBuf,
    },
    /// The plans of two modules cannot both exist: one would be a folder of the other.
    #[error(
        "{} and {}: the plan of module '{file}' would be a folder on the path of the plan of \
         module '{inside}'",
        first.display(), second.display()
    )]
    PlanPaths {
        /// The module whose plan has the shorter path.
        file: ModuleId,
        /// The module whose plan would lie inside it.
        inside: ModuleId,
        /// Summary of the former.
        first: PathBuf,
        /// Summary of the latter.
        second: PathBuf,
    },
    /// Modules that cannot be linked with each other.
    #[error(
        "{} and {} differ in {what}: '{first_value}' and '{second_value}'",
        first.display(), second.display()
    )]
    Mismatch {
        /// Architecture, target triple, data layout or version of NVVM IR.
        what: &'static str,
        /// One summary.
        first: PathBuf,
        /// Its value.
        first_value: String,
        /// The other summary.
        second: PathBuf,
        /// Its value.
        second_value: String,
    },
    /// A plan cannot be written.
    #[error("the plan of '{module_id}' cannot be written: {reason}")]
    Plan {
        /// The module.
        module_id: ModuleId,
        /// Why.
        reason: String,
    },
    /// The record of decisions cannot be written.
    #[error("the record of decisions cannot be written: {0}")]
    Decisions(String),
    /// More items than positions can count.
    #[error("all modules together have {count} {what}, and 4294967295 are the most")]
    TooMuch {
        /// The things that are too many.
        what: &'static str,
        /// Number of these things.
        count: usize,
    },
    /// Modules were compiled with different values of an option.
    #[error(
        "{} and {} were compiled with different values of the option {option}: {first_value} and \
         {second_value}",
        first.display(), second.display()
    )]
    OptionConflict {
        /// The option.
        option: String,
        /// One summary.
        first: PathBuf,
        /// Its value.
        first_value: u32,
        /// The other summary.
        second: PathBuf,
        /// Its value.
        second_value: u32,
    },
    /// A unit's code computes differently than requested, and it is too late to change it.
    #[error(
        "{}: its code has {option}={fixed} for good, as libdevice was linked by it, and so it \
         cannot have {option}={wanted}: leave that option away, or compile the unit {advice}",
        path.display()
    )]
    FixedOption {
        /// The option.
        option: String,
        /// The unit's summary.
        path: PathBuf,
        /// Value that the code has.
        fixed: u32,
        /// Value that was requested.
        wanted: u32,
        /// The option of the compiler with or without which the code has the wanted value.
        advice: String,
    },
    /// Symbols of one name that cannot be the same.
    #[error(
        "'{symbol}' is {first_value} in {} and {second_value} in {}",
        first.display(), second.display()
    )]
    SymbolClash {
        /// The symbol.
        symbol: String,
        /// One summary.
        first: PathBuf,
        /// Kind of the symbol in that summary.
        first_value: String,
        /// The other summary.
        second: PathBuf,
        /// Kind of the symbol in that summary.
        second_value: String,
    },
    /// Two modules of NVIDIA's LTO IR have a local of one name, which nvcc makes from the unit's
    /// path, and one job reads both.
    #[error(
        "{} and {} both have a local symbol '{symbol}': nvcc gives locals the same names where the \
         same source is compiled twice; compile it under two names",
        first.display(), second.display()
    )]
    SameLocal {
        /// The symbol.
        symbol: String,
        /// One summary.
        first: PathBuf,
        /// The other summary.
        second: PathBuf,
    },
    /// Functions of one name whose calls pass different arguments or results.
    #[error(
        "'{symbol}' has other parameters or another result in {} than in {}: declare it in both \
         units as it is defined",
        first.display(), second.display()
    )]
    Prototype {
        /// The function.
        symbol: String,
        /// One summary.
        first: PathBuf,
        /// The other summary.
        second: PathBuf,
    },
    /// A module cannot be compiled with the modules that the given number of jobs groups it with.
    #[error(
        "{} cannot be compiled with the modules before it, as {reason}: give --full another \
         number, or none",
        path.display()
    )]
    Bundle {
        /// The module's summary.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// Two strong definitions of one symbol.
    #[error(
        "{} and {} both define '{symbol}'{}",
        first.display(), second.display(), advice_for(symbol)
    )]
    DuplicateSymbol {
        /// The symbol.
        symbol: String,
        /// One summary.
        first: PathBuf,
        /// The other summary.
        second: PathBuf,
    },
}

/// Parts of the names that clang gives to `static` variables and kernels that host code uses. The
/// rest is a hash of the option `-cuid`.
const NAMED_BY_UNIT: [&str; 2] = ["__static__", "__intern__"];

/// Returns the advice that follows the message about two definitions of `symbol`.
fn advice_for(symbol: &str) -> &'static str {
    if NAMED_BY_UNIT.iter().any(|part| symbol.contains(part)) {
        ": clang tells local symbols of units apart by the option -cuid, so give each unit another \
         -cuid=ID"
    } else {
        ""
    }
}
