//! The tool that people call. Build systems and clusters call `summarize`, `thinlink` and
//! `backend-job`, and so does this tool: it contains no compiler, and starts the executables beside
//! itself.
//!
//! `weft link` links a program by the command that links its host code. `weft nvcc`, also by the
//! name `weft-nvcc`, is nvcc for builds that call it. The other commands answer questions about a
//! build, manage its cache, and do the parts of a link that are not jobs of modules: `register` and
//! `guard` before and after the host link, and `distribute` for LLVM's linker.

// These macros panic where nobody reads the output, and a panic counts as a defect.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod cache;
mod distribute;
mod doctor;
mod drivers;
mod executables;
mod explain;
mod feedback;
mod guard;
mod link;
mod nvcc;
mod nvcc_flags;
mod program_report;
mod register;
mod words;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use executables::NAME;

/// Links GPU programs whose build knows nothing of Weft, and answers what people ask.
#[derive(Debug, Parser)]
#[command(name = NAME, version, after_help = weft_cli::EXIT_CODES)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    common: weft_cli::CommonArguments,
}

#[derive(Debug, Subcommand)]
enum Command {
    Link(link::LinkArguments),
    /// Do what nvcc does, but optimize relocatable device code across units
    ///
    /// The arguments are nvcc's. An executable or link called `weft-nvcc` needs no word `nvcc`.
    Nvcc {
        /// Arguments of nvcc
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
        arguments: Vec<String>,
    },
    Doctor(Box<doctor::DoctorArguments>),
    Report(program_report::ReportArguments),
    #[command(flatten)]
    Query(explain::Query),
    Tune(feedback::TuneArguments),
    Feedback(feedback::FeedbackArguments),
    Cache(cache::CacheCommand),
    Guard(guard::GuardArguments),
    Register(register::RegisterArguments),
    Distribute(Box<distribute::DistributeArguments>),
}

/// Runs the program as the command line asks for it.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    match arguments.command {
        Command::Link(arguments) => {
            let workers = arguments.workers();
            link::link(&arguments.with_flags_of_nvcc(), &link::Names::new(), &workers)
        }
        Command::Nvcc { arguments } => nvcc::nvcc(&arguments),
        Command::Doctor(arguments) => doctor::doctor(&arguments),
        Command::Report(arguments) => program_report::program_report(&arguments),
        Command::Query(query) => explain::explain(&query),
        Command::Tune(arguments) => feedback::tune(&arguments),
        Command::Feedback(arguments) => feedback::feedback(&arguments),
        Command::Cache(command) => command.run(),
        Command::Guard(arguments) => guard::guard(&arguments),
        Command::Register(arguments) => register::register(&arguments),
        Command::Distribute(arguments) => arguments
            .execution
            .with_session(NAME, |session| distribute::distribute(session, &arguments)),
    }
}

/// Runs the program as nvcc, if it was called so: no word of nvcc's is one of this program's.
pub fn as_nvcc() -> Option<ExitCode> {
    let arguments = nvcc::arguments(std::env::args())?;
    Some(weft_cli::ended("weft nvcc", nvcc::nvcc(&arguments)))
}
