//! One file of operations, compiled by nvcc and through Weft with every combination of the options.

use std::collections::{BTreeMap, BTreeSet};

use weft_tests::{ARCHITECTURE, Run, Workbench, tools};

use crate::numerics::ptx::{Instructions, functions, manners};

/// Values of `-ftz`, `-prec-div`, `-prec-sqrt` and `-fmad`.
type Combination = [bool; 4];

const NAMES: [&str; 4] = ["ftz", "prec-div", "prec-sqrt", "fmad"];

fn combinations() -> impl Iterator<Item = Combination> {
    (0..16_u8).map(|bits| [8, 4, 2, 1].map(|bit| bits & bit != 0))
}

fn by_nvcc(bench: &Workbench, combination: Option<Combination>) -> BTreeMap<String, Instructions> {
    let options = combination.map(|values| {
        NAMES.iter().zip(values).map(|(name, value)| format!("-{name}={value}")).collect::<Vec<_>>()
    });
    Run::new(tools().cuda("nvcc"), bench.path())
        .args(["-w", "--ptx", "-rdc=true", "operations.cu", "-o", "nvcc.ptx"])
        .arg(format!("-arch={ARCHITECTURE}"))
        .args(options.unwrap_or_default())
        .succeed();
    functions(&String::from_utf8_lossy(&bench.read("nvcc.ptx")))
}

/// Takes the unit from its object to PTX, with options for `summarize` and for `thinlink`.
fn by_weft(bench: &Workbench, unit: &[String], link: &[&str]) -> BTreeMap<String, Instructions> {
    bench
        .weft("summarize")
        .args(["--module-id", "operations", "-o", "operations.summary"])
        .args(["--bitcode", "operations.bc", "operations.o"])
        .args(unit.iter().map(String::as_str))
        .succeed();
    // Without complete host information, kernels stay although nothing launches them.
    let arguments = ["-o", "plans", "operations.summary"];
    bench.weft("thinlink").args(arguments).args(link.iter().copied()).succeed();
    bench.import("operations", &["operations"]).succeed();
    bench.codegen("operations").succeed();
    functions(&String::from_utf8_lossy(&bench.read("operations.ptx")))
}

/// Compiles the unit, with the options that only the compiler can apply.
fn compile(bench: &Workbench, flushes: bool, rounds_roots: bool) {
    let roots = format!("-mllvm=-nvvm-reflect-add=__CUDA_PREC_SQRT={}", u8::from(rounds_roots));
    let mut options = vec!["-Xarch_device", &roots];
    if flushes {
        options.push("-fgpu-flush-denormals-to-zero");
    }
    bench.compile_cuda("operations", &options);
}

/// Compares every kernel.
///
/// Operators and functions that map to one instruction must have exactly the same instructions, in
/// the form that [`as_assembled`] gives them. The bodies of libdevice's functions are NVIDIA's on
/// both sides, but LLVM 22 simplifies them differently from the older LLVM in nvcc: it folds
/// `fma(x, -1, 0)` into a negation, and fuses the product with a power of two, which is exact,
/// where nvcc adds a number to itself. For these functions the test compares the ways of rounding,
/// flushing and approximating, and the number of the operations that an option affects.
fn compare(
    nvcc: &BTreeMap<String, Instructions>,
    weft: &BTreeMap<String, Instructions>,
    case: &str,
) {
    let kernels = |all: &BTreeMap<String, Instructions>, prefix: &str| {
        let kernels = all.iter().filter(|(name, _)| name.starts_with(prefix));
        kernels.map(|(name, found)| (name.clone(), found.clone())).collect::<BTreeMap<_, _>>()
    };
    for prefix in ["op_", "lib_"] {
        let (nvcc, weft) = (kernels(nvcc, prefix), kernels(weft, prefix));
        assert!(nvcc.keys().eq(weft.keys()) && nvcc.len() > 20, "{case}: {nvcc:?}\n{weft:?}");
        for (name, expected) in &nvcc {
            let found = &weft[name];
            if prefix == "op_" {
                assert_eq!(as_assembled(found), as_assembled(expected), "{case}: {name}");
                continue;
            }
            assert_eq!(manners(found), manners(expected), "{case}: {name}");
            let optional = |all: &Instructions| {
                let mut all = all.clone();
                all.retain(|name, _| {
                    ["div", "rcp", "sqrt"].iter().any(|operation| name.starts_with(operation))
                });
                all
            };
            assert_eq!(optional(found), optional(expected), "{case}: {name}");
        }
    }
}

/// Returns the instructions in the form in which ptxas treats them:
///
/// - ptxas fuses a product and a sum that state no rounding. For a difference nvcc leaves the
///   fusion to ptxas, while LLVM 22 fuses.
/// - The nearest integer of a denormal is zero, whether it is flushed or not.
fn as_assembled(instructions: &Instructions) -> Instructions {
    let mut all = instructions.clone();
    for precision in ["ftz.f32", "f32", "f64"] {
        let (product, sum) = (format!("mul.{precision}"), format!("add.{precision}"));
        if let (Some(1), Some(1)) = (all.get(&product), all.get(&sum)) {
            all.retain(|name, _| *name != product && *name != sum);
            *all.entry(format!("fma.rn.{precision}")).or_default() += 1;
        }
    }
    if let Some(count) = all.remove("cvt.rni.ftz.f32.f32") {
        all.insert("cvt.rni.f32.f32".to_owned(), count);
    }
    all
}

fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.write("operations.cu", include_str!("operations.cu"));
    bench
}

#[test]
fn the_defaults_are_nvccs() {
    let bench = bench();
    // The workbench compiles with the options that the build rules give.
    bench.compile("operations");
    compare(&by_nvcc(&bench, None), &by_weft(&bench, &[], &[]), "defaults");
}

#[test]
fn every_combination_of_the_options_computes_as_with_nvcc() {
    let bench = bench();
    let mut compiled = None;
    let mut seen = BTreeSet::new();
    for combination in combinations() {
        let [flushes, _, rounds_roots, _] = combination;
        let values = NAMES.iter().zip(combination);
        let options: Vec<_> = values.map(|(name, is_on)| format!("--{name}={is_on}")).collect();
        let nvcc = by_nvcc(&bench, Some(combination));
        if compiled.replace((flushes, rounds_roots)) != Some((flushes, rounds_roots)) {
            compile(&bench, flushes, rounds_roots);
        }
        let link: Vec<&str> = options.iter().map(String::as_str).collect();
        let weft = by_weft(&bench, &[], &link);
        compare(&nvcc, &weft, &options.join(" "));
        seen.insert(format!("{:?}", weft["op_over_root"]) + &format!("{:?}", weft["op_fused"]));
    }
    assert_eq!(seen.len(), 16, "each combination gives other instructions");
}

#[test]
fn options_of_summarize_have_the_same_effect() {
    let bench = bench();
    let combination = [true, false, false, false];
    compile(&bench, true, false);
    let values = NAMES.iter().zip(combination);
    let unit: Vec<_> = values.map(|(name, is_on)| format!("--option={name}={is_on}")).collect();
    compare(&by_nvcc(&bench, Some(combination)), &by_weft(&bench, &unit, &[]), "summarize");
}
