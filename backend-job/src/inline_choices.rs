//! The inliner's part of the command line.

use clap::{Args, ValueEnum};
use weft_device_ir::{InlineModel, InlineOptions, InlineReport};

#[derive(Args, Debug)]
#[command(next_help_heading = "Inlining")]
pub(crate) struct InlineChoices {
    /// Model that decides about inlining
    #[arg(long, value_name = "MODEL", value_enum, default_value = "gpu")]
    inline_model: Model,
    /// Budget for inlining into one function
    ///
    /// In the model's units: for gpu 5 for each instruction of growth, for nvidia bytes that calls
    /// move.
    #[arg(long, value_name = "N", default_value_t = InlineOptions::BUDGET)]
    inline_budget: u32,
    /// Budget for inlining into all functions of a module [default: no limit]
    #[arg(long, value_name = "N")]
    inline_total_budget: Option<u32>,
    /// Budget for inlining into a kernel, if that is more than `--inline-budget`
    ///
    /// [default: eight times the budget for gpu, the budget for nvidia]
    #[arg(long, value_name = "N")]
    inline_adj_budget: Option<u32>,
    /// The same as `--inline-budget=40000`
    #[arg(long, conflicts_with = "inline_budget")]
    aggressive_inline: bool,
    /// Inline every call that can be, whatever it costs
    #[arg(long, conflicts_with = "disable_inlining")]
    nv_inline_all: bool,
    /// Inline nothing but what must be
    #[arg(long)]
    disable_inlining: bool,
    /// Make a callee dearer by N for each case of its switches
    #[arg(long, value_name = "N", default_value_t = 0)]
    inline_switchctrl: u32,
    /// Make a callee dearer by N for each of its switches
    #[arg(long, value_name = "N", default_value_t = 0)]
    inline_numswitchfunc: u32,
    /// Do not inline a callee with a switch of more than N cases [default: no limit]
    #[arg(long, value_name = "N")]
    inline_maxswitchcases: Option<u32>,
    /// Give every array of an inlined function its own place on the stack
    #[arg(long)]
    disable_inlined_alloca_merging: bool,
    /// The threshold of the model llvm, in LLVM's units (5 per instruction, times 11 on NVPTX)
    ///
    /// LLVM's own default is 225.
    #[arg(long, value_name = "N", default_value_t = InlineOptions::THRESHOLD)]
    inline_threshold: u32,
    /// Print each decision of the inliner, with its numbers
    #[arg(long)]
    profuse_inline: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Model {
    /// The rules of NVIDIA's compiler: bytes that calls move, against a budget
    Nvidia,
    /// LLVM's own: instructions, against a threshold
    Llvm,
    /// The cost of a call on a GPU, against the growth of its caller
    Gpu,
}

impl InlineChoices {
    /// Returns the options, with budgets divided by `divisor`; without a divisor there are no
    /// budgets.
    pub(crate) fn resolve(&self, divisor: Option<u32>) -> InlineOptions {
        let divided = |budget: u32| divisor.map_or(0, |divisor| budget / divisor);
        let budget = if self.aggressive_inline {
            InlineOptions::AGGRESSIVE_BUDGET
        } else {
            self.inline_budget
        };
        InlineOptions {
            model: match self.inline_model {
                Model::Nvidia => InlineModel::Nvidia,
                Model::Llvm => InlineModel::Llvm,
                Model::Gpu => InlineModel::Gpu,
            },
            threshold: divided(self.inline_threshold),
            budget: divided(budget),
            total_budget: self.inline_total_budget.map(divided),
            adjusted_budget: self.inline_adj_budget.map(divided),
            inline_all: self.nv_inline_all,
            disabled: self.disable_inlining,
            switch_case_cost: self.inline_switchctrl,
            switch_cost: self.inline_numswitchfunc,
            largest_switch: self.inline_maxswitchcases,
            merges_allocas: !self.disable_inlined_alloca_merging,
        }
    }

    /// Returns the text for `--profuse-inline`; `None` without that option.
    pub(crate) fn profuse(&self, report: &InlineReport) -> Option<String> {
        self.profuse_inline.then(|| report.to_string())
    }
}
