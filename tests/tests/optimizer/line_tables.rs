//! Lines of bodies that come from another unit.

use weft_tests::{Run, Workbench, tools};

/// A kernel, a function that leads to the other unit, and the other unit's function.
const UNITS: [(&str, &str); 2] = [
    (
        "kernel",
        "__device__ float pixel(const float *image, int x);
        static __device__ float twice(const float *image, int x) { return 2 * pixel(image, x); }
        __global__ void blur(const float *in, float *out) {
          out[threadIdx.x] = twice(in, threadIdx.x) + pixel(in, threadIdx.x + 1);
        }",
    ),
    (
        "pixel",
        "__device__ float pixel(const float *image, int x) {
          float sum = 0;
          for (int at = 0; at < x; ++at)
            sum = sum * 3 + image[at * 1024];
          return sum;
        }",
    ),
];

/// Compiles the units, `with_lines` those, and returns the files whose lines the kernel's machine
/// code names.
fn files_with_lines(with_lines: &[&str]) -> Vec<String> {
    let bench = Workbench::new();
    for (unit, source) in UNITS {
        bench.write(&format!("{unit}.cu"), format!("#include <cuda_runtime.h>\n{source}\n"));
        let lines: &[&str] = &["-Xarch_device", "-gline-tables-only"];
        bench.compile_cuda(unit, if with_lines.contains(&unit) { lines } else { &[] });
        bench.summarize(unit);
    }
    let units = UNITS.map(|(unit, _)| unit);
    bench.thinlink(&units, &["--keep=_Z4blurPKfPf", "--generate-line-info"]);
    bench.import("kernel", &units).succeed();
    bench.codegen("kernel").succeed();
    bench.assemble("kernel").succeed();
    let text = Run::new(tools().cuda("nvdisasm"), bench.path());
    let text = text.args(["-g", "kernel.cubin"]).succeed().stdout;
    UNITS
        .map(|(unit, _)| format!("{unit}.cu"))
        .into_iter()
        .filter(|file| {
            text.lines().any(|line| line.contains("File") && line.contains(file.as_str()))
        })
        .collect()
}

#[test]
fn a_unit_without_lines_keeps_those_of_bodies_that_it_inlines() {
    assert_eq!(files_with_lines(&["kernel", "pixel"]), ["kernel.cu", "pixel.cu"]);
    assert_eq!(files_with_lines(&["pixel"]), ["pixel.cu"]);
    assert_eq!(files_with_lines(&["kernel"]), ["kernel.cu"]);
}
