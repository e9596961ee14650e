//! The common `main` function of the executables.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Args, CommandFactory, Parser};
use clap_complete::Shell;

use crate::fault::{DEFECT, exit_code};
use crate::files;
use crate::numbers::take_negative_numbers;
use crate::suggestions::improve;

/// Options that every executable has.
#[derive(Args, Clone, Debug)]
pub struct CommonArguments {
    /// Print a completion script for the shell and do nothing else
    #[arg(long, value_name = "SHELL", value_enum)]
    completion: Option<Shell>,
}

/// Carries out an executable's `main`: reads the command line, answers `--completion SHELL`, runs,
/// prints the error in one place, and chooses the exit code.
pub fn main<A: Parser + CommandFactory>(run: impl FnOnce(A) -> anyhow::Result<()>) -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    weft_action::serve_as_supervisor(&arguments);
    std::panic::set_hook(Box::new(|defect| {
        files::say(format!("{}: defect: {defect}\n", A::command().get_name()));
        std::process::exit(DEFECT.into());
    }));
    if let Some(shell) = requested_completion(&arguments) {
        let mut command = A::command();
        let name = command.get_name().to_owned();
        // clap_complete panics where nobody reads standard output, so it writes into memory.
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut command, name, &mut script);
        return ended(command.get_name(), files::print(&script));
    }
    let read = take_negative_numbers(A::command()).try_get_matches_from(&arguments);
    let mut matches = read.unwrap_or_else(|error| improve(error, &A::command(), &arguments).exit());
    match A::from_arg_matches_mut(&mut matches) {
        Ok(read) => ended(A::command().get_name(), run(read)),
        Err(error) => error.format(&mut A::command()).exit(),
    }
}

/// Prints the error of the executable `name`, if there is one, and returns the exit code.
pub fn ended(name: &str, result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            files::say(format!("{name}: error: {error:#}\n"));
            ExitCode::from(exit_code(&error))
        }
    }
}

/// Finds `--completion SHELL`, which is answered before the command line is checked.
fn requested_completion(arguments: &[OsString]) -> Option<Shell> {
    let position = arguments.iter().position(|argument| argument == "--completion")?;
    arguments.get(position + 1)?.to_str()?.parse().ok()
}
