//! A clang of some version, with the CUDA that it compiles for and the ptxas that assembles.
//!
//! | | clang 22 alone | the compilers of [`Compiler::before`] |
//! |---|---|---|
//! | headers, libdevice, ptxas | CUDA 13 | CUDA 12.6: older clangs refuse CUDA 13's headers |
//! | nvlink, fatbinary, runtime | CUDA 13 | CUDA 13: no wheel of CUDA 12 has them |
//! | programs that read objects | LLVM 22 | LLVM 22 |

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::tools;

/// A clang with its CUDA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compiler {
    major: u32,
    has_cuda_12: bool,
}

impl Compiler {
    /// clang 22 with CUDA 13.
    pub const NEWEST: Self = Self { major: 22, has_cuda_12: false };

    /// clang 16, 19 or 22 with CUDA 12.6.
    pub const fn before(major: u32) -> Self {
        Self { major, has_cuda_12: true }
    }

    /// Returns the version of LLVM that clang belongs to.
    pub const fn major(self) -> u32 {
        self.major
    }

    /// Returns the compiler of C++ and CUDA.
    pub fn clang_cxx(self) -> PathBuf {
        if self.major == 22 {
            return tools().llvm("clang++");
        }
        // Debian's packages put the programs of every version on the search path.
        Path::new("/usr/bin").join(format!("clang++-{}", self.major))
    }

    /// Returns the CUDA root to compile with.
    pub fn cuda_root(self) -> &'static Path {
        if self.has_cuda_12 { tools().cuda_12() } else { tools().cuda_root() }
    }

    /// Returns the assembler.
    pub fn ptxas(self) -> OsString {
        self.cuda_root().join("bin/ptxas").into()
    }

    /// Returns the options by which a unit's local symbols are named after `id` and not after the
    /// file. Before clang 20 the driver passes `-cuid` on to no compilation of the new driver.
    pub fn naming(self, id: &str) -> Vec<String> {
        let option = format!("-cuid={id}");
        if self.major < 20 { vec!["-Xclang".to_owned(), option] } else { vec![option] }
    }
}
