//! Units of one program with different floating-point options: each function computes as it does
//! when the same objects are linked without optimization.

use std::collections::{BTreeMap, BTreeSet};

use weft_tests::{Run, Workbench, tools};

use crate::numerics::ptx::{Instructions, functions, manners};

const FLUSHES: &str = "-fgpu-flush-denormals-to-zero";

/// Returns the PTX that Weft made of a unit.
fn ptx(bench: &Workbench, unit: &str) -> String {
    String::from_utf8_lossy(&bench.read(&format!("{unit}.ptx"))).into_owned()
}

/// Runs all jobs of the program, with options for the thin link. Returns the messages of the thin
/// link and the functions of each unit.
fn link(
    bench: &Workbench,
    units: &[&str],
    options: &[&str],
) -> (String, BTreeMap<String, BTreeMap<String, Instructions>>) {
    let outcome = bench.thinlink(units, options);
    let mut all = BTreeMap::new();
    for unit in units {
        bench.import(unit, units).succeed();
        bench.codegen(unit).succeed();
        bench.assemble(unit).succeed();
        all.insert((*unit).to_owned(), functions(&ptx(bench, unit)));
    }
    let cubins = units.iter().map(|unit| format!("{unit}.cubin"));
    Run::new(tools().cuda("nvlink"), bench.path())
        .args(["-arch=sm_90", "-o", "image.cubin"])
        .args(cubins)
        .succeed();
    (outcome.stdout + &outcome.stderr, all)
}

/// Returns the instructions that LLVM's code generator makes of the object's bitcode, by function.
fn unlinked(bench: &Workbench, unit: &str) -> BTreeMap<String, Instructions> {
    let arguments = ["-O2", "-mcpu=sm_90"];
    let files = [format!("{unit}.bc"), "-o".to_owned(), format!("{unit}.plain.ptx")];
    bench.llvm("llc").args(arguments).args(files).succeed();
    functions(&String::from_utf8_lossy(&bench.read(&format!("{unit}.plain.ptx"))))
}

/// Returns a bench with two units that call each other, of which one keeps denormals and one
/// flushes them.
fn two_ways() -> Workbench {
    let bench = Workbench::new();
    bench.write(
        "keeps.cu",
        "__device__ float flushed(float x, float y);
__device__ float flushed_always(float x, float y);
__device__ float flushed_root(float x);
__device__ float kept(float x, float y) { return x * y - 3; }
__global__ void keeps(float *out) {
  out[0] = out[1] + flushed(out[2], out[3]) + flushed_always(out[4], out[5]);
  out[6] = kept(out[7], out[8]) + sqrtf(out[9]) + flushed_root(out[10]);
}
int main() { keeps<<<1, 1>>>(nullptr); }
",
    );
    bench.write(
        "flushes.cu",
        "__device__ float kept(float x, float y);
__device__ float flushed(float x, float y) { return x * y + 1e-40f; }
__attribute__((always_inline)) __device__ float flushed_always(float x, float y) {
  return x / y;
}
__device__ float flushed_root(float x) { return sqrtf(x) * sinf(x); }
__global__ void flushes(float *out) {
  out[0] = kept(out[1], out[2]) + flushed(out[3], out[4]) + flushed_root(out[5]);
}
void launch() { flushes<<<1, 1>>>(nullptr); }
",
    );
    bench.compile_cuda("keeps", &[]);
    bench.compile_cuda("flushes", &[FLUSHES]);
    bench.summarize("keeps");
    bench.summarize("flushes");
    bench
}

#[test]
fn functions_flush_denormals_as_their_own_unit_does() {
    let bench = two_ways();
    let units = ["flushes", "keeps"];
    // The modules stay separate, so that each shows how its own unit computes.
    let (messages, found) = link(&bench, &units, &["--verbose", "--close-modules=false"]);
    let note = "option ftz: each module keeps its own: flushes.summary has ftz=1, keeps.summary \
                has ftz=0";
    assert!(messages.contains(note), "{messages}");
    let flushing = |all: &Instructions| {
        let all =
            all.keys().filter(|name| name.contains(".f32") && !name.starts_with("cvt.rn.f32.s"));
        let all = all.filter(|name| !name.starts_with("ex2") && !name.contains("f64"));
        all.map(|name| name.contains(".ftz")).collect::<Vec<_>>()
    };
    for (unit, flushes) in [("flushes", true), ("keeps", false)] {
        let plain = unlinked(&bench, unit);
        for (name, instructions) in &found[unit] {
            let all = flushing(instructions);
            assert!(
                all.iter().all(|has_flush| *has_flush == flushes),
                "{unit}: {name}: {instructions:?}"
            );
            let expected = plain.get(name).unwrap_or_else(|| panic!("{name} is new: {plain:?}"));
            assert!(!flushing(expected).is_empty() || all.is_empty(), "{name}");
            // Bodies of the same unit may have been inlined, with the same treatment of denormals
            // and no other. PTX states that products and sums are rounded to nearest only where
            // they may not be fused.
            let rounded = |manner: String| manner.trim_start_matches("rn.").to_owned();
            let own: BTreeSet<_> = plain.values().flat_map(manners).map(rounded).collect();
            let found: BTreeSet<_> = manners(instructions).into_iter().map(rounded).collect();
            assert!(found.is_subset(&own), "{name}: {instructions:?}\n{plain:?}");
        }
    }
    // Bodies with the other treatment are called and not inlined, even one with `always_inline`.
    let keeps = ptx(&bench, "keeps");
    for name in ["_Z7flushedff", "_Z14flushed_alwaysff", "_Z12flushed_rootf"] {
        assert!(
            keeps.contains(&format!(".extern .func  (.param .b32 func_retval0) {name}")),
            "{keeps}"
        );
        assert!(found["flushes"].contains_key(name), "{:?}", found["flushes"]);
    }
    assert!(ptx(&bench, "flushes").contains(".extern .func  (.param .b32 func_retval0) _Z4keptff"));
    assert!(found["keeps"]["_Z5keepsPf"].contains_key("sqrt.rn.f32"), "{:?}", found["keeps"]);
    assert!(found["flushes"]["_Z7flushesPf"].contains_key("sqrt.rn.ftz.f32"), "{found:?}");
}

#[test]
fn modules_that_treat_denormals_differently_can_be_one_module() {
    let bench = two_ways();
    link(&bench, &["flushes", "keeps"], &[]);
    let files = ["flushes.linked.bc", "keeps.linked.bc", "-o", "whole.linked.bc"];
    bench.weft("backend-job").arg("combine").args(files).succeed();
    bench.codegen("whole").succeed();
    let found = functions(&ptx(&bench, "whole"));
    assert!(found["_Z5keepsPf"].keys().all(|name| !name.contains("ftz")), "{found:?}");
    assert!(found["_Z7flushesPf"].contains_key("sqrt.rn.ftz.f32"), "{found:?}");
}

/// Returns a bench with a function of one unit that a kernel of another unit calls, and that is
/// inlined there.
fn imported(library: &str, options: &[&str], stated: &[&str]) -> Workbench {
    let bench = Workbench::new();
    bench.write("library.cu", format!("__device__ float f(float x, float y) {{ {library} }}\n"));
    bench.write(
        "main.cu",
        "__device__ float f(float x, float y);
__global__ void k(float *out) {
  out[0] = out[1] / out[2] + sqrtf(out[3]);
  out[4] = out[5] * out[6] + out[7];
  out[8] = f(out[9], out[10]);
}
int main() { k<<<1, 1>>>(nullptr); }
",
    );
    bench.compile_cuda("main", &[]);
    bench.compile_cuda("library", options);
    bench.summarize("main");
    bench
        .weft("summarize")
        .args(["--module-id", "library", "-o", "library.summary", "--bitcode", "library.bc"])
        .args(stated.iter().copied())
        .arg("library.o")
        .succeed();
    bench
}

/// Counts each of the given instructions in the kernel.
fn counts<const COUNT: usize>(
    bench: &Workbench,
    link_options: &[&str],
    of: [&str; COUNT],
) -> [usize; COUNT] {
    let (_, found) = link(bench, &["library", "main"], link_options);
    let kernel = &found["main"]["_Z1kPf"];
    of.map(|name| kernel.get(name).copied().unwrap_or_default())
}

#[test]
fn an_imported_division_is_as_precise_as_its_own_unit_says() {
    let bench = imported("return x / y;", &[], &["--option=prec-div=0"]);
    let divisions = ["div.rn.f32", "div.full.f32"];
    assert_eq!(counts(&bench, &[], divisions), [1, 1]);
    assert_eq!(counts(&bench, &["--prec-div=0"], divisions), [0, 2]);
    assert_eq!(counts(&bench, &["--prec-div=1"], divisions), [2, 0]);
}

#[test]
fn an_imported_root_is_as_precise_as_its_own_unit_says() {
    let approximate = ["-Xarch_device", "-mllvm=-nvvm-reflect-add=__CUDA_PREC_SQRT=0"];
    let bench = imported("return sqrtf(x) + y;", &approximate, &[]);
    assert_eq!(counts(&bench, &[], ["sqrt.rn.f32", "sqrt.approx.f32"]), [1, 1]);
}

#[test]
fn imported_code_is_fused_as_its_own_unit_says() {
    let fused = ["fma.rn.f32", "mul.rn.f32"];
    let bench = imported("return x * y + 5;", &["-Xarch_device", "-ffp-contract=off"], &[]);
    assert_eq!(counts(&bench, &[], fused), [1, 1]);
    assert_eq!(counts(&bench, &["--fmad=1"], fused), [2, 0]);
    assert_eq!(counts(&bench, &["--fmad=0"], fused), [0, 2]);
    let bench = imported("return x * y + 5;", &[], &["--option=fmad=0"]);
    assert_eq!(counts(&bench, &[], fused), [1, 1]);
    // The license to fuse covers one expression, instead of each instruction.
    let bench = imported("return x * y + 5;", &["-Xarch_device", "-ffp-contract=on"], &[]);
    assert_eq!(counts(&bench, &[], fused), [2, 0]);
    assert_eq!(counts(&bench, &["--fmad=0"], fused), [0, 2]);
}

#[test]
fn options_answer_the_questions_of_libdevice() {
    let unoptimized = ["-Xarch_device", "-O1", "-Xclang", "-disable-llvm-passes"];
    let roots = ["sqrt.rn.f32", "sqrt.approx.f32"];
    let bench = imported("return sqrtf(x) + y;", &unoptimized, &[]);
    assert_eq!(counts(&bench, &[], roots), [2, 0]);
    let bench = imported("return sqrtf(x) + y;", &unoptimized, &["--option=prec-sqrt=0"]);
    let (_, found) = link(&bench, &["library", "main"], &[]);
    let all: Vec<_> = found.values().flat_map(BTreeMap::values).flat_map(BTreeMap::keys).collect();
    assert!(all.iter().any(|name| *name == "sqrt.approx.f32"), "{found:?}");
}
