//! What the thin link knows of one unit.

use serde::Serialize;
use wincode::{SchemaRead, SchemaWrite};

use crate::{Guid, HostFacts, ModuleId, OpaqueImage};

/// Everything the thin link needs to know of one unit, for one architecture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct DeviceModule {
    /// Real architecture that the code is for, such as `sm_90`.
    pub architecture: String,
    /// LLVM target triple.
    pub triple: String,
    /// LLVM data layout.
    pub data_layout: String,
    /// Every global value, defined or only declared, sorted by name. Names are unique.
    pub symbols: Vec<Symbol>,
}

impl DeviceModule {
    /// The symbol at `index`, if the index is in range.
    pub fn symbol(&self, index: SymbolIndex) -> Option<&Symbol> {
        self.symbols.get(index.0 as usize)
    }
}

/// Position of a symbol in [`DeviceModule::symbols`].
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, SchemaRead, SchemaWrite,
)]
#[serde(transparent)]
pub struct SymbolIndex(pub u32);

/// One global value of a module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct Symbol {
    /// Mangled name.
    pub name: String,
    /// LLVM's GUID: of the name, or of module id and name for a local.
    pub guid: Guid,
    /// LLVM linkage. Of a declaration it is `External` or `ExternalWeak`.
    pub linkage: Linkage,
    /// LLVM visibility.
    pub visibility: Visibility,
    /// Listed in `llvm.used` or `llvm.compiler.used`: must stay whoever refers to it.
    pub used: bool,
    /// Listed only because host code of the same unit may name it
    /// (`__clang_gpu_used_external`): stays unless the host's references are known completely.
    pub used_by_host: bool,
    /// What kind of value it is, with what is known of that kind.
    pub body: Body,
}

impl Symbol {
    /// Whether this module holds a definition of it.
    pub fn is_definition(&self) -> bool {
        !matches!(self.body, Body::Declaration)
    }

    /// The function's facts, if it is a defined function.
    pub fn function(&self) -> Option<&FunctionSummary> {
        match &self.body {
            Body::Function(function) => Some(function),
            _ => None,
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
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, SchemaRead, SchemaWrite,
)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// Only named here.
    Declaration,
    /// A function with a body.
    Function(FunctionSummary),
    /// A variable with storage.
    Variable(VariableSummary),
    /// Another name of a symbol of the same module.
    Alias(AliasSummary),
}

/// A defined function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct FunctionSummary {
    /// IR instructions, debug and lifetime intrinsics not counted.
    pub instruction_count: u32,
    /// What it is and what it allows.
    pub flags: FunctionFlags,
    /// Direct calls, one entry per callee, sorted by callee. Intrinsics are not listed.
    pub calls: Vec<Call>,
    /// Symbols whose address it takes or whose storage it accesses, sorted, without repetition.
    pub references: Vec<SymbolIndex>,
}

/// Facts about a function that decide what may be done with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct FunctionFlags {
    /// An entry point that the host launches (calling convention `ptx_kernel`).
    pub kernel: bool,
    /// Marked `noinline`.
    pub no_inline: bool,
    /// Marked `alwaysinline`.
    pub always_inline: bool,
    /// Its body cannot be copied into another module (it takes the address of one of its basic
    /// blocks, or holds module-level assembly's names).
    pub not_importable: bool,
}

/// All direct calls from one function to one callee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct Call {
    /// The function called.
    pub callee: SymbolIndex,
    /// Number of call instructions.
    pub count: u32,
}

/// A defined variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct VariableSummary {
    /// NVPTX address space: 0 generic, 1 global, 3 shared, 4 constant.
    pub address_space: u32,
    /// Size in bytes.
    pub size: u64,
    /// Never written by device code.
    pub constant: bool,
    /// The host may set it before a kernel runs, so its initialiser cannot be relied on.
    pub externally_initialized: bool,
    /// A constant whose address means nothing (`unnamed_addr`), such as a string literal: importers
    /// take a copy in place of a reference.
    pub copyable: bool,
    /// Symbols that the initialiser names, sorted, without repetition.
    pub references: Vec<SymbolIndex>,
}

/// An alias.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, SchemaRead, SchemaWrite)]
pub struct AliasSummary {
    /// The symbol it stands for.
    pub target: SymbolIndex,
}
