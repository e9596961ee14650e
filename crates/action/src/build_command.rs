//! Runs a user's own build command, which is no declared action: it reads and writes what it likes,
//! in the user's folder and environment, and nothing of it reaches a cache.

use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitStatus, Output, Stdio};

use crate::group::ChildGroup;

/// The environment that this process was started with. Executables drop most variables before they
/// do anything else, and the build may need them.
const ENVIRONMENT: &str = "/proc/self/environ";

/// A command line.
#[derive(Clone, Copy, Debug)]
pub struct BuildCommand<'line> {
    /// The program: a file, or a name to look for on the search path.
    pub program: &'line str,
    /// Its arguments.
    pub arguments: &'line [String],
    /// Variables of this process's first environment that it does not get.
    pub without: &'line [&'line str],
    /// Processes with which it ends; `None` if it may outlive this one.
    pub group: Option<&'line ChildGroup>,
}

/// Returns a variable of this process's first environment, if it is there and is text.
pub fn first_variable(name: &str) -> Option<String> {
    let environment = environment(&std::fs::read(ENVIRONMENT).ok()?);
    let (_, value) = environment.into_iter().find(|(other, _)| other == name)?;
    value.into_string().ok()
}

impl BuildCommand<'_> {
    /// Runs the command with this process's streams and its first environment, and waits for it.
    pub fn run(self) -> io::Result<ExitStatus> {
        self.command()?.status()
    }

    /// Does the same, but returns what the command writes.
    pub fn run_with_output(self) -> io::Result<Output> {
        self.command()?.stdin(Stdio::inherit()).output()
    }

    #[expect(clippy::disallowed_methods, reason = "this crate starts processes")]
    fn command(self) -> io::Result<Command> {
        let environment = environment(&std::fs::read(ENVIRONMENT)?).into_iter();
        let kept = environment.filter(|(name, _)| !self.without.iter().any(|other| name == other));
        let mut command = Command::new(self.program);
        command.args(self.arguments).env_clear().envs(kept);
        if let Some(number) = self.group.and_then(ChildGroup::number) {
            command.process_group(number);
        }
        Ok(command)
    }
}

/// Reads variables, each of which ends with a zero.
fn environment(content: &[u8]) -> Vec<(OsString, OsString)> {
    let text = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
    let variables = content.split(|byte| *byte == 0);
    let pairs = variables.filter_map(|variable| {
        let end = variable.iter().position(|byte| *byte == b'=')?;
        Some((text(&variable[..end]), text(&variable[end + 1..])))
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_divided_at_the_first_sign() {
        let pair = |name: &str, value: &str| (OsString::from(name), OsString::from(value));
        let expected = [pair("A", "b=c"), pair("D", "")];
        assert_eq!(environment(b"A=b=c\0nothing\0D=\0"), expected);
    }

    #[test]
    fn the_status_is_the_commands() -> io::Result<()> {
        let arguments = ["-c".to_owned(), "exit 3".to_owned()];
        let command =
            BuildCommand { program: "/bin/sh", arguments: &arguments, without: &[], group: None };
        assert_eq!(command.run()?.code(), Some(3));
        Ok(())
    }

    #[test]
    fn output_is_that_of_both_streams() -> io::Result<()> {
        let arguments = ["-c".to_owned(), "echo told >&2; echo shown; exit 3".to_owned()];
        let command =
            BuildCommand { program: "/bin/sh", arguments: &arguments, without: &[], group: None };
        let Output { status, stdout, stderr } = command.run_with_output()?;
        assert_eq!(status.code(), Some(3));
        assert_eq!((stdout.as_slice(), stderr.as_slice()), (&b"shown\n"[..], &b"told\n"[..]));
        Ok(())
    }

    #[test]
    fn variables_are_left_out_by_name() -> io::Result<()> {
        assert!(first_variable("PATH").is_some() && first_variable("WEFT_NO_SUCH").is_none());
        let arguments = ["-c".to_owned(), "echo \"${HOME-none}$PATH\" >&2".to_owned()];
        let command = BuildCommand {
            program: "/bin/sh",
            arguments: &arguments,
            without: &["HOME"],
            group: None,
        };
        let Output { stderr, .. } = command.run_with_output()?;
        assert!(stderr.starts_with(b"none/"), "{stderr:?}");
        Ok(())
    }
}
