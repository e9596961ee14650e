//! Fields that CUDA's own keywords decide, on code that clang compiled.

use serde_json::{Value, json};

use crate::summary_fields::{call, device_of_cuda, function, position, symbol, variable};

/// clang 22 accepts `__cluster_dims__` and `__maxnreg__` but writes nothing about them into the IR.
/// The tests on IR cover the attributes that represent them.
#[test]
fn launch_bounds() {
    let device = device_of_cuda(
        "extern \"C\" __global__ void __launch_bounds__(256, 4, 8) bounded(int *p) { *p = 1; }
extern \"C\" __global__ void plain(int *p) { *p = 1; }
",
    );
    let bounds = |name: &str, field: &str| function(&device, name)["launch_bounds"][field].clone();
    assert_eq!(bounds("bounded", "max_threads"), 256);
    assert_eq!(bounds("bounded", "min_blocks"), 4);
    assert_eq!(bounds("bounded", "max_cluster_blocks"), 8);
    assert_eq!(bounds("plain", "max_threads"), 0);
}

/// `__attribute__((used))` and clang's own list are the same list. clang adds each visible variable
/// that its unit names, whether host or device code does.
#[test]
fn variables_that_clang_lists() {
    let device = device_of_cuda(
        "extern \"C\" {
__device__ int unnamed, by_kernel, by_host;
__constant__ int table[4];
__device__ __attribute__((retain)) int retained;
static __device__ __attribute__((used)) int marked_static;
__device__ __attribute__((used)) int marked;
__device__ __attribute__((used)) int function() { return 1; }
__global__ void kernel(int *p) { *p = by_kernel + table[*p]; }
}
void *host() { void *p; cudaGetSymbolAddress(&p, by_host); return p; }
",
    );
    for (name, is_used, by_host) in [
        ("unnamed", false, false),
        ("by_kernel", true, true),
        ("by_host", true, true),
        ("table", true, true),
        ("retained", true, false),
        ("_ZL13marked_static", true, false),
        ("marked", true, true),
        ("function", true, false),
    ] {
        let symbol = symbol(&device, name);
        let listed = (&symbol["used"], &symbol["used_by_host"]);
        assert_eq!(listed, (&json!(is_used), &json!(by_host)), "{name}");
    }
}

#[test]
fn memory_spaces() {
    let device = device_of_cuda(
        "__device__ int in_global = 3;
__constant__ float in_constant[16];
extern __device__ int elsewhere;
extern \"C\" __global__ void kernel(int *p) {
  __shared__ int in_shared[32];
  in_shared[threadIdx.x] = in_global + elsewhere;
  __syncthreads();
  *p = in_shared[0] + int(in_constant[threadIdx.x]);
}
",
    );
    assert_eq!(symbol(&device, "in_global")["address_space"], 1);
    assert_eq!(variable(&device, "in_global")["initialized"], true);
    assert_eq!(variable(&device, "in_global")["externally_initialized"], true);
    assert_eq!(symbol(&device, "in_constant")["address_space"], 4);
    assert_eq!(variable(&device, "in_constant")["size"], 64);
    assert_eq!(symbol(&device, "elsewhere")["body"], json!({ "declaration": "variable" }));
    let shared = "_ZZ6kernelE9in_shared";
    let symbols = device["symbols"].as_array().expect("a list");
    let shared = symbols.iter().find(|symbol| symbol["address_space"] == 3).unwrap_or_else(|| {
        panic!("there is no {shared} in {device:#}");
    });
    assert_eq!(shared["body"]["variable"]["size"], 128);
    assert_eq!(function(&device, "kernel")["flags"]["kernel"], true);
}

#[test]
fn calls_between_units() {
    let device = device_of_cuda(
        "struct Particle { double position[3]; int cell; };
__device__ Particle move(Particle particle, float step);
__device__ int twice(int x) { return 2 * x; }
extern \"C\" __global__ void kernel(Particle *p, int n) {
  for (int i = 0; i < n; ++i)
    p[i] = move(p[i], 0.5f);
}
",
    );
    let callee = "_Z4move8Particlef";
    let call = call(&device, "kernel", callee);
    assert_eq!(call["cost"]["argument_bytes"], 36);
    assert_eq!(call["cost"]["return_bytes"], 32);
    assert_eq!(call["hotness"], "hot");
    assert_eq!(symbol(&device, callee)["body"], json!({ "declaration": "function" }));
    assert_eq!(function(&device, "_Z5twicei")["calls"], json!([]));
}

#[test]
fn virtual_calls() {
    let device = device_of_cuda(
        "struct Shape { __device__ virtual float area() const; };
struct Square : Shape { float side; __device__ float area() const override; };
__device__ float Shape::area() const { return 0; }
__device__ float Square::area() const { return side * side; }
__device__ float area(const Shape *shape) { return shape->area(); }
",
    );
    assert_eq!(function(&device, "_Z4areaPK5Shape")["indirect_calls"], 1);
    let table = variable(&device, "_ZTV6Square");
    let area = position(&device, "_ZNK6Square4areaEv");
    assert_eq!(table["virtual_functions"], json!([{ "offset": 16, "function": area }]));
}

/// The two annotations that record how code was compiled hold these positions.
#[test]
fn options_of_a_real_compilation() {
    let device = device_of_cuda("__device__ float f(float x, float y) { return x * y + 1; }\n");
    let options = device["options"].as_array().expect("a list");
    let value = |name: &str| {
        let found = options.iter().find(|option| option["option"] == name);
        found.map_or(Value::Null, |option| option["value"].clone())
    };
    assert_eq!(value("fmad"), 1);
    assert_eq!(value("ftz"), 0);
    assert_eq!(device["architecture"], "sm_90");
    assert_eq!(symbol(&device, "_Z1fff")["linkage"], "external");
}
