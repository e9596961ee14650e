//! Sizes of the shipped images.
//!
//! - `images.compressed_share`: bytes of the CUB program's fat binary over those without
//!   compression.
//! - `images.shared_library_share`: bytes of the linked image of a shared library that uses a tenth
//!   of a static library's kernels, over those of one that uses all. Both hide what they do not
//!   export (`-fvisibility=hidden`). Before compression, as generated kernels resemble each other.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::device_link::{Setup, build};
use crate::figures::{number, print_metric, size};
use dev_builds::{Target, Variant};
use dev_process::{Process, Result, remove, while_trying};
use dev_programs::Selection;

/// Kernels of the static library.
const KERNELS: usize = 40;
/// Folder of the files of a link.
const KEPT: &str = "kept";

/// Measures all metrics.
pub fn run(root: &Path) -> Result<()> {
    let setup = Setup::new(root, "images", None)?;
    shared_library(&setup)?;
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

/// Compiles a static library, and links a shared one that uses a tenth of its kernels and one that
/// uses all.
fn shared_library(setup: &Setup) -> Result<()> {
    let place = setup.folder.join("library");
    remove(&place)?;
    fs::create_dir_all(&place).map_err(while_trying("create", &place))?;
    let write = |name: &str, text: &str| {
        let path = place.join(name);
        fs::write(&path, text).map_err(while_trying("write", &path))
    };
    let mut members = Vec::new();
    for number in 0..KERNELS {
        let unit = format!("unit{number}");
        write(&format!("{unit}.cu"), &kernel(number))?;
        compile(setup, &place, &format!("{unit}.cu"))?;
        members.push(place.join(format!("{unit}.o")).display().to_string());
    }
    let archive = place.join("libkernels.a").display().to_string();
    Process::new("ar").arg("qcs").arg(&archive).args(&members).quietly().run()?;
    let mut bytes = Vec::new();
    for used in [KERNELS / 10, KERNELS] {
        let name = format!("uses{used}");
        write(&format!("{name}.cu"), &library(used))?;
        compile(setup, &place, &format!("{name}.cu"))?;
        let objects = [place.join(format!("{name}.o")).display().to_string(), archive.clone()];
        linked(setup, &[], &objects, &["-shared", "-o", &format!("{name}.so")])?;
        bytes.push(number(size(&setup.folder.join(KEPT).join("sm_90/image.cubin"))?));
    }
    print_metric("images.shared_library_share", bytes[0] / bytes[1]);
    Ok(())
}

fn kernel(number: usize) -> String {
    format!(
        "__global__ void kernel{number}(float *v, int n) {{\n\
         \x20 float sum = {number};\n\
         \x20 for (int i = 0; i < n; ++i)\n\
         \x20   sum += sqrtf(v[i] * {number}.5f + i) / (v[i + 1] + {number});\n\
         \x20 v[threadIdx.x] = sum;\n\
         }}\n\
         void launch{number}(float *v) {{ kernel{number}<<<1, 32>>>(v, {number}); }}\n"
    )
}

/// Returns host code that launches the first kernels.
fn library(used: usize) -> String {
    let (mut declared, mut called) = (String::new(), String::new());
    for number in 0..used {
        // Writing to a String cannot fail.
        let _ = writeln!(declared, "void launch{number}(float *v);");
        let _ = writeln!(called, "  launch{number}(v);");
    }
    format!(
        "{declared}__attribute__((visibility(\"default\"))) void launch(float *v) {{\n{called}}}\n"
    )
}

fn compile(setup: &Setup, place: &Path, source: &str) -> Result<()> {
    let toolchain = &setup.tools.toolchain;
    let cuda = toolchain.cuda_root.display();
    Process::new(&toolchain.clang_cxx)
        .args(["--cuda-gpu-arch=sm_90", "-Wno-unknown-cuda-version", "-fgpu-rdc", "-O3", "-fPIC"])
        .args(["--offload-new-driver", "-foffload-lto", "-fvisibility=hidden"])
        .args(["-Xarch_device", "-mllvm=-nvvm-reflect-add=__CUDA_PREC_SQRT=1"])
        .args([format!("--cuda-path={cuda}"), format!("-I{cuda}/include/cccl")])
        .args([format!("-cuid={source}"), "-c".to_owned(), source.to_owned()])
        .directory(place)
        .quietly()
        .run()
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
