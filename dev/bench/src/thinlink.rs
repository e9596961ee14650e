//! The thin link beside LLVM's on the same modules with the same options, and at the scale of the
//! largest program that LLVM's authors published: 13,829 modules, 1.95 million values and 6.8
//! million edges, for which their thin link took 102 seconds on 16 cores and 2.27 GB.
//!
//! The programs are generated (see [`dev_graph`]). For the comparison their modules are real
//! bitcode, and every visible definition is a root, as neither thin link knows any host code. It is
//! made at that scale and with a thousand modules, as the ratio depends on the size. The
//! measurement of Weft alone has summaries only, as a thin link reads nothing else, with host code
//! that launches every kernel. Imports are decided as LLVM does, with its limits.
//!
//! A third program is dense: nearly every function can reach every other ([`Dense`]). For it both
//! thin links run with their defaults, Weft's with its own model of imports, so that the comparison
//! on the same bitcode is the one that users get.

use std::fmt::Write as _;
use std::fs;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};

use crate::figures::{median, number, print_metric, size};
use dev_builds::files_below;
use dev_checkout::executables;
use dev_graph::{Dense, Graph, Kind, Linkage, Module, Program, Shape, module_text};
use dev_process::{
    Error, Process, Result, remove,
    usage::{self, Usage},
    while_trying,
};
use dev_toolchain::{Scope, Toolchain};

/// Names of the parts that can be measured alone, in the order in which they are measured.
pub const PARTS: [&str; 4] = ["small", "dense", "scale", "large"];

/// Number of runs of each thin link. They take turns, as the speed of a machine changes with time,
/// and the median counts: of each figure, and of the ratio of two figures of one turn. With five
/// turns the median varied by a tenth from run to run, as the kernel's time for writing so many
/// files does.
const TURNS: usize = 9;

/// Number of runs where one run takes minutes.
const FEW_TURNS: usize = 3;

/// Number of modules of the small program.
const SMALL: usize = 1000;

/// Number of modules of the large program, which is also built at half and at double size.
const LARGE: usize = 13_829;

/// Number of modules of the program that is linked once, under strain.
const HUNDRED_THOUSAND: usize = 100_000;

/// Makes 141 definitions per module, as instances of templates bring further instances with them.
const SYMBOLS: usize = 126;

/// Makes 3.5 edges per value.
const DENSITY: usize = 315;

/// Shape of the dense program.
const DENSE: Dense = Dense { modules: 1000, functions: 200, calls: 8, seed: 1 };

/// Options that decide imports as LLVM does.
const KNOBS: [&str; 1] = ["--import-model=llvm"];

/// The same options for a program of which all host code is known.
const COMPLETE: [&str; 2] = ["--import-model=llvm", "--has-global-host-info"];

/// Places of tools and files.
struct Bench {
    thinlink: PathBuf,
    generate_index: PathBuf,
    lto2: PathBuf,
    opt: PathBuf,
    summarize: PathBuf,
    scratch: PathBuf,
}

/// Measures parts of the bench, by their names in [`PARTS`].
pub fn run(root: &Path, parts: &[&str]) -> Result<()> {
    let bench = Bench::new(root)?;
    for part in parts {
        match *part {
            "small" => bench.compare("small_", &graph(SMALL), &KNOBS, TURNS)?,
            "dense" => bench.compare("dense_", &DENSE, &[], TURNS)?,
            "scale" => bench.scale()?,
            _ => bench.compare("", &graph(LARGE), &KNOBS, FEW_TURNS)?,
        }
    }
    remove(&bench.scratch)
}

/// Measures one thin link of 100,000 modules, and the growth from half as many.
pub fn hundred_thousand(root: &Path) -> Result<()> {
    let bench = Bench::new(root)?;
    let runs = [bench.generated(HUNDRED_THOUSAND)?, bench.generated(HUNDRED_THOUSAND / 2)?];
    let [usages, half] = bench.by_turns(1, runs.each_ref())?;
    let (usage, half) = (middle(&usages), middle(&half));
    print_metric("strain.thinlink_100k_seconds", usage.seconds);
    print_metric("strain.thinlink_100k_cpu_seconds", usage.cpu_seconds);
    print_metric("strain.thinlink_100k_gib", usage.bytes / f64::from(1 << 30));
    print_metric("strain.thinlink_100k_growth", usage.cpu_seconds / half.cpu_seconds);
    print_metric("strain.thinlink_100k_memory_growth", usage.bytes / half.bytes);
    remove(&bench.scratch)
}

/// Returns the program with templates and tables that has `modules` modules.
fn graph(modules: usize) -> Graph {
    Graph::new(Shape { modules, symbols: SYMBOLS, density: DENSITY, seed: 1 })
}

impl Bench {
    fn new(root: &Path) -> Result<Self> {
        let toolchain = dev_toolchain::ensure(root, Scope::Builds)?;
        let folder = executables::build(root, &toolchain)?;
        Process::new("cargo")
            .args(["build", "--release", "--locked", "--package", "thinlink"])
            .args(["--example", "generate_index"])
            .variables(toolchain.environment())
            .directory(root)
            .run()?;
        let scratch = executables::target_folder(root)?.join("bench");
        remove(&scratch)?;
        fs::create_dir_all(&scratch).map_err(while_trying("create", &scratch))?;
        Ok(Self {
            thinlink: folder.join("thinlink"),
            summarize: folder.join("summarize"),
            generate_index: folder.join("examples/generate_index"),
            lto2: llvm(&toolchain, "llvm-lto2"),
            opt: llvm(&toolchain, "opt"),
            scratch,
        })
    }

    /// Runs both thin links on the same bitcode of a program.
    fn compare(
        &self,
        prefix: &str,
        program: &dyn Program,
        knobs: &[&str],
        turns: usize,
    ) -> Result<()> {
        let folder = self.scratch.join(format!("{prefix}bitcode"));
        fs::create_dir_all(&folder).map_err(while_trying("create", &folder))?;
        println!("making {} modules of bitcode", program.modules());
        let modules = self.make_modules(program, &folder)?;
        let lto2 = folder.join("lto2.rsp");
        fs::write(&lto2, resolutions(&modules)).map_err(while_trying("write", &lto2))?;
        let ours = folder.join("thinlink.rsp");
        let summaries: Vec<String> = modules.iter().map(|files| files.file("summary")).collect();
        fs::write(&ours, summaries.join("\n")).map_err(while_trying("write", &ours))?;

        let arguments = [
            "run".to_owned(),
            format!("@{}", lto2.display()),
            format!("-o={}", folder.join("unused").display()),
            "-thinlto-distributed-indexes".to_owned(),
        ];
        let theirs = Run { program: self.lto2.clone(), arguments: arguments.to_vec(), plans: None };
        let [theirs, ours] = self.by_turns(turns, [&theirs, &self.thin_link(knobs, &ours)])?;
        let metric = |name: &str, figure: fn(&Usage) -> f64| {
            let name = format!("thinlink.{prefix}{name}_ratio_vs_llvm");
            print_metric(&name, median_ratio(&theirs, &ours, figure));
        };
        metric("cpu", |usage| usage.cpu_seconds);
        metric("mem", |usage| usage.bytes);
        Ok(())
    }

    /// Makes the modules on all processors, and returns their files in order.
    fn make_modules(&self, program: &dyn Program, folder: &Path) -> Result<Vec<Files>> {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let next = AtomicUsize::new(0);
        let some = || {
            let numbers = iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
            let numbers = numbers.take_while(|&number| number < program.modules());
            let made =
                numbers.map(|number| Ok((number, self.make_module(program, number, folder)?)));
            made.collect::<Result<Vec<_>>>()
        };
        let parts: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(some)).collect();
            threads.into_iter().map(ScopedJoinHandle::join).collect()
        });
        let mut modules = Vec::new();
        for part in parts {
            modules.extend(part.map_err(|_| Error::new("a thread that makes modules panicked"))??);
        }
        modules.sort_unstable_by_key(|&(number, _)| number);
        Ok(modules.into_iter().map(|(_, files)| files).collect())
    }

    fn make_module(&self, program: &dyn Program, number: usize, folder: &Path) -> Result<Files> {
        let module = program.module(number);
        let files = Files { stem: folder.join(format!("m{number}")), module };
        let text = files.file("ll");
        fs::write(&text, module_text(&files.module, false))
            .map_err(while_trying("write", Path::new(&text)))?;
        Process::new(&self.opt)
            .args(["-module-summary", "-module-hash", &text, "-o", &files.file("bc")])
            .output(files.file("bc"))
            .quietly()
            .capture()?;
        remove(Path::new(&text))?;
        Process::new(&self.summarize)
            .args(["--module-id", &files.module.id, "-o", &files.file("summary")])
            .arg(files.file("bc"))
            .output(files.file("summary"))
            .quietly()
            .capture()?;
        Ok(files)
    }

    /// Runs the thin link at the large scale, at half and at double.
    fn scale(&self) -> Result<()> {
        let sizes = [LARGE / 2, LARGE, 2 * LARGE];
        let [half, large, double] = sizes.map(|modules| self.generated(modules));
        let runs = [half?, large?, double?];
        let [half, large, double] = self.by_turns(TURNS, runs.each_ref())?;
        let of_large = middle(&large);
        print_metric("thinlink.big_seconds", of_large.seconds);
        print_metric("thinlink.big_cpu_seconds", of_large.cpu_seconds);
        print_metric("thinlink.big_gib", of_large.bytes / f64::from(1 << 30));
        let growth =
            |more: &[Usage], less: &[Usage]| median_ratio(more, less, |usage| usage.cpu_seconds);
        print_metric("thinlink.growth", growth(&double, &large));
        print_metric("thinlink.growth_from_half", growth(&large, &half));
        // A program of twice the modules imports more than twice as much. The growth of the time is
        // to be compared with the growth of the outputs.
        let [half, large, double] = runs.each_ref().map(Run::output_bytes);
        let large = large?;
        print_metric("thinlink.growth_of_outputs", double? / large);
        print_metric("thinlink.growth_of_outputs_from_half", large / half?);
        Ok(())
    }

    /// Makes the summaries of a program, and returns its thin link.
    fn generated(&self, modules: usize) -> Result<Run> {
        let folder = self.scratch.join(format!("index{modules}"));
        let arguments = [folder.display().to_string()].into_iter();
        let numbers = [modules, SYMBOLS, DENSITY, 1].map(|number| number.to_string());
        Process::new(&self.generate_index).args(arguments.chain(numbers)).run()?;
        Ok(self.thin_link(&COMPLETE, &folder.join("all.rsp")))
    }

    fn thin_link(&self, knobs: &[&str], summaries: &Path) -> Run {
        let mut arguments: Vec<String> = knobs.iter().map(|&knob| knob.to_owned()).collect();
        arguments.push(format!("@{}", summaries.display()));
        // Each run writes all plans to a fresh folder, as plans that are up to date would be left
        // alone. No folder is removed before the end: ext4 avoids recently freed inodes, and after
        // tens of thousands the search for others takes longer than everything else.
        let plans = summaries.with_extension("plans").display().to_string();
        Run { program: self.thinlink.clone(), arguments, plans: Some(plans) }
    }

    /// Measures each run `turns` times, by turns.
    fn by_turns<const COUNT: usize>(
        &self,
        turns: usize,
        runs: [&Run; COUNT],
    ) -> Result<[Vec<Usage>; COUNT]> {
        let report = self.scratch.join("usage");
        let mut usages = [const { Vec::new() }; COUNT];
        for turn in 0..turns {
            for (run, usages) in runs.iter().zip(&mut usages) {
                let output_dir =
                    run.output_dir(turn).map(|folder| format!("--output-dir={folder}"));
                let arguments: Vec<String> =
                    run.arguments.iter().cloned().chain(output_dir).collect();
                usages.push(usage::measure(&run.program, &arguments, &report)?);
            }
        }
        for (run, usages) in runs.iter().zip(&usages) {
            let usage = middle(usages);
            println!(
                "{:12} {:7.2} s of processor time, {:7.2} s, {:7.1} MB",
                run.program.file_name().unwrap_or_default().display(),
                usage.cpu_seconds,
                usage.seconds,
                usage.bytes / 1e6
            );
        }
        Ok(usages)
    }
}

/// A command to measure.
struct Run {
    program: PathBuf,
    arguments: Vec<String>,
    /// Path of the folders for plans without the number of the turn; `None` if none are written.
    plans: Option<String>,
}

impl Run {
    /// Returns the folder for the plans of a turn, if there are any.
    fn output_dir(&self, turn: usize) -> Option<String> {
        self.plans.as_ref().map(|plans| format!("{plans}{turn}"))
    }

    /// Returns the number of bytes that the first turn wrote.
    fn output_bytes(&self) -> Result<f64> {
        let Some(folder) = self.output_dir(0) else { return Ok(0.0) };
        let files = files_below(Path::new(&folder))?;
        Ok(number(files.iter().map(|file| size(file)).sum::<Result<u64>>()?))
    }
}

/// Returns the median of each figure by itself.
fn middle(usages: &[Usage]) -> Usage {
    Usage {
        cpu_seconds: median(usages.iter().map(|usage| usage.cpu_seconds)),
        seconds: median(usages.iter().map(|usage| usage.seconds)),
        bytes: median(usages.iter().map(|usage| usage.bytes)),
    }
}

/// Returns the median over all turns of the ratio of one command's figure to the other's.
fn median_ratio(of: &[Usage], to: &[Usage], figure: impl Fn(&Usage) -> f64) -> f64 {
    median(of.iter().zip(to).map(|(of, to)| figure(of) / figure(to)))
}

/// A generated module and its files.
struct Files {
    stem: PathBuf,
    module: Module,
}

impl Files {
    fn file(&self, ending: &str) -> String {
        format!("{}.{ending}", self.stem.display())
    }
}

fn llvm(toolchain: &Toolchain, name: &str) -> PathBuf {
    toolchain.llvm_prefix.join("bin").join(name)
}

/// Renders the response file of `llvm-lto2`: each module with the linker's resolution of its
/// visible symbols. The first definition prevails, and all prevailing definitions are needed from
/// outside.
fn resolutions(modules: &[Files]) -> String {
    let mut text = String::new();
    let mut defined = std::collections::BTreeSet::new();
    for files in modules {
        let bitcode = files.file("bc");
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{bitcode}");
        for symbol in &files.module.symbols {
            let flags = match &symbol.kind {
                Kind::Function(function) if function.linkage == Linkage::Internal => continue,
                Kind::Function(_) | Kind::Table if defined.insert(&symbol.name) => "px",
                Kind::Function(_) | Kind::Table | Kind::Declaration => "",
            };
            let _ = writeln!(text, "-r={bitcode},{},{flags}", symbol.name);
        }
    }
    text
}
