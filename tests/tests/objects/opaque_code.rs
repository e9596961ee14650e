//! Device code without bitcode in all of NVIDIA's forms, and units in archives: the facts in
//! summaries, and the links of programs with such code.

use weft_artifact::{Artifact as _, OpaqueImage, OpaqueKind, Summary, SummaryFile};
use weft_tests::{ARCHITECTURE, Run, Workbench, tools};

/// A unit that needs a function and a variable of another unit.
const NEEDS: &str = r"
extern __device__ int callee(int);
extern __device__ int shared_state;
static __device__ __noinline__ int local(int x) { return x * 3; }
__device__ __noinline__ int callback(int x) { return x + 1; }
template <class T> __device__ __noinline__ T instance(T x) { return x + 1; }
__device__ int (*table[])(int) = {callee, local};
__global__ void opaque_kernel(int *p) { *p = callee(*p) + shared_state + table[*p](instance(*p)); }
";

/// The unit that provides them.
const PROVIDES: &str = r"
__device__ int shared_state;
__device__ int detail(int x) { return x + shared_state; }
__device__ int callee(int x) { return detail(x) * 2; }
__device__ int unneeded(int x) { return x * 5; }
__global__ void launched(int *p) { *p = callee(*p); }
__global__ void dead(int *p) { *p = unneeded(*p); }
void launch(int *p) { launched<<<1, 1>>>(p); }
";

const DEFINED: [&str; 4] = ["_Z13opaque_kernelPi", "_Z8callbacki", "_Z8instanceIiET_S0_", "table"];
const NEEDED: [&str; 2] = ["_Z6calleei", "shared_state"];

fn summaries(bench: &Workbench, input: &str) -> Vec<Summary> {
    let run = bench.weft("summarize").args(["--module-id", input, "-o", "out.summary", input]);
    run.arg("--lto-ir=never").succeed();
    SummaryFile::decode(&bench.read("out.summary")).unwrap().summaries
}

fn images(bench: &Workbench, input: &str) -> Vec<OpaqueImage> {
    let [summary] = summaries(bench, input).try_into().unwrap();
    assert!(summary.device.is_none());
    summary.opaque
}

fn nvcc(bench: &Workbench) -> Run {
    Run::new(tools().cuda("nvcc"), bench.path()).arg(format!("-arch={ARCHITECTURE}"))
}

fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.write("needs.cu", NEEDS);
    bench.write("provides.cu", PROVIDES);
    bench
}

fn check_symbols(image: &OpaqueImage) {
    let symbols = image.symbols.as_ref().unwrap();
    assert_eq!(symbols.defines, DEFINED, "{image:?}");
    assert_eq!(symbols.needs, NEEDED, "{image:?}");
}

#[test]
fn cubins_and_ptx_tell_their_symbols() {
    let bench = bench();
    for (option, file, kind) in
        [("-cubin", "needs.cubin", OpaqueKind::Cubin), ("-ptx", "needs.ptx", OpaqueKind::Ptx)]
    {
        nvcc(&bench).args(["-dc", option, "needs.cu", "-o", file]).succeed();
        let [image] = images(&bench, file).try_into().unwrap();
        assert_eq!((image.kind, image.architecture.as_str()), (kind, ARCHITECTURE));
        check_symbols(&image);
    }
}

#[test]
fn fat_binaries_tell_their_symbols_however_compressed() {
    let bench = bench();
    for (mode, options, file) in [
        ("none", &["-dc"][..], "needs.o"),
        ("speed", &["-dc"], "needs.o"),
        ("size", &["-dc"], "needs.o"),
        ("balance", &["-dc", "-fatbin"], "needs.fatbin"),
    ] {
        let run = nvcc(&bench).args(options.iter().copied());
        run.args([&format!("--compress-mode={mode}"), "needs.cu", "-o", file]).succeed();
        let images = images(&bench, file);
        let kinds: Vec<_> = images.iter().map(|image| image.kind).collect();
        assert_eq!(kinds, [OpaqueKind::Cubin, OpaqueKind::Ptx], "{mode}");
        for image in &images {
            assert_eq!(image.architecture, ARCHITECTURE);
            assert_eq!(image.compressed, mode != "none", "{mode}");
            check_symbols(image);
        }
    }
}

#[test]
fn variants_of_an_architecture_are_told_apart() {
    let bench = bench();
    let code = ["-gencode", "arch=compute_90a,code=[sm_90a,compute_90a]"];
    let run = Run::new(tools().cuda("nvcc"), bench.path()).args(code);
    run.args(["-gencode", "arch=compute_100,code=sm_100", "-dc", "needs.cu", "-o", "needs.o"])
        .succeed();
    let mut architectures: Vec<_> = images(&bench, "needs.o")
        .into_iter()
        .map(|image| (image.architecture, image.kind))
        .collect();
    architectures.sort_by(|one, other| one.0.cmp(&other.0));
    assert_eq!(
        architectures,
        [
            ("sm_100".to_owned(), OpaqueKind::Cubin),
            ("sm_90a".to_owned(), OpaqueKind::Cubin),
            ("sm_90a".to_owned(), OpaqueKind::Ptx)
        ]
    );
}

#[test]
fn the_symbols_of_nvidias_lto_ir_cannot_be_known() {
    let bench = bench();
    nvcc(&bench).args(["-dlto", "-dc", "needs.cu", "-o", "needs.o"]).succeed();
    let images = images(&bench, "needs.o");
    let image = images.iter().find(|image| image.kind == OpaqueKind::NvidiaLtoIr).unwrap();
    assert_eq!((image.architecture.as_str(), &image.symbols), (ARCHITECTURE, &None));
    nvcc(&bench).args(["-dlto", "-dc", "-ltoir", "needs.cu", "-o", "needs.ltoir"]).succeed();
    let [image] = self::images(&bench, "needs.ltoir").try_into().unwrap();
    assert_eq!((image.kind, image.symbols), (OpaqueKind::NvidiaLtoIr, None));

    bench.compile("provides");
    bench.summarize("provides");
    let summarize = bench.weft("summarize").args(["--module-id", "needs", "needs.o"]);
    summarize.args(["-o", "needs.summary", "--lto-ir=never"]).succeed();
    let outcome = bench.thinlink(&["provides", "needs"], &["--trace"]);
    outcome.says(&["needs.summary holds device code whose symbols cannot be known"]);
    assert!(!outcome.stderr.contains("no reference to"), "{}", outcome.stderr);
}

#[test]
fn an_object_of_clang_without_lto_is_opaque() {
    let bench = bench();
    let cuda = tools().cuda_root().display();
    let run = bench.llvm("clang++").args(["-fgpu-rdc", "-O3", "--offload-new-driver", "-cuid=n"]);
    run.args([format!("--cuda-path={cuda}"), format!("-I{cuda}/include/cccl")])
        .args([format!("--cuda-gpu-arch={ARCHITECTURE}"), "-Wno-unknown-cuda-version".to_owned()])
        .args(["-c", "needs.cu", "-o", "needs.o"])
        .succeed();
    let [image] = images(&bench, "needs.o").try_into().unwrap();
    assert_eq!((image.kind, image.architecture.as_str()), (OpaqueKind::Cubin, ARCHITECTURE));
    check_symbols(&image);
    // nvlink would leave its device code out.
    bench.llvm("llvm-ar").args(["qc", "needs.a", "needs.o"]).succeed();
    for (file, name) in [("needs.o", "needs.o"), ("needs.a", "needs.a(needs.o)")] {
        let run = bench.weft("summarize").args(["--opaque", "-o", "out.summary", file]);
        run.args(["--module-id", "x"]).expect(3).says(&[
            &format!("{name}: it holds device code for {ARCHITECTURE} in the form of clang's"),
            "which nvlink leaves out: compile it with -foffload-lto and link the file with",
        ]);
    }
}

/// clang's unit goes through Weft and nvcc's object stays as it is, and both are linked into one
/// image.
#[test]
fn an_object_of_nvcc_links_with_optimized_modules() {
    let bench = bench();
    nvcc(&bench).args(["-dc", "needs.cu", "-o", "needs.o"]).succeed();
    bench.summarize("needs");
    bench.compile("provides");
    bench.summarize("provides");
    let outcome = bench.thinlink(&["provides", "needs"], &["--trace"]);
    let messages: Vec<_> = outcome.stderr.lines().collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].contains("warning: needs.summary holds device code that is not built"));
    assert_eq!(messages[1], "no reference to kernel _Z4deadPi");
    bench.import("provides", &["provides"]).succeed();
    bench.codegen("provides").succeed();
    bench.assemble("provides").succeed();
    let arch = format!("-arch={ARCHITECTURE}");
    Run::new(tools().cuda("nvlink"), bench.path())
        .args([&arch, "provides.cubin", "needs.o", "-o", "image.cubin"])
        .succeed();
    let [provides] = images(&bench, "provides.cubin").try_into().unwrap();
    let defines = provides.symbols.unwrap().defines;
    for name in NEEDED {
        assert!(defines.iter().any(|defined| defined == name), "{name}: {defines:?}");
    }
    for name in ["_Z8unneededi", "_Z6detaili", "_Z4deadPi"] {
        assert!(!defines.iter().any(|defined| defined == name), "{name}: {defines:?}");
    }
}

/// nvlink gives the image the lowest virtual architecture, so the message names the object that has
/// it.
#[test]
fn code_of_an_older_virtual_architecture_is_reported() {
    let bench = bench();
    bench.compile("provides");
    bench.summarize("provides");
    let number = ARCHITECTURE.trim_start_matches("sm_");
    let ptx = Run::new(tools().cuda("ptxas"), bench.path());
    let older = [".version 8.0", ".target sm_80", ".visible .func older() { ret; }", ""].join("\n");
    bench.write("older.ptx", &older);
    ptx.args(["-c", &format!("-arch={ARCHITECTURE}"), "older.ptx", "-o", "assembled.cubin"])
        .succeed();
    for (code, file) in [
        (Some(ARCHITECTURE.to_owned()), "machine.o"),
        (Some("compute_80".to_owned()), "ptx.o"),
        (None, "assembled.cubin"),
    ] {
        if let Some(code) = code {
            let code = format!("-gencode=arch=compute_80,code={code}");
            let run = Run::new(tools().cuda("nvcc"), bench.path()).args(["-dc", &code]);
            run.args(["needs.cu", "-o", file]).succeed();
        }
        let summarize = bench.weft("summarize").args(["--opaque", "--module-id", file, file]);
        summarize.args(["-o", "older.summary"]).succeed();
        let outcome = bench.thinlink(&["provides", "older"], &[]);
        outcome.says(&[
            "warning: older.summary was compiled for compute_80, and nvlink gives the whole image",
            &format!("-gencode arch=compute_{number},code=sm_{number}"),
        ]);
    }
}

/// `--opaque` states that the unit is linked as it is, so it must hold device code. A file without
/// host code adds no host facts.
#[test]
fn an_opaque_unit_has_device_code_and_no_bitcode() {
    let bench = bench();
    nvcc(&bench).args(["-rdc=true", "-cubin", "needs.cu", "-o", "needs.cubin"]).succeed();
    let opaque = |input: &str| {
        bench.weft("summarize").args(["--opaque", "-o", "out.summary", "--module-id", "x", input])
    };
    opaque("needs.cubin").succeed();
    let summary = SummaryFile::decode(&bench.read("out.summary")).unwrap().summaries.remove(0);
    assert!(summary.host.is_some_and(|host| host.references.is_empty()));
    bench.compile("provides");
    opaque("provides.o").expect(3).says(&["provides.o: it holds device bitcode"]);
    bench.write("host.c", "int host_function(void) { return 1; }");
    bench.llvm("clang").args(["-c", "host.c", "-o", "host.o"]).succeed();
    opaque("host.o").expect(3).says(&["host.o: it holds no device code"]);
}

/// `--host-only` states that no device code of the file is linked, so bitcode in it would be lost.
#[test]
fn a_unit_of_host_code_only_has_no_bitcode() {
    let bench = bench();
    let host_only = |input: &str| {
        bench.weft("summarize").args([
            "--host-only",
            "-o",
            "out.summary",
            "--module-id",
            "x",
            input,
        ])
    };
    bench.compile("provides");
    host_only("provides.o").expect(3).says(&["provides.o: x holds device bitcode"]);
    archive(&bench, "qcs", "units.a", &["provides.o"]);
    host_only("units.a").expect(3).says(&["units.a: x/provides.o holds device bitcode"]);
    bench.write("host.c", "int host_function(void) { return 1; }");
    bench.llvm("clang").args(["-c", "host.c", "-o", "host.o"]).succeed();
    host_only("host.o").succeed();
    assert_eq!(SummaryFile::decode(&bench.read("out.summary")).unwrap().summaries.len(), 1);
}

fn archive(bench: &Workbench, options: &str, name: &str, members: &[&str]) {
    bench.llvm("llvm-ar").args([options, name]).args(members.iter().copied()).succeed();
}

fn ids(summaries: &[Summary]) -> Vec<&str> {
    summaries.iter().map(|summary| summary.module_id.as_str()).collect()
}

#[test]
fn each_member_of_an_archive_has_a_summary() {
    let bench = bench();
    bench.compile("provides");
    nvcc(&bench).args(["-dc", "needs.cu", "-o", "needs.o"]).succeed();
    bench.write("host.c", "int host_function(void) { return 1; }");
    bench.llvm("clang").args(["-c", "host.c", "-o", "a_host_object_with_a_long_name.o"]).succeed();
    std::fs::create_dir(bench.file("sub")).unwrap();
    std::fs::copy(bench.file("needs.o"), bench.file("sub/provides.o")).unwrap();
    let members = ["provides.o", "needs.o", "a_host_object_with_a_long_name.o", "sub/provides.o"];
    archive(&bench, "qcs", "normal.a", &members);
    archive(&bench, "qcsT", "thin.a", &members);
    for name in ["normal.a", "thin.a"] {
        let summaries = summaries(&bench, name);
        let expected = [
            format!("{name}/provides.o"),
            format!("{name}/needs.o"),
            format!("{name}/a_host_object_with_a_long_name.o"),
            format!("{name}/provides.o~2"),
        ];
        assert_eq!(ids(&summaries), expected);
        assert!(summaries[0].device.is_some());
        assert_eq!(summaries[1].opaque, summaries[3].opaque);
        assert!(!summaries[1].opaque.is_empty());
        assert!(summaries[2].device.is_none() && summaries[2].opaque.is_empty());
    }
    std::fs::remove_file(bench.file("sub/provides.o")).unwrap();
    let run = bench.weft("summarize").args(["-o", "gone.summary", "thin.a"]);
    run.expect(4).says(&["thin.a", "cannot read sub/provides.o", "No such file"]);
    let run = bench.weft("summarize").args(["-o", "x.summary", "--bitcode", "x.bc", "normal.a"]);
    run.expect(2).says(&["normal.a", "--bitcode takes one unit"]);
}

#[test]
fn the_device_runtime_and_the_host_runtime_of_cuda_are_read() {
    let bench = Workbench::new();
    let library = |name: &str| tools().cuda_root().join("lib").join(name);
    for name in ["libcudadevrt.a", "libcudart_static.a"] {
        std::fs::copy(library(name), bench.file(name)).unwrap();
    }
    let runtime = summaries(&bench, "libcudadevrt.a");
    let images = || runtime.iter().flat_map(|summary| &summary.opaque);
    assert!(images().any(|image| image.architecture == ARCHITECTURE));
    assert!(images().all(|image| image.symbols.is_some()));
    let host = summaries(&bench, "libcudart_static.a");
    assert!(!host.is_empty() && host.iter().all(|summary| summary.host.is_some()));
}

/// Modules in an archive give the same linked modules as modules outside of one.
#[test]
fn a_module_in_an_archive_is_imported_from_and_compiled() {
    let bench = Workbench::new();
    bench.write("a.ll", include_str!("../../scenarios/call/a.ll"));
    bench.write("b.ll", include_str!("../../scenarios/call/b.ll"));
    for name in ["a", "b"] {
        bench.compile(name);
    }
    archive(&bench, "rcs", "lib.a", &["a.o", "b.o"]);
    archive(&bench, "rcsT", "thin.a", &["a.o", "b.o"]);
    let run = bench.weft("summarize").args(["--module-id", "lib", "-o", "lib.summary", "lib.a"]);
    run.succeed();
    bench.weft("thinlink").args(["-o", "plans", "lib.summary"]).succeed();
    let import = |module: &str, source: &str, output: &str| {
        bench
            .weft("backend-job")
            .args(["import", "--plan", "plans/lib/a.o.plan", "--module", module])
            .args([format!("--import=lib/b.o={source}"), "--depfile".to_owned()])
            .args([&format!("{output}.d"), "-o", output])
            .succeed();
        bench.read(output)
    };
    let apart = import("a.o", "b.o", "apart.bc");
    assert_eq!(import("lib.a", "lib.a", "together.bc"), apart);
    assert_eq!(import("thin.a", "thin.a", "thin.bc"), apart);
    let text = bench.text_of("apart.bc");
    assert!(text.contains("@callee"), "{text}");
    let rule = String::from_utf8(bench.read("thin.bc.d")).unwrap();
    for file in ["plans/lib/a.o.plan", "thin.a", "  a.o", "  b.o"] {
        assert_eq!(rule.matches(file).count(), 1, "{file}: {rule}");
    }

    std::fs::rename(bench.file("plans/lib/a.o.plan"), bench.file("a.plan")).unwrap();
    archive(&bench, "rcs", "other.a", &["b.o"]);
    let run = bench.weft("backend-job").args(["import", "--plan", "a.plan", "--module", "other.a"]);
    run.args(["-o", "x.bc"]).expect(3).says(&["other.a: the archive has no member 'a.o'"]);
}
