//! Feedback: what a build says about its kernels, for the thin link of the next one.
//!
//! `feedback` is a function from the linked program, and the file that the program was built with,
//! to the next file. It reads the program and no reports of jobs: only there are the registers and
//! the stack of kernels that call other modules' functions known, and every build system makes one.
//!
//! `tune` is the loop around it. It starts the user's build command, which can be any build: it
//! knows the inputs of its jobs, runs no job whose plan is unchanged, and leaves the program as the
//! file says.

mod cost;
mod measure;
mod merge;
mod next;

use std::path::{Path, PathBuf};

use clap::Args;
use weft_action::BuildCommand;
use weft_artifact::Feedback;
use weft_cli::{Blame as _, Fault, failure, files};

use measure::{Kernels, measure};
use merge::{are_alike, in_words, merge, settled};

/// Rounds of builds that follow the first one, unless the user says how many.
const ROUNDS: u32 = 4;

/// Write what a build says about its kernels, for the thin link of the next one
///
/// That is `thinlink --feedback`.
#[derive(Args, Debug)]
pub(crate) struct FeedbackArguments {
    /// Linked programs, shared libraries, fat binaries or linked cubins of the build
    #[arg(value_name = "PROGRAM", required = true)]
    programs: Vec<PathBuf>,
    /// The file that the build was made with [default: none, as of a build without feedback]
    #[arg(long, value_name = "FILE")]
    previous: Option<PathBuf>,
    /// Try nothing new: each kernel gets the best choice that was built
    #[arg(long)]
    settle: bool,
    /// File for the feedback; it may be the previous one
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Build a program several times, to find what suits its kernels
///
/// Kernels get inlining budgets and limits of registers by what their earlier builds cost.
#[derive(Args, Debug)]
pub(crate) struct TuneArguments {
    /// The file of feedback that the build gives the thin link; it is made if it is not there
    #[arg(long, value_name = "FILE")]
    feedback: PathBuf,
    /// Linked program, shared library, fat binary or linked cubin that the build makes; may be
    /// repeated
    #[arg(long, value_name = "PROGRAM", required = true)]
    program: Vec<PathBuf>,
    /// The most builds after the first one
    #[arg(long, value_name = "N", default_value_t = ROUNDS,
          value_parser = clap::value_parser!(u32).range(2..))]
    rounds: u32,
    /// The command that builds the program, after `--`
    #[arg(value_name = "COMMAND", required = true, last = true)]
    command: Vec<String>,
}

/// Carries out `weft feedback`.
pub(crate) fn feedback(arguments: &FeedbackArguments) -> anyhow::Result<()> {
    let previous = arguments.previous.as_deref().map(read).transpose()?.unwrap_or_default();
    let kernels = kernels(&arguments.programs)?;
    write(&arguments.output, &merge(&previous, &kernels, arguments.settle))
}

/// Carries out `weft tune`.
pub(crate) fn tune(arguments: &TuneArguments) -> anyhow::Result<()> {
    let path = &arguments.feedback;
    let mut built = if path.exists() { read(path)? } else { Feedback::default() };
    write(path, &built)?;
    for round in 0..=arguments.rounds {
        if let Err(error) = build(&arguments.command) {
            // The next build must not repeat the choice that may be the cause.
            write(path, &settled(&built))?;
            return Err(error);
        }
        // The program has to be built once more with the final choices.
        let is_last = round + 1 >= arguments.rounds;
        let next = merge(&built, &kernels(&arguments.program)?, is_last);
        write(path, &next)?;
        files::say(format!("round {round}: {}\n", in_words(&next)));
        if are_alike(&built, &next) {
            return Ok(());
        }
        built = next;
    }
    let message = "the last build changed other kernels than those that were built by another \
                   choice; run it again with the file as it is\n";
    files::say(message);
    Ok(())
}

fn build(command: &[String]) -> anyhow::Result<()> {
    let Some((program, arguments)) = command.split_first() else { return Ok(()) };
    let status = BuildCommand { program, arguments, without: &[], group: None }
        .run()
        .blame(Fault::Environment, || format!("cannot start {program}"))?;
    if status.success() {
        return Ok(());
    }
    Err(failure(Fault::Tool, format!("the build failed: {program} ended with {status}")))
}

fn kernels(programs: &[PathBuf]) -> anyhow::Result<Kernels> {
    let mut kernels = Kernels::new();
    for path in programs {
        measure(path, &files::read(path)?, &mut kernels)?;
    }
    Ok(kernels)
}

fn read(path: &Path) -> anyhow::Result<Feedback> {
    Feedback::read(&files::read_to_replace(path)?)
        .map_err(|reason| failure(Fault::Input, format!("{}: {reason}", path.display())))
}

fn write(path: &Path, feedback: &Feedback) -> anyhow::Result<()> {
    files::write(path, feedback.text()?.as_bytes())
}
