//! The thin link beside LLVM's on the same modules with the same knobs, and at the scale of the
//! largest program that LLVM's authors published: 13,829 modules, 1.95 million values, 6.8 million
//! edges, which took theirs 102 seconds on 16 cores and 2.27 GB.
//!
//! The programs are generated ([`dev_graph`] says how). For the comparison their modules are real
//! bitcode, and every visible definition is a root, as neither thin link knows any host code. It is made
//! at that scale and with a thousand modules, as the ratio depends on the size. What is measured of
//! Weft alone has summaries only, as a thin link reads nothing else, with host code that launches every
//! kernel. The import is LLVM's, with its limits.
//!
//! A third program is dense: nearly everything can reach everything ([`Dense`]). There both thin links run as
//! they do when nobody chooses anything, Weft's with its own model of imports: what is compared is what users
//! get, on the same bitcode.

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

/// How often each thin link runs. They take turns, as a machine is faster at one time than at another, and
/// the median counts: of each figure, and of what the figures of one turn are to each other. With five
/// turns that varied by a tenth from run to run, as the kernel's part in writing so many files does.
const TURNS: usize = 9;

/// As [`TURNS`], where one takes minutes.
const FEW_TURNS: usize = 3;

/// The modules of the small program.
const SMALL: usize = 1000;

/// The large program has that many modules, and those of half of it and of the double.
const LARGE: usize = 13_829;

/// Makes 141 definitions per module, as instances of templates bring others with them.
const SYMBOLS: usize = 126;

/// Makes 3.5 edges per value.
const DENSITY: usize = 315;

/// The dense program.
const DENSE: Dense = Dense { modules: 1000, functions: 200, calls: 8, seed: 1 };

/// Decide as LLVM does.
const KNOBS: [&str; 1] = ["--import-model=llvm"];

/// The same, where all host code is known.
const COMPLETE: [&str; 2] = ["--import-model=llvm", "--has-global-host-info"];

/// Where things are.
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

/// The program with templates and tables, of so many modules.
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

    /// Both thin links on the same bitcode of a program.
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
        let summaries: Vec<String> = modules.iter().map(|it| it.file("summary")).collect();
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
        metric("cpu", |it| it.cpu_seconds);
        metric("mem", |it| it.bytes);
        Ok(())
    }

    /// The modules in order. Each thread makes one after another.
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

    /// The thin link at the large scale, at half and at double.
    fn scale(&self) -> Result<()> {
        let [half, large, double] = [LARGE / 2, LARGE, 2 * LARGE].map(|modules| {
            let folder = self.scratch.join(format!("index{modules}"));
            let arguments = [folder.display().to_string()].into_iter();
            let numbers = [modules, SYMBOLS, DENSITY, 1].map(|it| it.to_string());
            Process::new(&self.generate_index).args(arguments.chain(numbers)).run()?;
            Ok(self.thin_link(&COMPLETE, &folder.join("all.rsp")))
        });
        let runs = [half?, large?, double?];
        let [half, large, double] = self.by_turns(TURNS, runs.each_ref())?;
        let of_large = middle(&large);
        print_metric("thinlink.big_seconds", of_large.seconds);
        print_metric("thinlink.big_cpu_seconds", of_large.cpu_seconds);
        print_metric("thinlink.big_gib", of_large.bytes / f64::from(1 << 30));
        let growth = |more: &[Usage], less: &[Usage]| median_ratio(more, less, |it| it.cpu_seconds);
        print_metric("thinlink.growth", growth(&double, &large));
        print_metric("thinlink.growth_from_half", growth(&large, &half));
        // A program of twice the modules imports more than twice as much. This is how much more there is
        // to write, so what the time can be compared with.
        let [half, large, double] = runs.each_ref().map(Run::output_bytes);
        let large = large?;
        print_metric("thinlink.growth_of_outputs", double? / large);
        print_metric("thinlink.growth_of_outputs_from_half", large / half?);
        Ok(())
    }

    fn thin_link(&self, knobs: &[&str], summaries: &Path) -> Run {
        let mut arguments: Vec<String> = knobs.iter().map(|&it| it.to_owned()).collect();
        arguments.push(format!("@{}", summaries.display()));
        // Each run writes all plans: one that finds them as they should be would leave them alone. None
        // is removed before the end: ext4 looks for inodes that were not freed of late, and after tens
        // of thousands that takes longer than all else.
        let plans = summaries.with_extension("plans").display().to_string();
        Run { program: self.thinlink.clone(), arguments, plans: Some(plans) }
    }

    /// What the runs took in so many turns.
    fn by_turns<const COUNT: usize>(
        &self,
        turns: usize,
        runs: [&Run; COUNT],
    ) -> Result<[Vec<Usage>; COUNT]> {
        let report = self.scratch.join("usage");
        let mut usages = [const { Vec::new() }; COUNT];
        for turn in 0..turns {
            for (run, usages) in runs.iter().zip(&mut usages) {
                let output_dir = run.output_dir(turn).map(|it| format!("--output-dir={it}"));
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

/// A program to measure.
struct Run {
    program: PathBuf,
    arguments: Vec<String>,
    /// Where it writes plans, if it does: the folder's path up to the number of the turn.
    plans: Option<String>,
}

impl Run {
    /// Where it writes plans in a turn, if it does.
    fn output_dir(&self, turn: usize) -> Option<String> {
        self.plans.as_ref().map(|it| format!("{it}{turn}"))
    }

    /// The bytes of all that it wrote in its first turn.
    fn output_bytes(&self) -> Result<f64> {
        let Some(folder) = self.output_dir(0) else { return Ok(0.0) };
        let files = files_below(Path::new(&folder))?;
        Ok(number(files.iter().map(|file| size(file)).sum::<Result<u64>>()?))
    }
}

/// The median of each figure for itself.
fn middle(usages: &[Usage]) -> Usage {
    Usage {
        cpu_seconds: median(usages.iter().map(|it| it.cpu_seconds)),
        seconds: median(usages.iter().map(|it| it.seconds)),
        bytes: median(usages.iter().map(|it| it.bytes)),
    }
}

/// The median over all turns of a figure of one program through that of the other.
fn median_ratio(of: &[Usage], to: &[Usage], figure: impl Fn(&Usage) -> f64) -> f64 {
    median(of.iter().zip(to).map(|(of, to)| figure(of) / figure(to)))
}

/// A generated module and where its files are.
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

/// The response file of `llvm-lto2`: each module with what the linker knows of its visible symbols.
/// The first copy prevails, and all that prevails is needed from outside.
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
