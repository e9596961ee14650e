//! The decisions about one definition.

use serde::Serialize;

/// Number of a definition: its position among all modules' definitions, in the order of
/// [`Decisions::modules`](crate::Decisions::modules) and then of names.
pub type Definition = u32;

/// The closure of a live kernel, in a link with closed modules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClosureDecision {
    /// The kernel, or a function that several modules share and that calls others.
    pub kernel: Definition,
    /// Number of functions that the kernel reaches within its module, without itself.
    pub functions: u32,
    /// Number of IR instructions of these functions and of the kernel.
    pub instructions: u32,
    /// A call that leaves the module; `None` if no call does.
    pub exit: Option<ClosureExit>,
}

/// A call that leaves the module of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClosureExit {
    /// Reason why the call leaves the module.
    pub reason: ExitReason,
    /// Calling definition; the kernel itself if the closure as a whole is too large.
    pub caller: Definition,
    /// Name of the callee, if that is known.
    pub callee: Option<String>,
}

/// The reason why a call leaves the module of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExitReason {
    /// The code that the kernel reaches is larger than the limit.
    TooLarge,
    /// The callee cannot be copied.
    NotCopyable,
    /// Copies of the callee would make the program larger than allowed.
    Shared,
    /// No module defines the callee.
    Undefined,
    /// The call goes through a pointer.
    Indirect,
    /// The module has as many functions of others as the cut-off allows.
    CutOff,
    /// The callee is larger than `--copy-limit` lets other modules have it.
    OverCopyLimit,
}

/// The decision about a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolDecision<Name> {
    /// Name of the definition.
    pub name: Name,
    /// Whether the definition is live, with the reason.
    pub fate: SymbolFate,
}

/// The reason why a definition is live or removed. Positions are relative: the number of the other
/// definition less that of the module's first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolFate {
    /// The definition is a root, which stays with or without references.
    Root(RootReason),
    /// The definition is live, as the live definition at this position refers to it.
    Through(i64),
    /// The definition is removed, like the definition at this position, which refers to it.
    DeadWith(i64),
    /// The definition is removed, as no definition refers to it.
    Unreferenced,
    /// The definition is non-prevailing. The one at this position prevails, and is live.
    CopyOf(i64),
    /// The definition is removed because every module that calls it has its own copy.
    OnlyCopied,
}

impl SymbolFate {
    /// Returns the number of the other definition, given that of the module's first one.
    pub(super) fn points_at(self, first: u64) -> Option<u64> {
        match self {
            Self::Root(_) | Self::Unreferenced | Self::OnlyCopied => None,
            Self::Through(step) | Self::DeadWith(step) | Self::CopyOf(step) => {
                // A number below zero is as wrong as one that is too large.
                Some(first.checked_add_signed(step).unwrap_or(u64::MAX))
            }
        }
    }
}

/// The reason why a definition is a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RootReason {
    /// The definition is listed in `llvm.used` or `llvm.compiler.used`, or named by assembly.
    Used,
    /// The user keeps the definition.
    Kept,
    /// Host code refers to the definition, or might, as its host symbol is local.
    Host,
    /// Host code names the definition by its device name, or a list on the command line or opaque
    /// device code names it.
    Named,
    /// The runtime reads the definition.
    Runtime,
    /// No host code registers the kernel, so its launches are unknown.
    Unregistered,
    /// Host code registers the variable, and variables of its kind are not removed.
    Registered,
    /// Host code of a unit lists the definition as used, and no more is known.
    ListedByHost,
    /// The definition is visible, and not all references of the host are known.
    Visible,
    /// The link removes no definition.
    NothingRemoved,
}

impl RootReason {
    pub(super) const ALL: [Self; 10] = [
        Self::Used,
        Self::Kept,
        Self::Host,
        Self::Named,
        Self::Runtime,
        Self::Unregistered,
        Self::Registered,
        Self::ListedByHost,
        Self::Visible,
        Self::NothingRemoved,
    ];
}

/// One candidate for import into a module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImportDecision {
    /// The definition.
    pub symbol: Definition,
    /// Cost in IR instructions by the import model; 0 for a variable.
    pub cost: u32,
    /// Reason why the definition is not imported; `None` if it is.
    pub refusal: Option<ImportRefusal>,
    /// Call that decided, if the engine records it.
    pub call: Option<ImportCall>,
}

/// The call that decided about an import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImportCall {
    /// Definition that calls the function or refers to the variable.
    pub caller: Definition,
    /// Depth of the call: 1 for calls of the module's own code. 255 also represents all larger
    /// depths.
    pub level: u32,
    /// Threshold for the callee in instructions; 0 for a variable.
    pub threshold: u32,
    /// Hotness of the call.
    pub class: CallClass,
    /// Pass that looked at the call.
    pub pass: ImportPass,
}

/// The hotness of a call, as the import engine distinguishes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CallClass {
    /// The call is neither hot nor cold, or its hotness is unknown.
    #[default]
    Default,
    /// The call is hardly ever executed.
    Cold,
    /// The call is often executed.
    Hot,
    /// The call is among the most executed ones.
    Critical,
}

/// The passes of the import engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportPass {
    /// The pass over calls of the module's own code.
    Direct,
    /// The pass over calls of imported bodies.
    Transitive,
    /// The pass over possible targets of indirect calls.
    Speculative,
}

/// The reason why a definition is not imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportRefusal {
    /// The function costs more than the threshold, or the variable is too large for a copy.
    TooLarge,
    /// The call's class multiplies the threshold to zero.
    NotWorthIt,
    /// The definition is a kernel.
    Kernel,
    /// The function is `noinline`.
    NoInline,
    /// The body cannot be copied.
    NotImportable,
    /// The definition is interposable.
    Replaceable,
    /// The body names a local that cannot get a global name.
    NamesPinnedLocal,
    /// The cut-off of the number of imports was reached.
    CutOff,
    /// The definition is an alias, which has no body to copy.
    Alias,
    /// The variable may change, or is not in global or constant memory.
    NotConstant,
    /// The constant names symbols, and such constants are not imported.
    ConstantWithReferences,
    /// No caller may grow by so much: other callees take the budget of the inliner.
    BudgetSpent,
    /// The function is larger than `--copy-limit` lets other modules have it.
    OverCopyLimit,
}
