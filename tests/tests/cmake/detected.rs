//! The CUDA compiler as CMake detects it. To detect it, CMake compiles three CUDA units,
//! which takes longer than the rest of a small project's configuration, and Weft takes no part in
//! it. So CMake does it once for each choice of compilers, and the projects start with its record,
//! as a build folder does that has been configured before. The tests of `cmake/README.md` and of
//! nvcc's options start without the record.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tempfile::TempDir;
use weft_tests::Run;

/// The record, a file below the folder `CMakeFiles` of a build.
const FILE: &str = "CMakeCUDACompiler.cmake";
/// A project that does nothing but use the compilers.
const PROJECT: &str =
    "cmake_minimum_required(VERSION 3.25)\nproject(detected LANGUAGES CXX CUDA)\n";
/// Setting that has CMake keep the records which it finds in a new build folder.
const KEEPS_RECORDS: &str = "-DCMAKE_PLATFORM_INFO_INITIALIZED=1";

/// Compilers of a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compilers {
    /// clang for CUDA, and the C++ compiler that CMake takes by itself.
    Clang,
    /// clang for both. It compiles C++ sources that are CUDA by an option.
    ClangAlone,
    /// nvcc for CUDA, and the C++ compiler that CMake takes by itself.
    Nvcc,
    /// nvcc for CUDA, and clang for C++ sources, also those that are CUDA by an option.
    NvccAndClang,
}

/// A record and the name of its folder, which is CMake's version.
struct Detected {
    version: PathBuf,
    record: String,
}

/// Puts the record into a build folder that was not configured yet. `settings` are those that name
/// the compilers. Returns CMake's setting that goes with the record.
pub(crate) fn put(build: &Path, compilers: Compilers, settings: &[String]) -> &'static str {
    static DETECTED: [OnceLock<Detected>; 4] = [const { OnceLock::new() }; 4];
    let detected = DETECTED[compilers as usize].get_or_init(|| detect(settings));
    let files = build.join("CMakeFiles");
    if !files.exists() {
        let folder = files.join(&detected.version);
        fs::create_dir_all(&folder).expect("a folder for CMake's record");
        fs::write(folder.join(FILE), &detected.record).expect("CMake's record is written");
    }
    KEEPS_RECORDS
}

fn detect(settings: &[String]) -> Detected {
    let folder = TempDir::with_prefix("weft-cmake-").expect("a folder");
    fs::write(folder.path().join("CMakeLists.txt"), PROJECT).expect("a CMakeLists.txt");
    Run::new("cmake", folder.path()).args([".", "-G", "Ninja"]).args(settings).succeed();
    let entries = fs::read_dir(folder.path().join("CMakeFiles")).expect("CMake's files");
    let mut folders = entries.map(|entry| entry.expect("a file of CMake's").path());
    let version = folders.find(|folder| folder.join(FILE).exists()).expect("CMake's record");
    let record = fs::read_to_string(version.join(FILE)).expect("CMake's record");
    Detected { version: version.file_name().expect("a version").into(), record }
}
