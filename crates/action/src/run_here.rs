//! Runs an action on this machine.

use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use thiserror::Error;

use crate::action::{Action, Outcome, messages};
use crate::group::Group;
use crate::scratch::Scratch;
use crate::time_limit::TimeLimit;

/// Longest pause between two checks of whether a program with a time limit has ended.
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

/// The error of an action without a result.
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
    /// The program reported a failure, or was killed.
    #[error("{command} failed with {status}:\n{messages}")]
    Failed {
        /// The command line.
        command: String,
        /// Exit code or signal.
        status: String,
        /// Text that the program printed.
        messages: String,
    },
    /// A phase of Weft that ran elsewhere found a fault in its input. Its message names files in
    /// the action's folder, so the phase runs again here to report the user's file names.
    #[error("{command} refused its input:\n{messages}")]
    Refused {
        /// The command line.
        command: String,
        /// Text that the phase printed.
        messages: String,
    },
    /// The program ran for longer than its time limit, and was killed.
    #[error("{command} did not end within {seconds} s and was killed:\n{messages}")]
    OutOfTime {
        /// The command line.
        command: String,
        /// Time limit of the action.
        seconds: u64,
        /// Text that the program had printed.
        messages: String,
    },
    /// The program reported success without writing an output.
    #[error("{command} reported success and wrote no {output}:\n{messages}")]
    NoOutput {
        /// The command line.
        command: String,
        /// The declared output.
        output: String,
        /// Text that the program printed.
        messages: String,
    },
    /// The cluster did not run the program.
    #[error("cannot run {program} remotely: {error}")]
    Remote {
        /// The program.
        program: String,
        /// Error of the call.
        error: weft_remote::RemoteError,
    },
}

impl Action<'_> {
    /// Starts the action's program on this machine, in a folder that holds its inputs.
    pub fn run_here(&self) -> Result<Outcome, ActionError> {
        run(self)
    }
}

fn run(action: &Action<'_>) -> Result<Outcome, ActionError> {
    let in_folder = |error| ActionError::Folder { program: action.program.name.clone(), error };
    let folder = Scratch::new().map_err(in_folder)?;
    fill(action, folder.path()).map_err(in_folder)?;
    // The streams are files, because processes that the program has started could keep pipes open.
    let printed = [
        tempfile::tempfile_in(folder.path()).map_err(in_folder)?,
        tempfile::tempfile_in(folder.path()).map_err(in_folder)?,
    ];
    let mut group = start(action, folder.path(), &printed)?;
    let status = wait(&mut group, action.time_limit.as_ref()).map_err(in_folder)?;
    // Processes that the program has left running must not write into the folder anymore.
    drop(group);
    let [stdout, stderr] = printed.map(content);
    let (stdout, stderr) = (stdout.map_err(in_folder)?, stderr.map_err(in_folder)?);
    let said = || (action.command_line(), messages(&stdout, &stderr));
    let Some(status) = status else {
        let seconds = action.time_limit.as_ref().map_or(0, |limit| limit.longest().as_secs());
        let (command, messages) = said();
        return Err(ActionError::OutOfTime { command, seconds, messages });
    };
    if !status.success() {
        let (command, messages) = said();
        return Err(ActionError::Failed { command, status: status.to_string(), messages });
    }
    let output = |name: &String| match std::fs::read(folder.path().join(name)) {
        Ok(content) if !content.is_empty() => Ok(content),
        _ => Err(ActionError::NoOutput {
            command: action.command_line(),
            output: name.clone(),
            messages: messages(&stdout, &stderr),
        }),
    };
    let outputs = action.outputs.iter().map(output).collect::<Result<_, _>>()?;
    Ok(Outcome { outputs, stdout, stderr })
}

/// Puts the inputs and the tools into the folder, and makes the folders of the outputs.
fn fill(action: &Action<'_>, folder: &Path) -> io::Result<()> {
    let place = |name: &str| {
        let path = folder.join(name);
        path.parent().map_or(Ok(()), std::fs::create_dir_all).map(|()| path)
    };
    for input in &action.inputs {
        std::fs::write(place(&input.name)?, input.content)?;
    }
    for tool in action.tools.iter().filter(|tool| !tool.is_on_workers()) {
        std::os::unix::fs::symlink(std::path::absolute(&tool.path)?, place(&tool.name)?)?;
    }
    action.outputs.iter().try_for_each(|output| place(output).map(drop))
}

#[expect(clippy::disallowed_methods, reason = "this is the place that starts processes")]
fn start(action: &Action<'_>, folder: &Path, printed: &[File; 2]) -> Result<Group, ActionError> {
    let failed_to_start =
        |error| ActionError::Start { program: action.program.path.display().to_string(), error };
    // The program is named from the caller's folder and runs in another.
    let program = std::path::absolute(&action.program.path).map_err(failed_to_start)?;
    let mut command = Command::new(program);
    command
        .args(&action.arguments)
        .current_dir(folder)
        .env_clear()
        // Tools put their temporary files where this says; the folder goes when the action ends.
        .env("TMPDIR", ".")
        .stdin(Stdio::null())
        .stdout(printed[0].try_clone().map_err(failed_to_start)?)
        .stderr(printed[1].try_clone().map_err(failed_to_start)?);
    Group::start(&mut command, folder).map_err(failed_to_start)
}

/// Returns the program's exit status; `None` if it ran for longer than what is left of `limit` and
/// was killed with all processes that it had started.
///
/// The time is the sum of the pauses, which are never shorter than requested: on a machine under
/// load the program gets more time, never less.
pub(crate) fn wait(group: &mut Group, limit: Option<&TimeLimit>) -> io::Result<Option<ExitStatus>> {
    let Some(limit) = limit else { return group.program().wait().map(Some) };
    let left = limit.left();
    let (mut waited, mut pause) = (Duration::ZERO, Duration::from_millis(1));
    loop {
        if let Some(status) = group.program().try_wait()? {
            limit.spend(waited);
            return Ok(Some(status));
        }
        if waited >= left {
            limit.spend(waited);
            group.kill()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        waited += pause;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Returns the content of a file from its start.
pub(crate) fn content(mut file: File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::{Input, Phase};
    use crate::tool::Tool;

    fn shell<'data>(script: &str, inputs: Vec<Input<'data>>) -> Action<'data> {
        Action {
            phase: Phase::Assemble,
            subject: "test".to_owned(),
            program: Tool { name: "sh".to_owned(), path: "/bin/sh".into() },
            arguments: vec!["-c".to_owned(), script.to_owned()],
            tools: Vec::new(),
            inputs,
            outputs: vec!["out".to_owned()],
            time_limit: None,
            check: |_| Ok(()),
        }
    }

    #[test]
    fn an_action_sees_its_inputs_and_nothing_else() -> Result<(), ActionError> {
        let script = "ls > seen; cat seen in > out; env >> out; echo said; echo told >&2";
        let outcome = shell(script, vec![Input::new("in", b"content\n")]).run_here()?;
        assert_eq!(
            (outcome.stdout.as_slice(), outcome.stderr.as_slice()),
            (&b"said\n"[..], &b"told\n"[..])
        );
        let output = String::from_utf8_lossy(&outcome.outputs[0]).into_owned();
        assert!(output.starts_with("in\nseen\ncontent\n"), "{output}");
        let names: Vec<_> =
            output.lines().skip(3).filter_map(|line| line.split('=').next()).collect();
        assert!(names.iter().all(|name| ["PWD", "TMPDIR", "_", "SHLVL", "OLDPWD"].contains(name)));
        Ok(())
    }

    #[test]
    fn names_may_have_folders_and_tools_are_found_by_their_names() -> Result<(), ActionError> {
        let tool = Tool { name: "bin/copy".to_owned(), path: "/bin/cp".into() };
        let action = Action {
            tools: vec![tool],
            outputs: vec!["new/one".to_owned(), "new/two".to_owned()],
            ..shell("bin/copy a/b/in new/one; echo 2 > new/two", vec![Input::new("a/b/in", b"1")])
        };
        assert_eq!(action.run_here()?.outputs, [b"1".to_vec(), b"2\n".to_vec()]);
        Ok(())
    }

    #[test]
    fn failures_are_told_apart() {
        let failed = shell("echo reason >&2; exit 7", vec![]).run_here();
        assert!(
            matches!(failed, Err(ActionError::Failed { messages, .. }) if messages == "reason")
        );
        let failed = shell("exit 7", vec![]).run_here().unwrap_err();
        assert_eq!(failed.to_string(), "sh -c exit 7 failed with exit status: 7:\n");
        let killed = shell("kill -9 $$", vec![]).run_here();
        assert!(matches!(killed, Err(ActionError::Failed { status, .. }) if status.contains('9')));
        let silent = shell("true", vec![]).run_here();
        assert!(matches!(silent, Err(ActionError::NoOutput { .. })));
        let empty = shell("true > out", vec![]).run_here();
        assert!(matches!(empty, Err(ActionError::NoOutput { output, .. }) if output == "out"));
        let nowhere = Tool { name: "tool".to_owned(), path: "/nowhere/tool".into() };
        let missing = Action { program: nowhere, ..shell("", vec![]) };
        assert!(matches!(missing.run_here(), Err(ActionError::Start { .. })));
    }

    #[test]
    fn a_program_that_is_being_put_into_place_is_waited_for()
    -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("program");
        std::fs::copy("/bin/true", &path)?;
        let being_written = File::options().append(true).open(&path)?;
        let program = Tool { name: "program".to_owned(), path };
        let action = Action { program, outputs: vec![], ..shell("", vec![]) };
        let outcome = std::thread::scope(|scope| {
            scope.spawn(move || {
                std::thread::sleep(Duration::from_millis(100));
                drop(being_written);
            });
            action.run_here()
        });
        assert_eq!(outcome?, Outcome::default());
        Ok(())
    }

    #[test]
    fn a_program_that_hangs_is_ended() -> Result<(), ActionError> {
        // The shell's own child keeps its streams open beyond the shell's end.
        let limited = |script, milliseconds| Action {
            time_limit: Some(TimeLimit::new(Duration::from_millis(milliseconds))),
            ..shell(script, vec![])
        };
        let hangs = limited("echo started; sleep 5; echo > out", 100).run_here();
        assert!(
            matches!(hangs, Err(ActionError::OutOfTime { messages, .. }) if messages == "started")
        );
        let done = limited("echo done > out; echo said; echo so >&2", 60_000).run_here()?;
        assert_eq!(
            (done.messages(), done.into_output()),
            ("said\nso".to_owned(), b"done\n".to_vec())
        );
        // A limit that another program has used up leaves no time.
        let mut second = limited("sleep 5; echo > out", 100);
        let limit = second.time_limit.clone();
        assert!(matches!(second.run_here(), Err(ActionError::OutOfTime { .. })));
        second.time_limit = limit;
        second.arguments = vec!["-c".to_owned(), "sleep 0.05; echo > out".to_owned()];
        assert!(matches!(second.run_here(), Err(ActionError::OutOfTime { .. })));
        Ok(())
    }
}
