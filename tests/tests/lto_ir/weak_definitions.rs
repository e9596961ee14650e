//! Weak definitions in units of nvcc yield to those of other units, also where a job reads the weak
//! ones alone.

use dev_interpreter::{Launch, Machine, Program};
use weft_tests::{Run, Workbench, tools};

/// Text that both units include.
const SHARED: &str = "
inline __device__ int counted;
inline __device__ int count() { return ++counted; }
";
const WEAK: &str = "
extern \"C\" __device__ __attribute__((weak)) int hook(int x) { return x + 1; }
extern \"C\" __device__ __attribute__((weak)) int limit = 10;
extern \"C\" __global__ void use(int *p) { *p = hook(*p) * 100 + limit + count(); }
void first(int *p) { use<<<1, 1>>>(p); }
";
const STRONG: &str = "
extern \"C\" __device__ int hook(int x) { return x + 2; }
extern \"C\" __device__ int limit = 20;
extern \"C\" __global__ void also(int *p) { *p = hook(*p) + limit + count(); }
void second(int *p) { also<<<1, 1>>>(p); }
";

fn nvcc(bench: &Workbench, name: &str, options: &[&str]) {
    let run = Run::new(tools().cuda("nvcc"), bench.path());
    let files = [format!("{name}.cu"), "-o".to_owned(), format!("{name}.o")];
    let code = ["-dc", "-gencode", "arch=compute_90,code=lto_90"];
    run.args(code).args(options.iter().copied()).args(files).succeed();
}

/// Links both units, and returns what the kernels compute from the PTX of their jobs.
fn computed(bench: &Workbench, options: &[&str]) -> [u32; 3] {
    let nvlink = tools().cuda("nvlink");
    let nvlink = nvlink.to_str().unwrap();
    for name in ["weak", "strong"] {
        let summarize = bench.weft("summarize").args(["--module-id", name, "--nvlink", nvlink]);
        summarize.args(["-o", &format!("{name}.summary"), &format!("{name}.o")]).succeed();
    }
    bench.write("order", "weak\nstrong\n");
    let thinlink = bench.weft("thinlink").args(["-o", "plans", "--link-order", "order"]);
    let thinlink = thinlink.args(options.iter().copied());
    thinlink.args(["--has-global-host-info", "weak.summary", "strong.summary"]).succeed();
    let ptx = ["weak", "strong"].map(|name| {
        let plan = format!("plans/{name}.plan");
        let run = bench.weft("backend-job").args(["run", "--emit=ptx", "--nvlink", nvlink]);
        run.args(["--plan", &plan, "--module", &format!("{name}.o")])
            .args(["--import=weak=weak.o", "--import=strong=strong.o"])
            .args(["-o", &format!("{name}.ptx")])
            .succeed();
        String::from_utf8(bench.read(&format!("{name}.ptx"))).unwrap()
    });
    let program = Program::link([("weak", ptx[0].as_str()), ("strong", ptx[1].as_str())]).unwrap();
    let mut machine = Machine::new(&program);
    let buffer = machine.allocate(4);
    machine.write(buffer, &5_u32.to_le_bytes()).unwrap();
    ["use", "also", "use"].map(|kernel| {
        let pointer = [buffer.to_le_bytes().to_vec()];
        machine.launch(&Launch::new(kernel, [1, 1, 1], [1, 1, 1], &pointer)).unwrap();
        u32::from_le_bytes(machine.read(buffer, 4).unwrap().try_into().unwrap())
    })
}

/// `hook` adds 2, `limit` is 20, and both units count in one variable.
const EXPECTED: [u32; 3] = [721, 745, 74_723];

#[test]
fn the_program_has_one_definition_of_each_name() {
    let bench = Workbench::new();
    bench.write("weak.cu", [SHARED, WEAK].concat());
    bench.write("strong.cu", [SHARED, STRONG].concat());
    nvcc(&bench, "weak", &[]);
    nvcc(&bench, "strong", &[]);
    assert_eq!(computed(&bench, &[]), EXPECTED, "one job reads both");
    assert_eq!(computed(&bench, &["--copy-limit=0"]), EXPECTED, "the other is too large");
    nvcc(&bench, "strong", &["-ftz=true"]);
    assert_eq!(computed(&bench, &[]), EXPECTED, "the other is of another arithmetic");
    bench.compile_cuda("strong", &["-std=c++17"]);
    assert_eq!(computed(&bench, &[]), EXPECTED, "the other is of clang");
}
