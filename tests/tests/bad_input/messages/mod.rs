//! Mistakes with the message that each gets, by the part of a build that they are in.
//! `docs/errors.md` names these tests.

mod artifacts;
mod containers;
mod environment;
mod linked_programs;
mod modules;
mod options;
mod overwriting;

use weft_tests::{Run, Workbench};

/// Exit code for a wrong command line.
const USAGE: i32 = 2;
/// Exit code for a wrong input.
const INPUT: i32 = 3;
/// Exit code for a file that cannot be read or written.
const ENVIRONMENT: i32 = 4;
/// Exit code for a tool that failed.
const TOOL: i32 = 5;

const CALLEE: &str = include_str!("../../../scenarios/call/b.ll");
const CALLER: &str = include_str!("../../../scenarios/call/a.ll");
/// The smallest bitcode for a GPU.
const EMPTY: &str = "target triple = \"nvptx64-nvidia-cuda\"\n";

/// Returns two units, of which `a` calls a function of `b`, with the plans of both.
fn two_units() -> Workbench {
    let bench = Workbench::new();
    bench.write("a.ll", CALLER);
    bench.write("b.ll", CALLEE);
    bench.prepare(&["a", "b"]);
    bench.thinlink(&["a", "b"], &[]);
    bench
}

/// Runs a command that must fail with `code` and say `message`.
fn says(run: &Run, code: i32, message: &str) {
    run.expect(code).says(&[message]);
}

fn thinlink(bench: &Workbench, words: &[&str]) -> Run {
    bench.weft("thinlink").args(["-o", "new"]).args(words.iter().copied())
}

fn job(bench: &Workbench, words: &[&str]) -> Run {
    bench.weft("backend-job").args(words.iter().copied())
}

fn weft(bench: &Workbench, words: &[&str]) -> Run {
    bench.weft("weft").args(words.iter().copied())
}

fn summarize(bench: &Workbench, input: &str) -> Run {
    bench.weft("summarize").args(["--module-id", "m", "-o", "new", input])
}

/// Runs a command as a shell does that was told `words` first, such as `ulimit`, and to redirect.
fn in_shell(bench: &Workbench, script: &str, program: &str, words: &[&str]) -> Run {
    let shell = Run::new("sh", bench.path()).args(["-c", script]);
    shell.arg(weft_tests::tools().weft(program)).args(words.iter().copied())
}
