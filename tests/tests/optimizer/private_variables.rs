//! Variables that the host never names are the device code's own, and constants where no live code
//! writes to them.

use std::error::Error;

use dev_interpreter::{Launch, Machine, Program};
use weft_tests::Workbench;

type Outcome = Result<(), Box<dyn Error>>;

const HEADER: &str = "
#include <cuda_runtime.h>
typedef int (*Step)(int);
extern __device__ int scale;
extern __device__ int written;
extern __device__ int counted;
extern __device__ int pointed;
extern __device__ int *holder;
extern __device__ int passed;
extern __device__ int named;
extern __device__ Step steps[3];
extern __constant__ int limits[4];
__device__ int slow(int x);
__device__ void write(int x);
__device__ void set(int *at, int x);
";

/// Variables, and a kernel that reads them.
const READING: &str = r#"
#include "h.h"
__device__ int scale = 3;
__device__ int mode;
__device__ int written = 5;
__device__ int counted = 50;
__device__ int pointed = 6;
__device__ int *holder = &pointed;
__device__ int passed = 7;
__device__ int named = 8;
__constant__ int limits[4] = {10, 20, 30, 40};
static __device__ int hidden = 4;
static __device__ int toggled = 9;
__device__ int one(int x) { return x + 1; }
__device__ int two(int x) { return x * 2; }
__device__ __noinline__ int three(int x) { return x - 3; }
__device__ Step steps[3] = {one, two, three};
extern "C" __global__ void constants(int *p) {
  int v = p[0] * scale + limits[1] * hidden;
  if (mode) v = slow(v);
  v = steps[2](steps[1](steps[0](v)));
  p[1] = v;
}
extern "C" __global__ void variables(int *p) {
  p[1] = written;
  p[2] = counted;
  p[3] = pointed + *holder;
  p[4] = passed;
  p[5] = named;
  p[6] = toggled;
}
extern "C" __global__ void toggle(int *p) { toggled += p[0]; }
extern "C" __global__ void never(int *p) { scale = mode = p[0]; steps[0] = two; hidden = 1; }
void launch(int *p) {
  constants<<<1, 1>>>(p);
  variables<<<1, 1>>>(p);
  toggle<<<1, 1>>>(p);
  cudaMemcpyToSymbol(named, p, 4);
}
"#;

/// Code of another unit, which writes in every way that code can.
const WRITING: &str = r#"
#include "h.h"
__device__ int slow(int x) { for (int i = 0; i < x; ++i) x = x * 5 + scale + steps[0](i); return x; }
__device__ void write(int x) { written = x; }
__device__ __noinline__ void set(int *at, int x) { *at = x; }
extern "C" __global__ void change(int *p) {
  write(p[0]);
  atomicAdd(&counted, p[0]);
  *holder = p[0];
  set(&passed, p[0]);
}
extern "C" __global__ void elsewhere(int *p) {
  p[1] = limits[p[0]] + scale;
  p[2] = steps[p[0]](100);
}
void launch_change(int *p) { change<<<1, 1>>>(p); elsewhere<<<1, 1>>>(p); }
"#;

const UNITS: [&str; 2] = ["a", "b"];

fn launched(
    machine: &mut Machine<'_>,
    kernel: &str,
    first: i32,
) -> Result<Vec<i32>, Box<dyn Error>> {
    let memory = machine.allocate(64);
    machine.write(memory, &first.to_le_bytes())?;
    let arguments = [memory.to_le_bytes().to_vec()];
    machine.launch(&Launch::new(kernel, [1, 1, 1], [1, 1, 1], &arguments))?;
    let bytes = machine.read(memory, 64)?.chunks_exact(4);
    Ok(bytes.map(|word| i32::from_le_bytes(word.try_into().unwrap_or_default())).collect())
}

fn written() -> Workbench {
    let bench = Workbench::new();
    bench.write("h.h", HEADER);
    bench.write("a.cu", READING);
    bench.write("b.cu", WRITING);
    bench.prepare(&UNITS);
    bench
}

/// Links, and returns the PTX of both units.
fn linked(bench: &Workbench, options: &[&str]) -> Vec<(&'static str, String)> {
    bench.thinlink(&UNITS, options);
    let text = |name: &'static str| {
        bench.import(name, &UNITS).succeed();
        bench.codegen(name).succeed();
        bench.assemble(name).succeed();
        (name, String::from_utf8_lossy(&bench.read(&format!("{name}.ptx"))).into_owned())
    };
    UNITS.into_iter().map(text).collect()
}

/// The body of a kernel.
fn body<'text>(ptx: &'text str, kernel: &str) -> &'text str {
    let start = ptx.split_once(&format!(".entry {kernel}("));
    let rest = start.map_or("", |(_, rest)| rest);
    rest.split_once("\n}").map_or("", |(body, _)| body)
}

#[test]
fn what_no_live_code_writes_is_a_constant_and_the_rest_is_not() -> Outcome {
    let bench = written();
    for options in [
        &[][..],
        &["--close-modules=false"],
        &["--import-constants-with-refs"],
        &["--private-variables=false"],
    ] {
        let files = linked(&bench, options);
        let texts: Vec<_> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let program = Program::link(texts.iter().copied())?;
        let mut machine = Machine::new(&program);
        let found = launched(&mut machine, "constants", 11)?;
        assert_eq!(found[1], (11 * 3 + 20 * 4 + 1) * 2 - 3, "{options:?}");
        let found = launched(&mut machine, "elsewhere", 2)?;
        assert_eq!(found[1..3], [30 + 3, 100 - 3], "{options:?}");
        let found = launched(&mut machine, "variables", 0)?;
        assert_eq!(found[1..7], [5, 50, 12, 7, 8, 9], "{options:?}");
        launched(&mut machine, "change", 70)?;
        launched(&mut machine, "toggle", 1)?;
        let (address, _) = machine.variable("named")?;
        machine.write(address, &80_i32.to_le_bytes())?;
        let found = launched(&mut machine, "variables", 0)?;
        assert_eq!(found[1..7], [70, 120, 140, 70, 80, 10], "{options:?} after writes");
    }
    Ok(())
}

#[test]
fn constants_become_part_of_the_code() {
    let bench = written();
    let files = linked(&bench, &[]);
    let kernel = body(&files[0].1, "constants");
    assert!(!kernel.is_empty(), "{}", files[0].1);
    // Neither a read of a variable nor a call is left, but for the function that is not inlined.
    for word in ["ld.global", "ld.const"] {
        assert_eq!(kernel.matches(word).count(), usize::from(word == "ld.global"), "{kernel}");
    }
    assert!(!kernel.contains("slow") && !kernel.contains("steps"), "{kernel}");
    assert!(!files[0].1.contains("mode"), "{}", files[0].1);
    // The host may find them all by their names with this option.
    let files = linked(&bench, &["--private-variables=false"]);
    for name in ["scale", "mode", "limits", "steps"] {
        let is_variable = |line: &&str| line.starts_with(".visible") && line.contains(name);
        assert!(files[0].1.lines().any(|line| is_variable(&line)), "{name}:\n{}", files[0].1);
    }
    // And this one by its name.
    let files = linked(&bench, &["--keep=scale"]);
    assert!(files[0].1.contains(".visible .global .align 4 .u32 scale = 3"), "{}", files[0].1);
}
