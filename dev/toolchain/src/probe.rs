//! Things to look for to decide whether a part is here, as `toolchain.lock` names them.

use std::fmt;

/// One thing to look for, which the lock writes as `WHERE:WHAT`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Probe {
    Program(String),
    Header(String),
    Library(String),
    /// A path below the LLVM prefix.
    Llvm(String),
    /// A path below the CUDA root.
    Cuda(String),
}

impl Probe {
    /// Reads `WHERE:WHAT`; `None` if there is no such place.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (place, what) = text.split_once(':')?;
        let what = what.to_owned();
        match place {
            "program" => Some(Self::Program(what)),
            "header" => Some(Self::Header(what)),
            "library" => Some(Self::Library(what)),
            "llvm" => Some(Self::Llvm(what)),
            "cuda" => Some(Self::Cuda(what)),
            _ => None,
        }
    }

    /// Returns whether an LLVM that the user names would have it.
    pub(crate) fn is_llvm(&self) -> bool {
        matches!(self, Self::Llvm(_))
    }

    /// Returns whether a CUDA root that the user names would have it.
    pub(crate) fn is_cuda(&self) -> bool {
        matches!(self, Self::Cuda(_))
    }
}

impl fmt::Display for Probe {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program(name) => write!(formatter, "the program {name}"),
            Self::Header(name) => write!(formatter, "the header {name}"),
            Self::Library(name) => write!(formatter, "the library {name}"),
            Self::Llvm(path) => write!(formatter, "LLVM's {path}"),
            Self::Cuda(path) => write!(formatter, "CUDA's {path}"),
        }
    }
}
