//! Options of the inliner.

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
    /// LLVM's threshold, in its units of five per instruction, before the factor of eleven that
    /// LLVM's NVPTX target multiplies it by. For [`InlineModel::Llvm`] alone.
    pub threshold: u32,
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
    /// Cost of each case of a callee's switches.
    pub switch_case_cost: u32,
    /// Cost of each of a callee's switches.
    pub switch_cost: u32,
    /// Most cases that a switch of an inlined callee may have; none is no limit.
    pub largest_switch: Option<u32>,
    /// Whether arrays of inlined bodies may share their place on the stack.
    pub merges_allocas: bool,
}

impl InlineOptions {
    /// The budget of NVIDIA's compiler for one caller.
    pub const BUDGET: u32 = weft_artifact::inline_budget::INLINE_BUDGET;
    /// The budget of NVIDIA's compiler with aggressive inlining.
    pub const AGGRESSIVE_BUDGET: u32 = 40_000;
    /// LLVM's threshold in Weft; LLVM's own default is 225.
    pub const THRESHOLD: u32 = 2000;
}

impl Default for InlineOptions {
    fn default() -> Self {
        Self {
            model: InlineModel::default(),
            threshold: Self::THRESHOLD,
            budget: Self::BUDGET,
            total_budget: None,
            adjusted_budget: None,
            inline_all: false,
            disabled: false,
            switch_case_cost: 0,
            switch_cost: 0,
            largest_switch: None,
            merges_allocas: true,
        }
    }
}
