//! `--search` takes the best of several results of ptxas, by a cost that agrees with NVIDIA's own
//! disassembler.

use dev_toolchain::Scope;
use serde_json::Value;
use weft_container::kernel_costs;
use weft_tests::{Workbench, workspace_root};

/// A kernel that reads more at once than pays, a small one, and one with calls and an array on the
/// stack in loops.
const SOURCE: &str = r"
#include <cuda_runtime.h>
__global__ void __launch_bounds__(256, 1) sums(const float4 *p, float *q) {
  float4 values[16];
#pragma unroll
  for (int i = 0; i < 16; ++i) values[i] = __ldg(p + threadIdx.x + 256 * i);
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 16; ++i) sum += values[i].x * values[i].y + values[i].z * values[i].w;
  q[threadIdx.x] = sum;
}
__global__ void small(float *q) { q[threadIdx.x] = 1; }
__device__ __noinline__ float quotient(float a, int b) { return b > 3 ? sqrtf(a) / b : a * b; }
__global__ void loops(float *p, const int *at) {
  float own[200];
  for (int i = 0; i < at[0]; ++i) own[at[i] & 63] = i;
  for (int i = 0; i < at[1]; ++i) {
    p[i] = quotient(own[at[2] & 63], i);
    for (int j = 0; j < i; ++j) own[at[j] & 63] += quotient(p[j], j);
  }
}
void launch(float *p, int *at) {
  sums<<<1, 256>>>((float4 *)p, p);
  small<<<1, 32>>>(p);
  loops<<<1, 32>>>(p, at);
}
";

fn prepared() -> Workbench {
    let bench = Workbench::new();
    bench.write("unit.cu", SOURCE);
    bench.prepare(&["unit"]);
    bench.thinlink(&["unit"], &[]);
    bench.import("unit", &["unit"]).succeed();
    bench.codegen("unit").succeed();
    bench
}

#[test]
fn the_best_of_several_results_is_taken_and_made_again() {
    let bench = prepared();
    bench.assemble("unit").succeed();
    let plain = bench.read("unit.cubin");
    bench.assemble("unit").args(["--search", "--report", "r.json"]).succeed();
    let found = bench.read("unit.cubin");
    let report: Value = serde_json::from_slice(&bench.read("r.json")).unwrap();
    let trials = report["cubins"][0]["search"]["trials"].as_array().unwrap();
    assert!(trials.len() >= 4, "three modes and a limit: {report:#}");
    let best = trials.iter().rfind(|trial| trial["is_better"] == true).unwrap();
    let cost = |trial: &Value| trial["cost_per_mille"].as_u64().unwrap();
    assert!(trials.iter().all(|trial| cost(best) <= cost(trial)), "{report:#}");
    assert!(cost(best) < 1000 && found != plain, "the kernel `sums` gets a limit: {report:#}");
    let limits = best["register_limits"].as_object().unwrap();
    for kernel in report["kernels"].as_array().unwrap() {
        if let Some(limit) = limits.get(kernel["name"].as_str().unwrap()) {
            assert!(kernel["registers"].as_u64() <= limit.as_u64(), "{kernel}");
        }
    }

    // In another folder, and with results from the cache, the same PTX leads to the same bytes.
    let other = Workbench::new();
    other.write("unit.ptx", bench.read("unit.ptx"));
    let cache = bench.file("cache").display().to_string();
    for bench in [&other, &bench] {
        bench.assemble("unit").args(["--search", "--cache=all", "--cache-dir", &cache]).succeed();
        assert_eq!(bench.read("unit.cubin"), found);
    }
}

/// nvlink refuses a kernel with a limit below the registers of a function that it calls.
#[test]
fn kernels_that_call_functions_of_other_modules_get_no_limit() {
    let bench = prepared();
    let source = SOURCE
        .replace("__global__ void small", "__device__ float other(float);\n__global__ void small")
        .replace("q[threadIdx.x] = 1;", "q[threadIdx.x] = other(1);");
    bench.write("calls.cu", source);
    bench.prepare(&["calls"]);
    bench.thinlink(&["calls"], &[]);
    bench.import("calls", &["calls"]).succeed();
    bench.codegen("calls").succeed();
    bench.assemble("calls").args(["--search", "--report", "r.json"]).succeed();
    let report: Value = serde_json::from_slice(&bench.read("r.json")).unwrap();
    let trials = report["cubins"][0]["search"]["trials"].as_array().unwrap();
    assert_eq!(trials.len(), 2, "two modes: {report:#}");
    assert!(trials.iter().all(|trial| trial["register_limits"].is_null()), "{report:#}");
}

#[test]
fn a_search_leaves_what_is_asked_for() {
    let bench = prepared();
    for (options, modes) in [
        (&["--maxrregcount=40"][..], 3),
        (&["--clone-functions=false", "--maxrregcount=40"], 2),
        (&["--Xptxas=--maxrregcount=40", "--whole-kernels=false"], 2),
    ] {
        bench.assemble("unit").args(options).args(["--search", "--report", "r.json"]).succeed();
        let report: Value = serde_json::from_slice(&bench.read("r.json")).unwrap();
        let trials = report["cubins"][0]["search"]["trials"].as_array().unwrap();
        assert_eq!(trials.len(), modes, "{options:?}: {report:#}");
        assert!(trials.iter().all(|trial| trial["register_limits"].is_null()), "{report:#}");
    }
    bench.assemble("unit").args(["--search", "--debug", "--report", "r.json"]).succeed();
    let report: Value = serde_json::from_slice(&bench.read("r.json")).unwrap();
    assert!(report["cubins"][0]["search"].is_null(), "{report:#}");
}

/// With whole kernels and `--Ofast-compile` together, ptxas 13.5 ends with an internal error.
#[test]
fn fast_compilation_works_for_modules_that_need_nothing() {
    let bench = prepared();
    for level in ["min", "mid", "max"] {
        bench.assemble("unit").args([format!("--Xptxas=--Ofast-compile={level}")]).succeed();
    }
}

#[test]
fn costs_agree_with_the_disassembler() {
    let bench = prepared();
    let toolchain = dev_toolchain::ensure(workspace_root(), Scope::Builds).unwrap();
    for options in [&[][..], &["--whole-kernels=false", "--clone-functions=false"]] {
        bench.assemble("unit").args(options.iter().copied()).succeed();
        let image = dev_sass::read(&toolchain, &bench.file("unit.cubin")).unwrap();
        let costs = kernel_costs(&bench.read("unit.cubin")).unwrap();
        for (name, expected) in &image.kernels {
            let (_, cost) = costs.iter().find(|(symbol, _)| symbol.contains(name)).unwrap();
            assert_eq!(cost.cycles, expected.cycles, "{name} {options:?}");
            assert_eq!(cost.local > 0, expected.local_accesses > 0, "{name}");
        }
        let loops = image.kernels.get("loops").unwrap();
        assert!(loops.local_accesses > 0 && loops.calls > 0, "{loops:?}");
    }
}
