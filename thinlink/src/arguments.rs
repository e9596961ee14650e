//! The command line: as typed, then resolved against the world.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::Parser;
use weft_cli::{Blame as _, Fault, failure};

use crate::import_arguments::ImportArguments;
use crate::link::Policy;

/// Decides imports, dead kernels and symbols over all summaries of a program and writes one plan
/// per module and a manifest.
#[derive(Clone, Debug, Parser)]
#[command(name = "thinlink", version, after_help = weft_cli::EXIT_CODES)]
pub struct Arguments {
    /// Summaries of all units, in any order: the order changes no byte of the output. `@FILE`
    /// stands for the lines of FILE, one path each.
    #[arg(value_name = "SUMMARY", required = true)]
    pub summaries: Vec<PathBuf>,

    /// Folder for `<module id>.plan` of every module with device code, and `manifest.json`. Files
    /// that would not change are left alone, so their timestamps hold.
    #[arg(short, long, value_name = "DIR")]
    pub output_dir: PathBuf,

    /// The summaries cover every host object of the program, so the host's references are complete.
    /// Without it nothing externally visible is removed or made internal.
    #[arg(long)]
    pub has_global_host_info: bool,

    /// Let `__device__` and `__constant__` variables go too, if neither side refers to them.
    #[arg(long)]
    pub optimize_unused_variables: bool,

    /// A symbol that stays, whoever refers to it. May be given several times.
    #[arg(long, value_name = "NAME")]
    pub keep: Vec<String>,

    /// Threads to use; 0 for one per processor. Their number changes no byte of the output.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,

    /// Print to standard error which kernels and variables go, as nothing refers to them.
    #[arg(long)]
    pub trace: bool,

    /// Print a table of what happens to each module to standard error.
    #[arg(long)]
    pub verbose: bool,

    /// Which bodies go into other modules.
    #[command(flatten)]
    pub imports: ImportArguments,

    /// What every executable has.
    #[command(flatten)]
    pub common: weft_cli::CommonArguments,
}

/// The command line with response files read: everything that [`crate::run`] goes by.
#[derive(Clone, Debug)]
pub struct Request {
    /// Paths of the summaries, at least one.
    pub summaries: Vec<PathBuf>,
    /// Where plans and the manifest go.
    pub output_dir: PathBuf,
    /// What the decisions go by.
    pub policy: Policy,
    /// Number of threads, 0 for one per processor.
    pub threads: usize,
    /// Print removed kernels and variables.
    pub trace: bool,
    /// Print the table.
    pub verbose: bool,
    /// Print the imports.
    pub print_imports: bool,
    /// Print what was not imported.
    pub print_import_failures: bool,
}

impl Arguments {
    /// Reads the response files.
    pub fn resolve(self) -> anyhow::Result<Request> {
        let mut summaries = Vec::with_capacity(self.summaries.len());
        for argument in self.summaries {
            match response_file(&argument) {
                Some(path) => summaries.extend(lines(&path)?),
                None => summaries.push(argument),
            }
        }
        if summaries.is_empty() {
            return Err(failure(Fault::Usage, "no summaries: the response files are empty"));
        }
        Ok(Request {
            summaries,
            output_dir: self.output_dir,
            policy: Policy {
                complete_host_info: self.has_global_host_info,
                imports: self.imports.resolve()?,
                optimize_unused_variables: self.optimize_unused_variables,
                keep: self.keep.into_iter().collect::<BTreeSet<_>>(),
            },
            threads: self.threads,
            trace: self.trace,
            verbose: self.verbose,
            print_imports: self.imports.print_imports,
            print_import_failures: self.imports.print_import_failures,
        })
    }
}

/// The file that an argument `@FILE` names.
fn response_file(argument: &Path) -> Option<PathBuf> {
    argument.as_os_str().to_str()?.strip_prefix('@').map(PathBuf::from)
}

fn lines(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let text = std::fs::read_to_string(path)
        .blame(Fault::Environment, || format!("cannot read response file {}", path.display()))?;
    Ok(text.lines().filter(|line| !line.is_empty()).map(|line| OsStr::new(line).into()).collect())
}
