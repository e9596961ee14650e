//! CMake with Ninja: programs that share a library. Measured are the processor time that Weft adds
//! to configuring, the time of all steps after the compilation of sources, also as processor time,
//! which other work of the machine affects less, and the number of jobs of the library that run
//! again for another program.

use std::path::PathBuf;

use super::cmake::{Link, configure};
use super::setup::{SEED, Setup};
use crate::figures::{median, number, print_metric};
use dev_process::{Error, Process, Result, Stopwatch, processor_time, remove};
use dev_programs::library;

/// Number of units and of programs of the project that is configured.
const CONFIGURED: (u32, u32) = (200, 30);
/// Number of units and of programs of the project that is built.
const BUILT: (u32, u32) = (100, 10);
/// Number of times that each project is configured; the median of the times counts.
const RUNS: usize = 3;

pub(super) fn measure(setup: &Setup) -> Result<()> {
    let folder = project(setup, CONFIGURED)?;
    let mut extra = Vec::new();
    for _ in 0..RUNS {
        let [weft, clang] = [Link::Weft, Link::Clang].map(|link| -> Result<f64> {
            let build_folder = folder.join("build");
            remove(&build_folder)?;
            let before = processor_time::of_children()?;
            configure(setup, link, &folder, &build_folder).quietly().capture()?;
            Ok(processor_time::of_children()? - before)
        });
        extra.push(weft? - clang?);
    }
    print_metric("build.configure_seconds_extra", median(extra));

    let folder = project(setup, BUILT)?;
    let build = Build {
        ninja: setup.toolchain.ninja.clone(),
        weft: setup.executables.join("weft"),
        folder: folder.join("build"),
        cache: folder.join("cache"),
    };
    configure(setup, Link::Weft, &folder, &build.folder).quietly().capture()?;
    let objects = build.targets_that_end_with(".cu.o")?;
    build.run(&objects)?;
    let (stopwatch, before) = (Stopwatch::start(), processor_time::of_children()?);
    build.run(&["program_00".to_owned()])?;
    let library: Vec<String> = build
        .targets_that_end_with(".cu.cubin")?
        .into_iter()
        .filter(|cubin| cubin.starts_with("program_01.weft/sm_90/src/"))
        .collect();
    let known = build.misses()?;
    build.run(&library)?;
    let misses = build.misses()? - known;
    build.run(&["all".to_owned()])?;
    let (seconds, after) = (stopwatch.seconds(), processor_time::of_children()?);
    if library.len() != BUILT.0 as usize {
        return Err(Error::new(format!(
            "the second program has {} jobs of the library",
            library.len()
        )));
    }
    print_metric("build.library_jobs_second_program", number(misses));
    print_metric("build.other_seconds_ten_programs", seconds);
    print_metric("build.other_processor_seconds_ten_programs", after - before);
    Ok(())
}

/// Writes a library and programs on it, instead of earlier ones and their builds.
fn project(setup: &Setup, (units, programs): (u32, u32)) -> Result<PathBuf> {
    let folder = setup.scratch.join("programs").join(units.to_string());
    library::write(&folder, units, SEED)?;
    library::write_programs(&folder, programs, units)?;
    Ok(folder)
}

/// A configured project, and the cache that its steps use.
struct Build {
    ninja: PathBuf,
    weft: PathBuf,
    folder: PathBuf,
    cache: PathBuf,
}

impl Build {
    /// Returns the files that the build makes and whose names end with `end`.
    fn targets_that_end_with(&self, end: &str) -> Result<Vec<String>> {
        let text = self.ninja().args(["-t", "targets", "all"]).quietly().capture()?;
        let names = text.lines().filter_map(|line| line.rsplit_once(": ").map(|(name, _)| name));
        // Ninja lists absolute paths of the same files, too.
        let names = names.filter(|name| name.ends_with(end) && !name.starts_with('/'));
        Ok(names.map(str::to_owned).collect())
    }

    fn run(&self, targets: &[String]) -> Result<()> {
        let run = self.ninja().args(targets).variable("WEFT_CACHE", "on");
        run.variable("WEFT_CACHE_DIR", &self.cache).quietly().capture().map(drop)
    }

    fn ninja(&self) -> Process {
        Process::new(&self.ninja).arg("-C").arg(&self.folder)
    }

    /// Returns how many jobs of codegen and assemble the cache had no result for, in all builds.
    fn misses(&self) -> Result<u64> {
        let table = Process::new(&self.weft)
            .args(["cache", "stats", "--cache-dir"])
            .arg(&self.cache)
            .quietly()
            .capture()?;
        let misses = table.lines().filter_map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["codegen" | "assemble", _, misses, ..] => misses.parse::<u64>().ok(),
                _ => None,
            }
        });
        let misses: Vec<u64> = misses.collect();
        if misses.len() != 2 {
            return Err(Error::new(format!("two phases were expected:\n{table}")));
        }
        Ok(misses.iter().sum())
    }
}
