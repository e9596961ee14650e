//! Programs with tests, some of which run at a time.
//!
//! Many tests wait: for servers, for time limits, for the one process of a build system that makes
//! its plan. Another program computes in that time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use dev_checkout::test_programs::TestProgram;
use dev_process::{Error, Process, Result, Stopwatch};

use super::tally::Tally;

/// Number of programs that run at a time.
pub(super) const AT_A_TIME: usize = 2;

/// Programs that take minutes, the longest first. They start before all others, so that none of
/// them runs alone at the end.
const LONG: [&str; 8] =
    ["programs", "cmake", "bazel", "builds", "optimizer", "remote", "reports", "objects"];

/// Builds the programs of the workspace by a command of cargo, in the order in which they start.
pub(super) fn build(cargo: Process) -> Result<Vec<TestProgram>> {
    let mut programs = Vec::new();
    cargo.arg("--workspace").scan(|line| programs.extend(TestProgram::of_message(line)))?;
    programs.sort_by(|one: &TestProgram, other| one.executable.cmp(&other.executable));
    programs.sort_by_key(place);
    Ok(programs)
}

/// Returns the place of a program among those that take long, or the one behind them.
fn place(program: &TestProgram) -> usize {
    let name = program.name();
    LONG.iter().position(|long| *long == name).unwrap_or(LONG.len())
}

/// Runs all programs, and prints the output of each when it has ended. `with_tools` adds to a
/// process what tests need.
pub(super) fn run(
    programs: &[TestProgram],
    with_tools: impl Fn(Process) -> Process + Sync,
) -> Result<Tally> {
    let next = AtomicUsize::new(0);
    let all = Mutex::new((Tally::default(), Vec::new()));
    let work = || {
        while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let name = program.name();
            println!("running {name}");
            let stopwatch = Stopwatch::start();
            let process = Process::new(&program.executable).directory(&program.folder).quietly();
            let mut output = String::new();
            let tally = Tally::of(with_tools(process), |line| {
                output.push_str(line);
                output.push('\n');
            });
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            println!("\n{name}, {:.0} s:\n{}", stopwatch.seconds(), output.trim());
            match tally {
                Ok(tally) => all.0 = all.0.plus(tally),
                Err(error) => {
                    println!("{error}");
                    all.1.push(name);
                }
            }
        }
    };
    thread::scope(|scope| (0..AT_A_TIME).for_each(|_| drop(scope.spawn(work))));
    match all.into_inner().unwrap_or_else(PoisonError::into_inner) {
        (tally, ended) if ended.is_empty() => Ok(tally),
        (_, mut ended) => {
            ended.sort();
            Err(Error::new(format!("ended early: {}", ended.join(", "))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn long_programs_start_first() {
        let folder = PathBuf::from("tests");
        let program = |name: &str| TestProgram { executable: name.into(), folder: folder.clone() };
        let mut programs = ["cache-1", "cmake-1", "programs-1", "action-1"].map(program);
        programs.sort_by_key(place);
        let names = programs.map(|program| program.name());
        assert_eq!(names, ["programs", "cmake", "cache", "action"]);
    }

    /// Runs a program for each of `scripts`.
    fn tally_of(scripts: &[&str]) -> Result<Tally> {
        let folder = tempfile::tempdir().unwrap();
        let program = |(number, script): (usize, &&str)| {
            let executable = folder.path().join(format!("script{number}-0"));
            std::fs::write(&executable, format!("#!/bin/sh\n{script}\n")).unwrap();
            let permissions = std::fs::Permissions::from_mode(0o700);
            std::fs::set_permissions(&executable, permissions).unwrap();
            TestProgram { executable, folder: folder.path().to_owned() }
        };
        run(&scripts.iter().enumerate().map(program).collect::<Vec<_>>(), |process| process)
    }

    #[test]
    fn failed_tests_are_counted_and_programs_without_counts_are_named() {
        let right = "echo 'test result: ok. 3 passed; 0 failed; 1 ignored'";
        let wrong = "echo 'test result: FAILED. 2 passed; 1 failed; 0 ignored'; exit 101";
        assert!(tally_of(&[right, right, right]).unwrap().judge().is_ok());
        assert!(tally_of(&[right, wrong, right]).unwrap().judge().is_err());
        let error = tally_of(&[right, "kill -9 $$", "exit 3"]).unwrap_err().to_string();
        assert!(error == "ended early: script1, script2", "{error}");
        assert!(tally_of(&[]).unwrap().judge().is_err(), "no test ran");
    }
}
