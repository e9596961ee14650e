//! Options of the inliner.

use weft_artifact::FastCompile;

/// Model that decides which calls are inlined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InlineModel {
    /// The rules of NVIDIA's compiler: the bytes that a call moves through `.param` space, against
    /// a budget.
    Nvidia,
    /// LLVM's own: instructions, against a threshold.
    Llvm,
    /// The cost of a call on a GPU, against the growth of its caller.
    #[default]
    Gpu,
}

/// The inliner's options. All of them are part of the codegen phase's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InlineOptions {
    /// Model that decides.
    pub model: InlineModel,
    /// Limits and rules of [`InlineModel::Llvm`].
    pub llvm: LlvmRules,
    /// Budget for inlining into one caller, in the model's units.
    pub budget: u32,
    /// Budget for inlining in the whole module; none is no limit.
    pub total_budget: Option<u32>,
    /// The budget of a kernel, where it is above `budget`; none leaves it to the model.
    pub adjusted_budget: Option<u32>,
    /// Whether every call is inlined that can be.
    pub inline_all: bool,
    /// Whether only calls are inlined that must be.
    pub disabled: bool,
    /// Factor of the cost of a recursive call, for [`InlineModel::Gpu`].
    pub recursion: u32,
    /// Cost of each case of a callee's switches.
    pub switch_case_cost: u32,
    /// Cost of each of a callee's switches.
    pub switch_cost: u32,
    /// Most cases that a switch of an inlined callee may have; none is no limit.
    pub largest_switch: Option<u32>,
    /// Whether arrays of inlined bodies may share their place on the stack.
    pub merges_allocas: bool,
    /// Whether each call that stays says the reason, in its attribute `inline-remark`.
    pub adds_remarks: bool,
}

/// LLVM's thresholds, in its units of five per instruction, before the factor of eleven that its
/// NVPTX target multiplies them by, and its rules. Numbers of LLVM's that hold for the whole
/// process are [`LlvmNumbers`](crate::LlvmNumbers).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LlvmRules {
    /// Threshold of a call without anything special about it.
    pub threshold: u32,
    /// Threshold of a callee with the hint `inline`, where it is above the general one.
    pub hint_threshold: u32,
    /// Threshold of a callee that is rarely called, where it is below the general one.
    pub cold_threshold: u32,
    /// Threshold of a call that is rarely reached, where it is below the general one.
    pub cold_call_threshold: u32,
    /// Threshold of a call that a profile says is often reached.
    pub hot_call_threshold: u32,
    /// Threshold of a call that is often reached in each call of its function; none is the general
    /// one.
    pub locally_hot_call_threshold: Option<u32>,
    /// Whether the cost is counted to the end where it is above the limit already.
    pub counts_full_cost: bool,
    /// Whether a call is left to its caller's callers where inlining it would make the caller too
    /// large for them.
    pub defers: bool,
}

impl LlvmRules {
    /// LLVM's general threshold in Weft; LLVM's own default is 225.
    pub const THRESHOLD: u32 = 2000;
    /// LLVM's default for callees with the hint `inline`.
    pub const HINT_THRESHOLD: u32 = 325;
    /// LLVM's default for callees that are rarely called, and for calls that are rarely reached.
    pub const COLD_THRESHOLD: u32 = 45;
    /// LLVM's default for calls that a profile says are often reached.
    pub const HOT_CALL_THRESHOLD: u32 = 3000;

    fn map(self, change: impl Fn(u32) -> u32) -> Self {
        Self {
            threshold: change(self.threshold),
            hint_threshold: change(self.hint_threshold),
            cold_threshold: change(self.cold_threshold),
            cold_call_threshold: change(self.cold_call_threshold),
            hot_call_threshold: change(self.hot_call_threshold),
            locally_hot_call_threshold: self.locally_hot_call_threshold.map(change),
            ..self
        }
    }
}

impl Default for LlvmRules {
    fn default() -> Self {
        Self {
            threshold: Self::THRESHOLD,
            hint_threshold: Self::HINT_THRESHOLD,
            cold_threshold: Self::COLD_THRESHOLD,
            cold_call_threshold: Self::COLD_THRESHOLD,
            hot_call_threshold: Self::HOT_CALL_THRESHOLD,
            locally_hot_call_threshold: None,
            counts_full_cost: false,
            defers: false,
        }
    }
}

impl InlineOptions {
    /// The budget of NVIDIA's compiler for one caller.
    pub const BUDGET: u32 = weft_artifact::inline_budget::INLINE_BUDGET;
    /// The budget of NVIDIA's compiler with aggressive inlining.
    pub const AGGRESSIVE_BUDGET: u32 = 40_000;
    /// Factor of the cost of a recursive call: each inlining makes the next call of the cycle.
    pub const RECURSION: u32 = 8;

    /// Returns the options for a fast compilation, which has smaller budgets and thresholds.
    pub(crate) fn within(self, fast: Option<FastCompile>) -> Self {
        let part = |limit: u32| match fast {
            None => limit,
            Some(FastCompile::Min) => limit / 2,
            Some(FastCompile::Mid) => limit / 4,
            Some(FastCompile::Max) => 0,
        };
        Self {
            llvm: self.llvm.map(part),
            budget: part(self.budget),
            total_budget: self.total_budget.map(part),
            adjusted_budget: self.adjusted_budget.map(part),
            ..self
        }
    }
}

impl Default for InlineOptions {
    fn default() -> Self {
        Self {
            model: InlineModel::default(),
            llvm: LlvmRules::default(),
            budget: Self::BUDGET,
            total_budget: None,
            adjusted_budget: None,
            inline_all: false,
            disabled: false,
            recursion: Self::RECURSION,
            switch_case_cost: 0,
            switch_cost: 0,
            largest_switch: None,
            merges_allocas: true,
            adds_remarks: false,
        }
    }
}
