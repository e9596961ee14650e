//! Starts credential helpers.
//!
//! A helper is no action: it reads the user's files, and its answer reaches no output, cache or
//! key. So it runs in the folder of this process and sees the variables that this process has kept.
//! Its answer comes through a pipe, never through a file.

use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use weft_remote::CredentialHelper;

use crate::group::Group;
use crate::run_here::wait;
use crate::scratch::Scratch;
use crate::time_limit::TimeLimit;

/// Longest time for one answer, as in Bazel.
const LONGEST: Duration = Duration::from_secs(10);
/// Maximum number of bytes of an answer.
const LARGEST: u64 = 1 << 20;

/// Returns the helper that is the program at `path`.
pub fn credential_helper(path: PathBuf) -> CredentialHelper {
    Arc::new(move |request| {
        ask(&path, request).map_err(|reason| format!("{}: {reason}", path.display()))
    })
}

#[expect(clippy::disallowed_methods, reason = "this crate starts processes")]
fn ask(path: &std::path::Path, request: &str) -> Result<Vec<u8>, String> {
    let failed = |error: std::io::Error| error.to_string();
    let scratch = Scratch::new().map_err(failed)?;
    let said = tempfile::tempfile_in(scratch.path()).map_err(failed)?;
    let mut command = Command::new(path);
    command.arg("get").stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(said.try_clone().map_err(failed)?);
    let mut group = Group::start(&mut command, scratch.path()).map_err(failed)?;
    if let Some(mut input) = group.program().stdin.take() {
        // A helper need not read the request.
        let _ = input.write_all(request.as_bytes());
    }
    let output = group.program().stdout.take();
    // The pipe may be full before the program ends, so it is read meanwhile.
    let answer = std::thread::spawn(move || {
        let mut answer = Vec::new();
        output.map_or(Ok(0), |output| output.take(LARGEST).read_to_end(&mut answer))?;
        Ok(answer)
    });
    let status = wait(&mut group, Some(&TimeLimit::new(LONGEST))).map_err(failed)?;
    // Processes that the program has left running would keep the pipe open.
    drop(group);
    let answer = answer.join().unwrap_or_else(|_| Ok(Vec::new())).map_err(failed)?;
    match status {
        Some(status) if status.success() => Ok(answer),
        Some(status) => {
            let said = crate::run_here::content(said).map_err(failed)?;
            let said = String::from_utf8_lossy(&said).trim().to_owned();
            Err(if said.is_empty() { status.to_string() } else { format!("{status}: {said}") })
        }
        None => Err(format!("no answer within {} s", LONGEST.as_secs())),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn answer_of(script: &str) -> Result<Vec<u8>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("helper");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        credential_helper(path)("question")
    }

    #[test]
    fn a_helper_is_asked_and_its_failure_explained() {
        assert_eq!(answer_of("echo $1; cat").unwrap(), b"get\nquestion");
        let text = answer_of("echo secret; echo why >&2; exit 3").unwrap_err();
        assert!(text.contains("helper: exit status: 3: why") && !text.contains("secret"), "{text}");
        assert!(credential_helper("/nowhere/helper".into())("").is_err());
    }
}
