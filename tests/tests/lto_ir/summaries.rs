//! Units of nvcc with LTO IR: their summaries hold what the link needs, the variables that code may
//! write, and messages about what cannot be optimized.

use std::collections::BTreeSet;

use weft_artifact::{
    Artifact as _, Body, Declaration, DeviceModule, Linkage, NamedKind, Summary, SummaryFile,
};
use weft_container::{cubin_symbols, fatbin_entries};
use weft_tests::{ARCHITECTURE, Run, Workbench, tools};

/// Everything that a unit can define, refer to, launch and call.
const ALL: &str = r#"
#include <cstdio>
#include <cassert>
namespace {
__device__ int hidden;
__device__ int hidden_function(int x) { return x * hidden; }
__global__ void hidden_kernel(int *p) { *p = hidden_function(*p); }
struct Inner { __device__ virtual int get(int x) { return x + 5; } };
}
static __device__ int flag = 3;
__constant__ int constants[16];
__managed__ int managed = 5;
extern __device__ int other_variable;
extern __device__ int other_function(int);
extern __shared__ float dynamic[];
static __shared__ int fixed;
__device__ __noinline__ int plain(int x) { return x + 1; }
static __device__ __noinline__ int local(int x) { return x + 3; }
__device__ int (*table[3])(int) = {plain, local, other_function};
__constant__ int (*constant_table[2])(int) = {plain, other_function};
struct Base { __device__ virtual int area() { return 1; } __device__ virtual ~Base() {} };
struct Derived : Base { int side; __device__ int area() override { return side; } };
template <class T> __device__ __noinline__ T instance(T a) { static T count = 5; count += a; return count; }
template <class T> __global__ void kernel_template(T *p) {
  __shared__ T buffer[32]; buffer[threadIdx.x] = p[threadIdx.x]; __syncthreads();
  *p = instance(buffer[31 - threadIdx.x]);
}
template <class T> __device__ T value = 3;
inline __device__ int shared_by_units = 9;
__device__ Base *object;
__global__ void child(int *p) { *p = 3; }
__global__ void other_kernel(int *p);
__global__ void __launch_bounds__(128, 2) everything(int *p, cudaTextureObject_t t,
                                                     cudaSurfaceObject_t s) {
  __shared__ int own[64]; own[threadIdx.x] = p[0]; __syncthreads();
  p[1] = constants[p[1]] + managed + other_variable + other_function(3) + flag + own[5];
  dynamic[0] = p[2]; fixed = p[1];
  p[2] = table[p[1] & 1](4) + constant_table[p[2] & 1](2) + instance(4) + value<int> + fixed;
  p[3] = tex1Dfetch<int>(t, 3) + shared_by_units; surf1Dwrite(4, s, 3);
  Inner inner; Inner *q = p[4] ? &inner : nullptr; p[4] = q->get(4);
  p[5] = object->area(); p[6] = (int)sinf(p[6]);
  printf("%d\n", p[3]); assert(p[4]);
  int *n = new int[p[1]]; n[0] = 1; delete[] n;
  auto lambda = [=] __device__(int x) { return x + p[0]; }; p[7] = lambda(3);
}
__global__ void setter(Derived *d) { object = new Derived(*d); }
__global__ void launcher(int *p) { child<<<1, 1>>>(p); other_kernel<<<1, 1>>>(p); }
void host(int *p) {
  hidden_kernel<<<1, 1>>>(p); kernel_template<<<1, 1>>>((float *)p);
  cudaMemcpyToSymbol(constants, p, 64); managed = 4;
}
"#;

/// Variables that are each used in another way. Each name begins with the expected finding.
const USES: &str = r#"
struct Pair { int a[6]; };
struct Table { int values[4]; __device__ __noinline__ int get(int i) const { return values[i & 3]; } __device__ __noinline__ void set(int i) { values[i & 3] = i; } };
__device__ int read_read_only = 3;
__device__ int read_read_array[4] = {1, 2, 3, 4};
static __device__ int read_local_read = 5;
static __device__ int written_local_stored = 6;
__device__ int written_stored;
__device__ int written_added;
__device__ int written_passed_away;
__device__ int read_passed_to_reader = 7;
__device__ int written_passed_to_writer = 8;
__device__ Table read_const_member = {{1, 2, 3, 4}};
__device__ Table written_other_member = {{1, 2, 3, 4}};
__device__ int written_address_stored;
__device__ int *written_pointer;
__device__ int written_in_table;
__device__ int *read_table[2] = {&written_in_table, nullptr};
__device__ Pair read_copied_from = {{1, 2}}, written_copied_to;
__device__ int read_chosen_read_a[2] = {1}, read_chosen_read_b[2] = {2};
__device__ int written_chosen_stored_a[2], written_chosen_stored_b[2];
__device__ int read_walked_read[8] = {1}, written_walked_stored[8];
__device__ int written_returned;
__device__ int read_asm_read = 4, written_asm_stored;
__device__ int written_in_struct_stored;
__device__ int read_volatile_read = 4;
__device__ float4 read_vector_read, written_vector_stored;
__device__ int read_compared;
__device__ int written_cast_stored;
__device__ char read_fetched[16];
extern __device__ int read_elsewhere_read;
extern __device__ int written_elsewhere_stored;
__constant__ int constant[4];
__managed__ int read_managed_read = 1;
extern __device__ void away(int *);
static __device__ __noinline__ int reader(const int *p, int i) { return p[i]; }
static __device__ __noinline__ void writer(int *p, int i) { p[i] = 3; }
static __device__ __noinline__ int *same(int *p) { return p + 1; }
__device__ int read_through_same_read[4] = {1}, read_kept[4];
__device__ int *give() { return &written_returned; }
struct Holder { int *p; };
extern __device__ void hold(Holder *);
__global__ void k(int *p, int n) {
  int sum = read_read_only + read_read_array[n & 3] + read_local_read;
  written_local_stored = n; written_stored = n; atomicAdd(&written_added, 1); away(&written_passed_away);
  sum += reader(&read_passed_to_reader, n); writer(&written_passed_to_writer, n);
  sum += read_const_member.get(n); written_other_member.set(n);
  written_pointer = &written_address_stored; sum += *read_table[n & 1];
  written_copied_to = read_copied_from;
  sum += *(n ? read_chosen_read_a : read_chosen_read_b); *(n ? written_chosen_stored_a : written_chosen_stored_b) = n;
  int *r = read_walked_read, *w = written_walked_stored;
  for (int i = 0; i < n; ++i) { sum += *r++; *w++ = i; if (p[i]) r = read_walked_read; }
  int v; asm volatile("ld.global.u32 %0, [read_asm_read];" : "=r"(v)); sum += v;
  asm volatile("{ .reg .u64 t; mov.u64 t, written_asm_stored; st.global.u32 [t], %0; }" :: "r"(n));
  Holder h = {&written_in_struct_stored}; hold(&h);
  sum += *(volatile int *)&read_volatile_read; float4 f = read_vector_read; written_vector_stored = f;
  sum += p == &read_compared; *(int *)(unsigned long long)(((unsigned long long)&written_cast_stored) | 0) = n;
  sum += read_elsewhere_read + constant[n & 3] + read_managed_read; written_elsewhere_stored = n;
  sum += *same(read_through_same_read);
  p[0] = sum;
}
void host(int*p) { read_managed_read = 5; k<<<1,1>>>(p, 3); }
"#;

fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.write("all.cu", ALL);
    bench.write("uses.cu", USES);
    bench.write(
        "small.cu",
        "static __device__ int flag = 3;\n__global__ void k(int *p) { *p = flag; }\n",
    );
    bench
}

fn nvcc(bench: &Workbench, arguments: &[&str]) {
    let run = Run::new(tools().cuda("nvcc"), bench.path());
    run.args(["-std=c++17", "--extended-lambda", "-w"]).args(arguments.iter().copied()).succeed();
}

/// Compiles `name.cu` to `name.o` with LTO IR alone.
fn compile(bench: &Workbench, name: &str) {
    let (source, object) = (format!("{name}.cu"), format!("{name}.o"));
    nvcc(bench, &["-dc", "-gencode", "arch=compute_90,code=lto_90", &source, "-o", &object]);
}

fn summarize(bench: &Workbench, input: &str, options: &[&str]) -> Run {
    let nvlink = tools().cuda("nvlink");
    let run = bench.weft("summarize").args(["--module-id", "unit", "-o", "out.summary", input]);
    run.arg("--nvlink").arg(nvlink).args(options.iter().copied())
}

fn summaries(bench: &Workbench, input: &str, options: &[&str]) -> Vec<Summary> {
    summarize(bench, input, options).succeed();
    SummaryFile::decode(&bench.read("out.summary")).unwrap().summaries
}

fn module(bench: &Workbench, input: &str) -> DeviceModule {
    let [summary] = summaries(bench, input, &[]).try_into().unwrap();
    assert!(summary.opaque.is_empty());
    summary.device.unwrap()
}

/// Returns the names of the symbols for which a predicate holds.
fn names(module: &DeviceModule, holds: impl Fn(&weft_artifact::Symbol) -> bool) -> BTreeSet<&str> {
    let symbols = module.symbols.iter().filter(|symbol| holds(symbol));
    symbols.map(|symbol| symbol.name.as_str()).collect()
}

#[test]
fn a_summary_holds_all_that_the_cubin_of_the_same_unit_defines_and_needs() {
    let bench = bench();
    compile(&bench, "all");
    let module = module(&bench, "all.o");
    assert_eq!(module.architecture, ARCHITECTURE);
    let defined = names(&module, weft_artifact::Symbol::is_definition);
    let declared = names(&module, |symbol| !symbol.is_definition());
    // The cubin of the same unit is what plain separate compilation would link.
    nvcc(&bench, &["-dc", "-cubin", "-arch=sm_90", "all.cu", "-o", "all.cubin"]);
    let symbols = cubin_symbols(&bench.read("all.cubin")).unwrap();
    assert!(symbols.defines.len() > 10 && symbols.needs.len() > 3);
    for name in &symbols.defines {
        assert!(defined.contains(name.as_str()), "{name} is not defined");
    }
    for name in &symbols.needs {
        assert!(declared.contains(name.as_str()), "{name} is not declared");
    }
    let kernels = names(&module, |symbol| symbol.is_kernel() && symbol.is_definition());
    assert_eq!(kernels.len(), 6, "{kernels:?}");
    let function = |name: &str| {
        let symbol = module.symbols.iter().find(|symbol| symbol.name == name);
        symbol.and_then(|symbol| symbol.function()).unwrap_or_else(|| panic!("no {name}"))
    };
    let named = |name: &str| -> Vec<&str> {
        let function = function(name);
        let calls = function.calls.iter().map(|call| call.callee);
        let all = calls.chain(function.references.iter().copied());
        all.map(|index| module.symbol(index).unwrap().name.as_str()).collect()
    };
    let launcher = named("_Z8launcherPi");
    for kernel in ["_Z5childPi", "_Z12other_kernelPi"] {
        assert!(launcher.contains(&kernel), "{launcher:?}");
    }
    let everything = "_Z10everythingPiyy";
    let used = named(everything);
    for name in [
        "constants",
        "managed",
        "other_variable",
        "_Z14other_functioni",
        "dynamic",
        "table",
        "constant_table",
        "_Z8instanceIiET_S0_",
        "_Z5valueIiE",
        "shared_by_units",
        "object",
        "vprintf",
        "malloc",
        "free",
    ] {
        assert!(used.contains(&name), "{name} is not among {used:?}");
    }
    for part in ["flag", "fixed", "own"] {
        assert!(used.iter().any(|name| name.contains(part)), "{part} is not among {used:?}");
    }
    let everything = function(everything);
    assert_eq!(everything.launch_bounds.max_threads, 128);
    assert_eq!(everything.launch_bounds.min_blocks, 2);
    assert!(everything.indirect_calls >= 3 && everything.flags.not_importable);
    let references = |name: &str| -> BTreeSet<&str> {
        let symbol = module.symbols.iter().find(|symbol| symbol.name == name).unwrap();
        let references = &symbol.variable().unwrap().references;
        references.iter().map(|&index| module.symbol(index).unwrap().name.as_str()).collect()
    };
    assert!(references("table").is_superset(&BTreeSet::from(["_Z5plaini", "_Z14other_functioni"])));
    assert_eq!(references("table").len(), 3);
    assert_eq!(references("constant_table"), BTreeSet::from(["_Z5plaini", "_Z14other_functioni"]));
    assert!(references("_ZTV7Derived").contains("_ZN7Derived4areaEv"));
    let body = |name: &str| &module.symbols.iter().find(|symbol| symbol.name == name).unwrap().body;
    assert!(matches!(body("dynamic"), Body::Declaration(Declaration::DynamicShared(4))));
    assert!(matches!(body("_Z12other_kernelPi"), Body::Declaration(Declaration::Kernel)));
    let weak = names(&module, |symbol| symbol.linkage == Linkage::WeakAny);
    for name in
        ["_Z8instanceIiET_S0_", "_Z15kernel_templateIfEvPT_", "_ZTV4Base", "shared_by_units"]
    {
        assert!(weak.contains(name), "{name} is not among {weak:?}");
    }
    let lacks_digest =
        names(&module, |symbol| symbol.linkage == Linkage::WeakAny && symbol.content.is_none());
    assert!(lacks_digest.is_empty(), "{lacks_digest:?}");
}

#[test]
fn host_tables_name_what_host_code_uses() {
    let bench = bench();
    compile(&bench, "all");
    let [summary] = summaries(&bench, "all.o", &[]).try_into().unwrap();
    let host = summary.host.unwrap();
    let has = |kind, part: &str| {
        host.named.iter().any(|name| name.kind == kind && name.pattern.contains(part))
    };
    assert!(has(NamedKind::Kernel, "hidden_kernel") && has(NamedKind::Kernel, "kernel_template"));
    assert!(has(NamedKind::Constant, "constants") && has(NamedKind::Variable, "managed"));
    assert!(!has(NamedKind::Kernel, "setter"));
}

#[test]
fn the_variables_that_code_may_write_are_found() {
    let bench = bench();
    compile(&bench, "uses");
    let module = module(&bench, "uses.o");
    let written = &module.lto_ir.as_ref().unwrap().written;
    let written: BTreeSet<&str> =
        written.iter().map(|&index| module.symbol(index).unwrap().name.as_str()).collect();
    let variables = names(&module, |symbol| {
        matches!(symbol.body, Body::Variable(_) | Body::Declaration(Declaration::Variable))
    });
    let expected: BTreeSet<&str> =
        variables.iter().copied().filter(|name| name.contains("written_")).collect();
    assert_eq!(written, expected);
    assert_eq!(expected.len(), 19);
    assert_eq!(variables.iter().filter(|name| name.contains("read_")).count(), 19);
}

#[test]
fn a_module_is_the_same_without_its_object_and_in_any_host_code() {
    let bench = bench();
    let source = |grid: u32| {
        format!(
            "static __device__ int flag = 3;\n__global__ void k(int *p) {{ *p = flag; }}\n\
             void launch(int *p) {{ k<<<{grid}, 1>>>(p); }}\n"
        )
    };
    let mut extracted = Vec::new();
    for grid in [1, 2] {
        bench.write("host.cu", source(grid));
        compile(&bench, "host");
        summarize(&bench, "host.o", &["--bitcode", "host.bc"]).succeed();
        extracted.push((bench.read("host.bc"), bench.read("host.o")));
    }
    assert_eq!(extracted[0].0, extracted[1].0);
    assert_ne!(extracted[0].1, extracted[1].1);
    assert_eq!(fatbin_entries(&extracted[0].0).unwrap().len(), 1);
    assert_eq!(module(&bench, "host.bc"), module(&bench, "host.o"));
    // Cubins and PTX beside the LTO IR are of the same code.
    let code = "arch=compute_90,code=[lto_90,sm_90,compute_90]";
    nvcc(&bench, &["-dc", "-gencode", code, "host.cu", "-o", "more.o"]);
    assert_eq!(module(&bench, "more.o"), module(&bench, "host.o"));
    let other = "arch=compute_100,code=lto_100";
    let both = ["-dc", "-gencode", other, "-gencode", code, "host.cu", "-o", "both.o"];
    nvcc(&bench, &both);
    let of = |architecture: &str| {
        let [summary] = summaries(&bench, "both.o", &["--arch", architecture]).try_into().unwrap();
        assert!(summary.opaque.is_empty());
        summary.device.unwrap().architecture
    };
    assert_eq!(["sm_90", "sm_100"].map(of), ["sm_90", "sm_100"]);
    nvcc(&bench, &["-rdc=true", "-dlto", "-ltoir", "-arch=sm_90", "host.cu", "-o", "host.ltoir"]);
    let [summary] = summaries(&bench, "host.ltoir", &["--arch", "sm_90"]).try_into().unwrap();
    assert_eq!(summary.device.unwrap().symbols, module(&bench, "host.o").symbols);
}

#[test]
fn archives_and_joined_objects_hold_several_modules() {
    let bench = bench();
    compile(&bench, "small");
    compile(&bench, "uses");
    bench.llvm("llvm-ar").args(["rcs", "lib.a", "small.o", "uses.o"]).succeed();
    Run::new("ld", bench.path()).args(["-r", "small.o", "uses.o", "-o", "joined.o"]).succeed();
    for (input, ids) in
        [("lib.a", ["unit/small.o", "unit/uses.o"]), ("joined.o", ["unit", "unit~module2"])]
    {
        let all = summaries(&bench, input, &[]);
        let modules = all.iter().map(|summary| (summary.module_id.as_str(), &summary.device));
        let found: Vec<_> = modules.filter(|(_, device)| device.is_some()).collect();
        assert_eq!(found.iter().map(|(id, _)| *id).collect::<Vec<_>>(), ids);
        let sizes = found.iter().map(|(_, device)| device.as_ref().unwrap().symbols.len());
        assert!(sizes.is_sorted());
        let list = bench.weft("summarize").args(["--print-modules", "--module-id", "unit", input]);
        let list = list.succeed();
        assert_eq!(list.stdout, format!("{}\tsm_90\n{}\tsm_90\n", ids[0], ids[1]));
    }
    let joined = summarize(&bench, "joined.o", &["--bitcode", "joined.bc"]).expect(2);
    joined.says(&["this unit holds 2 for sm_90"]);
}

#[test]
fn what_cannot_be_optimized_is_named_with_the_remedy() {
    let bench = bench();
    compile(&bench, "small");
    let small = |options: &[&str]| summarize(&bench, "small.o", options);
    small(&["--arch", "sm_80"]).expect(3).says(&[
        "small.o: ",
        "only lto_90: compile it with -dc -gencode arch=compute_80,code=lto_80",
    ]);
    small(&["--host-only"]).expect(3).says(&["small.o holds LTO IR of nvcc"]);
    small(&["--nvvm", "nowhere"]).expect(4).says(&[
        "small.o: nowhere has no lib64/libnvvm.so",
        "reads the LTO IR of nvcc: --nvvm names the folder nvvm of CUDA",
    ]);
    let missing = bench.weft("summarize").args(["--module-id", "unit", "-o", "x", "small.o"]);
    missing
        .args(["--nvlink", "./nvlink"])
        .expect(4)
        .says(&["small.o: there is no ./nvlink", "--nvlink names"]);
    // Without LTO IR device code is linked as it is, if that is not refused.
    nvcc(&bench, &["-dc", "-arch=sm_90", "small.cu", "-o", "plain.o"]);
    nvcc(&bench, &["-c", "-arch=sm_90", "small.cu", "-o", "whole.o"]);
    for (input, words) in [
        (
            "plain.o",
            "only sm_90, compute_90: compile it with -dc -gencode arch=compute_90,code=lto_90",
        ),
        (
            "whole.o",
            "nvcc compiled its device code as a whole program, which no link can optimize: compile \
             it with -dc -gencode",
        ),
    ] {
        let required = ["--arch", "sm_90", "--lto-ir=required"];
        summarize(&bench, input, &required).expect(3).says(&[input, words]);
        let [summary] = summaries(&bench, input, &["--arch", "sm_90"]).try_into().unwrap();
        assert!(summary.device.is_none() && !summary.opaque.is_empty());
    }
    let [opaque] = summaries(&bench, "small.o", &["--lto-ir=never"]).try_into().unwrap();
    assert!(opaque.device.is_none() && opaque.opaque.len() == 1);
    let two = ["-dc", "-gencode", "arch=compute_90,code=lto_90", "-gencode"];
    nvcc(
        &bench,
        &[&two[..], &["arch=compute_100,code=lto_100", "small.cu", "-o", "two.o"]].concat(),
    );
    summarize(&bench, "two.o", &[])
        .expect(3)
        .says(&["two.o: ", "(sm_90, sm_100): choose one with --arch"]);
    // nvlink reports damaged LTO IR, but exits with 0.
    summarize(&bench, "small.o", &["--bitcode", "small.bc"]).succeed();
    let mut damaged = bench.read("small.bc");
    let middle = damaged.len() / 2;
    damaged[16 + 48] ^= 0xFF;
    damaged[middle] ^= 0xFF;
    bench.write("damaged.fatbin", &damaged);
    summarize(&bench, "damaged.fatbin", &[]).expect(5).says(&["damaged.fatbin: ", "nvlink"]);
}

#[test]
fn the_result_of_nvlink_is_kept() {
    let bench = bench();
    compile(&bench, "small");
    let cached = || {
        let run = summarize(&bench, "small.o", &["--cache-dir", "cache", "--stats"]);
        let outcome = run.variable("WEFT_CACHE", "on").succeed();
        (outcome.stdout + &outcome.stderr, bench.read("out.summary"))
    };
    let (first, second) = (cached(), cached());
    assert_eq!(first.1, second.1);
    // Hits and misses.
    for (stats, expected) in [(first.0, ["0", "1"]), (second.0, ["1", "0"])] {
        let line = stats.lines().find(|line| line.starts_with("summarize "));
        let numbers: Vec<_> = line.unwrap_or_default().split_whitespace().skip(1).take(2).collect();
        assert_eq!(numbers, expected, "{stats}");
    }
}
