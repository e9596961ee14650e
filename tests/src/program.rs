//! Programs that a test makes.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes an executable file with this content.
///
/// The kernel refuses to execute a file that any process has open for writing. If the test itself
/// wrote the file, a process that another of its threads has just started could keep it open until
/// it calls `exec`. So a process that starts no others writes it.
#[expect(clippy::disallowed_methods, reason = "the process that writes the file")]
pub fn write_program(path: &Path, content: impl AsRef<[u8]>) {
    let install = Command::new("install")
        .args(["-m", "755", "/dev/stdin"])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn();
    let written = install.and_then(|mut child| {
        // The pipe ends at the end of this statement, and with it the file.
        child.stdin.take().map_or(Ok(()), |mut pipe| pipe.write_all(content.as_ref()))?;
        child.wait()
    });
    match written {
        Ok(status) if status.success() => {}
        failed => panic!("cannot write the program {}: {failed:?}", path.display()),
    }
}
