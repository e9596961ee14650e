//! A runner of many comparisons in parallel, which keeps the files of those that fail.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::difference::Difference;
use super::inputs::LinkInputs;
use super::links::compare;
use crate::Workbench;

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
    let bench = Workbench::new();
    let outcome = build(&bench).and_then(|inputs| compare(&bench, &inputs));
    let (differences, story) = match outcome {
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
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let one_after_another = || {
        let mut found = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(number) else { return found };
            if let Err(failure) = work(item) {
                println!("{failure}");
                found.push((number, *failure));
            }
        }
    };
    let mut found = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(one_after_another)).collect();
        let finished = workers.into_iter().map(|worker| match worker.join() {
            Ok(found) => found,
            Err(cause) => std::panic::resume_unwind(cause),
        });
        finished.flatten().collect::<Vec<_>>()
    });
    found.sort_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, failure)| failure).collect()
}
