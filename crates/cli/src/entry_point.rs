//! The common `main` function of the executables.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::fault::{DEFECT, exit_code};
use crate::files;
use crate::numbers::take_negative_numbers;
use crate::printed::printed;
use crate::short_help::{may_ask_for_help, short_help};
use crate::suggestions::improve;

/// Carries out an executable's `main`: reads the command line, prints what it asks for, runs,
/// prints the error in one place, and chooses the exit code.
pub fn main<A: Parser + CommandFactory>(run: impl FnOnce(A) -> anyhow::Result<()>) -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    weft_action::serve_as_supervisor(&arguments);
    std::panic::set_hook(Box::new(|defect| {
        files::say(format!("{}: defect: {defect}\n", A::command().get_name()));
        std::process::exit(DEFECT.into());
    }));
    if let Some(result) = printed(A::command, &arguments) {
        return ended(A::command().get_name(), result);
    }
    let command = take_negative_numbers(A::command());
    // A build starts thousands of processes, which need no texts.
    let command = if may_ask_for_help(&arguments) { short_help(command) } else { command };
    let read = command.try_get_matches_from(&arguments);
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
