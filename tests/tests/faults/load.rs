//! Many jobs use one cache at once: each gets the right result, none is disturbed, and the cache is
//! sound afterwards.
//!
//! `WEFT_LOAD_JOBS` and `WEFT_LOAD_PROCESSES` set the numbers; `cargo xtask load` sets both.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use dev_process::Stopwatch;
use weft_tests::killed::{COUNT, Variant, write_units};
use weft_tests::{Run, Workbench, setting, tools};

/// Levels of optimization, each of which makes other results.
const LEVELS: usize = 4;

/// Returns a bench with the units of the first state, their plans and their bitcode.
fn planned() -> Workbench {
    let bench = Workbench::new();
    write_units(&bench);
    let folder = Variant::First.name();
    for unit in 0..COUNT {
        let stem = format!("{folder}/u{unit}");
        let outputs = [format!("{stem}.summary"), format!("{stem}.bc")];
        let run = bench.weft("summarize").args(["--module-id", &format!("u{unit}")]);
        run.args(["-o", &outputs[0], &outputs[1]]).succeed();
    }
    let summaries = (0..COUNT).map(|unit| format!("{folder}/u{unit}.summary"));
    bench.weft("thinlink").args(["-o", "plans"]).args(summaries).succeed();
    let line = |unit| format!("u{unit}\t{folder}/u{unit}.bc\n");
    bench.write("units", (0..COUNT).map(line).collect::<String>());
    bench
}

/// Returns the job that takes a unit at a level through all phases. GNU time writes the memory of
/// its largest process beside the output.
fn job(bench: &Workbench, unit: usize, level: usize, output: &str) -> Run {
    let folder = Variant::First.name();
    Run::new("/usr/bin/time", bench.path())
        .args(["--format=%M", "--output", &memory_of(output)])
        .arg(tools().weft("backend-job"))
        .args(["run", "--module-map", "units", "-o", output])
        .args(["--plan", &format!("plans/u{unit}.plan")])
        .args(["--module", &format!("{folder}/u{unit}.bc"), &format!("-O{level}"), "--ptxas"])
        .arg(tools().cuda("ptxas"))
}

/// Returns the name of the file with the kilobytes that the job of an output had in memory.
fn memory_of(output: &str) -> String {
    format!("{output}.kilobytes")
}

#[test]
fn jobs_of_many_processes_share_a_cache() {
    let (jobs, processes) = (setting("WEFT_LOAD_JOBS", 80), setting("WEFT_LOAD_PROCESSES", 16));
    let jobs = usize::try_from(jobs).unwrap();
    let bench = planned();
    let next = AtomicUsize::new(0);
    let stopwatch = Stopwatch::start();
    // Jobs that follow each other often do the same, so some find a result that is just being kept.
    let of = |number: usize| (number / 3 % COUNT, number / 3 / COUNT % LEVELS);
    std::thread::scope(|scope| {
        for process in 0..processes {
            let (bench, next) = (&bench, &next);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= jobs {
                        break;
                    }
                    let (unit, level) = of(number);
                    let outcome = job(bench, unit, level, &format!("{number}.cubin"))
                        .variable("WEFT_CACHE", "all")
                        .variable("WEFT_CACHE_DIR", bench.file("cache"))
                        .succeed();
                    assert_eq!(outcome.stderr, "", "process {process}, job {number}");
                }
            });
        }
    });
    let seconds = stopwatch.seconds();
    let mut expected = BTreeMap::new();
    let mut wrong = 0;
    for number in 0..jobs {
        let (unit, level) = of(number);
        let cubin = expected.entry((unit, level)).or_insert_with(|| {
            job(&bench, unit, level, "expected.cubin").succeed();
            bench.read("expected.cubin")
        });
        wrong += usize::from(bench.read(&format!("{number}.cubin")) != *cubin);
    }
    println!("metric strain.load_jobs {jobs}");
    println!("metric strain.load_seconds {seconds:.1}");
    println!("metric strain.load_wrong {wrong}");
    let kilobytes = |number| -> u32 {
        let text = bench.read(&memory_of(&format!("{number}.cubin")));
        String::from_utf8_lossy(&text).trim().parse().unwrap()
    };
    let largest =
        |numbers: std::ops::Range<usize>| f64::from(numbers.map(kilobytes).max().unwrap());
    // A cache with the results of all earlier jobs must not make a job larger.
    let growth = largest(jobs - jobs.div_ceil(4)..jobs) / largest(0..jobs.div_ceil(4));
    println!("metric strain.load_job_gib {:.3}", largest(0..jobs) / f64::from(1 << 20));
    println!("metric strain.load_job_growth {growth:.2}");
    assert_eq!(wrong, 0);
    let look_after = |request: &str| {
        let run = bench.weft("weft").args(["cache", request, "--cache-dir=cache"]);
        run.succeed().stdout
    };
    let verified = look_after("verify");
    assert!(verified.contains(" are sound, 0 were damaged"), "{verified}");
    // Every job is counted once for each of its phases, as a hit or as a miss.
    let stats = look_after("stats");
    for phase in ["import", "codegen", "assemble"] {
        let row = stats.lines().find(|line| line.trim_start().starts_with(phase));
        let numbers = row.unwrap_or_default().split_whitespace().skip(1).take(2);
        let sum: usize = numbers.map(|number| number.parse::<usize>().unwrap()).sum();
        assert_eq!(sum, jobs, "{stats}");
    }
}
