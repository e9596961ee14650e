//! Programs that the doctor starts, as declared actions.

use std::path::Path;
use std::time::Duration;

use weft_action::{Action, ActionError, Input, Outcome, Phase, TimeLimit, Tool};

/// Time for a program that compiles one small kernel at most.
const TIME_LIMIT: Duration = Duration::from_mins(2);

/// Runs a program with inputs, each by its name and its content, for the outputs of these names.
/// The error is the program's own words.
pub(crate) fn run(
    program: &Path,
    arguments: Vec<String>,
    inputs: &[(&str, &[u8])],
    outputs: &[&str],
) -> Result<Outcome, String> {
    let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let inputs = inputs.iter().map(|(name, content)| Input::new(*name, content)).collect();
    let outputs = outputs.iter().map(|name| (*name).to_owned()).collect();
    let action = Action {
        phase: Phase::Compile,
        subject: name.clone(),
        program: Tool { name, path: program.to_owned() },
        arguments,
        tools: Vec::new(),
        inputs,
        outputs,
        time_limit: Some(TimeLimit::new(TIME_LIMIT)),
        check: |_| Ok(()),
    };
    action.run_here().map_err(|error| reason(&error))
}

/// Returns the first words of a program about its failure, without its command line.
fn reason(error: &ActionError) -> String {
    let (ActionError::Failed { messages, .. }
    | ActionError::OutOfTime { messages, .. }
    | ActionError::NoOutput { messages, .. }) = error
    else {
        return error.to_string();
    };
    let telling = |line: &&str| line.contains("error") || line.contains("fatal");
    let line = messages.lines().find(telling).or_else(|| messages.lines().next());
    line.map_or_else(|| error.to_string(), |line| line.trim().to_owned())
}

/// Returns the line of `program --version` that holds `mark`, from `mark` on.
pub(crate) fn version(program: &Path, mark: &str) -> Result<String, String> {
    let outcome = run(program, vec!["--version".to_owned()], &[], &[])?;
    let text = String::from_utf8_lossy(&outcome.stdout).into_owned();
    let version = text.lines().find_map(|line| line.split_once(mark).map(|(_, rest)| rest));
    let version = version.and_then(|rest| rest.split_whitespace().next());
    version
        .map(|version| version.trim_end_matches(',').to_owned())
        .ok_or_else(|| "it prints no version".to_owned())
}
