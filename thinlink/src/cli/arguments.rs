//! The command line: as typed, then resolved against the world.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Parser;
use weft_artifact::Feedback;
use weft_cli::{Fault, failure, files};

use super::closing::ClosingArguments;
use super::imports::ImportArguments;
use super::options::OptionArguments;
use super::packing::PackingArguments;
use super::roots::RootArguments;
use crate::emit::report::Wanted;
use crate::model::archives::Archives;
use crate::model::hidden_symbols::HiddenSymbols;
use crate::model::link_order::LinkOrder;
use crate::model::policy::Policy;

/// Decides imports, dead kernels and symbols over all summaries of a program and writes one plan
/// per module and a manifest.
#[derive(Clone, Debug, Parser)]
#[command(name = "thinlink", version, after_help = weft_cli::EXIT_CODES)]
pub struct Arguments {
    /// Summaries of all units, in any order: the order changes no byte of the output. `@FILE`
    /// stands for the lines of FILE, one path each.
    #[arg(value_name = "SUMMARY", required = true)]
    pub summaries: Vec<PathBuf>,

    /// The summary of a library of device code, such as a vendor's: no host code launches kernels
    /// of it or names its variables, and device code that is not among the summaries names none of
    /// its symbols. So only what other units reach stays of it, even without
    /// `--has-global-host-info`. `@FILE` stands for the lines of FILE. May be given several times;
    /// a summary that is given in both ways counts once.
    #[arg(long = "library", value_name = "SUMMARY")]
    pub libraries: Vec<PathBuf>,

    /// Folder for `<module id>.plan` of every module with device code, and `manifest.json`. Files
    /// that would not change are left alone, so their timestamps hold.
    #[arg(short, long, value_name = "DIR")]
    pub output_dir: PathBuf,

    /// Tell modules what is known of functions across modules: whether they touch memory, return,
    /// recurse.
    #[arg(long, value_name = "BOOL", default_value_t = true, default_missing_value = "true",
          num_args = 0..=1, require_equals = true, action = clap::ArgAction::Set)]
    pub propagate_attrs: bool,

    /// Make virtual calls direct where all classes are known.
    #[arg(long, value_name = "BOOL", default_value_t = true, default_missing_value = "true",
          num_args = 0..=1, require_equals = true, action = clap::ArgAction::Set)]
    pub devirtualize: bool,

    /// The order in which the build links the units: a module id per line. The id of an archive
    /// stands for its members, and units that are not listed come last. Of `weak` definitions that
    /// differ, the first in this order is kept; without the option they are refused.
    #[arg(long, value_name = "FILE")]
    pub link_order: Option<PathBuf>,

    /// The units whose objects are members of static libraries: a module id per line. The id of an
    /// archive stands for its members. With `--has-global-host-info`, kernels and variables of
    /// members that the host linker leaves out have no use on the host.
    #[arg(long, value_name = "FILE", requires = "has_global_host_info")]
    pub archive_members: Option<PathBuf>,

    /// Host symbols that the host linker hides, as by a version script: a name per line. With
    /// `--exports-host-symbols`, they are as those that their objects hide.
    #[arg(
        long,
        value_name = "FILE",
        requires = "exports_host_symbols",
        help_heading = "What stays"
    )]
    pub hidden_host_symbols: Option<PathBuf>,

    /// Feedback about kernels from earlier builds, which `weft feedback` writes: kernels get
    /// the inlining budgets and the limits of registers that it chooses.
    #[arg(long, value_name = "FILE")]
    pub feedback: Option<PathBuf>,

    /// Threads to use; 0 for one per processor. There are at most four per processor, and one per
    /// summary. Their number changes no byte of the output.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = weft_cli::numbers::threads)]
    pub threads: usize,

    /// Print to standard error which kernels and variables go, as nothing refers to them.
    #[arg(long)]
    pub trace: bool,

    /// Print to standard error what was decided for the program as a whole, with reasons, and a
    /// table of what happens to each module.
    #[arg(long)]
    pub verbose: bool,

    /// Roots.
    #[command(flatten)]
    pub roots: RootArguments,

    /// Options of the later phases.
    #[command(flatten)]
    pub options: OptionArguments,

    /// Report of the job.
    #[command(flatten)]
    pub job_report: weft_cli::JobReportArguments,

    /// Execution of the action.
    #[command(flatten)]
    pub execution: weft_cli::ExecutionArguments,

    /// Options that every executable has.
    #[command(flatten)]
    pub common: weft_cli::CommonArguments,

    /// Imports.
    #[command(flatten)]
    pub imports: ImportArguments,

    /// Closed modules.
    #[command(flatten)]
    pub closing: ClosingArguments,

    /// Packed modules.
    #[command(flatten)]
    pub packing: PackingArguments,
}

/// The command line with response files read: everything that [`crate::run`] goes by.
#[derive(Clone, Debug)]
pub struct Request {
    /// Paths of the summaries, at least one.
    pub summaries: Vec<PathBuf>,
    /// The paths among them that are of libraries of device code.
    pub libraries: BTreeSet<PathBuf>,
    /// Folder of the plans and the manifest.
    pub output_dir: PathBuf,
    /// Choices that the decisions depend on.
    pub policy: Policy,
    /// Number of threads, 0 for one per processor.
    pub threads: usize,
    /// Parts of the report that are printed.
    pub(crate) report: Wanted,
    /// Report of the job.
    pub job_report: weft_cli::JobReportArguments,
}

impl Arguments {
    /// Reads the response files.
    pub fn resolve(self) -> anyhow::Result<Request> {
        let mut summaries = files::expand_responses(&self.summaries)?;
        let libraries: BTreeSet<PathBuf> =
            files::expand_responses(&self.libraries)?.into_iter().collect();
        summaries.retain(|path| !libraries.contains(path));
        summaries.extend(libraries.iter().cloned());
        if summaries.is_empty() {
            return Err(failure(Fault::Usage, "no summaries: the response files are empty"));
        }
        let choices = self.roots.resolve();
        Ok(Request {
            summaries,
            libraries,
            output_dir: self.output_dir,
            policy: Policy {
                complete_host_info: choices.complete_host_info,
                imports: self.imports.resolve()?,
                closing: self.closing.resolve(),
                packing: self.packing.resolve(),
                optimize_unused_variables: choices.optimize_unused_variables,
                keep: choices.keep,
                roots: choices.roots,
                mode: choices.mode,
                options: self.options.resolve()?,
                propagate_attributes: self.propagate_attrs,
                devirtualize: self.devirtualize,
                feedback: self
                    .feedback
                    .as_deref()
                    .map(read_feedback)
                    .transpose()?
                    .unwrap_or_default(),
                link_order: self.link_order.as_deref().map(LinkOrder::read).transpose()?,
                archives: self.archive_members.as_deref().map(Archives::read).transpose()?,
                hidden_host_symbols: self
                    .hidden_host_symbols
                    .as_deref()
                    .map(HiddenSymbols::read)
                    .transpose()?,
            },
            threads: self.threads,
            report: Wanted { trace: self.trace, verbose: self.verbose },
            job_report: self.job_report,
        })
    }
}

/// Reads a file of feedback.
fn read_feedback(path: &Path) -> anyhow::Result<Feedback> {
    Feedback::read(&files::read(path)?)
        .map_err(|reason| failure(Fault::Input, format!("{}: {reason}", path.display())))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Arguments;

    #[test]
    fn no_option_takes_the_next_argument_for_a_value_that_can_be_left_out() {
        let mut command = Arguments::command();
        command.build();
        assert_eq!(weft_cli::optional_values::breaches(&command), Vec::<String>::new());
    }
}
