//! The tool that people call. Build systems and clusters call `summarize`, `thinlink` and
//! `backend-job`, and so does this: it holds no compiler, and starts them beside itself.
//!
//! `weft link` links a program by the command that links its host code. `weft nvcc`, also by the
//! name `weft-nvcc`, is nvcc for builds that call it.

// These macros panic where nobody reads the output, and a panic counts as a defect.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod drivers;
mod link;
mod nvcc;
mod words;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Links GPU programs whose build knows nothing of Weft.
#[derive(Debug, Parser)]
#[command(name = "weft", version, after_help = weft_cli::EXIT_CODES)]
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
}

/// Runs the program as the command line asks for it.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    match arguments.command {
        Command::Link(arguments) => link::link(&arguments, &arguments.workers()),
        Command::Nvcc { arguments } => nvcc::nvcc(&arguments),
    }
}

/// Runs the program as nvcc, if it was called so: no word of nvcc's is one of this program's.
pub fn as_nvcc() -> Option<ExitCode> {
    let arguments = nvcc::arguments(std::env::args())?;
    Some(weft_cli::ended("weft nvcc", nvcc::nvcc(&arguments)))
}
