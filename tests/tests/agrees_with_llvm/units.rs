//! The real units that are compared, compiled once for this test program.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use weft_tests::{ARCHITECTURE, Run, tools, workspace_root};

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
    let folder = tools().ggml();
    let compile = |unit: &str, object: &Path| {
        dev_programs::ggml::compile_arguments(unit, object, tools().cuda_root())
    };
    compile_all("ggml", folder, dev_programs::ggml::units(), "o", compile)
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
    let compile = |unit: &str, bitcode: &Path| {
        let cuda = tools().cuda_root().display();
        let mut arguments: Vec<OsString> = [
            &format!("--cuda-gpu-arch={ARCHITECTURE}"),
            &format!("--cuda-path={cuda}"),
            &format!("-I{cuda}/include/cccl"),
            &format!("-cuid={unit}"),
            "-fgpu-rdc",
            "-O3",
            "-std=c++17",
            "--cuda-device-only",
            "-emit-llvm",
            "-Iinclude",
            "-Wno-unknown-cuda-version",
            "-c",
            unit,
            "-o",
        ]
        .map(OsString::from)
        .into();
        arguments.push(bitcode.into());
        arguments
    };
    compile_all("transport", &folder, units, "bc", compile)
}

/// Runs clang on each unit, with as many processes at once as there are processors.
fn compile_all(
    name: &str,
    folder: &Path,
    units: Vec<String>,
    ending: &str,
    arguments: impl Fn(&str, &Path) -> Vec<OsString> + Sync,
) -> Vec<Unit> {
    let outputs = Path::new(env!("CARGO_TARGET_TMPDIR")).join("agrees").join(name);
    if let Err(error) = std::fs::create_dir_all(&outputs) {
        panic!("cannot make {}: {error}", outputs.display());
    }
    let units: Vec<_> = units
        .into_iter()
        .map(|id| {
            let file = outputs.join(format!("{}.{ending}", id.replace('/', "_")));
            Unit { id, file }
        })
        .collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(unit) = units.get(next.fetch_add(1, Ordering::Relaxed)) {
            let arguments = arguments(&unit.id, &unit.file);
            Run::new(tools().llvm("clang++"), folder).args(arguments).succeed();
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(work);
        }
    });
    units
}
