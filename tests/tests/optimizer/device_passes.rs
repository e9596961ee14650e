//! Weft's own passes over device code have their intended effect on CUDA code, which the PTX shows.

use std::fmt::Write as _;

use weft_tests::Workbench;
use weft_tests::meaning::retarget;

/// Returns the PTX of one unit with a kernel called `kernel` and its helpers.
fn ptx(source: &str) -> String {
    let bench = Workbench::new();
    let host = "void launch(int *p) { kernel<<<1, 32>>>(p); }\n";
    bench.write("unit.cu", format!("#include <cuda_runtime.h>\n{source}{host}"));
    bench.prepare(&["unit"]);
    bench.thinlink(&["unit"], &[]);
    bench.import("unit", &["unit"]).succeed();
    bench.codegen("unit").succeed();
    String::from_utf8_lossy(&bench.read("unit.ptx")).into_owned()
}

#[test]
fn variables_that_a_reference_is_chosen_from_are_in_registers() {
    let text = ptx(r"
        struct Sample { float value; int index; long long at; };
        __device__ Sample larger(const Sample &a, const Sample &b) {
          if (a.value == b.value) return a.index < b.index ? a : b;
          return a.value < b.value ? b : a;
        }
        __global__ void kernel(int *p) {
          Sample best = {0, p[0], 0};
          for (int i = 1; i < 9; ++i) {
            const Sample next = {(float)p[i], p[i + 9], i};
            best = larger(best, next);
          }
          const Sample none = {1, 2, 3};
          const Sample &one = p[20] ? best : none;
          p[threadIdx.x] = one.index + (int)one.at;
        }
    ");
    assert!(!text.contains(".local"), "{text}");
}

/// Here the path that was taken decides the choice, and not a value.
#[test]
fn a_variable_that_is_written_after_the_choice_is_read_after_that() {
    let text = ptx(r"
        __global__ void kernel(int *p) {
          int one = p[100], other = p[1];
          int *chosen;
          if (p[2] > 3) {
            atomicAdd(p + 9, 1);
            chosen = &one;
          } else {
            atomicExch(p + 10, 2);
            chosen = &other;
          }
          one = p[3];
          p[4] = *chosen;
        }
    ");
    assert!(text.contains("+12]"), "what is written last, p[3], may be read:\n{text}");
}

#[test]
fn atomic_operations_of_a_block_know_their_address_space() {
    let text = ptx(r"
        __global__ void kernel(int *p) {
          __shared__ int counts[32];
          __shared__ float sums[32];
          counts[threadIdx.x] = 0;
          sums[threadIdx.x] = 0;
          __syncthreads();
          const int at = p[threadIdx.x] & 31;
          atomicAdd_block(&counts[at], 1);
          atomicAdd_block(&sums[at], 1.0f);
          atomicMax_block(&counts[at], p[1]);
          atomicInc_block((unsigned *)&counts[at], 9u);
          p[40] = atomicCAS_block(&counts[1], 2, 3) + atomicExch_block(&counts[3], 4);
          atomicAdd_block(&p[50], 1);
          atomicAdd_system(&p[51], 1);
          __syncthreads();
          p[threadIdx.x] = counts[threadIdx.x] + (int)sums[threadIdx.x];
        }
    ");
    let atomics: Vec<_> =
        text.lines().map(str::trim).filter(|line| line.starts_with("atom")).collect();
    let shared = atomics.iter().filter(|line| line.contains(".shared.")).count();
    let global = atomics.iter().filter(|line| line.contains(".global.")).count();
    let system: Vec<_> = atomics.iter().filter(|line| line.contains(".sys.")).collect();
    assert_eq!((shared, global, system.len()), (6, 1, 1), "{atomics:#?}");
}

#[test]
fn many_bytes_are_written_and_copied_by_words() {
    let text = ptx(r"
        struct Table { int words[90]; };
        __device__ Table tables[2];
        __global__ void kernel(int *p) {
          Table own;
          __builtin_memset(&own, p[1], sizeof own);
          own.words[p[2]] = 5;
          for (int i = 0; i < p[5]; ++i) own.words[own.words[i]] += 3;
          p[threadIdx.x] = own.words[p[3]];
          tables[p[4]] = own;
          __builtin_memset(&tables[p[5]], 7, sizeof own);
        }
    ");
    let bytes = text.lines().filter(|line| line.contains("st.") && line.contains(".b8"));
    assert_eq!(bytes.count(), 0, "{text}");
    let wide = text.lines().filter(|line| line.contains("st.local.v4")).count();
    assert!(wide >= 22, "{wide} of 22 stores of 16 bytes:\n{text}");
}

/// The backend's own limit would show as a loop of single bytes.
#[test]
fn arrays_of_any_size_are_written_and_copied_by_words() {
    let mut body = String::new();
    for words in 1..=40 {
        writeln!(
            body,
            "  {{\n    int own[{words}];\n    __builtin_memset(own, 0, sizeof own);\n    \
             own[p[0]] = 1;\n    p[1] = own[p[2]];\n  }}\n  {{\n    int own[{words}];\n    \
             __builtin_memcpy(own, p, sizeof own);\n    own[p[0]] = 1;\n    \
             __builtin_memcpy(p + 100, own, sizeof own);\n  }}"
        )
        .unwrap();
    }
    let text = ptx(&format!("__global__ void kernel(int *p) {{\n{body}}}\n"));
    let bytes = text.lines().filter(|line| line.contains("st.") && line.contains(".b8"));
    assert_eq!(bytes.count(), 0, "{text}");
    assert!(text.contains("st.local"), "{text}");
}

/// Runs the transformed functions that fill and copy memory on this machine's processor.
#[test]
fn bytes_that_are_written_by_words_are_the_same() {
    let bench = Workbench::new();
    let (mut unit, mut driver) = (FUNCTIONS.to_owned(), DRIVER.to_owned());
    let (mut declared, mut checks) = (String::new(), String::new());
    for alignment in [1, 2, 4, 8, 16, 32] {
        for size in [
            65, 72, 100, 127, 128, 129, 130, 132, 136, 200, 255, 256, 511, 512, 513, 1000, 1025,
            2047, 4100,
        ] {
            let name = format!("{alignment}_{size}");
            let place = |address| format!("__builtin_assume_aligned({address}, {alignment})");
            let (to, from) = (place("to"), place("from"));
            writeln!(
                unit,
                "DEVICE void fill_{name}(u8 *to, int byte) {{ \
                 __builtin_memset({to}, byte, {size}); }}\n\
                 DEVICE void copy_{name}(u8 *to, const u8 *from) {{ \
                 __builtin_memcpy({to}, {from}, {size}); }}"
            )
            .unwrap();
            writeln!(declared, "void fill_{name}(u8 *, int);\nvoid copy_{name}(u8 *, const u8 *);")
                .unwrap();
            writeln!(checks, "  check(fill_{name}, copy_{name}, {alignment}, {size});").unwrap();
        }
    }
    write!(driver, "{declared}int main(void) {{\n{checks}  return wrong;\n}}\n").unwrap();
    bench.write("unit.cu", unit);
    bench.prepare(&["unit"]);
    bench.thinlink(&["unit"], &["--compute-dead=false"]);
    bench.import("unit", &["unit"]).succeed();
    bench
        .weft("backend-job")
        .args(["codegen", "--emit", "bc", "unit.linked.bc", "-o", "unit.opt.bc"])
        .succeed();
    let text = bench.text_of("unit.opt.bc");
    assert!(text.contains("<4 x i32>"), "words are wide:\n{text}");
    bench.write("unit.opt.ll", retarget::text(&text).unwrap());
    bench.write("driver.c", driver);
    let options = ["-O0", "-S", "-emit-llvm", "driver.c", "-o", "driver.ll"];
    bench.llvm("clang").args(options).succeed();
    bench.llvm("lli").args(["--extra-module=unit.opt.ll", "driver.ll"]).succeed();
}

const FUNCTIONS: &str = r#"#include <cuda_runtime.h>
#define DEVICE extern "C" __device__ __attribute__((noinline, used))
typedef unsigned char u8;
"#;

/// A driver that compares functions with those of C, including the bytes around their output.
const DRIVER: &str = r#"#include <stdio.h>
#include <string.h>
typedef unsigned char u8;
enum { ROOM = 4400 };
static u8 got[ROOM] __attribute__((aligned(64))), wanted[ROOM], from[ROOM] __attribute__((aligned(64)));
static int wrong;
static void compare(const char *what, int alignment, int size) {
  if (memcmp(got, wanted, ROOM) != 0) {
    printf("%s of %d bytes, aligned to %d\n", what, size, alignment);
    wrong = 1;
  }
}
static void check(void (*fill)(u8 *, int), void (*copy)(u8 *, const u8 *), int alignment, int size) {
  for (int i = 0; i < ROOM; ++i) {
    got[i] = wanted[i] = i * 7;
    from[i] = i * 13 + (i >> 8);
  }
  fill(got + 64 + alignment, size % 251);
  memset(wanted + 64 + alignment, size % 251, size);
  compare("memset", alignment, size);
  copy(got + 128 + alignment, from + 64 + alignment);
  memcpy(wanted + 128 + alignment, from + 64 + alignment, size);
  compare("memcpy", alignment, size);
}
"#;

/// With and without optimization, ptxas takes a table that names a function by its alias.
#[test]
fn a_table_may_name_a_function_by_its_alias() {
    let bench = Workbench::new();
    let table = "
        typedef int Callback(int);
        extern \"C\" __device__ int original(int x) { return 3 * x; }
        extern \"C\" __device__ int second(int x) __attribute__((alias(\"original\")));
        __device__ Callback *table[2] = {original, second};
        __global__ void kernel(int *p) {
          *p = table[*p % 2](*p) + second(*p);
          table[*p % 2] = original;
        }
        void launch(int *p) { kernel<<<1, 32>>>(p); }
    ";
    bench.write("unit.cu", format!("#include <cuda_runtime.h>\n{table}"));
    bench.prepare(&["unit"]);
    bench.thinlink(&["unit"], &[]);
    bench.import("unit", &["unit"]).succeed();
    for level in ["-O0", "-O3"] {
        bench.codegen("unit").arg(level).succeed();
        let text = String::from_utf8_lossy(&bench.read("unit.ptx")).into_owned();
        assert!(text.contains("{original, original}"), "{text}");
        bench.assemble("unit").succeed();
    }
}
