//! Processor time and memory of a process, as the kernel counts them.

use std::path::Path;

use crate::error::{Error, Result, while_trying};
use crate::process::Process;

/// Resources that one process used.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// Processor time in seconds, of all threads, in user and in kernel mode.
    pub cpu_seconds: f64,
    /// Wall time in seconds.
    pub seconds: f64,
    /// Largest number of bytes that were resident at a time.
    pub bytes: f64,
}

/// Runs `program` under GNU time, which writes the figures to `report`.
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
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match numbers[..] {
        [user, system, seconds, kilobytes] => {
            Ok(Usage { cpu_seconds: user + system, seconds, bytes: kilobytes * 1024.0 })
        }
        _ => Err(Error::new(format!("/usr/bin/time reported {text:?}"))),
    }
}
