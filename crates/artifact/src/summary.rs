//! The facts about one unit that the thin link uses.

use std::num::NonZeroU32;

use serde::Serialize;
use wincode::{SchemaRead, SchemaWrite};

use crate::{
    FunctionSummary, Guid, HostFacts, LtoIrModule, ModuleId, OpaqueImage, SymbolIndex,
    VariableSummary,
};

/// All facts about one unit that the thin link uses, for one architecture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Name that the build gave to the unit.
    pub module_id: ModuleId,
    /// Device code of the unit; `None` for a unit with host code alone.
    pub device: Option<DeviceModule>,
    /// Facts about device code that the unit's host code states; `None` if the host side is
    /// unknown, as for device bitcode alone.
    pub host: Option<HostFacts>,
    /// Device code of the unit that is not bitcode, in the order of the file.
    pub opaque: Vec<OpaqueImage>,
}

/// Device code of one unit for one architecture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeviceModule {
    /// Real architecture that the code is for, such as `sm_90`.
    pub architecture: String,
    /// LLVM target triple.
    pub triple: String,
    /// LLVM data layout.
    pub data_layout: String,
    /// Name and version of the LLVM that wrote the bitcode, such as `LLVM22.1.8`.
    pub producer: String,
    /// Major and minor version of NVVM IR that the module states (`nvvmir.version`).
    pub nvvm_ir_version: Option<(u32, u32)>,
    /// Known options that must agree between modules, sorted by option.
    pub options: Vec<OptionSetting>,
    /// Facts of a module of NVIDIA's LTO IR; `None` for bitcode.
    pub lto_ir: Option<LtoIrModule>,
    /// Every global value, defined or only declared, sorted by name. Names are unique.
    pub symbols: Vec<Symbol>,
}

impl DeviceModule {
    /// Returns the symbol at `index`, if the index is in range.
    pub fn symbol(&self, index: SymbolIndex) -> Option<&Symbol> {
        self.symbols.get(index.0 as usize)
    }
}

/// One global value of a module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Symbol {
    /// Mangled name.
    pub name: String,
    /// LLVM's GUID of the name, or of module id and name for a local.
    pub guid: Guid,
    /// LLVM linkage, which is `External` or `ExternalWeak` for a declaration.
    pub linkage: Linkage,
    /// LLVM visibility.
    pub visibility: Visibility,
    /// Whether the symbol is known to be defined in the image that uses it.
    pub dso_local: bool,
    /// Group of symbols that are kept or dropped together.
    pub comdat: Comdat,
    /// NVPTX address space: 0 for generic and functions, 1 for global, 3 for shared, 4 for
    /// constant.
    pub address_space: u32,
    /// Whether the symbol is address-taken in the module: a use of it is no direct call.
    pub address_taken: bool,
    /// Whether the symbol is listed in `llvm.used` or `llvm.compiler.used`, or named by assembly of
    /// the module. It then stays under its name, with or without references.
    pub used: bool,
    /// Whether the symbol is listed only because host code of the same unit may name it: by
    /// `__clang_gpu_used_external`, or, where `used` is set too, as a visible variable that
    /// `llvm.compiler.used` alone lists. It then stays unless all references of the host are known.
    pub used_by_host: bool,
    /// Digest of an interposable definition (`linkonce`, `weak`, `common`); equal definitions have
    /// equal digests. `None` for definitions that must be equal anyway.
    pub content: Option<u64>,
    /// Digest of the types of parameters and result of a function that the module defines or calls,
    /// as PTX has them. nvlink refuses functions of one name that differ in it. `None` for other
    /// symbols, also for kernels.
    pub prototype: Option<NonZeroU32>,
    /// Kind of the value, with its facts.
    pub body: Body,
}

impl Symbol {
    /// Whether this module holds a definition of the symbol.
    pub fn is_definition(&self) -> bool {
        !matches!(self.body, Body::Declaration(_))
    }

    /// Returns the facts about a defined function; `None` for other symbols.
    pub fn function(&self) -> Option<&FunctionSummary> {
        match &self.body {
            Body::Function(function) => Some(function),
            _ => None,
        }
    }

    /// Whether the symbol is a kernel, defined here or elsewhere.
    pub fn is_kernel(&self) -> bool {
        match &self.body {
            Body::Function(function) => function.flags.kernel,
            Body::Declaration(declaration) => *declaration == Declaration::Kernel,
            _ => false,
        }
    }

    /// Returns the facts about a defined variable; `None` for other symbols.
    pub fn variable(&self) -> Option<&VariableSummary> {
        match &self.body {
            Body::Variable(variable) => Some(variable),
            _ => None,
        }
    }
}

/// LLVM's linkage types that device code can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Linkage {
    /// The symbol is visible everywhere and has one definition.
    External,
    /// The definition serves inspection alone.
    AvailableExternally,
    /// The definition is discardable and interposable.
    LinkonceAny,
    /// The definition is discardable, and all definitions are equal.
    LinkonceOdr,
    /// The definition is kept and interposable.
    WeakAny,
    /// The definition is kept, and all definitions are equal.
    WeakOdr,
    /// The variable is an array that is concatenated, such as `llvm.used`.
    Appending,
    /// Only its module sees the symbol.
    Internal,
    /// Only its module sees the symbol, which is in no symbol table.
    Private,
    /// The symbol may stay undefined.
    ExternalWeak,
    /// The definition is tentative.
    Common,
}

impl Linkage {
    /// Whether only its own module sees the symbol.
    pub fn is_local(self) -> bool {
        matches!(self, Self::Internal | Self::Private)
    }

    /// Whether several modules may define the symbol, of which one definition prevails.
    pub fn is_merged(self) -> bool {
        matches!(
            self,
            Self::LinkonceAny | Self::LinkonceOdr | Self::WeakAny | Self::WeakOdr | Self::Common
        )
    }

    /// Whether the prevailing definition may differ from this one.
    pub fn is_interposable(self) -> bool {
        matches!(self, Self::LinkonceAny | Self::WeakAny | Self::ExternalWeak | Self::Common)
    }
}

/// LLVM's visibility.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Every unit sees the symbol.
    Default,
    /// The linked image sees the symbol.
    Hidden,
    /// Every unit sees the symbol, which is not interposable.
    Protected,
}

/// The facts about a global value, by kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// A declaration of a symbol that another module defines.
    Declaration(Declaration),
    /// A function with a body.
    Function(FunctionSummary),
    /// A variable with storage.
    Variable(VariableSummary),
    /// An alias of a symbol of the same module.
    Alias(AliasSummary),
}

/// The kind of a symbol that another module defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Declaration {
    /// A variable.
    Variable,
    /// Dynamic shared memory: an `extern __shared__` array without a size, with its alignment in
    /// bytes. No module defines it, and the linker places it behind the kernel's other shared
    /// memory.
    DynamicShared(u32),
    /// A device function.
    Function,
    /// A kernel.
    Kernel,
}

/// The comdat of a symbol. Nearly always it has the symbol's name, and takes no space then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Comdat {
    /// The symbol is in no comdat.
    None,
    /// The symbol is in a comdat named after it.
    Own,
    /// The symbol is in a comdat of another name.
    Named(String),
}

/// One option of a module.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, SchemaRead, SchemaWrite)]
pub struct OptionSetting {
    /// The option.
    pub option: TrackedOption,
    /// Value in the spelling of NVIDIA's tools: `0`, `1` or a number.
    pub value: u32,
    /// Whether the build stated the value. Otherwise it was derived from the IR.
    pub given: bool,
    /// Value that the unit's code has already, if no later phase can change it: libdevice chose its
    /// instructions by the option when the compiler linked it.
    pub fixed: Option<u32>,
    /// Whether the unit's code asks for the value: for approximate square roots, other operations
    /// in it may be approximate, too.
    pub asked: bool,
}

/// The options that NVIDIA's linker compares between modules.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, SchemaRead, SchemaWrite,
)]
#[serde(rename_all = "kebab-case")]
pub enum TrackedOption {
    /// Denormals are flushed to zero.
    Ftz,
    /// Division is rounded correctly.
    PrecDiv,
    /// Square roots are rounded correctly.
    PrecSqrt,
    /// Multiplications and additions may be fused.
    Fmad,
    /// Maximum number of registers per thread; 0 is no limit.
    #[serde(rename = "maxrregcount")]
    MaxrregCount,
    /// Degree of split compilation.
    SplitCompile,
    /// Line numbers are kept.
    GenerateLineInfo,
}

impl TrackedOption {
    /// All options with their names on command lines.
    pub const NAMES: [(Self, &'static str); 7] = [
        (Self::Ftz, "ftz"),
        (Self::PrecDiv, "prec-div"),
        (Self::PrecSqrt, "prec-sqrt"),
        (Self::Fmad, "fmad"),
        (Self::MaxrregCount, "maxrregcount"),
        (Self::SplitCompile, "split-compile"),
        (Self::GenerateLineInfo, "generate-line-info"),
    ];

    /// Refuses a value that would not mean what it says: ptxas raises a smaller limit of registers
    /// and ignores a larger one.
    pub fn check(self, value: u32) -> Result<(), String> {
        match (self, value) {
            (Self::MaxrregCount, 1..16 | 256..) => {
                Err(format!("expected a number {REGISTERS}, or 0 for no limit"))
            }
            _ => Ok(()),
        }
    }
}

/// The numbers of registers that ptxas takes as a limit, in words.
pub const REGISTERS: &str = "from 16 to 255";

/// An alias.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AliasSummary {
    /// Symbol of the aliasee.
    pub target: SymbolIndex,
}
