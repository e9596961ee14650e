//! Programs of any number of units, drawn from the measured units of a smaller one.
//!
//! Each unit of the drawn program is a measured unit, chosen at random with all of its jobs and
//! files. Where the measured unit reads files of other units, the drawn one reads files of as many
//! units chosen at random. A job of the whole program reads the files of all units. Its time is the
//! measured one times the growth of the number of units, so a drawn thin link is slower than a real
//! one, a part of whose time does not grow.

use std::collections::BTreeMap;

use crate::jobs::{Job, Jobs};
use crate::model::count;
use dev_process::{Error, Result};
use dev_random::SplitMix64;

/// A file of a measured program as it appears in a drawn one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// A tool, or another file that does not grow with the number of units.
    Whole,
    /// A file that one unit's job writes, or that only that unit's jobs read.
    Unit(usize),
}

/// Draws a program of `units` units.
pub fn draw(measured: &Jobs, units: usize, seed: u64) -> Result<Jobs> {
    // A unit without device code has one small job, which does not grow with the program.
    let compiled = measured.jobs.iter().filter(|job| job.phase == "codegen");
    let mut names: Vec<&str> = compiled.map(|job| job.unit.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return Err(Error::new("a program without units cannot grow"));
    }
    let owners = owners(measured, &names)?;
    let mut random = SplitMix64::new(seed);
    let choice: Vec<usize> =
        (0..units).map(|_| random.below(names.len() as u64)).map(to_index).collect();
    let growth = count(units) / count(names.len());
    let mut drawn = Jobs::new(
        &measured.program,
        &format!("{units} units drawn from {}: {}", names.len(), measured.measured),
        units,
    );
    // Files of the whole program first, then those of each unit.
    let mut places: BTreeMap<(usize, Option<usize>), usize> = BTreeMap::new();
    for (file, data) in measured.files.iter().enumerate() {
        let copies: Vec<Option<usize>> = match owners[file] {
            Owner::Whole => vec![None],
            Owner::Unit(owner) => {
                (0..units).filter(|&unit| choice[unit] == owner).map(Some).collect()
            }
        };
        for copy in copies {
            let name =
                copy.map_or_else(|| data.name.clone(), |unit| format!("{unit}/{}", data.name));
            places.insert((file, copy), drawn.file(&name, data.bytes, data.is_tool));
        }
    }
    // Files of each kind by unit: a file of another unit is replaced by one of the same kind.
    let kind = |file: usize| measured.files[file].name.rsplit_once('.').map(|(_, kind)| kind);
    let mut of_kind: BTreeMap<(Option<&str>, usize), usize> = BTreeMap::new();
    for (&(file, copy), &place) in &places {
        if let Some(unit) = copy {
            of_kind.insert((kind(file), unit), place);
        }
    }
    for job in &measured.jobs {
        let whole = job.unit.is_empty();
        let owner = names.binary_search(&job.unit.as_str()).ok();
        let copies: Vec<Option<usize>> = match owner {
            None => vec![None],
            owner => (0..units).filter(|&unit| Some(choice[unit]) == owner).map(Some).collect(),
        };
        for copy in copies {
            let mut list = |files: &[usize]| {
                let mut list = Vec::new();
                let mut done: Vec<Option<&str>> = Vec::new();
                for &file in files {
                    match owners[file] {
                        Owner::Whole => list.extend(places.get(&(file, None))),
                        Owner::Unit(_) if whole => {
                            // All units' files of this kind, once.
                            if !done.contains(&kind(file)) {
                                done.push(kind(file));
                                list.extend(
                                    (0..units).filter_map(|unit| of_kind.get(&(kind(file), unit))),
                                );
                            }
                        }
                        Owner::Unit(of) if Some(of) == owner => {
                            list.extend(places.get(&(file, copy)));
                        }
                        Owner::Unit(_) => {
                            let other = to_index(random.below(units as u64));
                            list.extend(of_kind.get(&(kind(file), other)));
                        }
                    }
                }
                list.sort_unstable();
                list.dedup();
                list.into_iter().copied().collect::<Vec<usize>>()
            };
            let (reads, writes) = (list(&job.reads), list(&job.writes));
            let factor = if whole { growth } else { 1.0 };
            drawn.jobs.push(Job {
                unit: copy.map_or_else(|| job.unit.clone(), |unit| unit.to_string()),
                seconds: job.seconds * factor,
                processor_seconds: job.processor_seconds * factor,
                reads,
                writes,
                ..job.clone()
            });
        }
    }
    drawn.order()?;
    Ok(drawn)
}

/// Finds out which unit each file belongs to.
fn owners(measured: &Jobs, names: &[&str]) -> Result<Vec<Owner>> {
    let writers = measured.writers()?;
    let unit_of = |job: usize| names.binary_search(&measured.jobs[job].unit.as_str()).ok();
    let mut owners = Vec::new();
    for (file, data) in measured.files.iter().enumerate() {
        // The thin link writes a plan for each unit, which the unit's own import reads first.
        let reader = || {
            let reads = |job: &Job| !job.unit.is_empty() && job.reads.contains(&file);
            measured.jobs.iter().position(reads)
        };
        let writer = writers[file].and_then(unit_of);
        let owner = if data.is_tool { None } else { writer.or_else(|| reader().and_then(unit_of)) };
        owners.push(owner.map_or(Owner::Whole, Owner::Unit));
    }
    Ok(owners)
}

#[expect(clippy::cast_possible_truncation, reason = "below a number of units")]
fn to_index(number: u64) -> usize {
    number as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two units with three jobs each, of which one imports from the other, and two jobs of the
    /// whole program.
    fn measured() -> Jobs {
        let mut jobs = Jobs::new("two", "by hand", 2);
        let tool = jobs.file("tool", 9, true);
        let names = ["a.o", "b.o", "a.bc", "b.bc", "a.plan", "b.plan", "a.ptx", "b.ptx", "image"];
        let file: Vec<usize> =
            (1..).zip(names).map(|(n, name)| jobs.file(name, n, false)).collect();
        let mut job = |phase: &str, unit: &str, seconds: f64, reads: &[usize], writes: &[usize]| {
            let place = |list: &[usize]| list.iter().map(|&n| file[n]).collect::<Vec<usize>>();
            jobs.jobs.push(Job {
                phase: phase.to_owned(),
                unit: unit.to_owned(),
                runs_here: phase == "nvlink",
                seconds,
                processor_seconds: seconds,
                memory_bytes: 0,
                estimated_cost: 0,
                reads: [vec![tool], place(reads)].concat(),
                writes: place(writes),
            });
        };
        job("summarize", "a", 1.0, &[0], &[2]);
        job("summarize", "b", 2.0, &[1], &[3]);
        job("thinlink", "", 3.0, &[2, 3], &[4, 5]);
        job("codegen", "a", 4.0, &[4, 2, 3], &[6]);
        job("codegen", "b", 5.0, &[5, 3], &[7]);
        job("nvlink", "", 6.0, &[6, 7], &[8]);
        jobs
    }

    #[test]
    fn a_drawn_program_has_the_jobs_of_its_units() {
        let drawn = draw(&measured(), 10, 1).unwrap();
        assert_eq!((drawn.units, drawn.jobs.len()), (10, 22));
        assert_eq!(drawn, draw(&measured(), 10, 1).unwrap());
        assert_ne!(drawn, draw(&measured(), 10, 2).unwrap());
        let of =
            |phase: &str| drawn.jobs.iter().filter(|job| job.phase == phase).collect::<Vec<_>>();
        let [thinlink] = of("thinlink")[..] else { panic!("one thin link") };
        // Five times the units take five times as long, and all their files are read.
        assert!((thinlink.seconds - 15.0).abs() < 1e-9);
        assert_eq!((thinlink.reads.len(), thinlink.writes.len()), (11, 10));
        assert_eq!(of("nvlink")[0].reads.len(), 11);
        for codegen in of("codegen") {
            // The imported bitcode may be drawn from the unit itself.
            let reads = if codegen.seconds < 4.5 { 3..=4 } else { 3..=3 };
            assert!(reads.contains(&codegen.reads.len()), "{codegen:?}");
        }
    }

    #[test]
    fn a_program_without_units_is_refused() {
        assert!(draw(&Jobs::new("none", "", 0), 10, 1).is_err());
    }
}
