//! Links the executables so that LLVM starts when it is first needed.
//!
//! LLVM registers its options and passes by some 380 initializers of static variables, which run
//! before `main` and take longer than a job whose result is in the cache. The linker collects them
//! in a separate section instead of the list that the C library runs, and the first operation that
//! needs LLVM runs them (`shim/start.cpp` of `weft-device-ir`).
//!
//! LLVM in a shared library that is opened late was rejected: the executables would no longer be
//! single files, and calls into LLVM would go through a table.

use std::io;
use std::path::PathBuf;

/// Script for GNU ld and LLD, which keeps all other sections where they are. The initializers keep
/// the order in which the C library would have run them. As the section's name is an identifier,
/// the linker defines symbols for its begin and end.
const SCRIPT: &str = "\
SECTIONS {
  weft_llvm_initializers : {
    KEEP(*libLLVM*.a:*(SORT_BY_INIT_PRIORITY(.init_array.*)))
    KEEP(*libLLVM*.a:*(.init_array))
  }
} INSERT AFTER .init_array;
";

/// Prints the linker's arguments for the executables of the package, whose build script this is.
///
/// The section is that of ELF files; elsewhere nothing is done, and LLVM starts before `main`.
pub fn link() -> io::Result<()> {
    let (out, target) = (variable("OUT_DIR"), variable("TARGET"));
    if !target.to_string_lossy().contains("linux") {
        return Ok(());
    }
    let script = out.join("llvm-start.ld");
    std::fs::write(&script, SCRIPT)?;
    println!("cargo:rustc-link-arg-bins=-T");
    println!("cargo:rustc-link-arg-bins={}", script.display());
    Ok(())
}

fn variable(name: &str) -> PathBuf {
    #[expect(clippy::disallowed_methods, reason = "a build script is configured by variables")]
    let value = std::env::var_os(name);
    value.map(PathBuf::from).unwrap_or_default()
}
