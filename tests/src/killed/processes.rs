//! The processes of a build, found by the folder that they work in or name.
//!
//! Neither groups nor parents identify them: Ninja gives each command a separate group, the
//! supervisors of ptxas lead others, and a process whose parent was killed is an orphan.

use std::path::Path;

use crate::Run;

/// Returns the ids of the running processes that work below `folder` or name it in an argument.
pub fn running_below(folder: &Path) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    ids.filter(|id| *id != std::process::id() && is_below(*id, folder)).collect()
}

/// Returns the ids of the processes below `folder` that belong to a build, and end with it: all but
/// Bazel's server, which waits for the next command.
pub(super) fn building_below(folder: &Path) -> Vec<u32> {
    let mut ids = running_below(folder);
    ids.retain(|id| {
        let command = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        !command.starts_with(b"bazel(")
    });
    ids
}

/// Kills all processes below `folder`, and those that they start meanwhile.
pub(super) fn kill_below(folder: &Path) {
    loop {
        let ids: Vec<i64> = running_below(folder).into_iter().map(i64::from).collect();
        if ids.is_empty() {
            break;
        }
        send("KILL", &ids);
    }
}

/// A process that has ended and was not waited for has neither a folder nor arguments.
fn is_below(process: u32, folder: &Path) -> bool {
    let works = std::fs::read_link(format!("/proc/{process}/cwd"));
    if works.is_ok_and(|path| path.starts_with(folder)) {
        return true;
    }
    let arguments = std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    let folder = folder.as_os_str().as_encoded_bytes();
    arguments.windows(folder.len()).any(|part| part == folder)
}

/// Sends a signal, such as `KILL`, to processes, some of which may have ended. A negative number
/// names a group.
pub fn send(signal: &str, processes: &[i64]) {
    if !processes.is_empty() {
        let processes = processes.iter().map(ToString::to_string);
        Run::new("kill", "/").args([&format!("-{signal}"), "--"]).args(processes).outcome();
    }
}
