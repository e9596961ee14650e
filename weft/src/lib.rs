//! The tool that people call. Build systems and clusters call `summarize`, `thinlink` and
//! `backend-job`, and so does this: it holds no compiler, and starts them beside itself.

// These macros panic where nobody reads the output, and a panic counts as a defect.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod link;

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
}

/// Runs the program as the command line asks for it.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    match arguments.command {
        Command::Link(arguments) => link::link(&arguments),
    }
}
