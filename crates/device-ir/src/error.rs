//! Errors of device bitcode.

use std::fmt;

use thiserror::Error;

use crate::ptx_version::PtxVersion;

/// Why an operation on device bitcode failed. The caller knows the file and adds its name.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum IrError {
    /// The bytes are not bitcode at all.
    #[error("not LLVM bitcode: the magic number is missing")]
    NotBitcode,
    /// Bitcode of an LLVM that is too old or too new, whose records may mean something else.
    #[error(
        "bitcode written by {found}, {age} Weft, which reads that of LLVM 16 to 22: \
         compile the unit with clang 16 to 22"
    )]
    Producer {
        /// The writer's name for itself.
        found: String,
        /// Age compared with the LLVMs whose bitcode Weft reads.
        age: ProducerAge,
    },
    /// LLVM's reader gave up.
    #[error("malformed bitcode: {reason}")]
    Malformed {
        /// The reader's words.
        reason: String,
    },
    /// Bitcode for something else than an NVIDIA GPU.
    #[error(
        "bitcode for the target '{found}', expected 'nvptx64-…': CUDA units are compiled without \
         -flto, as that leaves their host code unfinished; -foffload-lto is for the device side"
    )]
    Triple {
        /// The module's triple.
        found: String,
    },
    /// Pointers and integers are laid out otherwise than the code generator will.
    #[error("the module's data layout is '{found}', that of nvptx64 is '{expected}'")]
    DataLayout {
        /// Layout of the module.
        found: String,
        /// LLVM's layout for the target.
        expected: String,
    },
    /// Bitcode for another architecture than the plan.
    #[error(
        "the function '{function}' was compiled for {found}, and the plan is for {expected}: \
         give the bitcode of that architecture"
    )]
    Architecture {
        /// The first function that says so.
        function: String,
        /// Architecture that the function was compiled for.
        found: String,
        /// Architecture of the plan.
        expected: String,
    },
    /// LLVM has no code generator for the architecture.
    #[error("LLVM 22 does not know the architecture '{found}', but {known}")]
    UnknownArchitecture {
        /// Architecture that the module names.
        found: String,
        /// Architectures that LLVM knows.
        known: String,
    },
    /// The architecture came with a newer PTX version than may be written.
    #[error(
        "{architecture} needs PTX {oldest}, and ptxas takes {newest} at most: use a ptxas that \
         knows {architecture}, of a later CUDA"
    )]
    PtxVersion {
        /// Architecture of the module.
        architecture: String,
        /// Oldest version that has the architecture.
        oldest: PtxVersion,
        /// Newest version that may be written.
        newest: PtxVersion,
    },
    /// The module breaks LLVM's rules.
    #[error("invalid module: {reason}")]
    Invalid {
        /// The verifier's words.
        reason: String,
    },
    /// The plan names a symbol that the module does not define.
    #[error(
        "the plan names '{symbol}', which the module does not define: \
         the plan was made from another version of it"
    )]
    MissingSymbol {
        /// The symbol.
        symbol: String,
    },
    /// A use of a variable's address that only the address space of the declaration allows.
    #[error(
        "'{symbol}' is {defined}, and code of the module uses its address in a way that needs the \
         memory that it is declared in: declare it as it is defined"
    )]
    AddressSpace {
        /// The variable.
        symbol: String,
        /// Memory in which the program defines the variable, in words.
        defined: &'static str,
    },
    /// A kernel or a visible variable with a name that PTX cannot spell.
    #[error(
        "PTX has no letters outside of ASCII, and the host looks '{symbol}' up by that name: give \
         the kernel or variable a name in ASCII"
    )]
    Name {
        /// The symbol.
        symbol: String,
    },
    /// The IR mover gave up.
    #[error("import failed: {reason}")]
    Import {
        /// The mover's words.
        reason: String,
    },
    /// Nothing says which processor the module is for.
    #[error("the module names no architecture: it is no linked module of the import phase")]
    NoArchitecture,
    /// libnvvm refused the module or an option.
    #[error("libnvvm failed for {architecture}: {reason}\n{log}")]
    Libnvvm {
        /// The module's architecture.
        architecture: String,
        /// libnvvm's name for the failure.
        reason: String,
        /// libnvvm's log.
        log: String,
    },
    /// An optimization pipeline or the code generator failed.
    #[error("code generation failed: {reason}")]
    Codegen {
        /// LLVM's words.
        reason: String,
    },
}

/// Age of the writer of bitcode, compared with those whose bitcode Weft reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProducerAge {
    /// An earlier LLVM.
    TooOld,
    /// A later LLVM.
    TooNew,
    /// No LLVM release.
    Foreign,
}

impl fmt::Display for ProducerAge {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::TooOld => "too old for",
            Self::TooNew => "too new for",
            Self::Foreign => "unknown to",
        })
    }
}
