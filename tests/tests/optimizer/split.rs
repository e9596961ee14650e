//! A module in partitions: each definition occurs once, the bytes are the same for any number of
//! threads, and the program links to the same result as the whole module.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use weft_tests::{Run, Workbench, tools};

const KERNELS: usize = 6;

/// Returns a unit with kernels that share a function, static variables, one of which is a single
/// bit, a shared array and a table. Each kernel also has private definitions.
fn unit() -> String {
    let mut text = "source_filename = \"src/unit.cu\"
        target triple = \"nvptx64-nvidia-cuda\"
        @counter = internal addrspace(1) global i32 0
        @met = internal addrspace(1) global i1 true
        @tile = internal addrspace(3) global [64 x i32] undef
        @.table.1 = private unnamed_addr addrspace(4) constant [4 x i32]
            [i32 1, i32 2, i32 3, i32 5]
        @llvm.used = appending global [1 x ptr] [ptr @visible], section \"llvm.metadata\"
        declare void @elsewhere(ptr) #0
        define internal i32 @helper(i32 %x) #1 {
          %c = load i32, ptr addrspace(1) @counter
          %p = getelementptr [4 x i32], ptr addrspace(4) @.table.1, i32 0, i32 %x
          %t = load i32, ptr addrspace(4) %p
          %m = load i1, ptr addrspace(1) @met
          store i1 false, ptr addrspace(1) @met
          %n = zext i1 %m to i32
          %u = add i32 %c, %n
          %s = add i32 %u, %t
          store i32 %s, ptr addrspace(1) @counter
          %q = getelementptr [64 x i32], ptr addrspace(3) @tile, i32 0, i32 %x
          store volatile i32 %s, ptr addrspace(3) %q
          ret i32 %s
        }
        define i32 @visible(i32 %x) #1 {
          %y = call i32 @helper(i32 %x)
          ret i32 %y
        }\n"
    .to_owned();
    for kernel in 0..KERNELS {
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "@own{kernel} = internal addrspace(3) global [32 x i32] undef
            define internal i32 @only{kernel}(i32 %x) #1 {{
              %p = getelementptr [32 x i32], ptr addrspace(3) @own{kernel}, i32 0, i32 %x
              store volatile i32 {kernel}, ptr addrspace(3) %p
              ret i32 {kernel}
            }}
            define ptx_kernel void @kernel{kernel}(ptr %out) #0 {{
              %v = load i32, ptr %out
              %h = call i32 @helper(i32 %v)
              %o = call i32 @only{kernel}(i32 %h)
              call void @elsewhere(ptr %out)
              %s = add i32 %o, %h
              store i32 %s, ptr %out
              ret void
            }}\n"
        );
    }
    text + "attributes #0 = { \"target-cpu\"=\"sm_90\" }
        attributes #1 = { noinline \"target-cpu\"=\"sm_90\" }\n"
}

fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.write("k.ll", unit());
    bench.assemble_ir("k");
    let elsewhere = ".version 8.8\n.target sm_90\n.address_size 64\n\
        .visible .func elsewhere(.param .b64 p)\n{\nret;\n}\n";
    bench.write("elsewhere.ptx", elsewhere);
    bench.assemble("elsewhere").succeed();
    bench
}

fn codegen(bench: &Workbench, output: &str, options: &[&str]) -> Run {
    let run = bench.weft("backend-job").args(["codegen", "k.bc", "-o", output]);
    run.args(options.iter().copied())
}

/// Returns the PTX of `count` partitions, made by `threads` threads.
fn partitions(bench: &Workbench, count: usize, threads: usize) -> Vec<String> {
    let (split, threads) = (count.to_string(), threads.to_string());
    let options = ["--split", &split, "--threads", &threads, "--list", "list"];
    codegen(bench, "p.{part}.ptx", &options).succeed();
    let names: Vec<_> = (0..count).map(|part| format!("p.{part}.ptx")).collect();
    assert_eq!(String::from_utf8(bench.read("list")).unwrap(), names.join("\n") + "\n");
    names.iter().map(|name| String::from_utf8(bench.read(name)).unwrap()).collect()
}

/// Returns functions and their resources after nvlink, which fails on duplicate and missing
/// definitions.
fn linked(bench: &Workbench, cubins: &[String]) -> BTreeSet<String> {
    let run = Run::new(tools().cuda("nvlink"), bench.path());
    run.args(["-arch=sm_90", "-o", "image.cubin", "elsewhere.cubin"]).args(cubins).succeed();
    let run = Run::new(tools().cuda("cuobjdump"), bench.path());
    let usage = run.args(["-res-usage", "image.cubin"]).succeed().stdout;
    let lines: Vec<_> = usage.lines().map(str::trim).collect();
    // Shared functions have longer names in partitions.
    let name = |line: &str| line.replace("_weft_", " ").split(' ').nth(1).map(str::to_owned);
    lines
        .windows(2)
        .filter(|pair| pair[0].starts_with("Function "))
        .map(|pair| {
            let function = name(pair[0]).unwrap_or_default();
            format!("{} {}", function.trim_end_matches(':'), pair[1])
        })
        .collect()
}

#[test]
fn partitions_hold_everything_once_and_link_to_the_same_program() {
    let bench = bench();
    codegen(&bench, "k.ptx", &[]).succeed();
    bench.assemble("k").succeed();
    let whole = linked(&bench, &["k.cubin".to_owned()]);
    assert_eq!(whole.iter().filter(|function| function.starts_with("kernel")).count(), KERNELS);
    for count in [1, 2, 3, 16] {
        let parts = partitions(&bench, count, 2);
        for (definition, copies) in [
            (".global .align 4 .u32 counter_weft_", usize::from(count > 1)),
            (".entry kernel3(", 1),
            (".shared .align 4 .b8 own3", 1),
        ] {
            let defined = |text: &String| {
                let is_definition = |line: &&str| line.contains(definition);
                text.lines().filter(is_definition).filter(|line| !line.contains(".extern")).count()
            };
            let found: usize = parts.iter().map(defined).sum();
            assert_eq!(found, copies, "{definition} in {count} partitions:\n{}", parts.join("\n"));
        }
        let cubins: Vec<_> = (0..count)
            .map(|part| {
                bench.assemble(&format!("p.{part}")).succeed();
                format!("p.{part}.cubin")
            })
            .collect();
        assert_eq!(linked(&bench, &cubins), whole, "{count} partitions");
    }
}

#[test]
fn kernels_are_dealt_out_evenly_and_as_many_threads_as_there_are_do_not_matter() {
    let bench = bench();
    let alone = partitions(&bench, 3, 1);
    assert_eq!(partitions(&bench, 3, 4), alone);
    let kernels = |text: &String| text.matches(".entry ").count();
    assert_eq!(alone.iter().map(kernels).collect::<Vec<_>>(), [2, 2, 2]);
}

#[test]
fn one_thread_makes_all_partitions_where_no_more_may() {
    let bench = bench();
    let options = ["--split=3", "--threads=1", "--time-trace=t.json"];
    codegen(&bench, "p.{part}.ptx", &options).succeed();
    let trace: serde_json::Value = serde_json::from_slice(&bench.read("t.json")).unwrap();
    let events = trace["traceEvents"].as_array().unwrap().iter();
    let emissions: Vec<_> = events.filter(|event| event["name"] == "emit").collect();
    let threads: BTreeSet<_> = emissions.iter().map(|event| event["tid"].as_u64()).collect();
    assert_eq!((emissions.len(), threads.len()), (3, 1), "{trace}");
}

#[test]
fn a_module_that_must_stay_whole_is_not_split() {
    let bench = bench();
    let outcome = codegen(&bench, "k.ptx", &["--split", "2"]).expect(2);
    outcome.says(&["--split 2 makes several files", "{part}", "'k.ptx'"]);
    codegen(&bench, "k.ptx", &["--split", "1"]).succeed();
    // The module is small, so it has one partition by default.
    codegen(&bench, "auto.{part}.ptx", &[]).succeed();
    assert!(bench.file("auto.0.ptx").exists() && !bench.file("auto.1.ptx").exists());
    codegen(&bench, "k.ptx", &["--split", "0"]).expect(2);
}

#[test]
fn partitions_are_compiled_under_makes_jobserver() {
    let bench = bench();
    let expected = partitions(&bench, 3, 1);
    let job = tools().weft("backend-job");
    let rule = format!("all:\n\t+{} codegen k.bc -o m.{{part}}.ptx --split 3\n", job.display());
    bench.write("Makefile", rule);
    let outcome = Run::new("make", bench.path()).args(["-j3"]).succeed();
    assert!(!outcome.stderr.contains("jobserver"), "{}", outcome.stderr);
    for (part, expected) in expected.iter().enumerate() {
        assert_eq!(bench.read(&format!("m.{part}.ptx")), expected.as_bytes());
    }
}
