//! Builds whose files lie on a network file system: slow, seen late by other machines, with
//! operations that fail now and then, locks that are not honored, and content that is lost.
//!
//! A library ([files.c](files.c)) that Weft's executables load changes their calls. `WEFT_SEED`
//! sets the first seed and `WEFT_NETWORK_BUILDS` the number of builds.

use std::sync::atomic::{AtomicUsize, Ordering};

use weft_tests::chain::{NAMES, built};
use weft_tests::{Run, Workbench, setting, tools};

/// Processes that build at once.
const PROCESSES: usize = 4;
/// Exit codes of a step that meets a fault: it did no harm, an input has wrong content, or the
/// environment fails.
const CODES: [i32; 3] = [0, 3, 4];

/// Faults of the file system, which variables tell the library.
#[derive(Clone, Copy, Debug)]
struct Faults {
    /// One of so many operations fails.
    rate: u64,
    /// The content of one of so many files is lost; zero means none.
    lost: u64,
}

/// Returns a bench with the chain after all steps, and the library.
fn bench() -> Workbench {
    let bench = built();
    bench.write("files.c", include_str!("files.c"));
    let options = ["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "files.c", "-o", "files.so"];
    bench.llvm("clang").args(options).succeed();
    bench
}

/// Returns the steps that build `a` into `folder`, each with its output. The last one takes the
/// module through all phases, with the shared cache.
fn steps(bench: &Workbench, folder: &str) -> Vec<(Run, &'static str)> {
    let to = |output: &str| format!("{folder}/{output}");
    let imports = ["--import", "b=b.bc", "--import", "c=c.bc"];
    let job = |words: &[&str]| bench.weft("backend-job").args(words.iter().copied());
    let ptxas = tools().cuda("ptxas");
    let summarize = bench.weft("summarize").args(["--module-id", "a", "-o", &to("a.summary")]);
    let summaries = NAMES.map(|name| format!("{name}.summary"));
    let thinlink = bench.weft("thinlink").args(["--has-global-host-info", "-o", &to("plans")]);
    let run = job(&["run", "--plan", "plans/a.plan", "--module", "a.bc"]).args(imports);
    vec![
        (summarize.arg("a.o"), "a.summary"),
        (thinlink.args(summaries), "plans/a.plan"),
        (
            job(&["import", "--plan", "plans/a.plan", "--module", "a.bc"])
                .args(imports)
                .args(["-o", &to("a.linked.bc")]),
            "a.linked.bc",
        ),
        (job(&["codegen", "a.linked.bc", "-o", &to("a.ptx")]), "a.ptx"),
        (
            run.arg("--ptxas")
                .arg(ptxas)
                .args(["-o", &to("a.cubin")])
                .variable("WEFT_CACHE", "all")
                .variable("WEFT_CACHE_DIR", bench.file("cache")),
            "a.cubin",
        ),
    ]
}

/// Runs the steps in some folders at once, and returns what is wrong with them, and the number of
/// steps that failed.
fn build(bench: &Workbench, faults: Faults, seed: u64, builds: usize) -> (Vec<String>, usize) {
    let (next, failed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let wrong = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..PROCESSES {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= builds {
                        break;
                    }
                    // Two builds write to each folder.
                    let folder = format!("out{}", number / 2);
                    for (position, (step, output)) in steps(bench, &folder).into_iter().enumerate()
                    {
                        let seed = seed + (number * 5 + position) as u64;
                        let outcome = step
                            .variable("LD_PRELOAD", bench.file("files.so"))
                            .variable("WEFT_TEST_FOLDER", bench.path())
                            .variable("WEFT_TEST_SEED", seed.to_string())
                            .variable("WEFT_TEST_RATE", faults.rate.to_string())
                            .variable("WEFT_TEST_LOST", faults.lost.to_string())
                            .outcome();
                        let is_known = outcome.code.is_some_and(|code| CODES.contains(&code));
                        let is_silent = outcome.code != Some(0) && outcome.stderr.is_empty();
                        if !is_known || is_silent {
                            wrong.lock().unwrap().push(format!("seed {seed}: {outcome:?}"));
                        }
                        if outcome.code != Some(0) {
                            failed.fetch_add(1, Ordering::Relaxed);
                        } else if std::fs::read(bench.file(&format!("{folder}/{output}"))).ok()
                            != Some(bench.read(output))
                        {
                            let what = format!("seed {seed}: exit 0, and {output} is wrong");
                            wrong.lock().unwrap().push(what);
                        }
                    }
                }
            });
        }
    });
    (wrong.into_inner().unwrap(), failed.into_inner())
}

/// Builds under faults, then without, and fails if a build under faults has wrong output, or if the
/// outputs of the one without are not exactly the right ones.
fn check(faults: Faults, name: &str) {
    let (seed, builds) = (setting("WEFT_SEED", 1), setting("WEFT_NETWORK_BUILDS", 12));
    let builds = usize::try_from(builds).unwrap();
    let bench = bench();
    let (mut wrong, failed) = build(&bench, faults, seed, builds);
    println!("metric strain.network_{name}_steps {}", builds * 5);
    println!("metric strain.network_{name}_failed {failed}");
    for number in 0..builds.div_ceil(2) {
        let folder = format!("out{number}");
        for (step, output) in steps(&bench, &folder) {
            step.succeed();
            let path = format!("{folder}/{output}");
            if bench.read(&path) != bench.read(output) {
                wrong.push(format!("{path} is wrong at the end"));
            }
        }
        let files = dev_builds::files_below(&bench.file(&folder)).unwrap();
        let left = files.iter().filter(|path| {
            path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".weft-"))
        });
        wrong.extend(left.map(|path| format!("{} is left", path.display())));
    }
    println!("metric strain.network_{name}_wrong {}", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(failed > 0, "no fault was met");
}

#[test]
fn steps_on_a_slow_file_system_that_fails_now_and_then_are_right_or_say_so() {
    check(Faults { rate: 60, lost: 0 }, "faults");
}

/// A network file system may buffer content in memory and fail to store it. Only the call that
/// closes the file reports this.
#[test]
fn content_that_is_lost_when_a_file_is_closed_is_noticed() {
    check(Faults { rate: 0, lost: 3 }, "lost");
}
