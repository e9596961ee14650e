//! Running an action on this machine.

use std::io;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use thiserror::Error;

use crate::Action;

/// Why an action gave no output.
#[derive(Debug, Error)]
pub enum ActionError {
    /// The program could not be started.
    #[error("cannot start {program}: {error}")]
    Start {
        /// The program.
        program: String,
        /// The system's reason.
        error: io::Error,
    },
    /// The folder for the action, or a file in it, could not be made or read.
    #[error("cannot prepare the folder of {program}: {error}")]
    Folder {
        /// The program.
        program: String,
        /// The system's reason.
        error: io::Error,
    },
    /// The program said that it failed, or was killed.
    #[error("{command} failed with {status}:\n{messages}")]
    Failed {
        /// The command line.
        command: String,
        /// Exit code or signal.
        status: String,
        /// What it printed.
        messages: String,
    },
    /// The program said that it succeeded and has written nothing.
    #[error("{command} reported success and wrote no {output}:\n{messages}")]
    NoOutput {
        /// The command line.
        command: String,
        /// The declared output.
        output: String,
        /// What it printed.
        messages: String,
    },
}

pub(crate) fn run(action: &Action<'_>) -> Result<Vec<u8>, ActionError> {
    let in_folder =
        |error| ActionError::Folder { program: action.program.display().to_string(), error };
    let folder = tempfile::Builder::new().prefix("weft-action-").tempdir().map_err(in_folder)?;
    for (name, content) in &action.inputs {
        std::fs::write(folder.path().join(name), content).map_err(in_folder)?;
    }
    let result = start(action, folder.path())?;
    let command = command_line(action);
    let messages = messages(&result);
    if !result.status.success() {
        return Err(ActionError::Failed { command, status: result.status.to_string(), messages });
    }
    match std::fs::read(folder.path().join(action.output)) {
        Ok(content) if !content.is_empty() => Ok(content),
        _ => Err(ActionError::NoOutput { command, output: action.output.to_owned(), messages }),
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the place that starts processes")]
fn start(action: &Action<'_>, folder: &Path) -> Result<Output, ActionError> {
    let failed_to_start =
        |error| ActionError::Start { program: action.program.display().to_string(), error };
    // The program is named from the caller's folder and runs in another.
    let program = std::path::absolute(&action.program).map_err(failed_to_start)?;
    Command::new(program)
        .args(&action.arguments)
        .current_dir(folder)
        .env_clear()
        // Tools put their temporary files where this says; the folder goes when the action ends.
        .env("TMPDIR", ".")
        .stdin(Stdio::null())
        .output()
        .map_err(failed_to_start)
}

fn command_line(action: &Action<'_>) -> String {
    let name = action.program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    std::iter::once(name).chain(action.arguments.iter().cloned()).collect::<Vec<_>>().join(" ")
}

fn messages(result: &Output) -> String {
    let text = [result.stdout.as_slice(), result.stderr.as_slice()].concat();
    String::from_utf8_lossy(&text).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell<'data>(script: &str, inputs: Vec<(&'static str, &'data [u8])>) -> Action<'data> {
        Action {
            program: "/bin/sh".into(),
            arguments: vec!["-c".to_owned(), script.to_owned()],
            inputs,
            output: "out",
        }
    }

    #[test]
    fn an_action_sees_its_inputs_and_nothing_else() -> Result<(), ActionError> {
        let listing = shell("ls > seen; cat seen in > out; env >> out", vec![("in", b"content\n")]);
        let output = String::from_utf8_lossy(&listing.run_here()?).into_owned();
        assert!(output.starts_with("in\nseen\ncontent\n"), "{output}");
        let names: Vec<_> = output.lines().skip(3).filter_map(|it| it.split('=').next()).collect();
        assert!(names.iter().all(|it| ["PWD", "TMPDIR", "_", "SHLVL", "OLDPWD"].contains(it)));
        Ok(())
    }

    #[test]
    fn failures_are_told_apart() {
        let failed = shell("echo reason >&2; exit 7", vec![]).run_here();
        assert!(
            matches!(failed, Err(ActionError::Failed { messages, .. }) if messages == "reason")
        );
        let killed = shell("kill -9 $$", vec![]).run_here();
        assert!(matches!(killed, Err(ActionError::Failed { status, .. }) if status.contains('9')));
        let silent = shell("true", vec![]).run_here();
        assert!(matches!(silent, Err(ActionError::NoOutput { .. })));
        let missing = Action { program: "/nowhere/tool".into(), ..shell("", vec![]) };
        assert!(matches!(missing.run_here(), Err(ActionError::Start { .. })));
    }
}
