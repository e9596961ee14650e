//! Inline assembly that names symbols, calls functions or defines labels: the symbols keep their
//! names and are in the module that names them, and each label is defined once.

use std::collections::BTreeSet;

use weft_artifact::{Artifact as _, FunctionSummary, Summary, SummaryFile, Symbol};
use weft_container::{cubin_symbols, kernel_resources};
use weft_tests::{ARCHITECTURE, Run, Workbench, tools};

/// Kernels whose assembly names variables and functions of this unit and of the other unit. Symbols
/// that are also named outside of assembly are named in kernels that are never launched.
const USES: &str = r#"
extern "C" { __device__ int counter = 5; }
extern "C" { extern __device__ int other; }
static __device__ int own = 3;
__device__ int helper(int);
static __device__ __noinline__ int twice(int x) { return x * (x + own); }
__device__ int spin(int);

__global__ void reads_own_variable(int *p) {
    int r;
    asm volatile("ld.global.u32 %0, [_ZL3own];" : "=r"(r));
    *p = r + own;
}
__global__ void reads_variables(int *p) {
    int r, s;
    asm volatile("ld.global.u32 %0, [counter];" : "=r"(r));
    asm volatile("ld.global.u32 %0, [other]; // [commented]" : "=r"(s));
    *p = r + s;
}
__global__ void calls(int *p) {
    int r;
    asm volatile("{ .param .b32 a; .param .b32 b; st.param.b32 [a], %1;\n\t"
                 "call.uni (b), _Z6helperi, (a);\n\tld.param.b32 %0, [b]; }" : "=r"(r) : "r"(*p));
    *p = r;
}
__global__ void calls_own(int *p) {
    int r;
    asm volatile("{ .param .b32 a; .param .b32 b; st.param.b32 [a], %1;\n\t"
                 "call.uni (b), _ZL5twicei, (a);\n\tld.param.b32 %0, [b]; }" : "=r"(r) : "r"(*p));
    *p = r;
}
__global__ void spins(int *p) { p[0] = spin(p[1]) + spin(p[2]) + spin(p[3]); }

__global__ void never_launched(int *p) {
    atomicAdd(&own, 1);
    *p = twice(p[1]) + helper(p[2]) + other + counter;
}
void run(int *p) {
    reads_own_variable<<<1, 1>>>(p);
    reads_variables<<<1, 1>>>(p);
    calls<<<1, 1>>>(p);
    calls_own<<<1, 1>>>(p);
    spins<<<1, 1>>>(p);
}
"#;

const DEFINES: &str = r#"
extern "C" { __device__ int other = 7; }
extern "C" { __device__ int unnamed = 8; }
__device__ int helper(int x) { return x * 3; }
__device__ int spin(int x) {
    int r;
    asm volatile(".reg .u32 step;\n\tmov.u32 step, 1;\nAGAIN:\n\tadd.u32 %0, %1, step;" : "=r"(r) : "r"(x));
    return r;
}
__device__ int scoped(int x) {
    int r;
    asm volatile("{ .reg .u32 step;\n\tmov.u32 step, 1;\nAGAIN:\n\tadd.u32 %0, %1, step; }"
                 : "=r"(r) : "r"(x));
    return r;
}
__device__ int unique(int x) {
    int r;
    asm volatile("AGAIN%=: add.u32 %0, %1, 1;" : "=r"(r) : "r"(x));
    return r;
}
__device__ int names(int x) {
    asm volatile("st.global.u32 [other], %0;" :: "r"(x) : "memory");
    return x;
}
"#;

fn summary(bench: &Workbench, name: &str) -> Summary {
    let file = SummaryFile::decode(&bench.read(&format!("{name}.summary"))).unwrap();
    let [summary] = file.summaries.try_into().unwrap();
    summary
}

fn symbol<'summary>(summary: &'summary Summary, name: &str) -> &'summary Symbol {
    let mut symbols = summary.device.as_ref().unwrap().symbols.iter();
    symbols.find(|symbol| symbol.name == name).unwrap()
}

fn function<'summary>(summary: &'summary Summary, name: &str) -> &'summary FunctionSummary {
    symbol(summary, name).function().unwrap()
}

/// Returns the names that a function refers to other than in calls.
fn references(summary: &Summary, name: &str) -> Vec<String> {
    let module = summary.device.as_ref().unwrap();
    let references = function(summary, name).references.iter();
    references.map(|target| module.symbol(*target).unwrap().name.clone()).collect()
}

fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.write("uses.cu", USES);
    bench.write("defines.cu", DEFINES);
    bench
}

/// Links cubins, and returns the image's kernels and visible symbols.
fn image(bench: &Workbench, cubins: &[&str]) -> (BTreeSet<String>, BTreeSet<String>) {
    Run::new(tools().cuda("nvlink"), bench.path())
        .arg(format!("-arch={ARCHITECTURE}"))
        .args(cubins.iter().copied())
        .args(["-o", "image"])
        .succeed();
    let image = bench.read("image");
    let kernels = kernel_resources(&image).unwrap().into_iter().map(|kernel| kernel.name);
    (kernels.collect(), cubin_symbols(&image).unwrap().defines.into_iter().collect())
}

/// Compiles a unit on its own, without Weft.
fn compile_plainly(bench: &Workbench, name: &str) {
    let cuda = tools().cuda_root().display();
    bench
        .llvm("clang++")
        .args([format!("--cuda-gpu-arch={ARCHITECTURE}"), format!("--cuda-path={cuda}")])
        .args([format!("-I{cuda}/include/cccl"), "-fgpu-rdc".to_owned()])
        .args(["-O3", "--cuda-device-only", "-Wno-unknown-cuda-version", "-c"])
        .args([format!("{name}.cu"), "-o".to_owned(), format!("{name}.plain.cubin")])
        .succeed();
}

#[test]
fn symbols_that_assembly_names_exist_as_in_a_plain_link() {
    let bench = bench();
    bench.build(&["uses", "defines"]);
    let (kernels, symbols) = image(&bench, &["uses.cubin", "defines.cubin"]);
    for name in ["uses", "defines"] {
        compile_plainly(&bench, name);
    }
    let (mut plain, plain_symbols) = image(&bench, &["uses.plain.cubin", "defines.plain.cubin"]);
    assert!(plain.remove("_Z14never_launchedPi"));
    assert_eq!(kernels, plain);
    for name in ["counter", "other", "_Z6helperi"] {
        assert!(symbols.contains(name) && plain_symbols.contains(name), "{name}: {symbols:?}");
    }
    // No assembly names this symbol.
    assert!(!symbols.contains("_Z6scopedi"), "{symbols:?}");
    let linked = bench.text_of("uses.linked.bc");
    for local in ["@_ZL3own = internal ", "define internal ", "@_ZL5twicei("] {
        assert!(linked.contains(local), "{local}: {linked}");
    }
}

#[test]
fn a_summary_tells_what_assembly_names_and_makes() {
    let bench = bench();
    bench.prepare(&["uses", "defines"]);
    let uses = summary(&bench, "uses");
    assert_eq!(references(&uses, "_Z15reads_variablesPi"), ["counter", "other"]);
    assert_eq!(references(&uses, "_Z5callsPi"), ["_Z6helperi"]);
    for name in ["counter", "other", "_ZL3own", "_Z6helperi", "_ZL5twicei"] {
        let symbol = symbol(&uses, name);
        assert!(symbol.used && symbol.address_taken, "{name}");
    }
    assert!(!symbol(&uses, "_Z4spini").used);
    assert_eq!(function(&uses, "_Z5callsPi").indirect_calls, 1);
    assert!(function(&uses, "_ZL5twicei").flags.has_non_importable_references);
    let defines = summary(&bench, "defines");
    for (name, stays) in [
        ("_Z6helperi", false),
        ("_Z4spini", true),
        ("_Z6scopedi", false),
        ("_Z6uniquei", false),
        ("_Z5namesi", true),
    ] {
        assert_eq!(function(&defines, name).flags.not_importable, stays, "{name}");
    }
    assert!(!symbol(&defines, "unnamed").used);
}

/// A label in a function that its own module calls twice, and that LLVM's heuristics would inline.
const LABELS: &str = r#"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define i32 @spin(i32 %x) #0 {
  %r = call i32 asm sideeffect "AGAIN: add.u32 $0, $1, 1;", "=r,r"(i32 %x)
  ret i32 %r
}

define ptx_kernel void @kernel(ptr %p) #0 {
  %x = load i32, ptr %p
  %a = call i32 @spin(i32 %x)
  %b = call i32 @spin(i32 %a)
  store i32 %b, ptr %p
  br label %loop

loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %c = call i32 asm sideeffect "HERE: add.u32 $0, $1, 1;", "=r,r"(i32 %i)
  %address = getelementptr i32, ptr %p, i32 %i
  store i32 %c, ptr %address
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, 4
  br i1 %done, label %end, label %loop, !llvm.loop !0

end:
  ret void
}

attributes #0 = { "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}
"#;

#[test]
fn a_label_is_made_once_in_its_own_module() {
    let bench = Workbench::new();
    bench.write("labels.ll", LABELS);
    bench.build(&["labels"]);
    let ptx = String::from_utf8(bench.read("labels.ptx")).unwrap();
    for label in ["AGAIN:", "HERE:"] {
        assert_eq!(ptx.matches(label).count(), 1, "{label}: {ptx}");
    }
}

/// Module-level assembly that declares a symbol of another unit.
const DECLARES: &str = r#"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

module asm ".extern .global .align 4 .u32 elsewhere;"
module asm ".extern .func (.param .b32 result) far (.param .b32 x);"

define ptx_kernel void @kernel(ptr %p) #0 {
  %a = call i32 asm sideeffect "ld.global.u32 $0, [elsewhere];", "=r"()
  %b = call i32 asm sideeffect "{ .param .b32 x; .param .b32 y; st.param.b32 [x], $1; call.uni (y), far, (x); ld.param.b32 $0, [y]; }", "=r,r"(i32 %a)
  store i32 %b, ptr %p
  ret void
}

attributes #0 = { "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
"#;
const ELSEWHERE: &str = r#"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@elsewhere = addrspace(1) global i32 4
@nowhere = addrspace(1) global i32 4

define i32 @far(i32 %x) #0 {
  %r = mul i32 %x, 3
  ret i32 %r
}

attributes #0 = { "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" }
"#;

#[test]
fn symbols_that_module_level_assembly_declares_stay_in_their_module() {
    let bench = Workbench::new();
    bench.write("declares.ll", DECLARES);
    bench.write("elsewhere.ll", ELSEWHERE);
    bench.build(&["declares", "elsewhere"]);
    let (kernels, symbols) = image(&bench, &["declares.cubin", "elsewhere.cubin"]);
    assert!(kernels.contains("kernel"));
    assert!(symbols.contains("elsewhere") && symbols.contains("far"), "{symbols:?}");
    assert!(!symbols.contains("nowhere"), "{symbols:?}");
}

#[test]
fn a_module_whose_assembly_names_symbols_is_not_split() {
    let bench = bench();
    bench.prepare(&["uses", "defines"]);
    bench.thinlink(&["uses", "defines"], &[]);
    bench.import("uses", &["uses", "defines"]).succeed();
    let options = ["codegen", "--split", "3", "uses.linked.bc", "-o", "uses.{part}.ptx"];
    bench.weft("backend-job").args(options).succeed();
    let text = String::from_utf8(bench.read("uses.0.ptx")).unwrap();
    assert_eq!(text.matches(".entry").count(), 5, "{text}");
}

/// Two modules have a local variable of the same name, and the assembly of the first module means
/// its own.
#[test]
fn modules_in_which_assembly_would_mean_another_symbol_are_not_combined() {
    let bench = Workbench::new();
    let module = |body: &str| {
        format!(
            "target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"\n\
             target triple = \"nvptx64-nvidia-cuda\"\n\
             @own = internal addrspace(1) global i32 1\n{body}\n\
             attributes #0 = {{ \"target-cpu\"=\"sm_90\" \"target-features\"=\"+ptx88,+sm_90\" }}\n"
        )
    };
    let store = "store volatile i32 2, ptr addrspace(1) @own\n  ret void\n}";
    let assembly = "call void asm sideeffect \"st.global.u32 [own], 3;\", \"\"()";
    let one = format!("define ptx_kernel void @one() #0 {{\n  {assembly}\n  {store}");
    let two = format!("define ptx_kernel void @two() #0 {{\n  {store}");
    bench.write("one.ll", module(&one));
    bench.write("two.ll", module(&two));
    bench.prepare(&["one", "two"]);
    bench.thinlink(&["one", "two"], &[]);
    for name in ["one", "two"] {
        bench.import(name, &["one", "two"]).succeed();
    }
    let combine = |modules: [&str; 2]| {
        let modules = modules.map(|name| format!("{name}.linked.bc"));
        bench.weft("backend-job").arg("combine").args(modules).args(["-o", "all.bc"])
    };
    for order in [["one", "two"], ["two", "one"]] {
        combine(order).expect(3).says(&["assembly names 'own', which is local to its module"]);
    }
}
