//! Every architecture that ptxas knows from `sm_75` on: a kernel passes the import phase, LLVM's
//! code generator and ptxas with the right target and PTX version.

use std::collections::BTreeSet;

use weft_tests::{Run, Workbench, tools};

/// Architectures that ptxas knows and LLVM 22 does not. clang compiles for an older architecture,
/// and ptxas assembles the PTX for these.
const UNKNOWN_TO_LLVM: [&str; 3] = ["sm_107", "sm_107a", "sm_107f"];

/// Returns the architectures in ptxas's help, with their variants.
fn architectures() -> BTreeSet<String> {
    let help = Run::new(tools().cuda("ptxas"), ".").arg("--help").succeed().stdout;
    let names = help.split('\'').filter(|word| {
        word.strip_prefix("sm_").is_some_and(|number| {
            let number = number.trim_end_matches(['a', 'f']);
            number.parse::<u32>().is_ok_and(|number| number >= 75)
        })
    });
    names.map(str::to_owned).collect()
}

/// Returns a kernel as clang writes it: the code names the architecture alone, from which LLVM
/// derives the PTX version.
fn unit(architecture: &str) -> String {
    format!(
        "target triple = \"nvptx64-nvidia-cuda\"\n\
         define ptx_kernel void @kernel(ptr %out) #0 {{\n  \
           %value = load i32, ptr %out\n  \
           %more = add i32 %value, 1\n  \
           store i32 %more, ptr %out\n  \
           ret void\n}}\n\
         attributes #0 = {{ \"target-cpu\"=\"{architecture}\" }}\n"
    )
}

/// Returns the architecture in a cubin.
fn assembled_for(bench: &Workbench, cubin: &str) -> String {
    let listing = Run::new(tools().cuda("cuobjdump"), bench.path()).args(["-elf", cubin]);
    let listing = listing.succeed().stdout;
    let after = listing.split_once(" sm=").map_or("", |(_, rest)| rest);
    format!("sm_{}", after.split(',').next().unwrap_or_default())
}

#[test]
fn every_architecture_of_ptxas_assembles() {
    let architectures = architectures();
    for expected in ["sm_75", "sm_80", "sm_90", "sm_90a", "sm_100", "sm_100f", "sm_121", "sm_121a"]
    {
        assert!(architectures.contains(expected), "{architectures:?}");
    }
    let bench = Workbench::new();
    for architecture in &architectures {
        let is_known = !UNKNOWN_TO_LLVM.contains(&architecture.as_str());
        bench.write("k.ll", unit(if is_known { architecture } else { "sm_103" }));
        bench.assemble_ir("k");
        let files = ["codegen", "k.bc", "-o", "k.ptx"];
        bench.weft("backend-job").args(files).succeed();
        let ptx = bench.read("k.ptx");
        let ptx = String::from_utf8_lossy(&ptx);
        if is_known {
            let target = format!("\n.target {architecture}\n");
            assert!(ptx.contains(&target), "{architecture}:\n{ptx}");
        }
        bench.assemble("k").args(["--arch", architecture]).succeed();
        // A cubin does not record that it may serve the whole family.
        assert_eq!(assembled_for(&bench, "k.cubin"), architecture.trim_end_matches('f'));
    }
}

#[test]
fn an_architecture_that_llvm_does_not_know_is_refused() {
    let bench = Workbench::new();
    for architecture in ["sm_107", "sm_1", "pascal"] {
        bench.write("k.ll", unit(architecture));
        bench.assemble_ir("k");
        let run = bench.weft("backend-job").args(["codegen", "k.bc", "-o", "k.ptx"]);
        run.expect(3).says(&["k.bc: ", architecture, "sm_121"]);
        assert!(!bench.file("k.ptx").exists());
    }
}
