//! Packages of Weft for users: an archive, a Debian package and a Python wheel.
//!
//! The three hold the same files: the executables, the CMake package, the Bazel rules, the licenses
//! of everything that is linked in, and a bill of materials. [`run`] is the command: it builds the
//! executables without a trace of the machine ([`build`]), and packs them with [`pack`]. Builds of
//! the same commit with the same compilers give the same bytes, in any folder (`verify.rs`).

pub mod build;
pub mod components;
pub mod glibc;
mod notices;
pub mod pack;
mod packages;
mod run;
mod sbom;
mod scan;
mod system;
mod tree;
mod verify;

pub use run::run;
