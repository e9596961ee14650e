//! The start of a program that may have been written a moment ago.

use std::io;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

const PAUSE: Duration = Duration::from_millis(10);
/// Pauses until a file that is still being written counts as an error.
const PAUSES: u32 = 500;

/// Starts `command`, and waits if some process has its program open for writing.
///
/// The kernel refuses to execute a file that any process has open for writing. A test closes the
/// program that it has written, but a process that another thread has just started keeps the file
/// open until it calls `exec`.
pub fn start(command: &mut Command) -> io::Result<Child> {
    for _ in 0..PAUSES {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => sleep(PAUSE),
            started => return started,
        }
    }
    command.spawn()
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::fs::{self, OpenOptions};
    use std::os::unix::fs::PermissionsExt as _;
    use std::thread;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test of the place that starts processes")]
    fn a_program_that_is_open_for_writing_starts_when_it_is_closed() -> io::Result<()> {
        let name = format!("weft-busy-program-{}", std::process::id());
        let program = std::env::temp_dir().join(name);
        fs::write(&program, "#!/bin/sh\nexit 3\n")?;
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755))?;
        let writer = OpenOptions::new().append(true).open(&program)?;
        let refused = Command::new(&program).spawn().map_err(|error| error.kind());
        assert!(refused.is_err_and(|kind| kind == io::ErrorKind::ExecutableFileBusy));
        let closing = thread::spawn(move || {
            sleep(PAUSE * 5);
            drop(writer);
        });
        assert_eq!(start(&mut Command::new(&program))?.wait()?.code(), Some(3));
        assert!(closing.join().is_ok());
        fs::remove_file(program)
    }
}
