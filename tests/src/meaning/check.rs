//! Comparisons of the program of a seed, which keep the files of a program that fails.

use std::path::{Path, PathBuf};

use super::gpu::{self, OnGpu};
use super::options::Options;
use super::steps::{plain, run, weft};
use crate::{Workbench, parallel};
use dev_programs::random::Program;
use dev_random::Choices;

/// A program whose output changed, or that a tool refused.
#[derive(Debug)]
pub struct Difference {
    /// Description of the difference or of the failed command.
    pub story: String,
    /// Folder with all files of the program.
    pub folder: PathBuf,
}

/// Compares both links of the program of `seed`, with options that the seed determines.
pub fn check(seed: u64) -> Result<(), Box<Difference>> {
    with_program(seed, both_ways)
}

/// Compares the program of `seed`, linked plainly on the processor, with its SASS and its PTX from
/// Weft on a GPU.
pub fn check_on_gpu(seed: u64) -> Result<OnGpu, Box<Difference>> {
    with_program(seed, gpu::both_ways)
}

/// Writes the program of `seed` into `folder/SEED` for a machine with a GPU: the image, the PTX,
/// the program that runs them, and what it must print.
pub fn write_for_gpu(seed: u64, folder: &Path) -> Result<(), Box<Difference>> {
    let folder = folder.join(seed.to_string());
    with_program(seed, |bench, program, options| gpu::write(bench, program, options, &folder))
}

/// Calls `check` for `count` seeds from `first` on, several at a time, and returns the seeds that
/// fail, in order. Failures are printed as they happen, and so is every number of a program that
/// `step` divides.
pub fn failing_seeds(
    first: u64,
    count: u64,
    step: u64,
    check: impl Fn(u64) -> Result<(), Box<Difference>> + Sync,
) -> Vec<u64> {
    let failures = parallel::failures(usize::try_from(count).unwrap_or(usize::MAX), |number| {
        let number = number as u64;
        if number.is_multiple_of(step) {
            println!("program {number} of {count}");
        }
        check(first + number).inspect_err(|difference| {
            println!("{}\nfolder: {}", difference.story, difference.folder.display());
        })
    });
    failures.into_iter().map(|(number, _)| first + number as u64).collect()
}

/// Calls `compare` for the program of `seed` with options that the seed determines, and keeps the
/// folder of a program that fails.
pub(crate) fn with_program<T>(
    seed: u64,
    compare: impl Fn(&Workbench, &Program, &Options) -> Result<T, String>,
) -> Result<T, Box<Difference>> {
    let program = Program::generate(seed);
    let options = Options::draw(&mut Choices::new(!seed));
    let bench = Workbench::new();
    compare(&bench, &program, &options).map_err(|story| {
        let story = format!("program {seed} with {options}:\n{story}");
        bench.write("story.txt", &story);
        Box::new(Difference { story, folder: bench.keep() })
    })
}

fn both_ways(bench: &Workbench, program: &Program, options: &Options) -> Result<(), String> {
    let plain = plain(bench, program, options)?;
    weft(bench, program, options, "linked,bc")?;
    let linked = run(bench, program, "weft", "opt.bc")?;
    if plain == linked {
        return Ok(());
    }
    Err(format!("linked plainly it prints\n{plain}\nand through Weft\n{linked}"))
}
