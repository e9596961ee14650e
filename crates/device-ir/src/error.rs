//! What can be wrong with device bitcode.

use thiserror::Error;

/// Why an operation on device bitcode failed. The caller knows the file and adds its name.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum IrError {
    /// The bytes are not bitcode at all.
    #[error("not LLVM bitcode: the magic number is missing")]
    NotBitcode,
    /// Bitcode of another LLVM, whose records may mean something else.
    #[error(
        "bitcode written by {found}, Weft reads that of LLVM 22 only: compile the unit with clang 22"
    )]
    Producer {
        /// The writer's name for itself.
        found: String,
    },
    /// LLVM's reader gave up.
    #[error("malformed bitcode: {reason}")]
    Malformed {
        /// The reader's words.
        reason: String,
    },
    /// Bitcode for something else than an NVIDIA GPU.
    #[error("bitcode for the target '{found}', expected 'nvptx64-…'")]
    Triple {
        /// The module's triple.
        found: String,
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
    /// The IR mover gave up.
    #[error("import failed: {reason}")]
    Import {
        /// The mover's words.
        reason: String,
    },
    /// Nothing says which processor the module is for.
    #[error("the module names no architecture: it is no linked module of the import phase")]
    NoArchitecture,
    /// An optimisation pipeline or the code generator failed.
    #[error("code generation failed: {reason}")]
    Codegen {
        /// LLVM's words.
        reason: String,
    },
}
