//! A job's programs: their surroundings.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt as _;

use weft_tests::{Workbench, tools};

/// Partitions of the split job, and its kernels.
const PARTITIONS: usize = 48;
/// Stores of each kernel: each partition's thread reads the kernels of all, and that must take a while.
const STORES: usize = 200;

/// A planned unit `k` with a kernel for each partition.
fn planned() -> Workbench {
    let mut text = "target triple = \"nvptx64-nvidia-cuda\"\n".to_owned();
    for kernel in 0..PARTITIONS {
        let stores = format!("store volatile i32 {kernel}, ptr %out\n").repeat(STORES);
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "define ptx_kernel void @kernel{kernel}(ptr %out) #0 {{\n{stores}ret void\n}}"
        );
    }
    let bench = Workbench::new();
    bench.write("k.ll", text + "attributes #0 = { \"target-cpu\"=\"sm_90\" }\n");
    bench.prepare(&["k"]);
    bench.thinlink(&["k"], &[]);
    bench
}

/// Makes the shell script `script` the program `ptxas` of the bench.
fn with_ptxas(bench: &Workbench, script: &str) {
    bench.write("ptxas", format!("#!/bin/sh\n{script}\n"));
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(bench.file("ptxas"), executable).unwrap();
}

/// Partitions are read as bitcode by some threads while others start ptxas.
#[test]
fn every_ptxas_has_the_limits_of_the_job() {
    let bench = planned();
    std::fs::create_dir(bench.file("limits")).unwrap();
    with_ptxas(
        &bench,
        &format!(
            "cat /proc/self/limits > {}/$$; exec {} \"$@\"",
            bench.file("limits").display(),
            tools().cuda("ptxas").display()
        ),
    );
    let split = PARTITIONS.to_string();
    bench
        .weft("backend-job")
        .args(["run", "--plan", "plans/k.plan", "--module", "k.bc", "--ptxas", "./ptxas"])
        .args(["--split", &split, "--threads", "8", "-o", "k.{part}.cubin"])
        .succeed();
    let expected = std::fs::read_to_string("/proc/self/limits").unwrap();
    let mut count = 0;
    for entry in std::fs::read_dir(bench.file("limits")).unwrap() {
        assert_eq!(std::fs::read_to_string(entry.unwrap().path()).unwrap(), expected);
        count += 1;
    }
    assert_eq!(count, PARTITIONS);
}
