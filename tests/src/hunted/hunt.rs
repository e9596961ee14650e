//! Many cases, one after the other, until the time is over.

use std::path::PathBuf;

use dev_process::Stopwatch;

use super::case::{Case, Fault};
use super::reduce::{Reduced, reduce, size_of};
use crate::{Workbench, parallel};

/// Maximum number of programs that a reduction tries.
const REDUCTION: usize = 400;

/// Number of programs between two looks at the clock.
const PORTION: u64 = 8;

/// Result of a hunt.
#[derive(Debug)]
pub struct Hunt {
    /// Number of programs that were compared.
    pub programs: u64,
    /// Seeds of the programs that were wrong.
    pub wrong: Vec<u64>,
}

/// Compares the programs of the seeds from `first` on: `count` of them, and then as many as are
/// begun before `seconds` are over.
pub fn hunt(first: u64, count: u64, seconds: f64) -> Hunt {
    let stopwatch = Stopwatch::start();
    let mut hunt = Hunt { programs: 0, wrong: Vec::new() };
    loop {
        let is_early = seconds > 0.0 && stopwatch.seconds() < seconds;
        let rest = count.saturating_sub(hunt.programs);
        let portion = if is_early { PORTION.max(rest) } else { rest };
        if portion == 0 {
            return hunt;
        }
        let start = first + hunt.programs;
        let failures = parallel::failures(usize::try_from(portion).unwrap_or(0), |number| {
            look(start + number as u64)
        });
        hunt.wrong.extend(failures.into_iter().map(|(number, ())| start + number as u64));
        hunt.programs += portion;
    }
}

/// Compares one program, and reduces and prints it if it is wrong.
fn look(seed: u64) -> Result<(), ()> {
    let case = Case::draw(seed);
    let bench = Workbench::new();
    let Some(fault) = case.fault(&bench, &|text| text) else { return Ok(()) };
    println!("{case}: {}\n{}\nfolder: {}", fault.kind, fault.story, bench.keep().display());
    let (folder, reduced) = reduced(&case, &fault);
    println!(
        "reduced from {} to {} characters in {} programs: {}",
        size_of(&case.program),
        size_of(&reduced.program),
        reduced.tried,
        folder.display()
    );
    Err(())
}

/// Reduces the program of a case, and returns the folder with the small one.
fn reduced(case: &Case, fault: &Fault) -> (PathBuf, Reduced) {
    let program = case.edited.as_ref().unwrap_or(&case.program);
    let reduced = reduce(program, REDUCTION, &mut |program| {
        let found = case.with(program.clone()).fault(&Workbench::new(), &|text| text);
        found.is_some_and(|found| found.kind == fault.kind)
    });
    let bench = Workbench::new();
    let small = case.with(reduced.program.clone());
    let found = small.fault(&bench, &|text| text);
    let story = found.map(|fault| fault.story).unwrap_or_default();
    bench.write("story.txt", format!("{small}\n{story}\n"));
    (bench.keep(), reduced)
}
