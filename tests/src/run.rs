//! A command that reports everything about its run when the result is unexpected.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A command to run in a folder.
#[derive(Clone, Debug)]
pub struct Run {
    program: PathBuf,
    arguments: Vec<OsString>,
    variables: Vec<(String, OsString)>,
    folder: PathBuf,
}

/// Result of a command.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    story: String,
}

impl Run {
    /// Returns a command that runs `program` in `folder`. Weft's executables use no cache, even
    /// when another program starts them, so every tested phase runs. Their notes for each other are
    /// below the folder, which hides the servers of other tests.
    pub fn new(program: impl Into<PathBuf>, folder: impl Into<PathBuf>) -> Self {
        let run = Self {
            program: program.into(),
            arguments: Vec::new(),
            variables: Vec::new(),
            folder: folder.into(),
        };
        let notes = run.folder.join(".weft-cache");
        run.variable("WEFT_CACHE", "off").variable("WEFT_CACHE_DIR", notes)
    }

    /// Sets an environment variable.
    #[must_use]
    pub fn variable(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.variables.push((name.to_owned(), value.into()));
        self
    }

    /// Adds one argument.
    #[must_use]
    pub fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Adds arguments in their order.
    #[must_use]
    pub fn args<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Runs the command and accepts any exit code.
    #[expect(clippy::disallowed_methods, reason = "the place of this crate that starts processes")]
    pub fn outcome(&self) -> Outcome {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let output = dev_process::start(&mut command)
            .and_then(Child::wait_with_output)
            .unwrap_or_else(|error| panic!("cannot start {}: {error}", self.program.display()));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        let story = self.story(&output.status.to_string(), &stdout, &stderr);
        Outcome { code: output.status.code(), stdout, stderr, story }
    }

    /// Runs the command and fails the test unless it succeeds.
    pub fn succeed(&self) -> Outcome {
        self.expect(0)
    }

    /// Runs the command. If it fails, the error holds a full report.
    pub fn attempt(&self) -> Result<Outcome, String> {
        let outcome = self.outcome();
        if outcome.code == Some(0) { Ok(outcome) } else { Err(outcome.story) }
    }

    /// Runs the command and fails the test unless it exits with `code`.
    pub fn expect(&self, code: i32) -> Outcome {
        let outcome = self.outcome();
        assert!(outcome.code == Some(code), "expected exit code {code}\n{}", outcome.story);
        outcome
    }

    fn story(&self, status: &str, stdout: &str, stderr: &str) -> String {
        let mut rerun = format!("cd {} &&", self.folder.display());
        for (name, value) in &self.variables {
            // Writing to a String cannot fail.
            let _ = write!(rerun, " {name}={:?}", value.to_string_lossy());
        }
        let _ = write!(rerun, " {}", self.program.display());
        for argument in &self.arguments {
            let _ = write!(rerun, " {:?}", argument.to_string_lossy());
        }
        format!(
            "{status}\nrerun: {rerun}\nfolder: {}\nstdout:\n{stdout}\nstderr:\n{stderr}",
            listing(&self.folder)
        )
    }
}

impl Outcome {
    /// Fails the test unless standard error holds every one of `parts`.
    pub fn says(&self, parts: &[&str]) -> &Self {
        for part in parts {
            assert!(self.stderr.contains(part), "expected {part:?} on stderr\n{}", self.story);
        }
        self
    }
}

fn listing(folder: &Path) -> String {
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names.join(" ")
}
