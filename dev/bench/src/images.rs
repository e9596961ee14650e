//! Sizes of the shipped images.
//!
//! - `images.compressed_share`: bytes of the CUB program's fat binary over those without
//!   compression.
//! - `images.shared_library_share`: bytes of the linked image of a shared library that launches a
//!   tenth of a static library's kernels, one of each unit, over those of one that launches all.
//!   The larger share of clang's units and of nvcc's counts. The static library hides its kernels
//!   (`-fvisibility=hidden`; nvcc hides them by itself). Before compression, as generated kernels
//!   resemble each other.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::device_link::{Setup, build};
use crate::figures::{number, print_metric, size};
use dev_builds::{Target, Variant};
use dev_process::{Process, Result, remove, while_trying};
use dev_programs::Selection;

/// Units of the static library, and kernels of each.
const UNITS: usize = 4;
const KERNELS: usize = 10;
/// Folder of the files of a link.
const KEPT: &str = "kept";

/// Compilers of the static library.
#[derive(Clone, Copy)]
enum Compiler {
    Clang,
    Nvcc,
}

/// Measures all metrics, with the executables in a folder or with those of the checkout.
pub fn run(root: &Path, executables: Option<&Path>) -> Result<()> {
    let setup = Setup::new(root, "images", executables)?;
    let (clang, nvcc) =
        (shared_library(&setup, Compiler::Clang)?, shared_library(&setup, Compiler::Nvcc)?);
    println!("share of a tenth of the kernels: {clang:.3} by clang, {nvcc:.3} by nvcc");
    print_metric("images.shared_library_share", clang.max(nvcc));
    compressed(root, &setup)
}

fn compressed(root: &Path, setup: &Setup) -> Result<()> {
    let selection = Selection { names: &["cub"], only: &[], quick: false, seed: 1 };
    for source in dev_programs::all(root, &selection)? {
        let program = source.open(&setup.folder, Variant::Weft, &setup.tools)?;
        program.write_ninja(Variant::Weft, &source.settings())?;
        build(&program, Variant::Weft, Target::Objects)?;
        let units = program.units();
        let objects = units.cuda.iter().chain(&units.host);
        let objects: Vec<String> = objects
            .map(|unit| program.output(Variant::Weft, &format!("{unit}.o")).display().to_string())
            .collect();
        let bytes = |options: &[&str]| -> Result<f64> {
            linked(setup, options, &objects, &["-o", "program"])?;
            Ok(number(size(&setup.folder.join(KEPT).join("image.fatbin"))?))
        };
        let plain = bytes(&["-Xfatbinary=-compress=false"])?;
        print_metric("images.compressed_share", bytes(&[])? / plain);
    }
    Ok(())
}

/// Compiles a static library, and links a shared one that launches a tenth of its kernels and one
/// that launches all. Returns the share of the image.
fn shared_library(setup: &Setup, compiler: Compiler) -> Result<f64> {
    let place = setup.folder.join("library");
    remove(&place)?;
    fs::create_dir_all(&place).map_err(while_trying("create", &place))?;
    let write = |name: &str, text: &str| {
        let path = place.join(name);
        fs::write(&path, text).map_err(while_trying("write", &path))
    };
    let mut members = Vec::new();
    for number in 0..UNITS {
        let unit = format!("unit{number}");
        let kernels = (0..KERNELS).map(|kernel| self::kernel(number * KERNELS + kernel));
        write(&format!("{unit}.cu"), &kernels.collect::<String>())?;
        compile(setup, compiler, &place, &unit)?;
        members.push(place.join(format!("{unit}.o")).display().to_string());
    }
    let archive = place.join("libkernels.a").display().to_string();
    Process::new("ar").arg("qcs").arg(&archive).args(&members).quietly().run()?;
    let mut bytes = Vec::new();
    for step in [KERNELS, 1] {
        let name = format!("each{step}");
        write(&format!("{name}.cu"), &library(step))?;
        compile(setup, compiler, &place, &name)?;
        let objects = [place.join(format!("{name}.o")).display().to_string(), archive.clone()];
        linked(setup, &[], &objects, &["-shared", "-o", &format!("{name}.so")])?;
        bytes.push(number(size(&setup.folder.join(KEPT).join("sm_90/image.cubin"))?));
    }
    Ok(bytes[0] / bytes[1])
}

fn kernel(number: usize) -> String {
    format!(
        "__global__ void kernel{number}(float *v, int n) {{\n\
         \x20 float sum = {number};\n\
         \x20 for (int i = 0; i < n; ++i)\n\
         \x20   sum += sqrtf(v[i] * {number}.5f + i) / (v[i + 1] + {number});\n\
         \x20 v[threadIdx.x] = sum;\n\
         }}\n"
    )
}

/// Returns host code that launches each kernel whose number is a multiple of `step`.
fn library(step: usize) -> String {
    let (mut declared, mut launched) = (String::new(), String::new());
    for number in (0..UNITS * KERNELS).step_by(step) {
        // Writing to a String cannot fail.
        let _ = writeln!(declared, "HIDDEN __global__ void kernel{number}(float *v, int n);");
        let _ = writeln!(launched, "  kernel{number}<<<1, 32>>>(v, {number});");
    }
    format!(
        "#define HIDDEN __attribute__((visibility(\"hidden\")))\n{declared}\
         __attribute__((visibility(\"default\"))) void launch(float *v) {{\n{launched}}}\n"
    )
}

fn compile(setup: &Setup, compiler: Compiler, place: &Path, unit: &str) -> Result<()> {
    let toolchain = &setup.tools.toolchain;
    let cuda = toolchain.cuda_root.display();
    let process = match compiler {
        Compiler::Nvcc => Process::new(toolchain.cuda_root.join("bin/nvcc")).args([
            "-dc",
            "-O3",
            "-gencode=arch=compute_90,code=lto_90",
            "-Xcompiler=-fPIC",
        ]),
        Compiler::Clang => Process::new(&toolchain.clang_cxx)
            .args(["--cuda-gpu-arch=sm_90", "-Wno-unknown-cuda-version", "-fgpu-rdc", "-O3"])
            .args(["--offload-new-driver", "-foffload-lto", "-fPIC", "-fvisibility=hidden"])
            .args(["-Xarch_device", "-mllvm=-nvvm-reflect-add=__CUDA_PREC_SQRT=1"])
            .args([format!("--cuda-path={cuda}"), format!("-I{cuda}/include/cccl")])
            .args([format!("-cuid={unit}"), "-c".to_owned()]),
    };
    let files = [format!("{unit}.cu"), "-o".to_owned(), format!("{unit}.o")];
    process.args(files).directory(place).quietly().run()
}

/// Links objects, and leaves the files between the steps in the folder [`KEPT`].
fn linked(setup: &Setup, options: &[&str], objects: &[String], link: &[&str]) -> Result<()> {
    let kept = setup.folder.join(KEPT);
    remove(&kept)?;
    let cuda = setup.tools.toolchain.cuda_root.display();
    let libraries = ["-lcudart_static", "-ldl", "-lrt", "-lpthread"];
    Process::new(setup.tools.executables.join("weft"))
        .args(["link".to_owned(), "--cuda".to_owned(), cuda.to_string()])
        .args(["--keep".to_owned(), kept.display().to_string()])
        .args(options)
        .args(["--", "c++"])
        .args(objects)
        .args([format!("-L{cuda}/lib"), format!("-L{cuda}/lib64")])
        .args(libraries)
        .args(link)
        .directory(&setup.folder)
        .quietly()
        .run()
}
