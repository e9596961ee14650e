//! What a process took: processor time and memory, as the kernel counted them.

use std::path::Path;

use crate::error::{Error, Result, while_trying};
use crate::process::Process;

/// What one process took.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// Processor time, of all threads, in user and in kernel mode.
    pub cpu_seconds: f64,
    /// From start to end.
    pub seconds: f64,
    /// The most memory that was resident at a time.
    pub bytes: f64,
}

/// Runs `program` under GNU time, which writes what it took to `report`.
pub fn measure(program: &Path, arguments: &[String], report: &Path) -> Result<Usage> {
    Process::new("/usr/bin/time")
        .args(["--format=%U %S %e %M", "--output"])
        .arg(report)
        .arg(program)
        .args(arguments)
        .output(report)
        .quietly()
        .capture()?;
    let text = std::fs::read_to_string(report).map_err(while_trying("read", report))?;
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|it| it.parse().ok()).collect();
    match numbers[..] {
        [user, system, seconds, kilobytes] => {
            Ok(Usage { cpu_seconds: user + system, seconds, bytes: kilobytes * 1024.0 })
        }
        _ => Err(Error::new(format!("/usr/bin/time reported {text:?}"))),
    }
}
