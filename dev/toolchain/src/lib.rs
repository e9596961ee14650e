//! Finds the tools that Weft is built and tested with, and installs what is missing.
//!
//! `toolchain.lock` lists the required tools and their origins. Presence is decided by looking for
//! the files themselves, not by asking a package manager: that is fast, and it accepts a tool
//! however it was installed.
//!
//! A command gets only the packages of its [`Scope`]: building Weft needs no Bazel.
//!
//! - LLVM and the system's parts come from Debian packages, or LLVM from `WEFT_LLVM_PREFIX`;
//! - CUDA comes from Python wheels, laid out as one CUDA root, or from `WEFT_CUDA_ROOT`;
//! - the REAPI servers that tests talk to come from Python wheels, and the checker that they run in
//!   a browser from npm.

mod archive;
pub mod cargo_tools;
mod cuda;
mod debian;
mod llvm;
mod lock;
mod presence;
mod probe;
pub mod samples;
mod scope;
pub mod scripts;
pub mod servers;
mod state;

pub use cuda::CUDA_VARIABLE;
pub use llvm::LLVM_VARIABLE;
pub use scope::Scope;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::lock::Lock;
use crate::presence::{Missing, Roots};
use dev_process::{Error, Result, environment};

/// Places of the tools that build Weft and CUDA programs; all paths are absolute.
#[derive(Clone, Debug)]
pub struct Toolchain {
    /// The LLVM prefix: the parent of its `bin`, `lib` and `include`.
    pub llvm_prefix: PathBuf,
    /// Program that names LLVM's folders and libraries.
    pub llvm_config: PathBuf,
    /// Compiler of C and bitcode.
    pub clang: PathBuf,
    /// Compiler of CUDA and C++.
    pub clang_cxx: PathBuf,
    /// Program that prints bitcode.
    pub llvm_dis: PathBuf,
    /// Program that turns symbols into the names of C++.
    pub cxxfilt: PathBuf,
    /// The CUDA root: the parent of its `bin`, `nvvm`, `include` and `lib`.
    pub cuda_root: PathBuf,
    /// NVIDIA's compiler driver.
    pub nvcc: PathBuf,
    /// NVIDIA's assembler.
    pub ptxas: PathBuf,
    /// NVIDIA's device linker.
    pub nvlink: PathBuf,
    /// Program that wraps device images for the host.
    pub fatbinary: PathBuf,
    /// Program that prints the resources of an image's functions.
    pub cuobjdump: PathBuf,
    /// Program that prints SASS.
    pub nvdisasm: PathBuf,
    /// Compiler of the host's C++, which also links executables.
    pub host_cxx: PathBuf,
    /// Ninja.
    pub ninja: PathBuf,
}

/// Places of the build systems that Weft is tried with, which belong to [`Scope::Tests`].
#[derive(Clone, Debug)]
pub struct BuildSystems {
    /// CMake.
    pub cmake: PathBuf,
    /// Bazel.
    pub bazel: PathBuf,
}

impl BuildSystems {
    /// Finds the build systems, after [`ensure`] has installed them.
    pub fn find() -> Result<Self> {
        Ok(Self { cmake: find_system("cmake")?, bazel: find_system("bazel")? })
    }
}

impl Toolchain {
    /// Returns the variables that builds and tests of the workspace need.
    pub fn environment(&self) -> Vec<(String, OsString)> {
        let llvm = self.llvm_prefix.as_os_str();
        [(LLVM_VARIABLE, llvm), (CUDA_VARIABLE, self.cuda_root.as_os_str())]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into()
    }

    /// Returns every tool by its name, to show.
    pub fn tools(&self) -> [(&'static str, &Path); 15] {
        [
            ("LLVM", &self.llvm_prefix),
            ("llvm-config", &self.llvm_config),
            ("clang", &self.clang),
            ("clang++", &self.clang_cxx),
            ("llvm-dis", &self.llvm_dis),
            ("llvm-cxxfilt", &self.cxxfilt),
            ("CUDA", &self.cuda_root),
            ("nvcc", &self.nvcc),
            ("ptxas", &self.ptxas),
            ("nvlink", &self.nvlink),
            ("fatbinary", &self.fatbinary),
            ("cuobjdump", &self.cuobjdump),
            ("nvdisasm", &self.nvdisasm),
            ("g++", &self.host_cxx),
            ("ninja", &self.ninja),
        ]
    }
}

/// Installs the missing parts of a scope under `root`, the checkout, and on the system, then finds
/// the tools. The error names each thing that is still missing and the part that has it.
pub fn ensure(root: &Path, scope: Scope) -> Result<Toolchain> {
    let mut lock = Lock::read(root)?;
    lock.keep_packages_of(scope);
    let failures: Vec<String> = [ensure_packages(root, &lock), ensure_cuda(root, &lock)]
        .into_iter()
        .filter_map(|outcome| outcome.err().map(|error| error.to_string()))
        .collect();
    if failures.is_empty() { locate(root, &lock) } else { Err(Error::new(failures.join("\n\n"))) }
}

/// Returns the roots as they are now.
fn roots(root: &Path, lock: &Lock) -> Result<Roots> {
    Ok(Roots { llvm: llvm::prefix(&lock.llvm)?, cuda: cuda::root(root, &lock.cuda)? })
}

fn ensure_packages(root: &Path, lock: &Lock) -> Result<()> {
    let present = Roots { llvm: llvm::prefix(&lock.llvm)?, cuda: None };
    let missing = present.missing(&lock.packages);
    if missing.is_empty() {
        return Ok(());
    }
    let llvm_is_given = environment::variable(LLVM_VARIABLE).is_some();
    let (given, installable): (Vec<Missing>, Vec<Missing>) =
        missing.into_iter().partition(|part| llvm_is_given && part.probe.is_llvm());
    if !given.is_empty() {
        let reason = format!("the LLVM that {LLVM_VARIABLE} names is not complete");
        return Err(report(&reason, &given));
    }
    let why = match debian::install(root, &installable) {
        Err(error) => error.to_string(),
        Ok(()) => "apt-get succeeded, but something is still missing".to_owned(),
    };
    let present = Roots { llvm: llvm::prefix(&lock.llvm)?, cuda: None };
    let still = present.missing(&lock.packages);
    if still.is_empty() { Ok(()) } else { Err(report(&why, &still)) }
}

fn ensure_cuda(root: &Path, lock: &Lock) -> Result<()> {
    let missing = |cuda| Roots { llvm: None, cuda }.missing(&lock.wheels);
    let absent = missing(cuda::root(root, &lock.cuda)?);
    if environment::variable(CUDA_VARIABLE).is_some() {
        if absent.is_empty() {
            return Ok(());
        }
        let reason = format!("the CUDA root that {CUDA_VARIABLE} names is not complete");
        return Err(report(&reason, &absent));
    }
    if absent.is_empty() && cuda::is_current(root, lock) {
        return Ok(());
    }
    let why = match cuda::install(root, lock) {
        Ok(()) => "the wheels were unpacked, but something is still missing".to_owned(),
        // An older root may be there still: the lock does not ask for it, so it is not used.
        Err(error) => return Err(report(&error.to_string(), &missing(None))),
    };
    let still = missing(cuda::root(root, &lock.cuda)?);
    if still.is_empty() { Ok(()) } else { Err(report(&why, &still)) }
}

/// Returns an error with the missing things, their parts, the reason, and the variables that can
/// name existing ones.
fn report(why: &str, missing: &[Missing]) -> Error {
    let mut lines = vec![why.to_owned(), "missing:".to_owned()];
    lines.extend(missing.iter().map(|part| format!("  {part}")));
    if missing.iter().any(|part| part.probe.is_llvm()) {
        lines.push(format!("{LLVM_VARIABLE} can name the prefix of an existing LLVM"));
    }
    if missing.iter().any(|part| part.probe.is_cuda()) {
        lines.push(format!("{CUDA_VARIABLE} can name an existing CUDA root"));
    }
    Error::new(lines.join("\n"))
}

fn locate(root: &Path, lock: &Lock) -> Result<Toolchain> {
    let roots = roots(root, lock)?;
    let (Some(llvm_prefix), Some(cuda_root)) = (roots.llvm.clone(), roots.cuda.clone()) else {
        return Err(Error::new("toolchain.lock asks for nothing below LLVM or CUDA"));
    };
    let llvm = |name: &str| located(name, roots.find_llvm(&format!("bin/{name}")));
    let cuda = |name: &str| located(name, roots.find_cuda(&format!("bin/{name}")));
    Ok(Toolchain {
        llvm_config: llvm("llvm-config")?,
        clang: llvm("clang")?,
        clang_cxx: llvm("clang++")?,
        llvm_dis: llvm("llvm-dis")?,
        cxxfilt: llvm("llvm-cxxfilt")?,
        nvcc: cuda("nvcc")?,
        ptxas: cuda("ptxas")?,
        nvlink: cuda("nvlink")?,
        fatbinary: cuda("fatbinary")?,
        cuobjdump: cuda("cuobjdump")?,
        nvdisasm: cuda("nvdisasm")?,
        host_cxx: find_system("g++")?,
        ninja: find_system("ninja")?,
        llvm_prefix,
        cuda_root,
    })
}

fn find_system(name: &str) -> Result<PathBuf> {
    located(name, environment::find_program(name))
}

fn located(name: &str, path: Option<PathBuf>) -> Result<PathBuf> {
    path.ok_or_else(|| {
        Error::new(format!("{name} is used, but no part in toolchain.lock holds it"))
    })
}
