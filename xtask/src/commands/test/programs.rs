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

/// Builds the programs of the workspace by a command of cargo, in the order of their names.
pub(super) fn build(cargo: Process) -> Result<Vec<TestProgram>> {
    let mut programs = Vec::new();
    cargo.arg("--workspace").scan(|line| programs.extend(TestProgram::of_message(line)))?;
    programs.sort_by(|one: &TestProgram, other| one.executable.cmp(&other.executable));
    Ok(programs)
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
        (_, ended) => Err(Error::new(format!("ended early: {}", ended.join(", ")))),
    }
}
