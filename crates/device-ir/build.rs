//! Links LLVM 22 statically and compiles the shim.
//!
//! LLVM is found by `WEFT_LLVM_PREFIX` (its `bin/llvm-config`), else as `llvm-config-22` on the
//! path. The C++ standard library and LLVM's compression libraries are linked statically too, so
//! that the executables need nothing on a worker but a C library.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Components of LLVM that the product uses; NVPTX is the only target.
const COMPONENTS: [&str; 7] =
    ["nvptx", "passes", "asmparser", "bitreader", "bitwriter", "linker", "ipo"];

/// C++ files for everything that LLVM's C API does not offer.
const SHIM: [&str; 28] = [
    "src/shim/address_spaces.cpp",
    "src/shim/analyses.cpp",
    "src/shim/arithmetic.cpp",
    "src/shim/assembling.cpp",
    "src/shim/call_types.cpp",
    "src/shim/changes.cpp",
    "src/shim/content.cpp",
    "src/shim/emission.cpp",
    "src/shim/environment.cpp",
    "src/shim/facts.cpp",
    "src/shim/function_aliases.cpp",
    "src/shim/known_targets.cpp",
    "src/shim/large_constants.cpp",
    "src/shim/line_tables.cpp",
    "src/shim/local_arrays.cpp",
    "src/shim/local_choices.cpp",
    "src/shim/localize.cpp",
    "src/shim/odd_integers.cpp",
    "src/shim/optimize.cpp",
    "src/shim/program.cpp",
    "src/shim/reading.cpp",
    "src/shim/reads.cpp",
    "src/shim/guarded.cpp",
    "src/shim/scoped_atomics.cpp",
    "src/shim/settings.cpp",
    "src/shim/start.cpp",
    "src/shim/wide_memory.cpp",
    "src/shim/writing.cpp",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-env-changed=WEFT_LLVM_PREFIX");
    println!("cargo:rerun-if-changed=src/shim");
    let config = llvm_config();
    let version = output(&config, &["--version"])?;
    if !version.starts_with("22.") {
        return Err(format!("{} is LLVM {version}, Weft needs 22", config.display()).into());
    }
    let mut shim = cc::Build::new();
    shim.cpp(true).files(SHIM).std("c++17").cpp_link_stdlib(None).warnings(true);
    // LLVM is built without run-time type information and exceptions; so is what derives from it.
    shim.flag("-fno-rtti")
        .flag("-fno-exceptions")
        .flag("-isystem")
        .flag(output(&config, &["--includedir"])?);
    shim.compile("weft_shim");

    println!("cargo:rustc-link-search=native={}", output(&config, &["--libdir"])?);
    let mut libraries = vec!["--link-static", "--libs"];
    libraries.extend(COMPONENTS);
    for library in output(&config, &libraries)?.split_whitespace() {
        let name = library.strip_prefix("-l").unwrap_or(library);
        println!("cargo:rustc-link-lib=static:-bundle={name}");
    }
    let compiler = shim.get_compiler();
    for archive in ["libzstd.a", "libz.a", "libstdc++.a"] {
        link_archive(compiler.path(), archive)?;
    }
    for library in ["rt", "dl", "m", "pthread"] {
        println!("cargo:rustc-link-lib={library}");
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "a build script is configured by variables")]
fn llvm_config() -> PathBuf {
    match std::env::var_os("WEFT_LLVM_PREFIX") {
        Some(prefix) => Path::new(&prefix).join("bin/llvm-config"),
        None => PathBuf::from("llvm-config-22"),
    }
}

/// Links an archive that the compiler knows where to find.
fn link_archive(compiler: &Path, archive: &str) -> Result<(), Box<dyn Error>> {
    let path = output(compiler, &[&format!("-print-file-name={archive}")])?;
    let path = Path::new(&path);
    let (Some(folder), true) = (path.parent(), path.is_absolute()) else {
        return Err(format!("{archive} is missing: `cargo xtask setup` installs it").into());
    };
    let name = archive.trim_start_matches("lib").trim_end_matches(".a");
    println!("cargo:rustc-link-search=native={}", folder.display());
    println!("cargo:rustc-link-lib=static:-bundle={name}");
    Ok(())
}

#[expect(
    clippy::disallowed_methods,
    reason = "a build script cannot depend on the crate that starts the product's processes"
)]
fn output(program: &Path, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    let run = Command::new(program).args(arguments).output().map_err(|error| {
        format!("cannot run {}: {error}; `cargo xtask setup` installs LLVM 22", program.display())
    })?;
    if !run.status.success() {
        return Err(format!("{} {arguments:?} failed: {}", program.display(), run.status).into());
    }
    Ok(String::from_utf8(run.stdout)?.trim().to_owned())
}
