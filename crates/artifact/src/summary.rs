//! What the thin link knows of one unit.

use serde::Serialize;
use wincode::{SchemaRead, SchemaWrite};

use crate::{
    FunctionSummary, Guid, HostFacts, ModuleId, OpaqueImage, SymbolIndex, VariableSummary,
};

/// Everything the thin link needs to know of one unit, for one architecture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// The name the build gave the unit.
    pub module_id: ModuleId,
    /// The unit's device code. Absent for a host-only unit.
    pub device: Option<DeviceModule>,
    /// What the unit's host code says of device code. Absent when the input was device bitcode
    /// alone, so that nothing is known of its host side.
    pub host: Option<HostFacts>,
    /// The unit's device code that is not bitcode, in the order of the file.
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
    /// Version of NVVM IR that the module names (`nvvmir.version`), major and minor.
    pub nvvm_ir_version: Option<(u32, u32)>,
    /// How the module was prepared for link-time optimisation.
    pub lto: LtoFlags,
    /// It holds debug information of any kind.
    pub has_debug_info: bool,
    /// Options that must agree between modules, as far as they are known, sorted by option.
    pub options: Vec<OptionSetting>,
    /// Every global value, defined or only declared, sorted by name. Names are unique.
    pub symbols: Vec<Symbol>,
}

impl DeviceModule {
    /// The symbol at `index`, if the index is in range.
    pub fn symbol(&self, index: SymbolIndex) -> Option<&Symbol> {
        self.symbols.get(index.0 as usize)
    }
}

/// One global value of a module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Symbol {
    /// Mangled name.
    pub name: String,
    /// LLVM's GUID: of the name, or of module id and name for a local.
    pub guid: Guid,
    /// LLVM linkage. Of a declaration it is `External` or `ExternalWeak`.
    pub linkage: Linkage,
    /// LLVM visibility.
    pub visibility: Visibility,
    /// It is known to be defined in the image it is used in.
    pub dso_local: bool,
    /// The group of symbols that are kept or dropped together.
    pub comdat: Comdat,
    /// NVPTX address space: 0 generic and functions, 1 global, 3 shared, 4 constant.
    pub address_space: u32,
    /// Something in the module takes its address: it is named other than as a direct callee.
    pub address_taken: bool,
    /// Listed in `llvm.used` or `llvm.compiler.used`, or named by assembly of the module: must stay
    /// under its name whoever refers to it.
    pub used: bool,
    /// Listed only because host code of the same unit may name it
    /// (`__clang_gpu_used_external`): stays unless the host's references are known completely.
    pub used_by_host: bool,
    /// Digest of the content of a definition that a different one may replace (`linkonce`, `weak`,
    /// `common`); equal definitions share it. Definitions that must be equal anyway have none.
    pub content: Option<u64>,
    /// What kind of value it is, with what is known of that kind.
    pub body: Body,
}

impl Symbol {
    /// Whether this module holds a definition of it.
    pub fn is_definition(&self) -> bool {
        !matches!(self.body, Body::Declaration(_))
    }

    /// The function's facts, if it is a defined function.
    pub fn function(&self) -> Option<&FunctionSummary> {
        match &self.body {
            Body::Function(function) => Some(function),
            _ => None,
        }
    }

    /// Whether it is a kernel, defined here or elsewhere.
    pub fn is_kernel(&self) -> bool {
        match &self.body {
            Body::Function(function) => function.flags.kernel,
            Body::Declaration(declaration) => *declaration == Declaration::Kernel,
            _ => false,
        }
    }

    /// The variable's facts, if it is a defined variable.
    pub fn variable(&self) -> Option<&VariableSummary> {
        match &self.body {
            Body::Variable(variable) => Some(variable),
            _ => None,
        }
    }
}

/// LLVM's linkage types, those that device code can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Linkage {
    /// Visible everywhere, one definition.
    External,
    /// A copy for inspection only.
    AvailableExternally,
    /// Discardable, replaceable by another definition.
    LinkonceAny,
    /// Discardable, all copies equal.
    LinkonceOdr,
    /// Kept, replaceable.
    WeakAny,
    /// Kept, all copies equal.
    WeakOdr,
    /// Arrays that are concatenated, such as `llvm.used`.
    Appending,
    /// Seen by its module only.
    Internal,
    /// Seen by its module only, not in the symbol table.
    Private,
    /// May stay undefined.
    ExternalWeak,
    /// Tentative definition.
    Common,
}

impl Linkage {
    /// Whether only its own module sees the symbol.
    pub fn is_local(self) -> bool {
        matches!(self, Self::Internal | Self::Private)
    }

    /// Whether several modules may define the symbol and one copy is kept.
    pub fn is_merged(self) -> bool {
        matches!(
            self,
            Self::LinkonceAny | Self::LinkonceOdr | Self::WeakAny | Self::WeakOdr | Self::Common
        )
    }

    /// Whether the kept copy may mean something else than this one.
    pub fn is_interposable(self) -> bool {
        matches!(self, Self::LinkonceAny | Self::WeakAny | Self::ExternalWeak | Self::Common)
    }
}

/// LLVM's visibility.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// Visible to every unit.
    Default,
    /// Visible inside the linked image.
    Hidden,
    /// Visible, not replaceable.
    Protected,
}

/// What is known of a global value, by kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// Only named here.
    Declaration(Declaration),
    /// A function with a body.
    Function(FunctionSummary),
    /// A variable with storage.
    Variable(VariableSummary),
    /// Another name of a symbol of the same module.
    Alias(AliasSummary),
}

/// What is known of a symbol that another module defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Declaration {
    /// A variable.
    Variable,
    /// Dynamic shared memory: an `extern __shared__` array without a size, with its alignment in bytes.
    /// No module defines it: the linker places it behind the kernel's other shared memory.
    DynamicShared(u32),
    /// A device function.
    Function,
    /// A kernel.
    Kernel,
}

/// A symbol's comdat. Nearly always it is called like the symbol, and takes no space then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Comdat {
    /// In none.
    None,
    /// In one of its own name.
    Own,
    /// In one of another name.
    Named(String),
}

/// LLVM's module flags about link-time optimisation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LtoFlags {
    /// `ThinLTO`: prepared by the ThinLTO pre-link pipeline.
    pub thin: bool,
    /// `EnableSplitLTOUnit`.
    pub split_unit: bool,
    /// `UnifiedLTO`: prepared for either kind.
    pub unified: bool,
}

/// One option of a module.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, SchemaRead, SchemaWrite)]
pub struct OptionSetting {
    /// Which.
    pub option: TrackedOption,
    /// Its value, in the spelling of NVIDIA's tools: `0`, `1` or a number.
    pub value: u32,
    /// The build said so. Otherwise the IR shows it.
    pub given: bool,
    /// The value that the unit's code has already, where nothing after the compiler can change it:
    /// libdevice chose its instructions by the option when the compiler linked it.
    pub fixed: Option<u32>,
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
    /// Registers per thread at the most; 0 is no limit.
    #[serde(rename = "maxrregcount")]
    MaxrregCount,
    /// Degree of split compilation.
    SplitCompile,
    /// Line numbers are kept.
    GenerateLineInfo,
    /// Inlining is recorded for profilers.
    InlineInfo,
}

impl TrackedOption {
    /// Every option with its name on command lines.
    pub const NAMES: [(Self, &'static str); 8] = [
        (Self::Ftz, "ftz"),
        (Self::PrecDiv, "prec-div"),
        (Self::PrecSqrt, "prec-sqrt"),
        (Self::Fmad, "fmad"),
        (Self::MaxrregCount, "maxrregcount"),
        (Self::SplitCompile, "split-compile"),
        (Self::GenerateLineInfo, "generate-line-info"),
        (Self::InlineInfo, "inline-info"),
    ];
}

/// An alias.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AliasSummary {
    /// The symbol it stands for.
    pub target: SymbolIndex,
}
