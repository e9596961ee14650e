//! Matrix instructions of whole warp groups, which must be in one function.

use weft_tests::{Run, Workbench, tools};

use crate::weft_link::{command, weft, with_runtime, words};

const HEADER: &str = "
#include <cuda_runtime.h>
__device__ void multiply(float (&sums)[4], unsigned long long rows, unsigned long long columns);
";

/// One warp group gives registers away, and the other one takes them and multiplies.
const GEMM: &str = r#"
#include "gemm.h"
__global__ void __launch_bounds__(256, 1)
gemm(float *values, unsigned long long rows, unsigned long long columns) {
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  float sums[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  for (int step = 0; step < 4; ++step)
    multiply(sums, rows + step, columns + step);
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  values[threadIdx.x] = sums[0] + sums[1] + sums[2] + sums[3];
}
void launch(float *values) { gemm<<<1, 256>>>(values, 0, 64); }
"#;

const MULTIPLY: &str = r#"
#include "gemm.h"
__device__ INLINING void
multiply(float (&sums)[4], unsigned long long rows, unsigned long long columns) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, "
               "1, 1, 1, 0, 0;"
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
               : "l"(rows), "l"(columns)
               : "memory");
}
"#;

/// Links the program of units that `compile` compiles with an option. Returns its machine code, and
/// what Weft said.
fn linked(compile: impl Fn(&Workbench, &str, &str), inlining: &str) -> (String, String) {
    let bench = Workbench::new();
    let main = "void launch(float *values);\nint main() { launch(nullptr); return 0; }\n";
    for (name, text) in
        [("main.cpp", main), ("gemm.h", HEADER), ("gemm.cu", GEMM), ("multiply.cu", MULTIPLY)]
    {
        bench.write(name, text);
    }
    Run::new("g++", bench.path()).args(["-c", "main.cpp", "-o", "main.o"]).succeed();
    for unit in ["gemm", "multiply"] {
        compile(&bench, unit, &format!("-DINLINING={inlining}"));
    }
    let link = with_runtime("g++", &["main.o", "gemm.o", "multiply.o"], &["-o", "program"]);
    let said = weft(&bench, &[], &words(&link)).succeed().stderr;
    let code = Run::new(tools().cuda("cuobjdump"), bench.path()).args(["-sass", "program"]);
    (code.succeed().stdout, said)
}

/// Inlined from another unit the instructions follow each other. A call between them makes ptxas
/// wait for each one, and it only warns.
fn are_multiplied(compile: impl Fn(&Workbench, &str, &str)) {
    let (code, said) = linked(&compile, "");
    assert!(code.contains("USETMAXREG.DEALLOC") && code.contains("USETMAXREG.TRY_ALLOC"), "{code}");
    assert!(code.contains("HGMMA.64x8x16.F32"), "{code}");
    assert!(!code.contains("CALL") && !said.contains("serialized"), "{said}\n{code}");

    let (code, said) = linked(&compile, "__noinline__");
    assert!(code.contains("CALL"), "{code}");
    assert!(said.contains("gemm.o: ptxas info"), "{said}");
    assert!(said.contains("wgmma.mma_async instructions are serialized"), "{said}");
}

#[test]
fn warp_groups_of_nvcc_multiply_matrices() {
    are_multiplied(|bench, unit, option| {
        let run = command(bench, "nvcc").args(["-dc", "-gencode=arch=compute_90a,code=lto_90a"]);
        run.args([option, &format!("{unit}.cu"), "-o", &format!("{unit}.o")]).succeed();
    });
}

#[test]
fn warp_groups_of_clang_multiply_matrices() {
    are_multiplied(|bench, unit, option| {
        bench.compile_cuda(unit, &["--no-cuda-gpu-arch=sm_90", "--cuda-gpu-arch=sm_90a", option]);
    });
}
