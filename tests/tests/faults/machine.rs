//! Faults of the machine around a build: a full disk, folders that cannot be written or vanish,
//! other builds in the same folder, clocks that jump, and processes that are suspended.

use std::fs::File;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use weft_tests::chain::{NAMES, built};
use weft_tests::{Outcome, Run, Workbench, tools};

/// Outputs of the steps.
const OUTPUTS: [&str; 5] = ["a.summary", "plans/a.plan", "a.linked.bc", "a.ptx", "a.cubin"];
/// Maximum time in seconds of a step that meets a fault. Steps without one take far less.
const PATIENCE: &str = "60";

/// Returns the lines of a shell script that run each step and print its exit code. The outputs are
/// written below `folder`, and their inputs are those of the bench.
fn steps(folder: &str) -> String {
    let weft = |name: &str| tools().weft(name).display().to_string();
    let (summarize, thinlink, job) = (weft("summarize"), weft("thinlink"), weft("backend-job"));
    let ptxas = tools().cuda("ptxas").display().to_string();
    let summaries = NAMES.map(|name| format!("{name}.summary")).join(" ");
    let imports = "--import b=b.bc --import c=c.bc";
    [
        format!("{summarize} --module-id a -o {folder}/a.summary a.o"),
        format!("{thinlink} --has-global-host-info -o {folder}/plans {summaries}"),
        format!("{job} import --plan plans/a.plan --module a.bc {imports} -o {folder}/a.linked.bc"),
        format!("{job} codegen a.linked.bc -o {folder}/a.ptx"),
        format!("{job} assemble --ptxas {ptxas} a.ptx -o {folder}/a.cubin"),
    ]
    .map(|step| format!("timeout {PATIENCE} {step}; printf '%s ' $?\n"))
    .concat()
}

/// Runs a script with options of bubblewrap, which gives it private file systems.
fn confined(bench: &Workbench, options: &[&str], script: &str) -> Outcome {
    let run = Run::new("bwrap", bench.path()).args(["--dev-bind", "/", "/"]);
    run.args(options.iter().copied()).args(["sh", "-c", script]).outcome()
}

/// Fails unless `folder` of the bench holds what the undisturbed steps wrote.
fn assert_same(bench: &Workbench, folder: &str) {
    for output in OUTPUTS {
        let path = format!("{folder}/{output}");
        assert!(bench.read(&path) == bench.read(output), "{path} differs");
    }
}

#[test]
fn steps_on_a_full_disk_fail_and_succeed_when_there_is_room() {
    let bench = built();
    std::fs::create_dir(bench.file("full")).unwrap();
    let full = bench.file("full").display().to_string();
    let options = ["--size", "65536", "--tmpfs", &full];
    let script = format!(
        "cat /dev/zero > full/rest 2> /dev/null\n{}find full -type f\nrm full/rest\n{}\
         cp -r full copied\n",
        steps("full"),
        steps("full")
    );
    let outcome = confined(&bench, &options, &script);
    assert_eq!(outcome.stdout, "4 4 4 4 4 full/rest\n0 0 0 0 0 ", "{}", outcome.stderr);
    assert_eq!(outcome.stderr.matches("No space left on device").count(), 5, "{}", outcome.stderr);
    outcome.says(&["full/a.summary", "full/a.linked.bc", "full/a.ptx", "full/a.cubin"]);
    assert_same(&bench, "copied");
}

#[test]
fn steps_in_a_folder_that_cannot_be_written_fail_unless_nothing_would_change() {
    let bench = built();
    for folder in ["empty", "current"] {
        std::fs::create_dir_all(bench.file(folder).join("plans")).unwrap();
    }
    let before = confined(&bench, &[], &steps("current"));
    assert_eq!(before.stdout, "0 0 0 0 0 ", "{}", before.stderr);
    for (folder, codes) in [("empty", "4 4 4 4 4 "), ("current", "0 4 0 0 0 ")] {
        let path = bench.file(folder).display().to_string();
        let outcome = confined(&bench, &["--ro-bind", &path, &path], &steps(folder));
        assert_eq!(outcome.stdout, codes, "{folder}: {}", outcome.stderr);
        let failures = codes.matches('4').count();
        let message = "Read-only file system";
        assert_eq!(outcome.stderr.matches(message).count(), failures, "{}", outcome.stderr);
    }
    assert_same(&bench, "current");
    assert_eq!(
        dev_builds::files_below(&bench.file("empty")).unwrap(),
        Vec::<std::path::PathBuf>::new()
    );
}

/// Returns the command that takes module `a` through all phases, with the cache `cache`.
fn job(bench: &Workbench, output: &str) -> Run {
    let run = Run::new("timeout", bench.path()).arg(PATIENCE).arg(tools().weft("backend-job"));
    run.args(["run", "--plan", "plans/a.plan", "--module", "a.bc", "-o", output])
        .args(["--import", "b=b.bc", "--import", "c=c.bc", "--ptxas"])
        .arg(tools().cuda("ptxas"))
        .variable("WEFT_CACHE", "all")
        .variable("WEFT_CACHE_DIR", bench.file("cache"))
}

#[test]
fn a_cache_that_vanishes_meanwhile_fails_nothing() {
    let bench = built();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let remover = scope.spawn(|| {
            let mut removed = 0;
            while !is_over.load(Ordering::Relaxed) {
                if std::fs::remove_dir_all(bench.file("cache")).is_ok() {
                    removed += 1;
                }
            }
            removed
        });
        for number in 0..15 {
            let output = format!("{number}.cubin");
            job(&bench, &output).succeed();
            assert!(bench.read(&output) == bench.read("a.cubin"), "{output} differs");
        }
        is_over.store(true, Ordering::Relaxed);
        assert!(remover.join().unwrap() > 0);
    });
}

/// Sets the time of every file below `folder`.
fn set_times(folder: &Path, time: SystemTime) {
    for path in dev_builds::files_below(folder).unwrap() {
        File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
    }
}

/// Times of files are in the future or long ago if the clock was wrong when they were written, or
/// is wrong now. No step asks for the time of an input or an output.
#[test]
fn times_of_files_change_nothing() {
    let bench = built();
    let (past, future) =
        (SystemTime::UNIX_EPOCH, SystemTime::UNIX_EPOCH + Duration::from_hours(1_000_000));
    let mut contents = Vec::new();
    job(&bench, "first.cubin").succeed();
    for time in [past, future] {
        set_times(bench.path(), time);
        let outcome = job(&bench, "found.cubin").arg("--stats").succeed();
        outcome.says(&["codegen          1       0", "assemble         1       0"]);
        let fresh = confined(&bench, &[], &format!("mkdir -p fresh\n{}", steps("fresh")));
        assert_eq!(fresh.stdout, "0 0 0 0 0 ", "{}", fresh.stderr);
        assert_same(&bench, "fresh");
        set_times(&bench.file("cache"), time);
        for request in ["verify", "gc", "stats"] {
            let run = bench.weft("weft").args(["cache", request, "--cache-dir=cache"]);
            contents.push(run.succeed().stdout);
        }
        // The least recently used result is dropped first, even if the clock was wrong.
        let small = ["cache", "gc", "--cache-size=1B", "--cache-dir=cache"];
        assert!(bench.weft("weft").args(small).succeed().stdout.contains(", 0 results are left"));
        job(&bench, "again.cubin").succeed();
        for cubin in ["first.cubin", "found.cubin", "again.cubin"] {
            assert!(bench.read(cubin) == bench.read("a.cubin"), "{cubin} differs");
        }
    }
    assert!(contents[0].contains("are sound, 0 were damaged"), "{contents:?}");
}

/// The owner of a lock may be suspended for as long as it likes.
#[test]
fn no_job_waits_for_a_process_that_holds_a_lock() {
    let bench = built();
    job(&bench, "first.cubin").succeed();
    for name in ["size", "lock", "stats.lock"] {
        let path = bench.file("cache/v1").join(name);
        // The lock is on the open file, so a shell that inherits it owns it, too.
        let script = format!(
            "exec 9<>{0}; flock 9; touch {1}; kill -STOP $$",
            path.display(),
            bench.file("held").display()
        );
        let owner = weft_tests::Background::start(
            Path::new("/bin/sh"),
            &["-c".to_owned(), script],
            None,
            &bench.file("owner.log"),
        );
        let is_held = |_| {
            std::thread::sleep(Duration::from_millis(10));
            bench.file("held").exists()
        };
        assert!((0..1000).any(is_held), "{name}: {}", owner.log());
        // Another level makes another result, which has to be kept and counted.
        let outcome =
            job(&bench, "held.cubin").arg(format!("--Xptxas=-O{}", name.len() % 4)).succeed();
        if name == "size" {
            outcome.says(&["warning: cannot write the cache", "has held its lock"]);
        }
        weft_tests::killed::send("CONT", &[-i64::from(owner.id())]);
        drop(owner);
        bench.remove("held");
        // Nothing is held against the cache later.
        let outcome = job(&bench, "later.cubin").arg("--stats").succeed();
        outcome.says(&["assemble         1       0"]);
        assert!(!outcome.stderr.contains("warning"), "{name}: {}", outcome.stderr);
    }
}

/// Several builds write the same outputs at once, with one cache.
#[test]
fn builds_in_one_folder_at_once_end_with_the_same_files() {
    let bench = built();
    std::fs::create_dir(bench.file("both")).unwrap();
    std::thread::scope(|scope| {
        let builds: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| confined(&bench, &[], &steps("both").repeat(2))))
            .collect();
        for build in builds {
            let outcome = build.join().unwrap();
            assert_eq!(outcome.stdout, "0 0 0 0 0 ".repeat(2), "{}", outcome.stderr);
        }
    });
    assert_same(&bench, "both");
    let files = dev_builds::files_below(&bench.file("both")).unwrap();
    let is_temporary = |path: &&std::path::PathBuf| {
        path.file_name().unwrap().as_encoded_bytes().starts_with(b".weft-")
    };
    assert_eq!(files.iter().find(is_temporary), None);
}
