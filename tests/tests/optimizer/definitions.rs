//! Declarations follow the program's definitions where clang's differ from them: constants that it
//! defines in constant memory and declares in global memory, and kernels that it declares as device
//! functions.

use std::error::Error;

use dev_interpreter::{Launch, Machine, Program};
use weft_tests::{Run, Workbench, tools};

type Outcome = Result<(), Box<dyn Error>>;

/// Symbols that two units disagree about if one of them defines and the other declares them.
const HEADER: &str = "
#include <cuda_runtime.h>
struct Pair { int first; long long second[3]; };
extern __device__ const int table[6];
extern __device__ const int scalar;
extern __device__ const Pair pair;
__device__ int by_function(int i);
__device__ const int *address_of(int i);
";

/// The definitions, with uses in the same unit.
const DEFINING: &str = r#"
#include "h.h"
__device__ const int table[6] = {11, 22, 33, 44, 55, 66};
__device__ const int scalar = 7;
__device__ const Pair pair = {3, {1000, 2000, 3000}};
__device__ int reverse[6] = {6, 5, 4, 3, 2, 1};
__device__ int by_function(int i) { return table[i] * 2 + reverse[i] + scalar; }
__device__ const int *address_of(int i) { return i & 1 ? &table[i] : &reverse[i]; }
extern "C" __global__ void bump(int *p) { reverse[2] += p[0]; }
void launch_bump(int *p) { bump<<<1, 1>>>(p); }
"#;

/// Uses of declarations: reads, copies, addresses in initializers, addresses as values.
const USING: &str = r#"
#include "h.h"
extern __constant__ int reverse[6];
__device__ const int *const starts[3] = {table, &table[2], &scalar};
__device__ const int *moving = &table[4];
struct Holder { const Pair *pair; const int *end; };
static __device__ Holder holder = {&pair, table + 6};
static __device__ __noinline__ int read(const int *at) { return *at; }
__device__ int exported_read(int i) { return table[i] + reverse[i] + starts[1][0]; }
extern "C" __global__ void use(int *p) {
  const int i = p[0];
  Pair copied = pair;
  int words[6];
  memcpy(words, table, sizeof words);
  p[1] = table[i];
  p[2] = scalar + words[i + 1];
  p[3] = static_cast<int>(copied.second[i]) + copied.first;
  p[4] = read(&table[i]) + read(i ? &scalar : moving);
  p[5] = *starts[i] + starts[1][i] + *moving;
  p[6] = static_cast<int>(holder.pair->second[2]) + holder.end[-1];
  p[7] = by_function(i) + exported_read(i);
  p[8] = *address_of(i) * 100 + *address_of(i + 1);
  p[9] = address_of(1) == &table[1];
  p[10] = reverse[i] * 10 + reverse[2];
}
void launch_use(int *p) { use<<<1, 1>>>(p); }
"#;

/// A third unit that neither defines nor reads a symbol, and calls those who do.
const CALLING: &str = r#"
#include <cuda_runtime.h>
__device__ int by_function(int i);
__device__ int exported_read(int i);
extern "C" __global__ void call(int *p) { p[1] = by_function(p[0]) + exported_read(p[0]); }
void launch_call(int *p) { call<<<1, 1>>>(p); }
"#;

const UNITS: [&str; 3] = ["a", "b", "c"];

/// Launches a kernel with `first` as the first of its numbers, and returns all of them.
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

/// Numbers that `use` writes for `i`, by hand.
fn expected(i: usize, reverse: [i32; 6]) -> [i32; 10] {
    let (table, second) = ([11, 22, 33, 44, 55, 66], [1000, 2000, 3000]);
    let (starts, scalar) = ([table[0], table[2], 7], 7);
    let pick = |i: usize| if i & 1 == 1 { table[i] } else { reverse[i] };
    [
        table[i],
        scalar + table[i + 1],
        second[i] + 3,
        table[i] + if i > 0 { scalar } else { table[4] },
        starts[i] + table[2 + i] + table[4],
        3000 + 66,
        table[i] * 2 + reverse[i] + scalar + table[i] + reverse[i] + table[2],
        pick(i) * 100 + pick(i + 1),
        1,
        reverse[i] * 10 + reverse[2],
    ]
}

#[test]
fn declarations_follow_the_memory_of_the_definition() -> Outcome {
    let bench = Workbench::new();
    bench.write("h.h", HEADER);
    for (name, text) in UNITS.iter().zip([USING, DEFINING, CALLING]) {
        bench.write(&format!("{name}.cu"), text);
    }
    bench.prepare(&UNITS);
    for options in [
        &[][..],
        &["--close-modules=false"],
        &["--close-modules=false", "--import-instr-limit=0"],
        &["--full=1"],
        &["--largest-constant=8"],
    ] {
        bench.thinlink(&UNITS, options);
        let mut files = Vec::new();
        for name in if options == ["--full=1"] { &UNITS[..1] } else { &UNITS } {
            bench.import(name, &UNITS).succeed();
            bench.codegen(name).succeed();
            bench.assemble(name).succeed();
            let text = String::from_utf8_lossy(&bench.read(&format!("{name}.ptx"))).into_owned();
            files.push((*name, text));
        }
        let cubins = files.iter().map(|(name, _)| format!("{name}.cubin"));
        let nvlink = Run::new(tools().cuda("nvlink"), bench.path()).arg("-arch=sm_90");
        nvlink.args(cubins).args(["-o", "image.cubin"]).succeed();
        let texts: Vec<_> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let program = Program::link(texts.iter().copied())?;
        let mut machine = Machine::new(&program);
        let before = [6, 5, 4, 3, 2, 1];
        for i in 0..3 {
            let found = launched(&mut machine, "use", i32::try_from(i)?)?;
            assert_eq!(found[1..11], expected(i, before), "{options:?}, {i}");
        }
        launched(&mut machine, "bump", 90)?;
        let after = [6, 5, 94, 3, 2, 1];
        let found = launched(&mut machine, "use", 2)?;
        assert_eq!(found[1..11], expected(2, after), "{options:?} after a write");
        let found = launched(&mut machine, "call", 2)?;
        assert_eq!(found[1], expected(2, after)[6], "{options:?}");
    }
    Ok(())
}

/// A use of an address that only the memory of the declaration allows.
const PLACE: &str = "
target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"
target triple = \"nvptx64-nvidia-cuda\"
@table = external addrspace(1) global [4 x i32]
define ptx_kernel void @k(ptr %p) #0 {
  store ptr addrspace(1) @table, ptr %p
  ret void
}
attributes #0 = { \"target-cpu\"=\"sm_90\" }
";
const DEFINED: &str = "
target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"
target triple = \"nvptx64-nvidia-cuda\"
@table = addrspace(4) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
define ptx_kernel void @other(ptr %p) #0 {
  ret void
}
attributes #0 = { \"target-cpu\"=\"sm_90\" }
";

#[test]
fn a_use_that_cannot_follow_is_refused_by_name() {
    let bench = Workbench::new();
    bench.write("a.ll", PLACE);
    bench.write("b.ll", DEFINED);
    bench.prepare(&["a", "b"]);
    bench.thinlink(&["a", "b"], &["--keep=k"]);
    let says = ["a.bc: 'table' is defined in constant memory", "declare it as it is defined"];
    bench.import("a", &["a", "b"]).expect(3).says(&says);
}

/// A kernel that launches kernels of another unit, by name, by pointer and through a function.
const PARENT: &str = "
#include <cuda_runtime.h>
struct Block { char bytes[40]; };
__global__ void leaf(int *out);
__global__ void wide(Block block, double factor, short last);
template <class T> __global__ void typed(T *out, T value);
extern template __global__ void typed<double>(double *, double);
__device__ void launch_elsewhere(int *out);
typedef void (*Kernel)(int *);
__global__ void root(int *out, Block block) {
  leaf<<<1, 1>>>(out);
  wide<<<2, 32>>>(block, 1.5, 3);
  typed<double><<<1, 1>>>((double *)out, 2.0);
  Kernel kernel = out[1] ? leaf : nullptr;
  if (kernel) kernel<<<1, 1>>>(out);
  launch_elsewhere(out);
}
void launch(int *out, Block block) { root<<<1, 1>>>(out, block); }
";
const CHILD: &str = "
#include <cuda_runtime.h>
struct Block { char bytes[40]; };
__global__ void leaf(int *out) { *out = 42; }
__global__ void never(int *out) { *out = 43; }
__device__ double sum;
__global__ void wide(Block block, double factor, short last) {
  sum += block.bytes[3] * factor + last;
}
template <class T> __global__ void typed(T *out, T value) { *out = value; }
template __global__ void typed<double>(double *, double);
";
const OTHER: &str = "
#include <cuda_runtime.h>
__global__ void leaf(int *out);
__device__ void launch_elsewhere(int *out) { leaf<<<1, 7>>>(out); }
";

/// Parameters of the entry `name` that `ptx` declares or defines, without names.
fn parameters(ptx: &str, start: &str, name: &str) -> Vec<String> {
    let Some((_, rest)) = ptx.split_once(&format!("{start} .entry {name}")) else {
        return vec![format!("no {start} .entry {name}")];
    };
    let list = rest.split_once(')').map_or("", |(list, _)| list);
    let list = list.split_once('(').map_or("", |(_, list)| list);
    list.lines().map(|line| line.trim().replace(name, "")).filter(|line| !line.is_empty()).collect()
}

#[test]
fn a_kernel_launches_kernels_of_other_units() {
    let bench = Workbench::new();
    for (name, text) in UNITS.iter().zip([PARENT, CHILD, OTHER]) {
        bench.write(&format!("{name}.cu"), text);
    }
    bench.prepare(&UNITS);
    let runtime = tools().cuda_root().join("lib/libcudadevrt.a");
    for options in [&[][..], &["--close-modules=false"], &["--full=1"]] {
        bench.thinlink(&UNITS, options);
        let built = if options == ["--full=1"] { &UNITS[..1] } else { &UNITS };
        for name in built {
            bench.import(name, &UNITS).succeed();
            bench.codegen(name).succeed();
            bench.assemble(name).succeed();
        }
        let nvlink = Run::new(tools().cuda("nvlink"), bench.path()).arg("-arch=sm_90");
        let cubins = built.iter().map(|name| format!("{name}.cubin"));
        nvlink.args(cubins).arg(&runtime).args(["-o", "image.cubin"]).succeed();
        let listing = Run::new(tools().cuda("cuobjdump"), bench.path());
        let listing = listing.args(["-elf", "image.cubin"]).succeed().stdout;
        for name in ["_Z4rootPi5Block", "_Z4leafPi", "_Z4wide5Blockds", "_Z5typedIdEvPT_S0_"] {
            assert!(listing.contains(&format!(".text.{name}")), "{options:?}: {name}");
        }
        assert!(!listing.contains("_Z5neverPi"), "{options:?}");
        if options != ["--full=1"] {
            let text = |name| String::from_utf8_lossy(&bench.read(name)).into_owned();
            let (parent, child) = (text("a.ptx"), text("b.ptx"));
            for name in ["_Z4leafPi", "_Z4wide5Blockds"] {
                let declared = parameters(&parent, ".extern", name);
                assert_eq!(declared, parameters(&child, ".visible", name), "{options:?}: {name}");
            }
        }
    }
}

/// A kernel, a function and local data with names outside of ASCII.
const FOREIGN: &str = r#"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@"l\C3\B6cal" = internal addrspace(1) global i32 0
declare void @"gr\C3\B6\C3\9Fe"(ptr)
define ptx_kernel void @KERNEL(ptr %p) #0 {
  store volatile i32 1, ptr addrspace(1) @"l\C3\B6cal"
  call void @"gr\C3\B6\C3\9Fe"(ptr %p)
  ret void
}
attributes #0 = { "target-cpu"="sm_90" }
"#;

#[test]
fn names_outside_of_ascii_are_spelled_or_refused() {
    let bench = Workbench::new();
    let prepare = |kernel: &str| {
        bench.write("a.ll", FOREIGN.replace("KERNEL", kernel));
        bench.prepare(&["a"]);
        bench.weft("thinlink").args(["-o", "plans", "a.summary"]).succeed();
        bench.import("a", &["a"]).succeed();
    };
    prepare("kernel");
    bench.codegen("a").succeed();
    bench.assemble("a").succeed();
    let ptx = String::from_utf8_lossy(&bench.read("a.ptx")).into_owned();
    assert!(ptx.contains("gr$c3$b6$c3$9fe") && ptx.contains("l$c3$b6cal"), "{ptx}");
    prepare(r#""l\C3\A4uft""#);
    let says = ["PTX has no letters outside of ASCII, and the host looks 'l\u{e4}uft' up"];
    bench.codegen("a").expect(3).says(&says);
}
