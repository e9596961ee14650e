//! A ptxas that fails, hangs, is killed or writes no cubin: the job ends with an exit code and a
//! message that names the kernel if it can be known, and leaves no output file.

use dev_process::Stopwatch;
use weft_tests::{Outcome, Run, Workbench, chain, tools};

const TOOL: i32 = 5;

/// Returns PTX with one kernel, whose body is `body`.
fn ptx(body: &str) -> String {
    format!(
        ".version 8.8\n.target sm_90\n.address_size 64\n\
         .visible .entry only(.param .u64 only_param_0)\n{{\n{body}\nret;\n}}\n"
    )
}

/// Assembles `ptx` with the shell script `script` as ptxas. The job must fail and leave no file.
fn with_script(script: &str, ptx: &str, options: &[&str]) -> Outcome {
    let bench = Workbench::new();
    bench.write("k.ptx", ptx);
    bench.write_script("ptxas", script);
    let outcome = bench
        .weft("backend-job")
        .args(["assemble", "--ptxas", "./ptxas", "k.ptx", "-o", "k.cubin"])
        .args(options.iter().copied())
        .expect(TOOL);
    assert!(!bench.file("k.cubin").exists());
    outcome
}

#[test]
fn a_hanging_ptxas_is_ended() {
    let outcome = with_script("sleep 600", &ptx(""), &["--timeout", "1"]);
    outcome.says(&["in 'only': ", "did not end within 1 s and was killed"]);
}

/// All phases of a unit of the small program, with a ptxas of that name in the folder.
fn all_phases(bench: &Workbench) -> Run {
    let run = bench.weft("backend-job").args(["run", "--plan", "plans/a.plan", "--no-cache"]);
    let run = run.args(["--module", "a.bc", "--import=b=b.bc", "--import=c=c.bc"]);
    run.args(["--ptxas", "./ptxas", "-o", "a.cubin"])
}

#[test]
fn all_runs_of_a_hanging_ptxas_share_the_limit() {
    let bench = chain::imported();
    bench.write_script("ptxas", "exec sleep 600");
    let stopwatch = Stopwatch::start();
    let says = ["did not end within 3 s and was killed"];
    all_phases(&bench).args(["--timeout", "3"]).expect(TOOL).says(&says);
    // The first question to ptxas alone had a limit of 20 seconds.
    assert!(stopwatch.seconds() < 20.0, "it took {stopwatch}");
    // A question that takes most of the time leaves the rest to the assembly.
    let real = tools().cuda("ptxas");
    let script = format!("sleep 4; exec {} \"$@\"", real.display());
    bench.write_script("ptxas", &script);
    let says = ["did not end within 5 s and was killed"];
    all_phases(&bench).args(["--timeout", "5"]).expect(TOOL).says(&says);
    all_phases(&bench).args(["--timeout", "600"]).succeed();
}

#[test]
fn an_empty_temporary_folder_counts_as_none() {
    let bench = chain::imported();
    let script = format!("exec {} \"$@\"", tools().cuda("ptxas").display());
    bench.write_script("ptxas", &script);
    all_phases(&bench).variable("TMPDIR", "").succeed();
    // The file of decisions goes through a temporary file where its place is no file.
    let units = ["a.summary", "b.summary", "c.summary"];
    let link = bench.weft("thinlink").variable("TMPDIR", "").args(["-o", "other"]);
    link.args(units).succeed();
    let from = |folder: &str| bench.read(&format!("{folder}/decisions.weft"));
    std::fs::remove_file(bench.file("other/decisions.weft")).unwrap();
    std::os::unix::fs::symlink("/dev/null", bench.file("other/decisions.weft")).unwrap();
    let link = bench.weft("thinlink").variable("TMPDIR", "").args(["-o", "other"]);
    link.args(units).succeed();
    assert!(!from("plans").is_empty() && from("other").is_empty());
}

#[test]
fn a_killed_ptxas() {
    let outcome = with_script("kill -9 $$", &ptx(""), &[]);
    outcome.says(&["in 'only': ", "signal: 9"]);
    let two = format!("{}{}", ptx(""), ".visible .entry other()\n{\nret;\n}\n");
    assert!(!with_script("kill -9 $$", &two, &[]).stderr.contains("in '"));
}

#[test]
fn a_ptxas_without_memory() {
    // The real ptxas does not get the memory that it needs to start.
    let ptxas = tools().cuda("ptxas");
    let script = format!("ulimit -v 30000; exec {} \"$@\"", ptxas.display());
    with_script(&script, &ptx(""), &[]).says(&["failed with"]);
}

#[test]
fn a_ptxas_that_writes_something_else() {
    let script =
        "for it in \"$@\"; do [ \"$last\" = --output-file ] && echo no > \"$it\"; last=$it; done";
    with_script(script, &ptx(""), &[]).says(&["wrote something else than a cubin"]);
}

#[test]
fn a_ptxas_that_writes_and_fails() {
    let script =
        "for it in \"$@\"; do [ \"$last\" = --output-file ] && echo no > \"$it\"; last=$it; done
        echo \"ptxas error   : Entry function 'deep' uses too much stack\" >&2; exit 1";
    with_script(script, &ptx(""), &[]).says(&["in 'deep': ", "uses too much stack"]);
}

#[test]
fn ptx_with_an_error_names_its_function() {
    let bench = Workbench::new();
    bench.write("k.ptx", ptx("call nowhere;"));
    bench.assemble("k").expect(TOOL).says(&["in 'only': ", "Unknown symbol 'nowhere'"]);
    assert!(!bench.file("k.cubin").exists());
}

#[test]
fn an_old_output_stays_when_ptxas_fails() {
    let bench = Workbench::new();
    bench.write("k.ptx", ptx("call nowhere;"));
    bench.write("k.cubin", "old");
    bench.assemble("k").expect(TOOL);
    assert_eq!(bench.read("k.cubin"), b"old");
}
