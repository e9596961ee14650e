//! `backend-job report`: the data of a build, gathered from the real outputs of its jobs.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use serde_json::Value;
use weft_tests::{Run, Workbench, tools};

/// The architectures of the program.
const ARCHITECTURES: [&str; 2] = ["sm_90", "sm_120a"];
const KERNELS: &str = "target triple = \"nvptx64-nvidia-cuda\"
    declare i32 @_Z5scalei(i32)
    declare i32 @_Z7outsidei(i32)
    define ptx_kernel void @_Z4stepPi(ptr %p) #0 {
      %v = load i32, ptr %p
      %s = call i32 @_Z5scalei(i32 %v)
      store i32 %s, ptr %p
      ret void
    }
    define ptx_kernel void @_Z5leavePi(ptr %p) #0 {
      %v = call i32 @_Z7outsidei(i32 3)
      store i32 %v, ptr %p
      ret void
    }
    attributes #0 = { \"target-cpu\"=\"ARCH\" }
";
const LIBRARY: &str = "target triple = \"nvptx64-nvidia-cuda\"
    define i32 @_Z5scalei(i32 %x) #0 { %y = mul i32 %x, 7 ret i32 %y }
    define i32 @_Z7outsidei(i32 %x) #1 { %y = add i32 %x, 9 ret i32 %y }
    attributes #0 = { \"target-cpu\"=\"ARCH\" }
    attributes #1 = { noinline \"target-cpu\"=\"ARCH\" }
";

/// Builds the program for all architectures, each in a folder of its own. The list of the jobs'
/// files is `list.tsv`.
fn build(bench: &Workbench) {
    let mut list = Vec::new();
    for architecture in ARCHITECTURES {
        std::fs::create_dir_all(bench.file(architecture)).unwrap();
        for (name, text) in [("a", KERNELS), ("b", LIBRARY)] {
            let file = format!("{architecture}/{name}");
            bench.write(&format!("{file}.ll"), text.replace("ARCH", architecture));
            bench.assemble_ir(&file);
            bench
                .weft("summarize")
                .args(["--module-id", name, "--arch", architecture])
                .args(["-o", &format!("{file}.summary"), &format!("{file}.bc")])
                .succeed();
        }
        bench
            .weft("thinlink")
            .args(["--close-modules=false", "-o", &format!("{architecture}/plans")])
            .args(["a", "b"].map(|name| format!("{architecture}/{name}.summary")))
            .succeed();
        for name in ["a", "b"] {
            let file = format!("{architecture}/{name}");
            bench
                .weft("backend-job")
                .args(["run", "--plan", &format!("{architecture}/plans/{name}.plan")])
                .args(["--module", &format!("{file}.bc"), "--report", &format!("{file}.json")])
                .args(["a", "b"].map(|other| format!("--import={other}={architecture}/{other}.bc")))
                .args(["--emit=ptx,cubin", "-o", &format!("{file}.cubin")])
                .args(["--ptxas", &tools().cuda("ptxas").to_string_lossy()])
                .succeed();
            list.extend(["json", "ptx"].map(|kind| format!("{name}\t{file}.{kind}")));
        }
    }
    bench.write("list.tsv", list.join("\n"));
}

fn report(bench: &Workbench) -> Run {
    let manifests = ARCHITECTURES.map(|name| format!("--manifest={name}/plans/manifest.json"));
    bench.weft("backend-job").args(["report", "--title", "program"]).args(manifests)
}

fn json(bench: &Workbench, file: &str) -> Value {
    serde_json::from_slice(&bench.read(file)).unwrap()
}

/// Returns the position of a name.
fn name(report: &Value, mangled: &str) -> usize {
    let names = report["names"]["mangled"].as_array().unwrap();
    names.iter().position(|name| name == mangled).unwrap()
}

#[test]
fn the_data_covers_all_architectures_and_does_not_depend_on_the_order() {
    let bench = Workbench::new();
    build(&bench);
    report(&bench).args(["list.tsv", "--json", "r.json", "--html", "r.html"]).succeed();
    let data = json(&bench, "r.json");
    let links = data["links"].as_array().unwrap();
    let architectures: Vec<_> = links.iter().map(|link| link["architecture"].clone()).collect();
    assert_eq!(architectures, ARCHITECTURES);
    let modules = data["modules"].as_array().unwrap();
    let ids: Vec<_> = modules.iter().map(|module| module["id"].clone()).collect();
    assert_eq!(ids, ["a", "b", "a", "b"]);
    // The second architecture's first module imports one function for inlining.
    assert_eq!(modules[2]["imports"], serde_json::json!([[3, 1, 0]]));
    let kernels = data["kernels"].as_array().unwrap();
    let leave = name(&data, "_Z5leavePi");
    let leaving: Vec<_> = kernels.iter().filter(|kernel| kernel["name"] == leave).collect();
    assert_eq!(leaving.len(), 2, "{kernels:?}");
    for kernel in &leaving {
        assert_eq!(kernel["calls"], serde_json::json!([name(&data, "_Z7outsidei")]));
        assert!(kernel["instructions"].as_u64().unwrap() > 3, "{kernel}");
        assert!(kernel["ptx_bytes"].as_u64().unwrap() > 100, "{kernel}");
        assert_eq!(kernel["spill_loads"], 0);
        assert!(kernel["listings"].is_null());
    }
    let sizes = ARCHITECTURES.map(|architecture| {
        let cubins = ["a", "b"].map(|name| bench.read(&format!("{architecture}/{name}.cubin")));
        cubins.iter().map(Vec::len).sum::<usize>()
    });
    for (image, size) in data["images"].as_array().unwrap().iter().zip(sizes) {
        assert_eq!(image["cubin_bytes"], size);
    }
    let page = String::from_utf8(bench.read("r.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));

    let list = String::from_utf8(bench.read("list.tsv")).unwrap();
    let reversed: Vec<_> = list.lines().rev().collect();
    bench.write("reversed.tsv", reversed.join("\n"));
    report(&bench).args(["reversed.tsv", "--json", "again.json"]).succeed();
    assert!(bench.read("again.json") == bench.read("r.json"));

    report(&bench).args(["list.tsv", "--listings", "--json", "l.json"]).succeed();
    let with_text = json(&bench, "l.json");
    let text = with_text["kernels"][0]["listings"][0]["text"].as_str().unwrap();
    assert!(text.starts_with(".entry _Z") && text.ends_with('}'), "{text}");
}
