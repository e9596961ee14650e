//! Objects that `ld -r` joined from several: every module in them is summarized, linked and
//! compiled.

use std::path::PathBuf;

use weft_artifact::{Artifact as _, Summary, SummaryFile};
use weft_container::{cubin_symbols, kernel_resources};
use weft_tests::{ARCHITECTURE, Run, Workbench, tools};

/// Both units have a local variable of the same name, and each needs the other unit.
const ONE: &str = r"
__device__ int counter;
static __device__ int own = 3;
__device__ int helper(int);
__device__ int advance() { return ++own; }
__global__ void one(int *p) { *p = helper(own) + counter; }
void run_one(int *p) { one<<<1, 1>>>(p); }
";
const TWO: &str = r"
extern __device__ int counter;
static __device__ int own = 4;
__device__ int advance();
__device__ int helper(int x) { return x * 3 + own; }
__global__ void two(int *p) { *p = helper(advance()) + ++own + counter; }
__global__ void never(int *p) { *p = 1; }
void run_two(int *p) { two<<<1, 1>>>(p); }
";
const THREE: &str = r"
__device__ int helper(int);
__global__ void three(int *p) { *p = helper(9); }
void run_three(int *p) { three<<<1, 1>>>(p); }
";

fn linkers() -> [PathBuf; 2] {
    ["/usr/bin/ld".into(), tools().llvm("ld.lld")]
}

fn join(bench: &Workbench, linker: PathBuf, parts: &[&str], output: &str) {
    let run = Run::new(linker, bench.path()).arg("-r").args(parts.iter().copied());
    run.args(["-o", output]).succeed();
}

fn compile(bench: &Workbench, name: &str, source: &str, architectures: &[&str]) {
    bench.write(&format!("{name}.cu"), source);
    let cuda = tools().cuda_root().display();
    bench
        .llvm("clang++")
        .args(architectures.iter().map(|architecture| format!("--cuda-gpu-arch={architecture}")))
        .args([format!("--cuda-path={cuda}"), format!("-I{cuda}/include/cccl")])
        .args(["-fgpu-rdc", "-O2", "--offload-new-driver", "-foffload-lto"])
        .args(["-Wno-unknown-cuda-version", "-c", &format!("-cuid={name}")])
        .args([format!("{name}.cu"), "-o".to_owned(), format!("{name}.o")])
        .succeed();
}

fn parts(architectures: &[&str]) -> Workbench {
    let bench = Workbench::new();
    for (name, source) in [("one", ONE), ("two", TWO), ("three", THREE)] {
        compile(&bench, name, source, architectures);
    }
    bench
}

fn summarize(bench: &Workbench, file: &str, architecture: &str) -> Vec<Summary> {
    let output = format!("{file}.summary");
    let arch = ["--arch", architecture, "--module-id", file, "-o", &output, file];
    bench.weft("summarize").args(arch).succeed();
    SummaryFile::decode(&bench.read(&output)).unwrap().summaries
}

fn ids(summaries: &[Summary]) -> Vec<&str> {
    summaries.iter().map(|summary| summary.module_id.as_str()).collect()
}

/// Makes the image of `modules`, all of which are in `file`.
fn image(bench: &Workbench, file: &str, modules: &[&str]) -> Vec<u8> {
    let mut cubins = Vec::new();
    for (number, module) in modules.iter().enumerate() {
        let cubin = format!("{number}.cubin");
        bench
            .weft("backend-job")
            .args(["run", "--plan", &format!("plans/{module}.plan"), "--module", file])
            .args(modules.iter().map(|module| format!("--import={module}={file}")))
            .args(["--ptxas", &tools().cuda("ptxas").to_string_lossy(), "-o", &cubin])
            .succeed();
        cubins.push(cubin);
    }
    let nvlink = Run::new(tools().cuda("nvlink"), bench.path());
    nvlink.arg(format!("-arch={ARCHITECTURE}")).args(cubins).args(["-o", "image"]).succeed();
    bench.read("image")
}

fn kernels(image: &[u8]) -> Vec<String> {
    let mut kernels: Vec<_> =
        kernel_resources(image).unwrap().into_iter().map(|kernel| kernel.name).collect();
    kernels.sort();
    kernels
}

#[test]
fn every_module_of_a_joined_object_is_in_the_image() {
    let bench = parts(&[ARCHITECTURE]);
    for linker in linkers() {
        join(&bench, linker, &["one.o", "two.o", "three.o"], "joined.o");
        let summaries = summarize(&bench, "joined.o", ARCHITECTURE);
        let modules = ["joined.o", "joined.o~module2", "joined.o~module3"];
        assert_eq!(ids(&summaries), modules);
        let options = ["--has-global-host-info", "--trace", "-o", "plans", "joined.o.summary"];
        let messages = bench.weft("thinlink").args(options).succeed().stderr;
        assert_eq!(messages.trim_end(), "no reference to kernel _Z5neverPi");
        let image = image(&bench, "joined.o", &modules);
        assert_eq!(kernels(&image), ["_Z3onePi", "_Z3twoPi", "_Z5threePi"]);
        let symbols = cubin_symbols(&image).unwrap();
        assert!(symbols.needs.is_empty(), "{:?}", symbols.needs);
    }
}

/// The program is the same with joined and with separate objects: the modules hold the same
/// definitions and the host code has the same references.
#[test]
fn a_joined_object_tells_what_its_parts_tell() {
    let bench = parts(&[ARCHITECTURE]);
    join(&bench, tools().llvm("ld.lld"), &["one.o", "two.o"], "joined.o");
    let joined = summarize(&bench, "joined.o", ARCHITECTURE);
    let apart: Vec<_> = ["one.o", "two.o"]
        .iter()
        .flat_map(|object| summarize(&bench, object, ARCHITECTURE))
        .collect();
    assert_eq!((joined.len(), apart.len()), (2, 2));
    let hosts = |summaries: &[Summary]| -> Vec<_> {
        summaries.iter().map(|summary| summary.host.clone().unwrap()).collect()
    };
    let (of_joined, of_apart) = (hosts(&joined), hosts(&apart));
    for (number, (joined, apart)) in joined.iter().zip(&apart).enumerate() {
        let names = |summary: &Summary| -> Vec<_> {
            let module = summary.device.as_ref().unwrap();
            module.symbols.iter().map(|symbol| symbol.name.clone()).collect()
        };
        assert_eq!(names(joined), names(apart));
        assert_eq!(of_joined[number].entries, of_apart[number].entries);
    }
    let all = |facts: &[weft_artifact::HostFacts]| {
        let mut references: Vec<_> =
            facts.iter().flat_map(|facts| facts.references.clone()).collect();
        references.sort();
        references.dedup();
        references
    };
    assert_eq!(all(&of_joined), all(&of_apart));
    assert!(of_joined[1].references.is_empty(), "the first module has them all");
}

#[test]
fn each_architecture_has_all_modules() {
    let bench = parts(&["sm_80", ARCHITECTURE]);
    join(&bench, "/usr/bin/ld".into(), &["one.o", "two.o"], "joined.o");
    let run = bench.weft("summarize").args(["-o", "x.summary", "joined.o"]);
    run.expect(3).says(&["device code for several architectures (sm_80, sm_90)"]);
    for architecture in ["sm_80", ARCHITECTURE] {
        let summaries = summarize(&bench, "joined.o", architecture);
        assert_eq!(ids(&summaries), ["joined.o", "joined.o~module2"]);
        for (summary, kernel) in summaries.iter().zip(["_Z3onePi", "_Z3twoPi"]) {
            let module = summary.device.as_ref().unwrap();
            assert_eq!(module.architecture, architecture);
            assert!(
                module.symbols.iter().any(|symbol| symbol.name == kernel && symbol.is_definition())
            );
        }
    }
}

/// An archive holds a joined object beside a member of the same name: three modules with two names.
#[test]
fn a_joined_object_in_an_archive() {
    let bench = parts(&[ARCHITECTURE]);
    std::fs::create_dir(bench.file("sub")).unwrap();
    join(&bench, "/usr/bin/ld".into(), &["one.o", "three.o"], "sub/two.o");
    bench.llvm("llvm-ar").args(["qcs", "lib.a", "two.o", "sub/two.o"]).succeed();
    let modules = ["lib.a/two.o", "lib.a/two.o~2", "lib.a/two.o~2~module2"];
    assert_eq!(ids(&summarize(&bench, "lib.a", ARCHITECTURE)), modules);
    let options = ["--has-global-host-info", "-o", "plans", "lib.a.summary"];
    bench.weft("thinlink").args(options).succeed();
    let image = image(&bench, "lib.a", &modules);
    assert_eq!(kernels(&image), ["_Z3onePi", "_Z3twoPi", "_Z5threePi"]);
}

#[test]
fn staged_imports_find_modules_in_a_joined_object() {
    let bench = parts(&[ARCHITECTURE]);
    join(&bench, "/usr/bin/ld".into(), &["one.o", "two.o"], "joined.o");
    summarize(&bench, "joined.o", ARCHITECTURE);
    bench.weft("thinlink").args(["-o", "plans", "joined.o.summary"]).succeed();
    bench.write("modules.tsv", "joined.o\tjoined.o\njoined.o~module2\tjoined.o\n");
    let options = ["stage", "--plans", "plans", "--module-map", "modules.tsv", "-o", "imports"];
    bench.weft("backend-job").args(options).succeed();
    let import = |module: &str, source: &[&str]| {
        let plan = format!("plans/{module}.plan");
        let run = bench.weft("backend-job").args(["import", "--plan", &plan]);
        let run = run.args(["--module", "joined.o"]).args(source.iter().copied());
        run.args(["-o", "linked.bc"]).succeed();
        bench.text_of("linked.bc")
    };
    for (module, kernel) in [("joined.o", "@_Z3onePi("), ("joined.o~module2", "@_Z3twoPi(")] {
        let staged = import(module, &["--staged", &format!("imports/{module}.imports")]);
        assert_eq!(staged, import(module, &["--module-map", "modules.tsv"]), "{module}");
        let is_own = |line: &str| line.starts_with("define ") && line.contains(kernel);
        assert!(staged.lines().any(is_own), "{staged}");
    }
}

#[test]
fn requests_that_a_joined_object_cannot_serve_are_refused() {
    let bench = parts(&[ARCHITECTURE]);
    join(&bench, "/usr/bin/ld".into(), &["one.o", "two.o"], "joined.o");
    let options = ["-o", "x.summary", "--bitcode", "x.bc", "joined.o"];
    let outcome = bench.weft("summarize").args(options).expect(2);
    outcome.says(&["joined.o: --bitcode takes one module, and this unit holds 2 for sm_90"]);
    assert!(!bench.file("x.summary").exists() && !bench.file("x.bc").exists());

    join(&bench, "/usr/bin/ld".into(), &["one.o", "two.o", "three.o"], "three_modules.o");
    summarize(&bench, "three_modules.o", ARCHITECTURE);
    bench.weft("thinlink").args(["-o", "plans", "three_modules.o.summary"]).succeed();
    let plan = "plans/three_modules.o~module3.plan";
    let run = bench.weft("backend-job").args(["import", "--plan", plan, "--module", "joined.o"]);
    let outcome = run.args(["-o", "x.bc"]).expect(3);
    outcome.says(&["joined.o: it holds 2 modules for sm_90, so none is 'three_modules.o~module3'"]);
}
