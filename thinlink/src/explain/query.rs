//! Questions about a link that was done.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use weft_artifact::ModuleId;

/// A question, in place of a link.
#[derive(Clone, Debug, Subcommand)]
pub enum Query {
    /// Say why a symbol stays: what refers to it, up to a root
    WhyLive(SymbolQuery),
    /// Say why a symbol goes: what refers to it and goes too
    WhyDead(SymbolQuery),
    /// Say why a module imports a symbol
    WhyImported(ImportQuery),
    /// Say why a module does not import a symbol
    WhyNotImported(ImportQuery),
    /// Say why all calls of a kernel stay in its module
    WhyClosed(SymbolQuery),
    /// Say which call of a kernel leaves its module, and why
    WhyNotClosed(SymbolQuery),
    /// Print a plan, or what is different in two
    Plan(PlanQuery),
}

/// A symbol of a link.
#[derive(Args, Clone, Debug)]
pub struct SymbolQuery {
    /// The folder that the thin link wrote its plans to
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output_dir: PathBuf,
    /// The symbol's mangled name; `*` stands for any characters, `?` for one, `[a-z]` for one of a
    /// set
    #[arg(value_name = "SYMBOL")]
    pub(crate) symbol: String,
}

/// A symbol and a module.
#[derive(Args, Clone, Debug)]
pub struct ImportQuery {
    /// The folder that the thin link wrote its plans to
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output_dir: PathBuf,
    /// The module that imports, or does not
    #[arg(value_name = "MODULE")]
    pub(crate) module: ModuleId,
    /// The symbol's mangled name
    #[arg(value_name = "SYMBOL")]
    pub(crate) symbol: String,
}

/// Plans.
#[derive(Args, Clone, Debug)]
#[group(required = true, multiple = false)]
pub struct PlanQuery {
    /// Print a plan
    #[arg(long, value_name = "FILE")]
    pub(crate) print: Option<PathBuf>,
    /// Print what is different in two plans; exits with 0 whether something is or not
    #[arg(long, value_names = ["OLD", "NEW"], num_args = 2)]
    pub(crate) diff: Vec<PathBuf>,
}
