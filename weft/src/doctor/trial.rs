//! A kernel that the doctor takes through all tools. It shows what versions alone do not: whether
//! Weft reads the bitcode of this clang, and whether this ptxas accepts the resulting PTX.

use std::path::{Path, PathBuf};

use weft_artifact::{Artifact as _, SummaryFile};

use crate::doctor::finding::Finding;
use crate::doctor::programs::run;
use crate::executables::own;

/// Source that needs nothing of CUDA, for the bitcode alone.
const BARE: &[u8] = b"void function(int *to) { *to = 1; }\n";
/// Compiles `BARE`. Without CUDA clang states an old version of PTX, which does not support newer
/// architectures than this one. The bitcode's format does not depend on it.
const BARE_OPTIONS: &str = "-x c --target=nvptx64-nvidia-cuda -march=sm_50 -nogpulib -O1 \
                            -emit-llvm -c kernel.c -o kernel.bc";
/// With CUDA's headers and libdevice.
const KERNEL: &[u8] = b"extern \"C\" __global__ void kernel(float *to) {\n  \
                        to[threadIdx.x] = sinf(to[threadIdx.x]);\n}\n";

/// Says whether Weft reads the bitcode that clang writes.
pub(crate) fn bitcode(clang: &Path) -> Finding {
    const NAME: &str = "bitcode";
    let remedy = "compile with clang 16 to 22: --clang here, CMAKE_CUDA_COMPILER for CMake, \
                  WEFT_LLVM_PREFIX for Bazel";
    let bitcode = match run(clang, words(BARE_OPTIONS), &[("kernel.c", BARE)], &["kernel.bc"]) {
        Ok(outcome) => outcome.into_output(),
        Err(reason) => {
            let reason = format!("clang compiles nothing for NVIDIA's GPUs: {reason}");
            return Finding::fails(NAME, reason, remedy);
        }
    };
    match summary(&bitcode).and_then(|summary| producer(&summary)) {
        Ok(producer) => Finding::ok(NAME, format!("of {producer}, which Weft reads")),
        Err(reason) => Finding::fails(NAME, reason, remedy),
    }
}

/// Makes the summary of a module.
fn summary(bitcode: &[u8]) -> Result<Vec<u8>, String> {
    let summarize = weft("summarize")?;
    let arguments = words("--cache off --module-id kernel kernel.bc -o kernel.summary");
    let outcome = run(&summarize, arguments, &[("kernel.bc", bitcode)], &["kernel.summary"])?;
    Ok(outcome.into_output())
}

/// Returns the compiler that a summary names.
fn producer(summary: &[u8]) -> Result<String, String> {
    let file = SummaryFile::decode(summary).map_err(|error| error.to_string())?;
    let module = file.summaries.into_iter().find_map(|summary| summary.device);
    module.map(|module| module.producer).ok_or_else(|| "the summary is empty".to_owned())
}

/// Returns another executable of Weft.
fn weft(name: &str) -> Result<PathBuf, String> {
    own(name).map_err(|error| error.to_string())
}

/// Takes a kernel from its source to a linked image.
pub(crate) fn kernel(clang: &Path, cuda: &Path, architecture: &str) -> Finding {
    const NAME: &str = "a kernel";
    let bitcode = match compile(clang, cuda, architecture) {
        Ok(bitcode) => bitcode,
        Err(reason) => {
            let remedy = "name an --architecture that this clang and this CUDA know, and install \
                          all of CUDA's headers (its parts nvcc, cudart, crt, cccl and curand)";
            return Finding::fails(NAME, format!("clang with CUDA's headers: {reason}"), remedy);
        }
    };
    let ptxas = cuda.join("bin/ptxas");
    let (ptx, cubin) = match job(&bitcode, &ptxas) {
        Ok(made) => made,
        Err(reason) => {
            let remedy = "use a ptxas that is as new as CUDA's headers and knows the architecture, \
                          or name another --architecture";
            return Finding::fails(NAME, reason, remedy);
        }
    };
    let version = ptx_version(&ptx);
    let arguments = words(&format!("-arch={architecture} kernel.cubin -o image.cubin"));
    let nvlink = cuda.join("bin/nvlink");
    if let Err(reason) = run(&nvlink, arguments, &[("kernel.cubin", &cubin)], &["image.cubin"]) {
        let remedy = "use nvlink and ptxas of the same CUDA";
        return Finding::fails(NAME, format!("nvlink: {reason}"), remedy);
    }
    let text = format!("compiles and links for {architecture}; ptxas takes Weft's PTX {version}");
    Finding::ok(NAME, text)
}

/// Takes a module through the thin link and its job. Returns its PTX and its cubin.
fn job(bitcode: &[u8], ptxas: &Path) -> Result<(Vec<u8>, Vec<u8>), String> {
    let summary = summary(bitcode)?;
    let arguments = words("--cache off kernel.summary -o plans");
    let inputs = [("kernel.summary", &summary[..])];
    let plan = run(&weft("thinlink")?, arguments, &inputs, &["plans/kernel.plan"])?.into_output();
    let mut arguments = words(
        "run --cache off --plan kernel.plan --module kernel.bc --emit ptx,cubin -o kernel --ptxas",
    );
    // The program runs in a separate folder.
    let ptxas = std::path::absolute(ptxas).unwrap_or_else(|_| ptxas.to_owned());
    arguments.push(ptxas.to_string_lossy().into_owned());
    let inputs = [("kernel.plan", &plan[..]), ("kernel.bc", bitcode)];
    let outputs = ["kernel.ptx", "kernel.cubin"];
    let outcome = run(&weft("backend-job")?, arguments, &inputs, &outputs)?;
    let [ptx, cubin] = <[Vec<u8>; 2]>::try_from(outcome.outputs).unwrap_or_default();
    Ok((ptx, cubin))
}

/// Compiles a source to device bitcode with the headers and the libdevice of `cuda`.
fn compile(clang: &Path, cuda: &Path, architecture: &str) -> Result<Vec<u8>, String> {
    let mut arguments = words(
        "-x cuda --cuda-device-only -fgpu-rdc -O1 -emit-llvm -Wno-unknown-cuda-version -c \
         kernel.cu -o kernel.bc",
    );
    // The program runs in a separate folder.
    let cuda = std::path::absolute(cuda).unwrap_or_else(|_| cuda.to_owned());
    arguments.push(format!("--cuda-gpu-arch={architecture}"));
    arguments.push(format!("--cuda-path={}", cuda.display()));
    let outcome = run(clang, arguments, &[("kernel.cu", KERNEL)], &["kernel.bc"])?;
    Ok(outcome.into_output())
}

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

/// Returns the version that PTX states in its first directive.
fn ptx_version(ptx: &[u8]) -> String {
    let text = String::from_utf8_lossy(ptx);
    let version = text.lines().find_map(|line| line.strip_prefix(".version"));
    version.unwrap_or_default().trim().to_owned()
}
