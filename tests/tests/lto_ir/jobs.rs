//! Units of nvcc go through the phases of backend-job by plans for their LTO IR, and the program
//! computes what `nvcc -dlto` has it compute.

use std::path::Path;

use dev_interpreter::{Launch, Machine, Program};
use weft_artifact::{
    Arithmetic, Artifact as _, LtoIrPlan, LtoIrRole, LtoIrSymbol, ModuleId, PhaseOptions, Plan,
    SharedAlignment,
};
use weft_container::{PtxItemKind, ptx_items, ptx_options};
use weft_tests::{ARCHITECTURE, Run, Workbench, tools};

const A: &str = "
typedef int (*op)(int);
extern __device__ int table[4];
extern __device__ op ops[2];
extern __shared__ int dynamic[];
extern __device__ int far(int x, int y);
static __device__ int flag = 3;
__device__ int counter[4] = {5, 6, 7, 8};
__constant__ int coefficients[4] = {2, 3, 5, 7};
static __device__ __noinline__ int add(int x) { return x + flag; }
template <class T> __device__ __noinline__ T buffered(T x) {
  __shared__ T buffer[32];
  buffer[threadIdx.x] = x; __syncthreads();
  T other = buffer[31 - threadIdx.x]; __syncthreads();
  return other;
}
__global__ void set(int v) { flag = v; ops[0] = add; }
__global__ void use(int *p) {
  int i = threadIdx.x;
  dynamic[i] = p[i]; __syncthreads();
  p[i] = flag + table[i & 3] + ops[i & 1](i) + buffered(dynamic[31 - i]) + far(i, 2)
    + coefficients[i & 3];
  if (i == 0) counter[2] += flag;
}
";
const B: &str = "
typedef int (*op)(int);
__device__ int table[4] = {1, 2, 3, 4};
extern __device__ int counter[4];
__device__ int total;
template <class T> __device__ __noinline__ T buffered(T x) {
  __shared__ T buffer[32];
  buffer[threadIdx.x] = x; __syncthreads();
  T other = buffer[31 - threadIdx.x]; __syncthreads();
  return other;
}
static __device__ __noinline__ int twice(int x) { return x * 2 + total; }
__device__ __noinline__ int thrice(int x) { return x * 3 + table[x & 3]; }
__device__ op ops[2] = {twice, thrice};
static __device__ __noinline__ int helper(int x, int y) {
  atomicAdd(&total, y);
  return x - counter[y & 3];
}
__device__ __noinline__ int far(int x, int y) { return helper(x, y) + helper(y, x) + buffered(x); }
__global__ void fill(int *p) { table[threadIdx.x & 3] = total + helper(threadIdx.x, 3) + p[0]; }
";
/// A unit that has nothing to do with the others.
const C: &str = "
#include <cstdio>
__device__ int lonely;
__global__ void unrelated(int *p) {
  for (int i = 0; i < *p; ++i) lonely += printf(\"%d %s\", i, \"c\");
}
";

fn nvcc(bench: &Workbench, name: &str) {
    let run = Run::new(tools().cuda("nvcc"), bench.path());
    let code = "arch=compute_90,code=lto_90";
    let files = [format!("{name}.cu"), "-o".to_owned(), format!("{name}.o")];
    run.args(["-dc", "-gencode", code]).args(files).succeed();
}

/// Returns what nvlink writes for objects, with these options.
fn nvlink(bench: &Workbench, options: &[&str], objects: &[&str]) -> String {
    let nvvm = format!("-nvvmpath={}", tools().cuda_root().join("nvvm").display());
    let run = Run::new(tools().cuda("nvlink"), bench.path());
    let run = run.args([nvvm.as_str(), "-arch", ARCHITECTURE, "-dlto", "-emit-ptx"]);
    run.args(options.iter().copied())
        .args(objects.iter().copied())
        .args(["-o", "out.ptx"])
        .succeed();
    String::from_utf8(bench.read("out.ptx")).unwrap()
}

/// Returns the symbol in PTX whose name ends with `end`.
fn named(ptx: &str, end: &str) -> String {
    let items = ptx_items(ptx).unwrap();
    let is_symbol = |kind| {
        matches!(kind, PtxItemKind::Function | PtxItemKind::Kernel | PtxItemKind::Variable(_))
    };
    let mut names = items.iter().filter(|item| is_symbol(item.kind) && item.name.ends_with(end));
    names.next().unwrap().name.clone()
}

fn symbols(list: &[(&str, LtoIrRole, Option<&str>)]) -> Vec<LtoIrSymbol> {
    let mut symbols: Vec<_> = list
        .iter()
        .map(|&(name, role, linked_name)| {
            let (name, linked_name) = (name.to_owned(), linked_name.map(str::to_owned));
            LtoIrSymbol { name, linked_name, role, alignment: None }
        })
        .collect();
    symbols.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    symbols
}

fn write_plan(bench: &Workbench, id: &str, lto_ir: LtoIrPlan) {
    let mut lto_ir = lto_ir;
    lto_ir.kernels.sort_unstable();
    lto_ir.used_variables.sort_unstable();
    let plan = Plan {
        module_id: ModuleId::new(id).unwrap(),
        architecture: ARCHITECTURE.to_owned(),
        options: PhaseOptions { debug: true, ..PhaseOptions::default() },
        arithmetic: Arithmetic::default(),
        symbols: Vec::new(),
        members: Vec::new(),
        imports: Vec::new(),
        virtual_calls: Vec::new(),
        attributes: Vec::new(),
        is_empty: false,
        import_metadata: false,
        dynamic_shared: vec![SharedAlignment { name: "dynamic".to_owned(), alignment: 64 }],
        kernels: Vec::new(),
        constants: Vec::new(),
        definitions: Vec::new(),
        lto_ir: Some(lto_ir),
    };
    bench.write(&format!("{id}.plan"), plan.encode().unwrap());
}

fn texts(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// Compiles the units, and writes the plan of a job for each of the first two.
fn prepare() -> Workbench {
    use LtoIrRole::{Define, Extern};
    let bench = Workbench::new();
    for (name, text) in [("a", A), ("b", B), ("c", C)] {
        bench.write(&format!("{name}.cu"), text);
        nvcc(&bench, name);
    }
    let plain = |object: &str| nvlink(&bench, &["-r", "-Xnvvm=-opt=0"], &[object]);
    let (a, b) = (plain("a.o"), plain("b.o"));
    let (flag, add, twice) = (named(&a, "_flag"), named(&a, "3addEi"), named(&b, "5twiceEi"));
    let set = named(&a, "_Z3seti");
    let shared = ["counter", "coefficients", "ops", "table"];
    let units = |ids: &[&str]| ids.iter().map(|&id| ModuleId::new(id).unwrap()).collect();
    let of_a = LtoIrPlan {
        kernels: texts(&[&set, "_Z3usePi"]),
        units: units(&["a"]),
        used_variables: [texts(&shared[..2]), vec![flag.clone()]].concat(),
        symbols: symbols(&[
            ("counter", Define, None),
            ("coefficients", Define, None),
            (&flag, Define, Some("flag_of_a")),
            (&add, Define, Some("add_of_a")),
            ("ops", Extern, None),
            ("table", Extern, None),
            ("_Z3farii", Extern, None),
        ]),
        ..LtoIrPlan::default()
    };
    write_plan(&bench, "a", of_a.clone());
    let with_more = LtoIrPlan { units: units(&["a", "c"]), ..of_a };
    write_plan(&bench, "wide", with_more.clone());
    bench.write("wide.plan", {
        let mut decoded = Plan::decode(&bench.read("wide.plan")).unwrap();
        decoded.module_id = ModuleId::new("a").unwrap();
        decoded.encode().unwrap()
    });
    let of_b = LtoIrPlan {
        kernels: texts(&["_Z4fillPi"]),
        units: units(&["b"]),
        used_variables: texts(&["ops", "table", "total"]),
        symbols: symbols(&[
            ("counter", Extern, None),
            ("table", Define, None),
            ("ops", Define, None),
            ("total", Define, None),
            (&twice, Define, Some("twice_of_b")),
            ("_Z6thricei", Define, None),
            ("_Z3farii", Define, None),
        ]),
        ..LtoIrPlan::default()
    };
    write_plan(&bench, "b", of_b);
    bench
}

/// Returns the command of backend-job that imports by a plan, with this nvlink.
fn import_with(bench: &Workbench, nvlink: &Path, plan: &str, module: &str, output: &str) -> Run {
    bench
        .weft("backend-job")
        .args(["import", "--plan", &format!("{plan}.plan"), "--module", &format!("{module}.o")])
        .args(["--nvlink", &nvlink.to_string_lossy(), "--import=c=c.o", "-o", output])
}

fn import(bench: &Workbench, plan: &str, module: &str) -> Run {
    let output = format!("{plan}.linked.bc");
    import_with(bench, &tools().cuda("nvlink"), plan, module, &output)
}

/// Runs all kernels, and returns the memory that they leave.
fn ran(files: &[(&str, &str)]) -> Vec<Vec<u8>> {
    let program = Program::link(files.iter().copied()).unwrap();
    let mut machine = Machine::new(&program);
    let buffer = machine.allocate(32 * 4);
    let pointer = [buffer.to_le_bytes().to_vec()];
    let value = [11_u32.to_le_bytes().to_vec()];
    let mut launch = |kernel: &str, arguments: &[Vec<u8>]| {
        let mut launch = Launch::new(kernel, [1, 1, 1], [32, 1, 1], arguments);
        launch.dynamic_shared_bytes = 128;
        machine.launch(&launch).unwrap();
    };
    for _ in 0..2 {
        launch("_Z3usePi", &pointer);
        launch("_Z4fillPi", &pointer);
        launch("_Z3seti", &value);
    }
    let mut memory = vec![machine.read(buffer, 128).unwrap().to_vec()];
    for name in ["counter", "table", "total"] {
        let (address, size) = machine.variable(name).unwrap();
        memory.push(machine.read(address, size).unwrap().to_vec());
    }
    memory
}

#[test]
fn two_jobs_make_the_program_that_nvcc_makes_in_one() {
    let bench = prepare();
    for name in ["a", "b"] {
        import(&bench, name, name).succeed();
        bench.codegen(name).succeed();
        let linked = bench.read(&format!("{name}.linked.bc"));
        assert_eq!(bench.read(&format!("{name}.ptx")), linked, "codegen hands PTX on");
        assert!(ptx_options(&linked).unwrap().debug);
        bench.assemble(name).succeed();
    }
    let nvlink_of_cubins = Run::new(tools().cuda("nvlink"), bench.path());
    nvlink_of_cubins
        .args(["-arch", ARCHITECTURE, "a.cubin", "b.cubin", "-o", "image.cubin"])
        .succeed();
    let text = |name: &str| String::from_utf8(bench.read(name)).unwrap();
    let (a, b) = (text("a.ptx"), text("b.ptx"));
    assert!(a.contains("dynamic[]") && a.contains(".shared .align 64"), "{a}");
    let whole = nvlink(&bench, &[], &["a.o", "b.o"]);
    let expected = ran(&[("whole", whole.as_str())]);
    assert_eq!(ran(&[("a", a.as_str()), ("b", b.as_str())]), expected);
    assert!(expected.iter().all(|bytes| bytes.iter().any(|byte| *byte != 0)), "{expected:?}");
}

#[test]
fn units_that_change_nothing_leave_no_trace() {
    let bench = prepare();
    import(&bench, "a", "a").succeed();
    import(&bench, "wide", "a").succeed();
    assert_eq!(bench.read("a.linked.bc"), bench.read("wide.linked.bc"));
    // An action in a separate folder gives the same bytes, and so does a cache hit.
    let again = || import_with(&bench, &tools().cuda("nvlink"), "a", "a", "b.linked.bc");
    again().arg("--isolated").succeed();
    assert_eq!(bench.read("a.linked.bc"), bench.read("b.linked.bc"));
    for _ in 0..2 {
        again().args(["--cache=on", "--cache-dir", "cache"]).succeed();
        assert_eq!(bench.read("a.linked.bc"), bench.read("b.linked.bc"));
    }
}

#[test]
fn all_phases_run_in_one_process() {
    let bench = prepare();
    let nvlink = tools().cuda("nvlink");
    let ptxas = tools().cuda("ptxas");
    let run_to = |output: &str| {
        let files = ["run", "--plan", "b.plan", "--module", "b.o", "-o", output];
        let run = bench.weft("backend-job").args(files);
        run.args(["--nvlink", &nvlink.to_string_lossy(), "--ptxas", &ptxas.to_string_lossy()])
    };
    let run = || run_to("out.cubin");
    run().args(["--emit", "linked,ptx,cubin", "--report", "r.json"]).succeed();
    assert_eq!(bench.read("out.linked.bc"), bench.read("out.ptx"));
    let report = String::from_utf8(bench.read("r.json")).unwrap();
    assert!(report.contains("_Z4fillPi"), "{report}");
    run().args(["--emit", "bc"]).expect(3).says(&["nvlink optimized the module"]);
    run().args(["--save", "saved"]).succeed();
    let saved = Run::new(bench.file("saved/run"), bench.path());
    let tool = tools().weft("backend-job");
    saved.variable("BACKEND_JOB", tool).variable("PATH", "/usr/bin:/bin").succeed();
    assert_eq!(bench.read("saved/out/out.cubin"), bench.read("out.cubin"));
    run_to("slow.ptx").args(["--Xnvvm=-opt=0", "--emit", "ptx"]).succeed();
    assert_ne!(bench.read("slow.ptx"), bench.read("out.ptx"));
}

#[test]
fn what_is_missing_is_named() {
    let bench = prepare();
    import(&bench, "a", "c").expect(70).says(&["c.o", "no kernel '_Z3seti'"]);
    let without = bench.weft("backend-job").args(["import", "--plan", "wide.plan"]);
    let without = without.args(["--module", "a.o", "-o", "x", "--nvlink", "nowhere/nvlink"]);
    without.expect(3).says(&["wide.plan", "the plan links 'c', and no --import gives its code"]);
    let nowhere = import_with(&bench, Path::new("nowhere/nvlink"), "a", "a", "x");
    nowhere.expect(4).says(&["a.o", "there is no nowhere/nvlink"]);
    let no_libraries = import(&bench, "a", "a").args(["--nvvm", "nowhere"]);
    no_libraries.expect(4).says(&["nowhere", "lib64/libnvvm.so"]);
    // The last argument is the file to write.
    let commands = "for last; do :; done
        printf '.version 9.5\\n.target sm_90\\n// \\377\\n' > \"$last\"";
    let wrong = bench.write_script("nvlink", commands);
    let not_text = import_with(&bench, &wrong, "a", "a", "x");
    let not_text = not_text.arg("--nvvm").arg(tools().cuda_root().join("nvvm"));
    not_text.expect(5).says(&["nvlink wrote PTX that is no text"]);
    bench.write("d.ll", "target triple = \"nvptx64-nvidia-cuda\"\n");
    bench.assemble_ir("d");
    let bitcode = bench.weft("backend-job").args(["import", "--plan", "a.plan"]);
    bitcode.args(["--module", "d.bc", "-o", "x"]).expect(3).says(&["d.bc", "holds no LTO IR"]);
    import(&bench, "b", "b").succeed();
    let combine = bench.weft("backend-job").args(["combine", "b.linked.bc", "-o", "x"]);
    combine.expect(3).says(&["b.linked.bc", "cannot be combined"]);
}
