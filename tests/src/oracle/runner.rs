//! A runner of many comparisons in parallel, which keeps the files of those that fail.

use std::fmt;
use std::path::PathBuf;

use super::difference::Difference;
use super::inputs::LinkInputs;
use super::links::compare;
use crate::{Workbench, parallel};

/// A program whose links differ, or that some step refused.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Name of the program.
    pub program: String,
    /// Differences of the images; empty if a step failed.
    pub differences: Vec<Difference>,
    /// Description of the outcome.
    pub story: String,
    /// Folder with all files of the program.
    pub folder: PathBuf,
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { program, story, folder, .. } = self;
        write!(formatter, "{program}:\n{story}\nfolder: {}", folder.display())
    }
}

/// Compares one program. `build` makes its files in a new folder, which is kept if the comparison
/// fails.
pub fn check(
    program: &str,
    build: impl FnOnce(&Workbench) -> Result<LinkInputs, String>,
) -> Result<(), Box<Failure>> {
    check_in(Workbench::new(), program, build)
}

/// Does the same in the folder of `bench`.
pub fn check_in(
    bench: Workbench,
    program: &str,
    build: impl FnOnce(&Workbench) -> Result<LinkInputs, String>,
) -> Result<(), Box<Failure>> {
    check_outcome(bench, program, |bench| compare(bench, &build(bench)?))
}

/// Calls `work`, which compares the links of a program in the folder of `bench`.
pub(crate) fn check_outcome(
    bench: Workbench,
    program: &str,
    work: impl FnOnce(&Workbench) -> Result<Vec<Difference>, String>,
) -> Result<(), Box<Failure>> {
    let (differences, story) = match work(&bench) {
        Ok(differences) if differences.is_empty() => return Ok(()),
        Ok(differences) => {
            let lines: Vec<_> = differences.iter().map(ToString::to_string).collect();
            let story = lines.join("\n");
            (differences, story)
        }
        Err(story) => (Vec::new(), story),
    };
    bench.write("story.txt", &story);
    let program = program.to_owned();
    Err(Box::new(Failure { program, differences, story, folder: bench.keep() }))
}

/// Calls `work` for all items, with as many threads as there are processors. Failures are returned
/// in the order of the items, and are printed as they happen.
pub fn run<T: Sync>(
    items: &[T],
    work: impl Fn(&T) -> Result<(), Box<Failure>> + Sync,
) -> Vec<Failure> {
    let failures = parallel::failures(items.len(), |number| {
        work(&items[number]).inspect_err(|failure| println!("{failure}"))
    });
    failures.into_iter().map(|(_, failure)| *failure).collect()
}
