//! The forms that users get: each a function from files to the bytes of a package.

pub(crate) mod archive;
pub(crate) mod debian;
pub(crate) mod wheel;

use std::io;

use dev_process::Error;

/// Summary of the project in one line.
pub(crate) const SUMMARY: &str =
    "Optimizes the device code of CUDA programs across files, in small jobs";
/// Description of the project for readers.
pub(crate) const DESCRIPTION: &str = "\
Weft optimizes the device code of a CUDA program across its files, and does so like
the rest of a build: in small jobs that run in parallel, are cached, and can run on
any machine. It needs clang 22 and CUDA 13, which `weft doctor` looks for.";
/// The license of Weft's own files.
pub(crate) const LICENSE: &str = "Apache-2.0";

/// Settings for making packages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// Time of the files in seconds since 1970.
    pub(crate) time: u64,
    /// Whether the packages are to be small, which takes minutes.
    pub(crate) small: bool,
}

/// Returns a function for `map_err` that names the package that was not made.
pub(crate) fn while_making(package: &str) -> impl Fn(io::Error) -> Error {
    move |error| Error::new(format!("cannot make {package}: {error}"))
}
