//! The real units that are compared, compiled once for all test programs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use weft_tests::kept::{Kept, ggml_objects};
use weft_tests::{ARCHITECTURE, tools, workspace_root};

/// A compiled unit.
pub(crate) struct Unit {
    /// Module id, which is the path of the compiled source.
    pub(crate) id: String,
    /// Path of the object or the bitcode.
    pub(crate) file: PathBuf,
}

/// Returns units of ggml-cuda, as host objects with device bitcode inside.
pub(crate) fn ggml() -> &'static [Unit] {
    static UNITS: OnceLock<Vec<Unit>> = OnceLock::new();
    UNITS.get_or_init(compile_ggml)
}

fn compile_ggml() -> Vec<Unit> {
    let ids = dev_programs::ggml::units();
    let files = ggml_objects(&ids);
    ids.into_iter().zip(files).map(|(id, file)| Unit { id, file }).collect()
}

/// Returns all units of the example, as device bitcode.
pub(crate) fn transport() -> &'static [Unit] {
    static UNITS: OnceLock<Vec<Unit>> = OnceLock::new();
    UNITS.get_or_init(compile_transport)
}

fn compile_transport() -> Vec<Unit> {
    let folder = workspace_root().join("examples/transport");
    let units = match dev_builds::Units::find(&folder) {
        Ok(units) => units.cuda,
        Err(error) => panic!("{error}"),
    };
    let mut kept = Kept::new("transport-bitcode", &folder);
    let mut compile = |id: String| {
        let file = kept.object(&format!("{}.bc", id.replace('/', "_")));
        let cuda = tools().cuda_root().display();
        let mut arguments: Vec<OsString> = [
            &format!("--cuda-gpu-arch={ARCHITECTURE}"),
            &format!("--cuda-path={cuda}"),
            &format!("-I{cuda}/include/cccl"),
            &format!("-cuid={id}"),
            "-fgpu-rdc",
            "-O3",
            "-std=c++17",
            "--cuda-device-only",
            "-emit-llvm",
            "-Iinclude",
            "-Wno-unknown-cuda-version",
            "-c",
            &id,
            "-o",
        ]
        .map(OsString::from)
        .into();
        arguments.push(file.clone().into());
        kept.add(Path::new(&id), &file, &tools().llvm("clang++"), &arguments);
        Unit { id, file }
    };
    let units: Vec<Unit> = units.into_iter().map(&mut compile).collect();
    let files: Vec<_> = units.iter().map(|unit| unit.file.clone()).collect();
    kept.make(&files).unwrap_or_else(|failure| panic!("units of the example: {failure}"));
    units
}
