//! Servers: processes that run beside a test and end with it.

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// Number of waits of 10 ms between the request to end and the signal that kills a process.
const PATIENCE: u32 = 300;

/// A process with all of its descendants. They end when this value is dropped.
#[derive(Debug)]
pub struct Background {
    child: Child,
    program: PathBuf,
    log: PathBuf,
    ended: bool,
}

impl Background {
    /// Starts `program`, which is looked up in `search_path` first and in `PATH` otherwise. Both
    /// output streams go to the file `log`.
    #[expect(clippy::disallowed_methods, reason = "the place of this crate that starts servers")]
    pub fn start(
        program: &Path,
        arguments: &[String],
        search_path: Option<&Path>,
        log: &Path,
    ) -> Self {
        let streams = File::create(log).and_then(|out| Ok((out.try_clone()?, out)));
        let (stdout, stderr) =
            streams.unwrap_or_else(|error| panic!("cannot create {}: {error}", log.display()));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let folders = search_path.map(Path::to_path_buf).into_iter();
        let path = std::env::join_paths(folders.chain(std::env::split_paths(&path)));
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env("PATH", path.unwrap_or_default())
            .stdin(Stdio::null())
            .stdout(stdout)
            .stderr(stderr)
            // The process leads a new group, so the children of a server end with it.
            .process_group(0);
        let child = dev_process::start(&mut command)
            .unwrap_or_else(|error| panic!("cannot start {}: {error}", program.display()));
        Self { child, program: program.to_path_buf(), log: log.to_path_buf(), ended: false }
    }

    /// Returns the id of the process, which is also the id of its group.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns the output of the process so far.
    pub fn log(&self) -> String {
        let bytes = std::fs::read(&self.log).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Waits until the process ends by itself and returns its exit code; `None` if a signal ended
    /// it.
    pub fn wait(&mut self) -> Option<i32> {
        let status = self.child.wait();
        self.ended = true;
        status.ok().and_then(|status| status.code())
    }

    /// Waits until the process accepts connections at a port of this machine.
    pub fn wait_for_port(&mut self, port: u16) {
        for _ in 0..1000 {
            if std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return;
            }
            if let Ok(Some(status)) = self.child.try_wait() {
                panic!("{} ended with {status}:\n{}", self.program.display(), self.log());
            }
            sleep(Duration::from_millis(10));
        }
        panic!("{} does not listen at port {port}:\n{}", self.program.display(), self.log());
    }

    /// Kills the process and its descendants at once.
    pub fn kill(&mut self) {
        // Once the process has been waited for, its id may belong to another process.
        if !self.ended {
            signal(self.child.id(), "KILL");
            drop(self.child.wait());
            self.ended = true;
        }
    }

    /// Asks the process to end, and kills the whole group if it does not.
    pub fn stop(&mut self) {
        if self.ended {
            return;
        }
        signal(self.child.id(), "TERM");
        for _ in 0..PATIENCE {
            if !matches!(self.child.try_wait(), Ok(None)) {
                break;
            }
            sleep(Duration::from_millis(10));
        }
        self.kill();
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Sends a signal to a process group. The standard library can only kill a single process.
#[expect(clippy::disallowed_methods, reason = "the place of this crate that ends servers")]
fn signal(group: u32, name: &str) {
    let command = format!("kill -{name} -{group} 2>/dev/null");
    drop(Command::new("/bin/sh").args(["-c", &command]).status());
}
