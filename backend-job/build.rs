//! Links the executable for a fixed address, and so that LLVM starts when it is needed and an older
//! glibc than that of the build suffices.
//!
//! LLVM's tables hold 52,000 addresses. The loader writes all of them at each start of an
//! executable that may run at any address, and a small program starts many jobs.

fn main() -> std::io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg-bins=-no-pie");
    weft_llvm_start::link()?;
    weft_older_glibc::link()
}
