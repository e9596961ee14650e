//! `weft link` beside the steps that a build system runs, on the same objects of clang.
//!
//! | metric | figure |
//! |---|---|
//! | `PROGRAM.cpu_over_ninja` | processor time over that of Ninja's steps, up to the program |
//! | `equal_images` | whether both sides made the same image of each program: 1 or 0 |
//! | `full_hit_seconds_N` | wall time of a link of N tiny units of which nothing has changed |
//! | `edit_seconds_N` | wall time of it after an edit of one unit's function |
//! | `noop_overhead_ms` | wall time that `weft link` adds to a link without device code: median |
//!
//! Neither side has a cache in the first figure, and one run of each warms up the system's.

use std::fs;
use std::path::{Path, PathBuf};

use crate::device_link::{Setup, build};
use crate::figures::{median, print_metric};
use dev_builds::{Edit, Program, Settings, Target, Variant};
use dev_process::{Process, Result, Stopwatch, processor_time, while_trying};
use dev_programs::{Selection, wide};

/// Programs besides the one of tiny units.
const PROGRAMS: [&str; 2] = ["transport", "generated"];
/// Runs of each side in the comparisons of times.
const RUNS: usize = 5;
const SHORT_RUNS: usize = 41;
/// Program of `weft link`.
const LINKED: &str = "linked-by-weft";

/// Size of the program of tiny units, and executables.
#[derive(Debug, PartialEq, Eq)]
pub struct Options {
    /// Number of tiny units.
    pub units: u32,
    /// Folder of executables to use instead of the checkout's, to compare versions.
    pub executables: Option<PathBuf>,
}

/// Measures all metrics.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let setup = Setup::new(root, "link", options.executables.as_deref())?;
    noop(&setup)?;
    let selection = Selection { names: &PROGRAMS, only: &[], quick: true, seed: 1 };
    let mut are_equal = true;
    for source in dev_programs::all(root, &selection)? {
        let program = source.open(&setup.folder, Variant::Weft, &setup.tools)?;
        are_equal &= compare(&setup, &program, &source.settings(), source.name)?;
    }
    let name = format!("tiny{}", options.units);
    let folder = setup.folder.join(&name);
    let fresh = folder.join("source");
    wide::write(&fresh, options.units, 1)?;
    let program = Program::copy_if_different(&fresh, &folder.join("weft"), &setup.tools)?;
    are_equal &= compare(&setup, &program, &Settings::default(), &name)?;
    print_metric("link.equal_images", f64::from(u8::from(are_equal)));
    again(&setup, &program, options.units)
}

/// Links a program without device code with and without `weft link`, in turns.
fn noop(setup: &Setup) -> Result<()> {
    let folder = setup.folder.join("alone");
    fs::create_dir_all(&folder).map_err(while_trying("create", &folder))?;
    let source = folder.join("main.cpp");
    fs::write(&source, "int main() { return 0; }\n").map_err(while_trying("write", &source))?;
    let compile = Process::new("c++").args(["-c", "main.cpp", "-o", "main.o"]).directory(&folder);
    compile.quietly().run()?;
    let words = ["c++", "main.o", "-o", "main"];
    let plain = || Process::new(words[0]).args(&words[1..]).directory(&folder).quietly();
    let weft = || weft_link(setup, &folder, words.iter().map(ToString::to_string));
    let timed = |process: Process| -> Result<f64> {
        let stopwatch = Stopwatch::start();
        process.run()?;
        Ok(stopwatch.seconds())
    };
    let mut seconds = [Vec::new(), Vec::new()];
    for _ in 0..SHORT_RUNS {
        seconds[0].push(timed(plain())?);
        seconds[1].push(timed(weft())?);
    }
    let [plain, weft] = seconds.map(median);
    print_metric("link.noop_overhead_ms", (weft - plain) * 1000.0);
    Ok(())
}

/// Links a program by Ninja's steps and by `weft link`, and prints the ratio of processor times.
/// Returns whether the images are equal.
fn compare(setup: &Setup, program: &Program<'_>, settings: &Settings, name: &str) -> Result<bool> {
    // The image holds names that follow from ids.
    let settings = Settings { ids_of_objects: true, ..settings.clone() };
    program.write_ninja(Variant::Weft, &settings)?;
    build(program, Variant::Weft, Target::Objects)?;
    let weft = || of_children(|| link(setup, program).variable("WEFT_CACHE", "off").run());
    let ninja = || {
        program.forget_device_link(Variant::Weft)?;
        of_children(|| build(program, Variant::Weft, Target::Program).map(drop))
    };
    weft()?;
    let mut shares = Vec::new();
    for _ in 0..RUNS {
        shares.push(weft()? / ninja()?);
    }
    print_metric(&format!("link.{name}.cpu_over_ninja"), median(shares));
    let linked = program.image_in(&program.folder().join(LINKED), &setup.folder.join("image"))?;
    let read = |path: PathBuf| fs::read(&path).map_err(while_trying("read", &path));
    let [steps, linked] = [read(program.image(Variant::Weft)?)?, read(linked)?];
    Ok(without_zeros(&steps) == without_zeros(&linked))
}

/// Returns a file without the zeros at its end, which a container may have added.
fn without_zeros(content: &[u8]) -> &[u8] {
    let length = content.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    &content[..length]
}

/// Links a program whose image the cache has, and after an edit, and prints how long that takes.
fn again(setup: &Setup, program: &Program<'_>, units: u32) -> Result<()> {
    let cache = setup.folder.join("cache");
    let link = || {
        let link = link(setup, program).variable("WEFT_CACHE", "on");
        link.variable("WEFT_CACHE_DIR", &cache).run()
    };
    let timed = || -> Result<f64> {
        let stopwatch = Stopwatch::start();
        link()?;
        Ok(stopwatch.seconds())
    };
    link()?;
    let full: Vec<f64> = (0..RUNS).map(|_| timed()).collect::<Result<_>>()?;
    print_metric(&format!("link.full_hit_seconds_{units}"), median(full));
    let mut edited = Vec::new();
    for _ in 0..RUNS {
        // Each changes the constant again, so no result of it is known.
        Edit::find(program, "private-edit")?.apply()?;
        build(program, Variant::Weft, Target::Objects)?;
        edited.push(timed()?);
    }
    print_metric(&format!("link.edit_seconds_{units}"), median(edited));
    Ok(())
}

fn of_children(work: impl FnOnce() -> Result<()>) -> Result<f64> {
    let before = processor_time::of_children()?;
    work()?;
    Ok(processor_time::of_children()? - before)
}

/// Returns the link of a program's objects by `weft link`.
fn link(setup: &Setup, program: &Program<'_>) -> Process {
    let units = program.units();
    let object = |unit: &String| {
        let path = program.output(Variant::Weft, &format!("{unit}.o"));
        path.strip_prefix(program.folder()).unwrap_or(&path).display().to_string()
    };
    let cuda = setup.tools.toolchain.cuda_root.display().to_string();
    let folders = ["lib", "lib64"].map(|folder| format!("-L{cuda}/{folder}"));
    let libraries = ["-lcudart_static", "-ldl", "-lrt", "-lpthread", "-o", LINKED];
    let words = std::iter::once("c++".to_owned())
        .chain(units.cuda.iter().chain(&units.host).map(object))
        .chain(folders)
        .chain(libraries.map(str::to_owned));
    weft_link(setup, program.folder(), words)
}

fn weft_link(setup: &Setup, folder: &Path, words: impl Iterator<Item = String>) -> Process {
    let weft = Process::new(setup.tools.executables.join("weft"));
    let cuda = setup.tools.toolchain.cuda_root.display().to_string();
    let options = ["link".to_owned(), "--cuda".to_owned(), cuda, "--".to_owned()];
    weft.args(options.into_iter().chain(words)).directory(folder).quietly()
}
