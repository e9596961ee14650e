//! Ways of building a program, targets and tools.

use std::path::PathBuf;

use dev_toolchain::Toolchain;

/// Architecture that all device code here is built for.
pub const ARCHITECTURE: &str = "sm_90";
/// The architecture as a number, which some options take.
pub(crate) const ARCHITECTURE_NUMBER: &str = "90";

/// Way of building a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variant {
    /// nvcc and nvlink without LTO: calls between units stay calls.
    Rdc,
    /// clang and Weft.
    Weft,
    /// clang and Weft with the whole program in one job, or in a few (`thinlink --full=N`). It
    /// shares the folder of the one with a job of each module, and so the objects.
    Full,
    /// nvcc and Weft: the units are NVIDIA's LTO IR, as in [`Variant::Dlto`].
    WeftNvcc,
    /// nvcc and nvlink with NVIDIA's LTO: one process compiles the whole program.
    Dlto,
    /// clang and ptxas with the whole program as one module, for programs that nvcc cannot link.
    Whole,
}

impl Variant {
    /// Variants that build every program of CUDA sources.
    pub const ALL: [Self; 3] = [Self::Rdc, Self::Weft, Self::Dlto];

    /// Returns the variant's name in folders and tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rdc => "rdc",
            Self::Weft => "weft",
            Self::Full => "full",
            Self::WeftNvcc => "weft-nvcc",
            Self::Dlto => "dlto",
            Self::Whole => "whole",
        }
    }
}

/// Part of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The object of every unit: the part that does not depend on the device link.
    Objects,
    /// The summary of every unit, which Weft's device link starts with; the other variants have
    /// none.
    Summaries,
    /// The device link: from the objects to the one host object that registers the linked device
    /// image. For Weft these are all jobs from `summarize` on.
    Image,
    /// The executable.
    Program,
}

impl Target {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Objects => "objects",
            Self::Summaries => "summaries",
            Self::Image => "image",
            Self::Program => "program",
        }
    }
}

/// Tools that programs are built with.
#[derive(Clone, Debug)]
pub struct Tools {
    /// Compilers, linkers, Ninja.
    pub toolchain: Toolchain,
    /// Folder of `summarize`, `thinlink` and `backend-job`.
    pub executables: PathBuf,
}

/// Returns the folder of a build, relative to the program's.
pub(crate) fn build_folder(variant: Variant) -> String {
    let folder = if variant == Variant::Full { Variant::Weft } else { variant };
    format!("build/{}", folder.name())
}
