//! Unit tests of the crate with C++ under two sanitizers of clang: one finds wrong accesses of
//! memory, the other one undefined behavior.
//!
//! Only that crate's own C++ is instrumented: LLVM is used as installed, and stable Rust cannot be
//! instrumented. The tests are built in a separate target folder, as cargo would otherwise rebuild
//! the C++ whenever this step alternates with another one.

use std::path::Path;

use dev_process::{Error, Process, Result};

/// Arguments of cargo. The target is named so that build scripts are not sanitized.
pub(super) const ARGUMENTS: [&str; 6] = [
    "test",
    "--package=weft-device-ir",
    "--lib",
    "--locked",
    "--quiet",
    "--target=x86_64-unknown-linux-gnu",
];

/// Sanitizers for the compiler. LLVM is built without RTTI, which the check of virtual calls would
/// need. A finding ends the process.
const COMPILER_FLAGS: &str = "-fsanitize=address,undefined -fno-sanitize=vptr \
                              -fno-sanitize-recover=all -fno-omit-frame-pointer -g1";

/// Options of the sanitizer of memory. Containers of LLVM's are filled by code that does not mark
/// their bounds.
const OPTIONS: &str = "detect_container_overflow=0";

/// Adds the sanitizers to cargo's command for the tests, which uses the LLVM in `llvm`.
pub(super) fn tests(cargo: Process, root: &Path, llvm: &Path) -> Result<Process> {
    let clang = llvm.join("bin/clang").into_os_string().into_string();
    let clang = clang.map_err(|_| Error::new("the path of LLVM is not Unicode"))?;
    let linking = format!("-Clinker={clang} -Clink-arg=-fsanitize=address,undefined");
    Ok(cargo
        .variable("CXX", format!("{clang}++"))
        .variable("CXXFLAGS", COMPILER_FLAGS)
        .variable("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS", linking)
        .variable("CARGO_TARGET_DIR", root.join("target/sanitizers"))
        .variable("ASAN_OPTIONS", OPTIONS))
}
