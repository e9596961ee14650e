//! Number of jobs of a library's units that the second to the tenth program on the library run.
//!
//! All programs take results from one cache, as the programs of a repository do. A job counts if
//! the cache had no result for it. The programs share a folder, in which the library's objects are
//! compiled once, but each does its whole device link.

use std::path::Path;

use super::options::{Options, print};
use crate::device_link::{Setup, link};
use dev_builds::{Program, Settings, Variant};
use dev_process::{Error, Result, remove};
use dev_programs::library::{self, MAIN};

/// Number of units of the library.
const UNITS: u32 = 20;
/// Number of programs on the library.
const PROGRAMS: u32 = 10;
/// Phases whose results the cache keeps by default.
const PHASES: [&str; 2] = ["codegen", "assemble"];

/// Prints `second_program_jobs`.
pub(super) fn measure(_root: &Path, setup: &Setup, options: &Options) -> Result<()> {
    let folder = setup.folder.join("second_program");
    let [place, cache] = ["weft", "cache"].map(|name| folder.join(name));
    remove(&cache)?;
    library::write(&place, UNITS, options.seed)?;
    let execution_options =
        ["--cache=on".to_owned(), format!("--cache-dir={}", cache.display()), "--stats".to_owned()];
    let settings = Settings { execution_options: execution_options.into(), ..Settings::default() };
    let mut ran = 0;
    for number in 0..PROGRAMS {
        library::write_program(&place, number, UNITS)?;
        let program = Program::open(&place, &setup.tools)?;
        let log = link(&program, Variant::Weft, &settings)?.log;
        let jobs = jobs(&log.printed).into_iter().filter(|job| job.unit != MAIN);
        let jobs: Vec<Job> = jobs.collect();
        if jobs.len() != PHASES.len() * program.units().cuda.len() - PHASES.len() {
            let message =
                format!("{} jobs of the library say where their results are from", jobs.len());
            return Err(Error::new(message));
        }
        let misses: u64 = jobs.iter().map(|job| job.misses).sum();
        println!("program {number}: {misses} of {} jobs of the library ran", jobs.len());
        if number > 0 {
            ran += misses;
        }
    }
    print("second_program_jobs", crate::figures::number(ran));
    Ok(())
}

/// A job that asked the cache.
#[derive(Debug, PartialEq, Eq)]
struct Job {
    unit: String,
    /// Number of results that the cache did not have.
    misses: u64,
}

/// Reads the jobs from the output of Ninja and its commands: one line of Ninja for each job, and
/// after it the table that `--stats` asks for, with a row `PHASE HITS MISSES ...`.
fn jobs(printed: &str) -> Vec<Job> {
    let mut unit = "";
    let mut jobs = Vec::new();
    for line in printed.lines() {
        if let Some((_, step)) = line.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
            unit = step.split_once(' ').map_or("", |(_, unit)| unit.trim());
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        if let [phase, _, misses, ..] = words[..]
            && PHASES.contains(&phase)
            && let Ok(misses) = misses.parse()
        {
            jobs.push(Job { unit: unit.to_owned(), misses });
        }
    }
    jobs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_are_read_with_their_misses() {
        let printed = "\
[3/9] import src/a.cu
[4/9] codegen src/a.cu
phase         hits  misses        read        kept      saved      spent
codegen          0       1         0 B      3.1 kB      0.0 s      0.1 s
misses: 1 new
[5/9] assemble src/a.cu
phase         hits  misses        read        kept      saved      spent
assemble         1       0      3.1 kB         0 B      0.1 s      0.0 s
[6/9] nvlink
";
        let job = |misses| Job { unit: "src/a.cu".to_owned(), misses };
        assert_eq!(jobs(printed), [job(1), job(0)]);
    }
}
