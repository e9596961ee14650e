//! The same inputs give the same bytes: in another folder, in another order, with more threads.

use weft_tests::Workbench;
use weft_tests::chain::UNITS;

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

#[test]
fn all_phases_in_one_process_give_the_same_cubin() {
    let bench = Workbench::new();
    for (name, text) in UNITS {
        bench.write(&format!("{name}.ll"), text);
    }
    let names = ["a", "b", "c"];
    bench.build(&names);
    let ptxas = weft_tests::tools().cuda("ptxas");
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
