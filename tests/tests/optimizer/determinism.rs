//! The same inputs give the same bytes: in another folder, in another order, with more threads.

use weft_tests::chain::UNITS;
use weft_tests::{ARCHITECTURE, Workbench, tools};

/// Returns all artifacts of a small program, whose summaries are passed in the given order.
fn artifacts(order: &[&str], threads: &str) -> Vec<(String, Vec<u8>)> {
    let bench = Workbench::new();
    for (name, text) in UNITS {
        bench.write(&format!("{name}.ll"), text);
    }
    bench.prepare(order);
    bench.thinlink(order, &["--threads", threads]);
    for name in order {
        bench.import(name, order).succeed();
        bench.codegen(name).succeed();
        bench.assemble(name).succeed();
    }
    let files =
        ["plans/manifest.json".to_owned()].into_iter().chain(UNITS.iter().flat_map(|(name, _)| {
            [
                format!("{name}.summary"),
                format!("plans/{name}.plan"),
                format!("{name}.linked.bc"),
                format!("{name}.ptx"),
                format!("{name}.cubin"),
            ]
        }));
    let folder = bench.path().to_string_lossy().into_owned();
    let artifacts: Vec<_> = files.map(|file| (file.clone(), bench.read(&file))).collect();
    for (file, content) in &artifacts {
        let text = String::from_utf8_lossy(content);
        assert!(!text.contains(&folder), "{file} holds the path of its folder");
    }
    artifacts
}

#[test]
fn artifacts_depend_on_nothing_but_their_inputs() {
    let first = artifacts(&["a", "b", "c"], "1");
    for (order, threads) in [(["c", "b", "a"], "2"), (["b", "a", "c"], "4")] {
        for ((file, one), (_, other)) in first.iter().zip(artifacts(&order, threads)) {
            assert!(*one == other, "{file} differs for the order {order:?} and {threads} threads");
        }
    }
}

/// Compiles `src/a.cu` in a fresh folder by the absolute path, as build systems do. Returns the
/// bitcode of clang, that of summarize, and the folder.
fn bitcode_of_a_checkout() -> (Vec<u8>, Vec<u8>, String) {
    let bench = Workbench::new();
    if let Err(error) = std::fs::create_dir(bench.file("src")) {
        panic!("cannot make a folder: {error}");
    }
    let text = "static __device__ int state;\n__device__ int f() { return state++; }\n";
    bench.write("src/a.cu", text);
    let source = bench.file("src/a.cu").display().to_string();
    bench
        .llvm("clang++")
        .arg(format!("--cuda-gpu-arch={ARCHITECTURE}"))
        .arg(format!("--cuda-path={}", tools().cuda_root().display()))
        .args(["-fgpu-rdc", "-O2", "-cuid=a", "-Wno-unknown-cuda-version"])
        .args(["--cuda-device-only", "-emit-llvm", "-c", &source, "-o", "clang.bc"])
        .succeed();
    let files = ["-o", "a.summary", "--bitcode", "a.bc", "clang.bc"];
    bench.weft("summarize").args(["--module-id", "src/a.cu"]).args(files).succeed();
    let folder = bench.path().to_string_lossy().into_owned();
    (bench.read("clang.bc"), bench.read("a.bc"), folder)
}

#[test]
fn the_bitcode_that_summarize_writes_is_the_same_in_each_checkout() {
    let (of_clang, one, folder) = bitcode_of_a_checkout();
    let (_, other, _) = bitcode_of_a_checkout();
    let holds = |bitcode: &[u8]| String::from_utf8_lossy(bitcode).contains(&folder);
    assert!(holds(&of_clang), "clang no longer names the source by its path");
    assert!(!holds(&one), "the path of the checkout is in the bitcode");
    assert!(one == other, "two checkouts have different bitcode");
}

#[test]
fn all_phases_in_one_process_give_the_same_cubin() {
    let bench = Workbench::new();
    for (name, text) in UNITS {
        bench.write(&format!("{name}.ll"), text);
    }
    let names = ["a", "b", "c"];
    bench.build(&names);
    let ptxas = tools().cuda("ptxas");
    bench
        .weft("backend-job")
        .args(["run", "--plan", "plans/a.plan", "--module", "a.bc", "-o", "whole.cubin"])
        .args(["--import", "b=b.bc", "--import", "c=c.bc", "--emit", "linked,bc,ptx,cubin"])
        .args(["--ptxas", &ptxas.to_string_lossy()])
        .succeed();
    bench.codegen("a").args(["--emit", "bc,ptx"]).succeed();
    for (whole, phase) in [
        ("whole.linked.bc", "a.linked.bc"),
        ("whole.opt.bc", "a.opt.bc"),
        ("whole.ptx", "a.ptx"),
        ("whole.cubin", "a.cubin"),
    ] {
        assert!(bench.read(whole) == bench.read(phase), "{whole} differs from {phase}");
    }
}
