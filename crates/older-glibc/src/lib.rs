//! Links the executables so that they run with an older glibc than that of the build.
//!
//! A linker binds a function of glibc to its newest version, such as `pthread_create` to that of
//! 2.34, and then the program starts with no older glibc. However, glibc keeps older versions of
//! most functions forever. The build scripts of the executables call [`link`], which has the linker
//! replace each newer function (`--wrap`): by the older version of the same function
//! (`versions.rs`), or by code that does the same with older functions (`functions.c`).
//!
//! A build with another linker and another C library was rejected: LLVM's static libraries are made
//! for the C++ library of the system. The test `distribution` holds the versions that the
//! executables need against the page that states them.

mod versions;

use std::path::PathBuf;
use std::{fs, io};

use versions::{OLDER, REPLACED};

/// The oldest glibc that the executables run with.
pub const OLDEST: (u32, u32) = (2, 28);

/// Source of the functions that older versions of glibc lack.
const FUNCTIONS: &str = include_str!("functions.c");

/// Compiles the functions into the folder of the build script and prints the linker's arguments for
/// the executables of the package.
///
/// Only Linux on x86-64 with glibc has the versions in the table; elsewhere nothing is done.
///
/// If the functions cannot be compiled, the build script ends with the compiler's message.
pub fn link() -> io::Result<()> {
    let (out, target) = (variable("OUT_DIR"), variable("TARGET"));
    if target.as_os_str() != "x86_64-unknown-linux-gnu" {
        return Ok(());
    }
    let (source, assembly) = (out.join("functions.c"), out.join("versions.s"));
    for (path, text) in [(&source, FUNCTIONS), (&assembly, &versions::assembly())] {
        fs::write(path, text)?;
    }
    let mut build = cc::Build::new();
    // The linker takes objects whole, and does not take from an archive what the C library's own
    // start code is about to need.
    let objects = build.files([source, assembly]).pic(true).warnings(true).compile_intermediates();
    for object in objects {
        argument(&object.display().to_string());
    }
    for name in OLDER.iter().map(|(name, _)| name).chain(REPLACED) {
        argument(&format!("-Wl,--wrap={name}"));
    }
    let specs = out.join("older-glibc.specs");
    fs::write(&specs, versions::specs())?;
    argument(&format!("-specs={}", specs.display()));
    Ok(())
}

fn argument(argument: &str) {
    println!("cargo:rustc-link-arg-bins={argument}");
}

fn variable(name: &str) -> PathBuf {
    #[expect(clippy::disallowed_methods, reason = "a build script is configured by variables")]
    let value = std::env::var_os(name);
    value.map(PathBuf::from).unwrap_or_default()
}
