//! The choice of the code generator on the command line, and the loaded library.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use weft_cli::{Blame as _, Fault, failure};
use weft_device_ir::{Generator, Libnvvm};

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Code generator")]
pub(crate) struct GeneratorChoices {
    /// Generator that makes PTX from the optimized module
    ///
    /// With CUDA 13.5, libnvvm reads the IR of Weft's LLVM for `compute_100` and later. For
    /// `compute_75` to `compute_90` it does with `-nvvm-latest`, which it is given there.
    #[arg(
        long,
        value_name = "GENERATOR",
        value_enum,
        default_value = "llvm",
        requires_if("libnvvm", "libnvvm")
    )]
    codegen: Kind,
    /// NVIDIA's libnvvm, such as `nvvm/lib64/libnvvm.so` below the CUDA root
    #[arg(long, value_name = "FILE")]
    libnvvm: Option<PathBuf>,
    /// An option for libnvvm, such as `-opt=0`; may be repeated
    ///
    /// For a module of bitcode it needs `--codegen=libnvvm`. nvlink gets it for a module of LTO IR.
    #[arg(long = "Xnvvm", value_name = "OPTION", allow_hyphen_values = true)]
    pub(crate) libnvvm_options: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// LLVM's NVPTX target, which is built in
    Llvm,
    /// NVIDIA's, loaded from the file that --libnvvm names
    Libnvvm,
}

impl GeneratorChoices {
    /// Refuses a library that is not chosen.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let is_idle = self.libnvvm.is_some() && self.codegen != Kind::Libnvvm;
        let idle = || failure(Fault::Usage, "--libnvvm would do nothing without --codegen=libnvvm");
        if is_idle { Err(idle()) } else { Ok(()) }
    }

    /// Refuses options for a library that is not chosen, which compiles a module of bitcode.
    pub(crate) fn check_for_bitcode(&self) -> anyhow::Result<()> {
        let is_idle = !self.libnvvm_options.is_empty() && self.library().is_none();
        let idle = || failure(Fault::Usage, "--Xnvvm would do nothing without --codegen=libnvvm");
        if is_idle { Err(idle()) } else { Ok(()) }
    }

    /// Returns the file of libnvvm, if libnvvm is chosen.
    pub(crate) fn library(&self) -> Option<&Path> {
        self.libnvvm.as_deref().filter(|_| self.codegen == Kind::Libnvvm)
    }

    /// Loads libnvvm, if it is chosen.
    pub(crate) fn load(&self) -> anyhow::Result<Option<Libnvvm>> {
        let Some(path) = self.library() else { return Ok(None) };
        Libnvvm::load(path, self.libnvvm_options.clone())
            .map(Some)
            .blame(Fault::Environment, || path.display().to_string())
    }
}

/// Returns the generator that `library` selects.
pub(crate) fn generator(library: Option<&Libnvvm>) -> Generator<'_> {
    library.map_or(Generator::Llvm, Generator::Libnvvm)
}
