//! `weak` definitions that differ: the first definition in link order prevails, as with nvlink.

use weft_tests::{ARCHITECTURE, Run, Workbench, tools};

const MAIN: &str = "__device__ int chosen(int);
extern __device__ int state;
__global__ void kernel(int *p) { p[0] = chosen(p[1]); p[2] = state; }
int main() { kernel<<<1, 1>>>(nullptr); }
";

/// Numbers that occur nowhere else in an image. The definition in each of the two units holds one.
const FUNCTIONS: [u32; 2] = [0x1357_9BDF, 0x2468_ACE1];
const VARIABLES: [u32; 2] = [0x5A6B_7C8D, 0x6B7C_8D9F];

fn definitions(unit: usize) -> String {
    format!(
        "__device__ __attribute__((weak)) int chosen(int x) {{ return x ^ {:#x}; }}
__device__ __attribute__((weak)) int state = {:#x};
",
        FUNCTIONS[unit], VARIABLES[unit]
    )
}

const UNITS: [&str; 3] = ["main", "one", "two"];

fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.write("main.cu", MAIN);
    bench.write("one.cu", definitions(0));
    bench.write("two.cu", definitions(1));
    bench.prepare(&UNITS);
    bench
}

/// Returns the initial value of the variable in `image.cubin`. nvlink also leaves the bytes of the
/// non-prevailing definition in the image, which nothing refers to.
fn initial_value(bench: &Workbench) -> Option<u32> {
    let readelf = |options: &[&str]| {
        let run = bench.llvm("llvm-readelf").args(options.iter().copied()).arg("image.cubin");
        run.succeed().stdout
    };
    let symbols = readelf(&["-sW"]);
    let symbol = symbols.lines().find(|line| line.ends_with(" state"))?;
    let offset = usize::from_str_radix(symbol.split_whitespace().nth(1)?, 16).ok()?;
    let bytes = readelf(&["-x", ".nv.global.init"]);
    let row = bytes.lines().find_map(|line| line.trim().strip_prefix("0x00000000 "))?;
    let word = row.split_whitespace().nth(offset / 4)?;
    u32::from_str_radix(word, 16).ok().map(u32::swap_bytes)
}

/// Returns those of the numbers that are in the image that nvlink makes of the cubins.
fn numbers(bench: &Workbench, cubins: &[String]) -> Vec<u32> {
    Run::new(tools().cuda("nvlink"), bench.path())
        .arg(format!("-arch={ARCHITECTURE}"))
        .args(cubins.iter().cloned())
        .args(["-o", "image.cubin"])
        .succeed();
    let image = bench.read("image.cubin");
    let is_there = |number: &u32| image.chunks_exact(4).any(|word| word == number.to_le_bytes());
    FUNCTIONS.into_iter().chain(VARIABLES).filter(is_there).collect()
}

#[test]
fn the_first_definition_in_link_order_is_kept_as_nvlink_keeps_it() {
    let bench = bench();
    for unit in UNITS {
        let files = [format!("{unit}.bc"), "-o".to_owned(), format!("{unit}.plain.ptx")];
        bench.llvm("llc").arg("-mcpu=sm_90").args(files).succeed();
        Run::new(tools().cuda("ptxas"), bench.path())
            .args([&format!("-arch={ARCHITECTURE}"), "-c", &format!("{unit}.plain.ptx")])
            .args(["-o", &format!("{unit}.plain.cubin")])
            .succeed();
    }
    let orders = [["main", "one", "two"], ["two", "main", "one"]];
    for (order, first) in orders.into_iter().zip([0, 1]) {
        let plain = numbers(&bench, &order.map(|unit| format!("{unit}.plain.cubin")));
        let plain: Vec<u32> = (plain.into_iter().filter(|number| FUNCTIONS.contains(number)))
            .chain(initial_value(&bench))
            .collect();
        assert_eq!(plain, [FUNCTIONS[first], VARIABLES[first]], "{order:?}");

        bench.write("order.txt", order.map(|unit| format!("{unit}\n")).concat());
        let messages = bench.thinlink(&UNITS, &["--link-order", "order.txt"]).stderr;
        let [one, other] = if first == 0 { ["one", "two"] } else { ["two", "one"] };
        for name in ["_Z6choseni", "state"] {
            let warning = format!(
                "the definitions of '{name}' in {one}.summary and {other}.summary differ: the \
                 program gets that of {one}.summary"
            );
            assert!(messages.contains(&warning), "{messages}");
        }
        assert!(!messages.contains("rule"), "{messages}");
        // The order of the linked modules has no effect any more.
        let plans = || UNITS.map(|unit| bench.read(&format!("plans/{unit}.plan")));
        let expected = plans();
        bench.thinlink(&["two", "one", "main"], &["--link-order", "order.txt"]);
        assert!(plans() == expected, "{order:?}");
        // The order is read from the declared file and from no other file.
        std::fs::remove_dir_all(bench.file("plans")).unwrap();
        bench.thinlink(&UNITS, &["--isolated", "--link-order", "order.txt"]);
        assert!(plans() == expected, "{order:?}");
        for unit in UNITS {
            bench.import(unit, &UNITS).succeed();
            bench.codegen(unit).succeed();
            bench.assemble(unit).succeed();
        }
        for cubins in [UNITS, ["two", "one", "main"]] {
            let linked = numbers(&bench, &cubins.map(|unit| format!("{unit}.cubin")));
            assert_eq!(linked, plain, "{order:?}, {cubins:?}");
        }
    }
}

#[test]
fn definitions_that_differ_are_refused_without_a_link_order() {
    let bench = bench();
    let thinlink = |more: &[&str]| {
        let run = bench.weft("thinlink").args(["--has-global-host-info", "-o", "plans"]);
        run.args(more.iter().copied()).args(UNITS.map(|unit| format!("{unit}.summary")))
    };
    thinlink(&[]).expect(3).says(&["one.summary", "two.summary", "differ", "--link-order"]);
    assert!(!bench.file("plans").exists());
    bench.write("order.txt", "one\ngone\n");
    thinlink(&["--link-order", "order.txt"]).expect(3).says(&["order.txt: 'gone'"]);
    thinlink(&["--link-order", "none.txt"]).expect(4).says(&["none.txt"]);
}

/// A header with weak definitions that reach code and data which only the unit sees.
const HEADER: &str = "static __device__ __noinline__ int helper(const char *text, int x) {
  return text[x] * 3;
}
__device__ __attribute__((weak)) int shared_function(int x) {
  float sum = 0;
  for (int i = 0; i < x; ++i) sum += __sinf(i);
  return helper(\"the same text\", x) + (int)sum;
}
__device__ __attribute__((weak)) int (*shared_pointer)(int) = shared_function;
";

#[test]
fn equal_definitions_need_no_link_order_wherever_they_are_compiled() {
    let bench = Workbench::new();
    bench.write("same.h", HEADER);
    bench.write("one.cu", "#include \"same.h\"\n");
    bench.write(
        "two.cu",
        "#include <math.h>
static __device__ __noinline__ const char *other(int x) { return x ? \"one text\" : \"another\"; }
#include \"same.h\"
__global__ void kernel(float *p) {
  *p = sinf(*p) + other((int)*p)[1] + shared_pointer(2) + shared_function(3);
}
int main() { kernel<<<1, 1>>>(nullptr); }
",
    );
    bench.prepare(&["one", "two"]);
    let messages = bench.thinlink(&["one", "two"], &[]).stderr;
    assert!(!messages.contains("differ"), "{messages}");

    // Here the definitions differ only in the code and data that they reach.
    for (old, new) in
        [("the same text", "the other text"), ("* 3", "* 5"), ("int i = 0", "int i = 1")]
    {
        assert!(HEADER.contains(old));
        bench.write("same.h", HEADER.replace(old, new));
        bench.prepare(&["one"]);
        bench
            .weft("thinlink")
            .args(["-o", "plans", "one.summary", "two.summary"])
            .expect(3)
            .says(&["_Z15shared_functioni", "one.summary", "two.summary"]);
    }
}
