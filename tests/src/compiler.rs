//! A clang of some version, with the CUDA that it compiles for and the ptxas that assembles.
//!
//! | | clang 22 alone | the compilers of [`Compiler::before`] |
//! |---|---|---|
//! | headers, libdevice, ptxas | CUDA 13 | CUDA 12.6: older clangs refuse CUDA 13's headers |
//! | nvlink, fatbinary, runtime | CUDA 13 | CUDA 13: no wheel of CUDA 12 has them |
//! | programs that read objects | LLVM 22 | LLVM 22 |
//!
//! Debian has clang 16, 19 and 22. 17, 18, 20 and 21 are those that Zig is built on.

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

    /// clang 16 to 22 with CUDA 12.6.
    pub const fn before(major: u32) -> Self {
        Self { major, has_cuda_12: true }
    }

    /// Returns the version of LLVM that clang belongs to.
    pub const fn major(self) -> u32 {
        self.major
    }

    /// Returns the compiler of C++ and CUDA, and the words that its command begins with.
    pub fn clang_cxx(self) -> (PathBuf, Vec<String>) {
        match self.major {
            22 => (tools().llvm("clang++"), Vec::new()),
            17 | 18 | 20 | 21 => {
                let folder = tools().clangs().join(self.major.to_string());
                // The packer of device code is not among Zig's programs.
                let words = ["clang", "--driver-mode=g++", "--target=x86_64-linux-gnu"];
                let places = ["-B/usr/lib/llvm-19/bin".to_owned(), "-resource-dir".to_owned()];
                let words = words.into_iter().map(str::to_owned).chain(places);
                (folder.join("zig"), words.chain([folder.display().to_string()]).collect())
            }
            // Debian's packages put the programs of every version on the search path.
            major => (Path::new("/usr/bin").join(format!("clang++-{major}")), Vec::new()),
        }
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
