//! Says what a build would find on this machine, and what would fail.
//!
//! Versions do not tell whether tools work together, so the doctor takes a small kernel through all
//! of them. It writes nothing but its answer. It is the only command that searches for tools: all
//! others start the tools that their command line names.

mod finding;
mod programs;
mod surroundings;
mod tools;
mod trial;

use clap::Args;
use weft_cli::{ExecutionArguments, Fault, ToolPlaces, failure, files};

use finding::Finding;

/// Say what is found of all that a build needs, what would fail, and what to do
///
/// The exit code is 0 if a build would work, and 4 if it would not.
#[derive(Args, Debug)]
pub(crate) struct DoctorArguments {
    #[command(flatten)]
    places: ToolPlaces,
    /// Architecture that a kernel is compiled for, to try all tools together
    #[arg(long, value_name = "ARCHITECTURE", default_value = "sm_90")]
    architecture: String,
    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    execution: ExecutionArguments,
}

/// Looks at everything and prints the answer.
pub(crate) fn doctor(arguments: &DoctorArguments) -> anyhow::Result<()> {
    let findings = look(arguments)?;
    let text = if arguments.json { finding::json(&findings)? } else { finding::table(&findings) };
    files::print(text.as_bytes())?;
    let failing = finding::failing(&findings);
    if failing.is_empty() {
        return Ok(());
    }
    Err(failure(Fault::Environment, format!("a build would fail: {}", failing.join(", "))))
}

fn look(arguments: &DoctorArguments) -> anyhow::Result<Vec<Finding>> {
    let settings = arguments.execution.settings()?;
    let architecture = &arguments.architecture;
    let mut findings = Vec::new();
    let clang = tools::clang(&arguments.places.clang(), &mut findings);
    if let Some(clang) = &clang {
        findings.push(trial::bitcode(clang));
    }
    let cuda = tools::cuda(&arguments.places.cuda(), &mut findings);
    // A tool that failed alone would fail in the trial, too, so there is no trial then.
    if let (Some(clang), Some(cuda), []) = (&clang, &cuda, &finding::failing(&findings)[..]) {
        findings.push(trial::kernel(clang, cuda, architecture));
    }
    findings.push(surroundings::cache(&settings));
    findings.push(surroundings::settings_file(arguments.execution.settings_file()));
    findings.push(surroundings::server(settings.remote.as_ref()));
    findings.push(surroundings::processors());
    Ok(findings)
}
