//! Questions about a link that was done.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use weft_report::Question;

/// A question, instead of a link.
#[derive(Clone, Debug, Subcommand)]
pub(crate) enum Query {
    /// Say why a symbol stays: what refers to it, up to a root
    WhyLive(About),
    /// Say why a symbol goes: what refers to it and goes too
    WhyDead(About),
    /// Say why a module imports a symbol
    WhyImported(ImportQuery),
    /// Say why a module does not import a symbol
    WhyNotImported(ImportQuery),
    /// Say why all calls of a kernel stay in its module
    WhyClosed(About),
    /// Say which call of a kernel leaves its module, and why
    WhyNotClosed(About),
    /// Print a plan, or what is different in two
    Plan(PlanQuery),
}

impl Query {
    /// Returns the question about a symbol, or the one about plans.
    pub(super) fn question(&self) -> Result<(Question<'_>, &About), &PlanQuery> {
        Ok(match self {
            Self::WhyLive(about) => (Question::WhyLive, about),
            Self::WhyDead(about) => (Question::WhyDead, about),
            Self::WhyImported(query) => (Question::WhyImported(&query.module), &query.about),
            Self::WhyNotImported(query) => (Question::WhyNotImported(&query.module), &query.about),
            Self::WhyClosed(about) => (Question::WhyClosed, about),
            Self::WhyNotClosed(about) => (Question::WhyNotClosed, about),
            Self::Plan(query) => return Err(query),
        })
    }
}

/// A symbol of a link.
#[derive(Args, Clone, Debug)]
pub(crate) struct About {
    /// The folder that the thin link wrote its plans to
    #[arg(short, long, value_name = "DIR")]
    pub(super) output_dir: PathBuf,
    /// Answer with mangled names, for scripts
    #[arg(long)]
    pub(super) mangled: bool,
    /// The symbol: its name as in the source, with or without parameters, or a part of that name
    ///
    /// Several symbols that fit are listed. The mangled name does, too, and a pattern of mangled
    /// names: `*` stands for any characters, `?` for one, `[a-z]` for one of a set.
    #[arg(value_name = "SYMBOL")]
    pub(super) symbol: String,
}

/// A symbol and a module.
#[derive(Args, Clone, Debug)]
pub(crate) struct ImportQuery {
    /// The module that imports, or does not: its id or a part of it
    #[arg(value_name = "MODULE")]
    pub(super) module: String,
    #[command(flatten)]
    pub(super) about: About,
}

/// Plans.
#[derive(Args, Clone, Debug)]
#[group(required = true, multiple = false)]
pub(crate) struct PlanQuery {
    /// Print a plan
    #[arg(long, value_name = "FILE")]
    pub(crate) print: Option<PathBuf>,
    /// Print what is different in two plans; exits with 0 whether something is or not
    #[arg(long, value_names = ["OLD", "NEW"], num_args = 2)]
    pub(crate) diff: Vec<PathBuf>,
}
