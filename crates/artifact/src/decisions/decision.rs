//! The decisions about one definition.

use serde::Serialize;

/// Number of a definition: its position among all modules' definitions, in the order of
/// [`Decisions::modules`](crate::Decisions::modules) and then of names.
pub type Definition = u32;

/// What became of a live kernel where modules are closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClosureDecision {
    /// The kernel, or a function that several modules share and that calls others.
    pub kernel: Definition,
    /// Functions that it reaches within its module, without itself.
    pub functions: u32,
    /// IR instructions of these functions and of the kernel.
    pub instructions: u32,
    /// Why some calls leave the module; `None` if none does.
    pub exit: Option<ClosureExit>,
}

/// A call that leaves the module of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ClosureExit {
    /// Why it does.
    pub reason: ExitReason,
    /// The definition that calls; the kernel itself where the closure as a whole is too large.
    pub caller: Definition,
    /// The name of what it calls, if that is known.
    pub callee: Option<String>,
}

/// Why a call leaves the module of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ExitReason {
    /// All that the kernel reaches is more than the limit.
    TooLarge,
    /// The callee cannot be copied.
    NotCopyable,
    /// Copies of the callee would make the program larger than allowed.
    Shared,
    /// No module defines the callee.
    Undefined,
    /// It goes through a pointer.
    Indirect,
}

/// A definition and what was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolDecision<Name> {
    /// Its name.
    pub name: Name,
    /// Whether it is live, and why.
    pub verdict: Verdict,
}

/// Why a definition is live or goes. Positions are relative: the number of the other definition less
/// that of the module's first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It stays whoever refers to it.
    Root(RootReason),
    /// The definition at this position is live and refers to it.
    Through(i64),
    /// It goes. The definition at this position refers to it and goes too.
    DeadWith(i64),
    /// It goes, and no definition refers to it.
    Unreferenced,
    /// It is live by name, and the copy at this position is the program's.
    CopyOf(i64),
    /// It goes, as every module that calls it has a copy of its own.
    OnlyCopied,
}

impl Verdict {
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

/// Why a definition is a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RootReason {
    /// Listed in `llvm.used` or `llvm.compiler.used`, or named by assembly.
    Used,
    /// The user keeps it.
    Kept,
    /// Host code refers to it, or might, as its host symbol is local.
    Host,
    /// Host code that goes by names, a list on the command line, or opaque device code names it.
    Named,
    /// The runtime walks it.
    Runtime,
    /// Nothing registers it with the host, so nothing is known of who launches it.
    Unregistered,
    /// It is registered with the host, and variables of its kind are not removed.
    Registered,
    /// Host code of a unit lists it as used, and no more is known.
    ListedByHost,
    /// The host's references are not known completely, and others can see it.
    Visible,
    /// Nothing is removed in this link.
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
    /// What it costs, in IR instructions, by the model that imports are decided by; 0 for a variable.
    pub cost: u32,
    /// Why it is not imported; `None` if it is.
    pub refusal: Option<ImportRefusal>,
    /// The call that decided, as far as the engine tells.
    pub call: Option<ImportCall>,
}

/// The call that an import was decided by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImportCall {
    /// The definition that calls, or refers to a variable.
    pub caller: Definition,
    /// Level of calls: 1 for what the module's own code calls. 255 stands for more.
    pub level: u32,
    /// Instructions that the callee was allowed; 0 for a variable.
    pub threshold: u32,
    /// How hot the call is.
    pub class: CallClass,
    /// The pass that looked at it.
    pub pass: ImportPass,
}

/// How hot a call is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CallClass {
    /// Neither hot nor cold, or not known.
    #[default]
    Default,
    /// Hardly ever executed.
    Cold,
    /// Often executed.
    Hot,
    /// Among the most executed.
    Critical,
}

/// The passes of the import engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportPass {
    /// What the module's own code calls.
    Direct,
    /// What imported bodies call.
    Transitive,
    /// What may be the target of an indirect call.
    Speculative,
}

/// Why a definition is not imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportRefusal {
    /// It costs more than the threshold, or is a variable of more bytes than are worth copying.
    TooLarge,
    /// The call is not worth it: its class multiplies the threshold to nothing.
    NotWorthIt,
    /// It is a kernel.
    Kernel,
    /// It is `noinline`.
    NoInline,
    /// Its body cannot be copied.
    NotImportable,
    /// Another definition may replace it.
    Replaceable,
    /// It names a local that cannot get a global name.
    NamesPinnedLocal,
    /// The number of imports was used up.
    CutOff,
    /// It is an alias, of which there is no body to copy.
    Alias,
    /// It is a variable that may change, or is not in global or constant memory.
    NotConstant,
    /// It is a constant that names symbols, and such ones are not to be imported.
    ConstantWithReferences,
    /// No body that calls it may grow by so much: other callees take what the inliner lets it grow by.
    BudgetSpent,
}
