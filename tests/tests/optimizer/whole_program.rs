//! Knowledge of the whole program in the thin link, from clang's CUDA to machine code: virtual
//! calls become direct, declarations get the attributes of their definitions, options reach ptxas.

use weft_artifact::Guid;
use weft_tests::Workbench;

const CLASSES: &str = "struct Shape {
  __device__ virtual float area(float scale) const = 0;
  __device__ virtual int corners() const = 0;
};
struct Square : Shape {
  float side;
  __device__ Square(float side);
  __device__ float area(float scale) const override;
  __device__ int corners() const override;
};
struct Kite : Shape {
  float width;
  __device__ Kite(float width);
  __device__ float area(float scale) const override;
  __device__ int corners() const override;
};
__device__ Shape *make(int kind, void *place);
";

/// Returns a unit that defines one class.
fn class(name: &str, field: &str, factor: &str) -> String {
    format!(
        "#include \"shapes.h\"
__device__ {name}::{name}(float {field}) : {field}({field}) {{}}
__device__ float {name}::area(float scale) const {{ return {field} * scale * {factor}; }}
__device__ int {name}::corners() const {{ return 4; }}
"
    )
}

const MAIN: &str = "#include \"shapes.h\"
__global__ void measure(int kind, float *out) {
  alignas(8) char place[32];
  const Shape *shape = make(kind, place);
  out[threadIdx.x] = shape->area(out[0]) + shape->corners();
}
int main() { measure<<<1, 1>>>(0, nullptr); }
";

/// Returns a program with two classes. It makes objects of the first class, and of the second if
/// `both` is set.
fn shapes(both: bool) -> (Workbench, Vec<&'static str>) {
    let bench = Workbench::new();
    bench.write("shapes.h", format!("#include <new>\n{CLASSES}"));
    bench.write("square.cu", class("Square", "side", "side"));
    bench.write("kite.cu", class("Kite", "width", "0.5f"));
    let kite = if both { "kind ? static_cast<Shape *>(new (place) Kite(3)) : " } else { "" };
    bench.write(
        "make.cu",
        format!(
            "#include \"shapes.h\"
__device__ __noinline__ Shape *make(int kind, void *place) {{
  return {kite}new (place) Square(2);
}}
"
        ),
    );
    bench.write("main.cu", MAIN);
    (bench, vec!["kite", "main", "make", "square"])
}

/// Returns the PTX of `main` and the messages of the thin link.
fn ptx_of_main(bench: &Workbench, units: &[&str], options: &[&str]) -> (String, String) {
    let messages = bench.thinlink(units, &[&["--verbose"], options].concat()).stderr;
    bench.import("main", units).succeed();
    bench.codegen("main").succeed();
    bench.assemble("main").succeed();
    (String::from_utf8(bench.read("main.ptx")).unwrap(), messages)
}

/// Counts the instructions that call through a register.
fn indirect_calls(ptx: &str) -> usize {
    ptx.matches(".callprototype").count()
}

#[test]
fn virtual_calls_become_direct_where_all_classes_are_known() {
    for both in [false, true] {
        let (bench, units) = shapes(both);
        bench.prepare(&units);
        let (ptx, messages) = ptx_of_main(&bench, &units, &[]);
        assert!(messages.contains("virtual calls: slots whose targets are known: 2"), "{messages}");
        assert_eq!(indirect_calls(&ptx), 0, "both {both}:\n{ptx}");
        let (without, _) = ptx_of_main(&bench, &units, &["--devirtualize=false"]);
        assert_eq!(indirect_calls(&without), 2, "both {both}:\n{without}");
        let plan = bench.weft("weft").args(["plan", "--print", "plans/main.plan"]).succeed();
        assert!(!plan.stdout.contains("virtual call"), "{}", plan.stdout);
    }
}

#[test]
fn virtual_calls_stay_where_a_class_may_be_unknown() {
    let (bench, units) = shapes(true);
    bench.prepare(&units);
    let (ptx, messages) = ptx_of_main(&bench, &units, &["--force-partial"]);
    assert_eq!(indirect_calls(&ptx), 2, "{ptx}");
    assert!(
        messages.contains("virtual calls: left alone, as the program is not known"),
        "{messages}"
    );
    assert!(!ptx.contains("type.test"), "{ptx}");
}

#[test]
fn calls_of_a_function_that_only_reads_are_made_once() {
    let bench = Workbench::new();
    bench.write(
        "main.cu",
        "__device__ int count(const int *list);
__global__ void k(const int *list, int *out) {
  out[0] = count(list) + count(list);
}
int main() { k<<<1, 1>>>(nullptr, nullptr); }
",
    );
    bench.write(
        "count.cu",
        "__device__ __noinline__ int count(const int *list) {
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += list[i] > 0;
  return sum;
}
",
    );
    let units = ["count", "main"];
    bench.prepare(&units);
    let calls = |ptx: &str| ptx.matches("call.uni").count();
    let (known, _) = ptx_of_main(&bench, &units, &["--close-modules=false"]);
    let options = ["--close-modules=false", "--propagate-attrs=false"];
    let (unknown, _) = ptx_of_main(&bench, &units, &options);
    assert_eq!((calls(&known), calls(&unknown)), (1, 2), "{known}\n{unknown}");
}

#[test]
fn options_travel_with_the_module_to_the_assembler() {
    let bench = Workbench::new();
    bench.write(
        "main.cu",
        "__global__ void k(float *out) { out[1] = out[0] / out[2] + out[3] * out[4]; }
int main() { k<<<1, 1>>>(nullptr); }
",
    );
    bench.prepare(&["main"]);
    let (plain, _) = ptx_of_main(&bench, &["main"], &[]);
    let line = "// weft-options: opt-level=2 ftz=1 prec-div=0 fmad=0 maxrregcount=40\n";
    let options = ["-O2", "--ftz=true", "--prec-div=false", "--fmad=false", "--maxrregcount=40"];
    let (tuned, messages) = ptx_of_main(&bench, &["main"], &options);
    assert!(plain.starts_with("// weft-options: ftz=0\n"), "{plain}");
    assert!(tuned.starts_with(line), "{tuned}");
    assert!(plain.contains("div.rn.f32") && plain.contains("fma.rn.f32"), "{plain}");
    assert!(tuned.contains("div.full.ftz.f32") && !tuned.contains("fma.rn"), "{tuned}");
    assert!(messages.contains("option maxrregcount: 40, by the command line alone"), "{messages}");
    let manifest: serde_json::Value =
        serde_json::from_slice(&bench.read("plans/manifest.json")).unwrap();
    assert_eq!(manifest["modules"][0]["phase_options"]["maxrregcount"], 40);
    let wrong = tuned.replacen("opt-level=2", "speed=9", 1);
    bench.write("main.ptx", wrong);
    bench.assemble("main").expect(3).says(&["main.ptx: 'speed=9' is no option of a phase"]);
    for (option, recorded) in
        [("--debug", &["-g ", "-O 0"][..]), ("--generate-line-info", &["-lineinfo"])]
    {
        let _ = ptx_of_main(&bench, &["main"], &[option]);
        let options = bench.ptxas_options_of("main.cubin");
        assert!(recorded.iter().all(|part| options.contains(part)), "{option}: {options}");
    }
}

#[test]
fn different_options_of_two_units_are_an_error_that_names_both() {
    let bench = Workbench::new();
    for (name, value) in [("a", "64"), ("b", "32")] {
        bench.write(&format!("{name}.cu"), format!("__device__ int {name}() {{ return 1; }}\n"));
        bench.compile(name);
        let option = format!("maxrregcount={value}");
        bench
            .weft("summarize")
            .args(["--option", &option, "--module-id", name, "-o", &format!("{name}.summary")])
            .arg(format!("{name}.o"))
            .succeed();
    }
    let link = |options: &[&str]| {
        let run = bench.weft("thinlink").args(["-o", "plans", "a.summary", "b.summary"]);
        run.args(options.iter().copied())
    };
    let message = "a.summary and b.summary were compiled with different values of the option \
                   maxrregcount: 64 and 32";
    link(&[]).expect(3).says(&[message]);
    link(&["--maxrregcount=48"]).succeed();
}

/// The profile lists a function behind the entry count of a kernel that does not call it by name.
/// It is too large for any limit but that of critical calls, and is inlined through another one.
#[test]
fn what_a_profile_demands_is_inlined_through_others() {
    let bench = Workbench::new();
    let head = "target datalayout = \
                \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"
target triple = \"nvptx64-nvidia-cuda\"
attributes #0 = { \"target-cpu\"=\"sm_90\" }
";
    let kernel = format!(
        "{head}declare void @step(ptr)
define ptx_kernel void @k(ptr %p) #0 !prof !0 {{
  call void @step(ptr %p)
  ret void
}}
!0 = !{{!\"function_entry_count\", i64 7, i64 {}}}
",
        Guid::of_global("large").0.cast_signed()
    );
    let callees = format!(
        "{head}define void @step(ptr %p) #0 {{
  call void @large(ptr %p)
  ret void
}}
define void @large(ptr %p) #0 {{
{}  ret void
}}
",
        "  store volatile i32 42, ptr %p\n".repeat(120)
    );
    for (name, text) in [("kernel", kernel), ("callees", callees)] {
        bench.write(&format!("{name}.ll"), text);
        bench.assemble_ir(name);
        let summarize = bench.weft("summarize").args(["--module-id", name, "-o"]);
        summarize.args([format!("{name}.summary"), format!("{name}.bc")]).succeed();
    }
    for (multiplier, calls) in [("100", false), ("1", true)] {
        let link = bench.weft("thinlink").args(["--import-model=llvm", "--close-modules=false"]);
        link.args([&format!("--import-critical-multiplier={multiplier}"), "-o", "plans"])
            .args(["kernel.summary", "callees.summary"])
            .succeed();
        let import = bench.weft("backend-job").args(["import", "--plan", "plans/kernel.plan"]);
        import
            .args(["--module", "kernel.bc", "--import", "callees=callees.bc", "-o", "kernel.l.bc"])
            .succeed();
        let codegen = bench.weft("backend-job").args(["codegen", "kernel.l.bc", "-o", "k.ptx"]);
        codegen.succeed();
        let ptx = String::from_utf8_lossy(&bench.read("k.ptx")).into_owned();
        assert_eq!(ptx.contains("call.uni"), calls, "{multiplier}: {ptx}");
    }
}
