//! Checks the dependencies, their licenses and sources, and known advisories, with cargo-deny and
//! the policy in `deny.toml`.

use std::path::Path;

use dev_process::{Error, Outcome, Process, Result};
use dev_toolchain::cargo_tools;

/// Checks everything that depends on the checkout alone.
pub(super) fn check_policy(root: &Path) -> Result<()> {
    deny(root)?.args(["check", "licenses", "bans", "sources"]).run()
}

/// Checks against the database of advisories, which is fetched. If that fails, the step passes with
/// a remark. An advisory that is found is a failure.
pub(super) fn check_advisories(root: &Path) -> Result<String> {
    let process = deny(root)?.args(["check", "advisories"]);
    // A fetch that asks for a password would wait forever.
    let outcome = process.variable("GIT_TERMINAL_PROMPT", "0").outcome()?;
    let Outcome { success, stdout, stderr } = &outcome;
    if *success {
        print!("{stdout}{stderr}");
        return Ok(String::new());
    }
    if database_is_out_of_reach(stderr) {
        println!("advisories: skipped (database cannot be had here)");
        return Ok("skipped (database cannot be had here)".to_owned());
    }
    Err(Error::new(format!("{stdout}{stderr}")))
}

fn deny(root: &Path) -> Result<Process> {
    let process = cargo_tools::command(root, "deny")?;
    Ok(process.args(["--workspace", "--locked"]).directory(root))
}

/// Returns whether this line is in the output, which reports a failed fetch before any dependency
/// is checked: the exit code is 1 in both cases.
fn database_is_out_of_reach(stderr: &str) -> bool {
    stderr.contains("[ERROR] failed to fetch advisory database")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_fetch_is_told_from_a_found_advisory() {
        let fetch = "2026-01-01 00:00:00 [ERROR] failed to fetch advisory database (a url)\n";
        let found = "error[vulnerability]: Uninitialized memory\n\nadvisories FAILED\n";
        assert!(database_is_out_of_reach(fetch));
        assert!(!database_is_out_of_reach(found));
    }
}
