//! Starts processes.
//!
//! Each command is echoed as a line that can be pasted into a shell. A zero exit is not trusted
//! alone: outputs that a command declares are removed before it starts and must be there when it
//! ends, because a tool that exits with zero may have written nothing.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::conversation::Conversation;
use crate::error::{Error, Result, while_trying};
use crate::start::start;

/// A command, which chained calls fill in, and one of `run`, `scan`, `capture`, `outcome`
/// and `converse` runs.
#[derive(Debug)]
#[must_use = "nothing runs until the last call"]
pub struct Process {
    program: PathBuf,
    arguments: Vec<OsString>,
    variables: Vec<(String, OsString)>,
    directory: Option<PathBuf>,
    outputs: Vec<PathBuf>,
    echoed: bool,
}

/// Result of a process that ran to its end, for callers that do not treat failure as an error.
#[derive(Debug)]
pub struct Outcome {
    /// Whether the process exited with zero.
    pub success: bool,
    /// Standard output of the process.
    pub stdout: String,
    /// Standard error of the process.
    pub stderr: String,
}

impl Process {
    /// Starts a command of a program, given by its path or by its name on `PATH`.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            variables: Vec::new(),
            directory: None,
            outputs: Vec::new(),
            echoed: true,
        }
    }

    /// Adds an argument.
    pub fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Adds arguments in their order.
    pub fn args<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Sets a variable of this process.
    pub fn variable(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.variables.push((name.to_owned(), value.into()));
        self
    }

    /// Sets variables of this process.
    pub fn variables(mut self, variables: impl IntoIterator<Item = (String, OsString)>) -> Self {
        self.variables.extend(variables);
        self
    }

    /// Sets the folder that the process runs in; without it, the process runs in the caller's.
    pub fn directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// Declares a file or folder that the process makes: an earlier one is removed, and success
    /// needs a new one that is not empty. The path is absolute or relative to the caller's folder.
    pub fn output(mut self, path: impl Into<PathBuf>) -> Self {
        self.outputs.push(path.into());
        self
    }

    /// Leaves out the echo, for a process that changes nothing.
    pub fn quietly(mut self) -> Self {
        self.echoed = false;
        self
    }

    /// Runs the process with both streams on the terminal.
    pub fn run(self) -> Result<()> {
        self.prepare()?;
        let status = self.spawn(Stdio::null(), Stdio::inherit(), Stdio::inherit())?.wait();
        let status = status.map_err(while_trying("wait for", &self.program))?;
        self.conclude(status.success(), &status.to_string())
    }

    /// Runs the process with standard error on the terminal, and hands each line of its standard
    /// output to `line` as it comes.
    pub fn scan(self, mut line: impl FnMut(&str)) -> Result<()> {
        self.prepare()?;
        let mut child = self.spawn(Stdio::null(), Stdio::piped(), Stdio::inherit())?;
        if let Some(stdout) = child.stdout.take() {
            for text in BufReader::new(stdout).split(b'\n') {
                let text = text.map_err(while_trying("read the output of", &self.program))?;
                line(&String::from_utf8_lossy(&text));
            }
        }
        let status = child.wait().map_err(while_trying("wait for", &self.program))?;
        self.conclude(status.success(), &status.to_string())
    }

    /// Runs the process and returns its standard output; on failure the error shows both streams.
    pub fn capture(self) -> Result<String> {
        let (outcome, status) = self.collect()?;
        let streams = format!("{}{}", outcome.stdout, outcome.stderr);
        self.conclude(outcome.success, &format!("{status}\n{}", streams.trim_end()))?;
        Ok(outcome.stdout)
    }

    /// Runs the process and returns its outcome; only a process that cannot be started is an error.
    pub fn outcome(self) -> Result<Outcome> {
        self.collect().map(|(outcome, _)| outcome)
    }

    /// Starts the process to talk to it. Its standard error goes to the file `log`.
    pub fn converse(self, log: &Path) -> Result<Conversation> {
        self.prepare()?;
        let file = fs::File::create(log).map_err(while_trying("create", log))?;
        Ok(Conversation::new(self.spawn(Stdio::piped(), Stdio::piped(), file.into())?))
    }

    fn collect(&self) -> Result<(Outcome, String)> {
        self.prepare()?;
        let child = self.spawn(Stdio::null(), Stdio::piped(), Stdio::piped())?;
        let output =
            child.wait_with_output().map_err(while_trying("read the output of", &self.program))?;
        let outcome = Outcome {
            success: output.status.success(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        };
        Ok((outcome, output.status.to_string()))
    }

    fn prepare(&self) -> Result<()> {
        if self.echoed {
            eprintln!("+ {}", self.shell_line());
        }
        self.outputs.iter().try_for_each(|output| remove(output))
    }

    #[expect(clippy::disallowed_methods, reason = "the one place that starts processes")]
    fn spawn(&self, stdin: Stdio, stdout: Stdio, stderr: Stdio) -> Result<Child> {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .envs(self.variables.iter().map(|(name, value)| (name, value)));
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command.stdin(stdin).stdout(stdout).stderr(stderr);
        start(&mut command).map_err(while_trying("start", &self.program))
    }

    fn conclude(&self, success: bool, detail: &str) -> Result<()> {
        if !success {
            return Err(Error::new(format!("{}: {detail}", self.shell_line())));
        }
        match self.outputs.iter().find(|output| is_absent_or_empty(output)) {
            Some(output) => Err(Error::new(format!(
                "{}: exited with zero but did not write {}",
                self.shell_line(),
                output.display()
            ))),
            None => Ok(()),
        }
    }

    /// Returns the command as one line for a shell.
    fn shell_line(&self) -> String {
        let variables =
            self.variables.iter().map(|(name, value)| format!("{name}={}", quote(value)));
        let program = quote(self.program.as_os_str());
        let arguments = self.arguments.iter().map(|argument| quote(argument));
        variables.chain([program]).chain(arguments).collect::<Vec<_>>().join(" ")
    }
}

/// Removes a file or a whole folder, if it exists.
pub fn remove(path: &Path) -> Result<()> {
    let removed = match path.symlink_metadata() {
        Err(_) => return Ok(()),
        Ok(data) if data.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    };
    removed.map_err(while_trying("remove", path))
}

fn is_absent_or_empty(path: &Path) -> bool {
    match path.metadata() {
        Err(_) => true,
        Ok(data) if data.is_dir() => {
            fs::read_dir(path).map_or(true, |mut entries| entries.next().is_none())
        }
        Ok(data) => data.len() == 0,
    }
}

/// Quotes a word for a shell.
pub fn quote(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_echo_can_be_pasted_into_a_shell() {
        let process = Process::new("cargo")
            .variable("RUSTDOCFLAGS", "-D warnings")
            .args(["doc", "it's"])
            .arg("");
        assert_eq!(process.shell_line(), r"RUSTDOCFLAGS='-D warnings' cargo doc 'it'\''s' ''");
    }

    #[test]
    fn a_zero_exit_without_the_declared_output_is_a_failure() {
        let absent = std::env::temp_dir().join("weft-xtask-no-such-output");
        let outcome = Process::new("true").quietly().output(&absent).run();
        let message = outcome.map_err(|error| error.to_string());
        assert!(message.is_err_and(|text| text.contains("did not write")));
    }

    #[test]
    fn a_failure_shows_the_command_and_its_streams() {
        let outcome = Process::new("sh").args(["-c", "echo out; echo err >&2; exit 3"]).quietly();
        let text = outcome.capture().map_err(|error| error.to_string()).err().unwrap_or_default();
        for part in ["sh -c", "3", "out", "err"] {
            assert!(text.contains(part), "{part:?} is not in {text:?}");
        }
    }

    #[test]
    fn scanning_hands_over_every_line() {
        let mut lines = Vec::new();
        let process = Process::new("sh").args(["-c", "echo one; printf two"]).quietly();
        assert!(process.scan(|line| lines.push(line.to_owned())).is_ok());
        assert_eq!(lines, ["one", "two"]);
    }
}
