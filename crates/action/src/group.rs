//! Runs a program and all that it starts as one process group that ends as a whole.
//!
//! Killing a program leaves the processes that it has started, and a job that is killed itself
//! leaves the program: the system ends no children. So a *supervisor* starts before the program and
//! leads its group. The supervisor is this executable under a hidden name. It waits for the end of
//! its standard input, a pipe that the job holds open, and then kills the group. However the job
//! ends, the system closes the job's end of the pipe. Nothing happens between the start of a
//! program and its supervision, since the program is a member of the group before its first
//! instruction.
//!
//! A signal that ends the job by the system's rules (Ctrl-C, SIGTERM) therefore needs no special
//! care. Rejected: `PR_SET_PDEATHSIG`, which reaches the program but not its children, and signal
//! handlers, which SIGKILL does not call.
//!
//! Without `/proc` this executable has no name, so there is no supervisor. The group still ends as
//! a whole when its time is over. Roots without `/proc` are made by sandboxes, which end their
//! processes themselves.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_current_process_group, kill_process_group};

/// First argument of an executable that is to be a supervisor; the second is the program's folder.
const SUPERVISOR: &str = "--weft-supervisor";
/// Path of the running executable, which is valid even when a build has replaced the file.
const THIS_PROGRAM: &str = "/proc/self/exe";
/// Time between two attempts to start a program whose file is open for writing.
const BUSY_PAUSE: Duration = Duration::from_millis(10);
/// Number of pauses until such a program is an error.
const BUSY_PAUSES: u32 = 500;
/// Whether this executable's `main` answers to [`SUPERVISOR`].
static IS_SUPERVISOR_KNOWN: AtomicBool = AtomicBool::new(false);

/// Turns this process into a supervisor if the `arguments` ask for one, and does not return then.
/// An executable's `main` must call this before anything else; from then on the executable can be a
/// supervisor.
pub fn serve_as_supervisor(arguments: &[OsString]) {
    if let [_, first, folder] = arguments
        && first == SUPERVISOR
    {
        // Nothing is ever written to standard input, so this call returns when the job ends.
        let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
        // A folder that cannot be removed now is removed when the next job starts.
        let _ = std::fs::remove_dir_all(folder);
        // The supervisor is in the group, so this is its end, too.
        let _ = kill_current_process_group(Signal::KILL);
        std::process::exit(0);
    }
    IS_SUPERVISOR_KNOWN.store(true, Ordering::Relaxed);
}

/// Ends this process, by SIGTERM, when the program that started it is gone. Where the system cannot
/// do that, this process goes on to its end.
///
/// A linker that is killed ends no child, and its distributor would compile on for nobody.
pub fn end_with_parent() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::TERM));
}

/// A running program. Dropping this value ends all processes that the program has left running.
#[derive(Debug)]
pub(crate) struct Group {
    program: Child,
    members: ChildGroup,
}

impl Group {
    /// Starts `command`. The supervisor removes `folder` if the job does not.
    pub(crate) fn start(command: &mut Command, folder: &Path) -> io::Result<Self> {
        let members = ChildGroup::start(Some(folder))?;
        // Without a supervisor, the program leads a separate group.
        let program = spawn(command.process_group(members.number().unwrap_or(0)))?;
        Ok(Self { program, members })
    }

    /// The program itself.
    pub(crate) fn program(&mut self) -> &mut Child {
        &mut self.program
    }

    /// Kills the program, which has not been waited for, and all that it started.
    pub(crate) fn kill(&mut self) -> io::Result<()> {
        match &mut self.members.0 {
            Some(supervisor) => end(supervisor)?,
            None => kill_process_group(Pid::from_child(&self.program), Signal::KILL)?,
        }
        self.program.wait().map(drop)
    }
}

/// Children of this process as one group that ends when this process does, however it ends, or when
/// this value is dropped.
#[derive(Debug)]
pub struct ChildGroup(Option<Child>);

impl ChildGroup {
    /// Begins a group without children. `folder` is removed if this process ends before the group.
    pub fn start(folder: Option<&Path>) -> io::Result<Self> {
        supervisor(folder.unwrap_or(Path::new(""))).map(Self)
    }

    /// Returns the number of the group; `None` without a supervisor, where children end by
    /// themselves.
    pub(crate) fn number(&self) -> Option<i32> {
        i32::try_from(self.0.as_ref()?.id()).ok()
    }
}

impl Drop for ChildGroup {
    fn drop(&mut self) {
        // Without a supervisor, the group's number may belong to another group by now.
        if let Some(supervisor) = &mut self.0 {
            let _ = end(supervisor);
        }
    }
}

/// Starts a program, and waits if some process has its file open for writing.
///
/// The kernel refuses to execute a file that any process has open for writing. A build system
/// closes the program that it has installed, but a process just forked by another of its threads
/// keeps the file open until it executes another program.
fn spawn(command: &mut Command) -> io::Result<Child> {
    for _ in 0..BUSY_PAUSES {
        match command.spawn() {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => sleep(BUSY_PAUSE),
            started => return started,
        }
    }
    command.spawn()
}

/// Starts the supervisor, as the leader of a new group.
#[expect(clippy::disallowed_methods, reason = "this crate starts processes")]
fn supervisor(folder: &Path) -> io::Result<Option<Child>> {
    let program = PathBuf::from(THIS_PROGRAM);
    if !IS_SUPERVISOR_KNOWN.load(Ordering::Relaxed) || !program.exists() {
        return Ok(None);
    }
    let supervisor = Command::new(program)
        .arg(SUPERVISOR)
        .arg(folder)
        .current_dir("/")
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()?;
    Ok(Some(supervisor))
}

/// Ends the group that `supervisor` leads. The number remains the group's until the supervisor has
/// been waited for; after that, this does nothing.
fn end(supervisor: &mut Child) -> io::Result<()> {
    if let Some(line) = supervisor.stdin.take() {
        kill_process_group(Pid::from_child(supervisor), Signal::KILL)?;
        supervisor.wait()?;
        drop(line);
    }
    Ok(())
}
