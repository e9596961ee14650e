//! Alignment of dynamic shared memory. nvlink takes it from the first of a program's declarations
//! in link order, so each declaration must state the largest alignment that any unit of the program
//! needs.

use weft_container::cubin_symbols;
use weft_tests::{ARCHITECTURE, Run, Workbench, tools};

/// Returns a kernel that only mentions the memory, and needs a body from another unit.
fn mention(kernel: &str, callee: &str) -> String {
    format!(
        "extern __shared__ char memory[];
__device__ int {callee}(int);
__global__ void {kernel}(int *p) {{ *p = memory[*p] + {callee}(*p); }}
void launch_{kernel}(int *p) {{ {kernel}<<<1, 1>>>(p); }}
"
    )
}

/// A kernel that does not name the memory itself, but imports a body that does.
const BORROWER: &str = "__device__ int middle(int);
__global__ void borrower(int *p) { *p = middle(*p); }
void launch_borrower(int *p) { borrower<<<1, 1>>>(p); }
";

const MIDDLE: &str = "extern __shared__ __align__(64) char memory[];
__device__ int middle(int x) { return memory[x + 1]; }
";

/// A unit whose kernel needs the memory at a multiple of 1024 bytes, as the tensor memory
/// accelerator does.
const NEEDY: &str = "extern __shared__ __align__(1024) char memory[];
__device__ int large(int x) { return memory[x]; }
__global__ void needy(unsigned long long *p) {
  p[0] = (unsigned long long)memory;
  p[1] = memory[p[0]];
}
void launch_needy(unsigned long long *p) { needy<<<1, 1>>>(p); }
";

const UNITS: [&str; 5] = ["borrower", "first", "middle", "needy", "second"];

fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.write("first.cu", mention("first", "middle"));
    bench.write("second.cu", mention("second", "large"));
    bench.write("borrower.cu", BORROWER);
    bench.write("middle.cu", MIDDLE);
    bench.write("needy.cu", NEEDY);
    bench
}

fn nvlink(bench: &Workbench, cubins: &[String]) {
    Run::new(tools().cuda("nvlink"), bench.path())
        .arg(format!("-arch={ARCHITECTURE}"))
        .args(cubins.iter().cloned())
        .args(["-o", "image.cubin"])
        .succeed();
}

/// Returns the alignment of each section of shared memory in `image.cubin`, by kernel.
fn alignments(bench: &Workbench) -> Vec<(String, u64)> {
    let sections = bench.llvm("llvm-readelf").args(["-SW", "image.cubin"]).succeed().stdout;
    let mut found: Vec<_> = sections
        .lines()
        .filter_map(|line| {
            let (_, rest) = line.split_once(".nv.shared.")?;
            let words: Vec<&str> = rest.split_whitespace().collect();
            Some(((*words.first()?).to_owned(), words.last()?.parse().ok()?))
        })
        .collect();
    found.sort();
    found
}

/// Checks every link order, because nvlink's result depends on it.
fn check_every_order(bench: &Workbench, cubins: &[String], kernels: usize) {
    for turn in 0..cubins.len() {
        let mut order = cubins.to_vec();
        order.rotate_left(turn);
        for order in [order.clone(), order.into_iter().rev().collect()] {
            nvlink(bench, &order);
            let found = alignments(bench);
            assert_eq!(found.len(), kernels, "{order:?}: {found:?}");
            assert!(found.iter().all(|(_, alignment)| *alignment == 1024), "{order:?}: {found:?}");
        }
    }
}

#[test]
fn dynamic_shared_memory_is_aligned_for_the_neediest_unit_in_any_link_order() {
    let bench = bench();
    bench.build(&UNITS);
    let borrower = String::from_utf8(bench.read("borrower.ptx")).expect("PTX is text");
    assert!(borrower.contains(".extern .shared .align 1024"), "{borrower}");
    check_every_order(&bench, &UNITS.map(|unit| format!("{unit}.cubin")), 4);
}

#[test]
fn combined_modules_keep_the_largest_alignment_of_dynamic_shared_memory() {
    let bench = bench();
    bench.prepare(&UNITS);
    // Each module is compiled alone, so that it does not know the needs of the others.
    for unit in UNITS {
        let options = ["-o", "alone", "--force-partial"];
        bench.weft("thinlink").args(options).arg(format!("{unit}.summary")).succeed();
        bench
            .weft("backend-job")
            .args(["import", "--plan", &format!("alone/{unit}.plan")])
            .args(["--module", &format!("{unit}.bc"), "-o", &format!("{unit}.linked.bc")])
            .succeed();
    }
    for order in [UNITS, ["needy", "second", "middle", "first", "borrower"]] {
        let modules = order.map(|unit| format!("{unit}.linked.bc"));
        bench.weft("backend-job").args(["combine", "-o", "whole.bc"]).args(modules).succeed();
        let whole = bench.text_of("whole.bc");
        let declared = whole.lines().find(|line| line.starts_with("@memory ="));
        assert!(
            declared.is_some_and(|line| line.ends_with("align 1024")),
            "{order:?}: {declared:?}"
        );
    }
}

#[test]
fn an_image_that_is_not_bitcode_takes_part_in_the_alignment() {
    let bench = bench();
    let nvcc = |unit: &str| {
        Run::new(tools().cuda("nvcc"), bench.path())
            .args([&format!("-arch={ARCHITECTURE}"), "-dc", "-cubin", &format!("{unit}.cu")])
            .args(["-o", &format!("{unit}.nvcc.cubin")])
            .succeed();
        bench
            .weft("summarize")
            .args(["--module-id", &format!("{unit}.nvcc"), "-o", &format!("{unit}.nvcc.summary")])
            .arg(format!("{unit}.nvcc.cubin"))
            .succeed();
    };
    // Machine code needs a larger alignment than any module, and the modules declare the same.
    nvcc("needy");
    let symbols = cubin_symbols(&bench.read("needy.nvcc.cubin")).expect("it is a cubin");
    assert_eq!(symbols.dynamic_shared, [("memory".to_owned(), 1024)]);
    let modules = ["borrower", "first", "middle", "second"];
    bench.prepare(&["borrower", "first", "middle"]);
    bench.write("second.cu", mention("second", "large"));
    bench.prepare(&["second"]);
    let messages = bench.thinlink(&[&modules[..], &["needy.nvcc"]].concat(), &[]).stderr;
    assert!(!messages.contains("'memory'"), "{messages}");
    for unit in modules {
        bench.import(unit, &modules).succeed();
        bench.codegen(unit).succeed();
        bench.assemble(unit).succeed();
    }
    let mut cubins = modules.map(|unit| format!("{unit}.cubin")).to_vec();
    cubins.push("needy.nvcc.cubin".to_owned());
    check_every_order(&bench, &cubins, 4);

    // Machine code that declares less than a module needs cannot be changed, so its position in the
    // link order decides.
    nvcc("first");
    bench.prepare(&["needy"]);
    bench.thinlink(&["borrower", "middle", "needy", "second", "first.nvcc"], &[]);
    let messages =
        bench.thinlink(&["borrower", "middle", "needy", "second", "first.nvcc"], &[]).stderr;
    for part in ["first.nvcc.summary", "'memory'", "16", "1024", "needy.summary"] {
        assert!(messages.contains(part), "{part}: {messages}");
    }
}
