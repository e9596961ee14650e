//! Writes CUDA programs of many units with deep calls between them, for benches.
//!
//! A unit has one function of each level, and a kernel. A function calls functions one level below,
//! in any unit, so nearly all calls cross units, and inlining everything multiplies code level by
//! level. The seed determines the program.

mod body;
mod function;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

pub use function::Size;

use body::constant;
use dev_process::{Result, while_trying};
use dev_random::SplitMix64;
use function::{Function, Passing};

/// Writes a program of this size into `folder`, as `src` and `include`.
pub fn write(folder: &Path, size: &Size, seed: u64) -> Result<()> {
    let mut random = SplitMix64::new(seed);
    let functions: Vec<Vec<Function>> = (0..size.levels)
        .map(|level| {
            let function = |unit| {
                let passing = [Passing::Value, Passing::Pointer, Passing::Scalars];
                Function { unit, level, passing: *random.pick(&passing) }
            };
            (0..size.units).map(function).collect()
        })
        .collect();
    write_file(&folder.join("include/functions.cuh"), &header(&functions))?;
    for unit in 0..size.units {
        let text = unit_text(unit, &functions, size, &mut random);
        write_file(&folder.join(format!("src/unit_{unit:02}.cu")), &text)?;
    }
    write_file(&folder.join("src/main.cpp"), &main_text(size.units - 1))
}

fn header(functions: &[Vec<Function>]) -> String {
    let mut text =
        "#pragma once\n\nstruct State {\n    float x, y, z, w;\n    unsigned draw;\n    \
                    int kind;\n};\n\n"
            .to_owned();
    for function in functions.iter().flatten() {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "__device__ {};", body::signature(function));
    }
    text
}

fn unit_text(
    unit: u32,
    functions: &[Vec<Function>],
    size: &Size,
    random: &mut SplitMix64,
) -> String {
    let mut text = "#include \"functions.cuh\"\n".to_owned();
    for level in 0..functions.len() {
        let count = if level == 0 { 0 } else { 1 + random.below(size.calls.into()) };
        let callees: Vec<Function> =
            (0..count).map(|_| *random.pick(&functions[level - 1])).collect();
        let function = &functions[level][unit as usize];
        text += "\n";
        text += &body::definition(function, &callees, size, random);
    }
    if unit + 1 < size.units {
        text += &kernel(unit, &functions[functions.len() - 1], random);
    }
    text
}

/// Renders a kernel that calls two functions of the top level, and its launch.
fn kernel(unit: u32, top: &[Function], random: &mut SplitMix64) -> String {
    let calls: Vec<String> = (0..2)
        .map(|_| body::call(random.pick(top)).replace('K', &constant(random)))
        .map(|call| format!("    {call}\n"))
        .collect();
    format!(
        "\n__global__ void kernel_{unit}(float* out, const float* in, int n) {{\n    \
         int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n) return;\n    \
         State s{{in[i], in[n - i - 1], 1.0f, 0.5f, (unsigned)i, i & 3}};\n    float a = in[i];\n\
         {}    out[i] = s.x + s.y + s.z + s.w;\n}}\n\n\
         void launch_{unit}(float* out, const float* in, int n) {{\n    \
         kernel_{unit}<<<(n + 127) / 128, 128>>>(out, in, n);\n}}\n",
        calls.concat()
    )
}

/// Renders the host's part, which launches every kernel and prints a sum of each one's results.
fn main_text(kernels: u32) -> String {
    let mut text = "#include <cstdio>\n#include <vector>\n#include <cuda_runtime.h>\n\n".to_owned();
    let declarations = (0..kernels)
        .map(|unit| format!("void launch_{unit}(float* out, const float* in, int n);\n"));
    text.extend(declarations);
    text += "\nusing Launch = void (*)(float*, const float*, int);\n\nint main() {\n    \
             const Launch launches[] = {";
    text.extend((0..kernels).map(|unit| format!("launch_{unit}, ")));
    text += "};\n    const int n = 4096;\n    std::vector<float> values(n);\n    \
             for (int i = 0; i < n; ++i) values[i] = i * 0.001f;\n    float *in, *out;\n    \
             const size_t bytes = n * sizeof(float);\n    \
             if (cudaMalloc(&in, bytes) != cudaSuccess || \
             cudaMalloc(&out, bytes) != cudaSuccess) {\n        \
             std::puts(cudaGetErrorString(cudaGetLastError()));\n        return 1;\n    }\n    \
             cudaMemcpy(in, values.data(), bytes, cudaMemcpyHostToDevice);\n    \
             for (Launch launch : launches) {\n        launch(out, in, n);\n        \
             cudaMemcpy(values.data(), out, bytes, cudaMemcpyDeviceToHost);\n        \
             double sum = 0;\n        for (float value : values) sum += value;\n        \
             std::printf(\"%.6e\\n\", sum);\n    }\n    return 0;\n}\n";
    text
}

fn write_file(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(while_trying("create", folder))?;
    }
    fs::write(path, text).map_err(while_trying("write", path))
}
