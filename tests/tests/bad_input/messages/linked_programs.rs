//! Linked programs that the guard cannot read, or cannot hand on.

use weft_tests::{Run, Workbench};

use crate::messages::containers::{changed, outside};
use crate::messages::{ENVIRONMENT, INPUT, says, weft};

#[test]
fn programs_that_are_damaged() {
    let bench = Workbench::new();
    bench.write("unit.cu", "__global__ void kernel(int *p) { *p = 1; }\n");
    bench.compile("unit");
    let linker = bench.llvm("clang++").args(["-pie", "-nostdlib", "unit.o", "-o", "linked"]);
    linker.arg("-Wl,--unresolved-symbols=ignore-all").succeed();
    let program = bench.read("linked");
    let entries = "llvm_offload_entries";
    for (content, message) in [
        (outside(&program, entries), "bad: malformed object: "),
        (changed(&program, entries, 8, &[9]), "bad: offload entry 0: its version is not 1"),
    ] {
        bench.write("bad", content);
        says(&weft(&bench, &["guard", "bad"]), INPUT, message);
    }
}

/// The program is read through a pipe whose name is gone when its permissions are queried.
#[test]
fn a_program_that_is_gone_before_its_copy_is_made() {
    let bench = Workbench::new();
    Run::new("mkfifo", bench.path()).arg("pipe").succeed();
    let writer = "exec 3>pipe; rm pipe; cat /bin/true >&3";
    let writer = Run::new("timeout", bench.path()).args(["60", "sh", "-c", writer]);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| writer.succeed());
        let message = "cannot make copy a program: No such file";
        says(&weft(&bench, &["guard", "pipe", "-o", "copy"]), ENVIRONMENT, message);
        drop(writer.join().unwrap());
    });
}

#[test]
fn a_device_that_gets_the_copy_keeps_its_permissions() {
    let bench = Workbench::new();
    let mode = || std::fs::metadata("/dev/null").unwrap().permissions();
    let before = mode();
    weft(&bench, &["guard", "/bin/true", "-o", "/dev/null"]).succeed();
    assert_eq!(mode(), before);
}
