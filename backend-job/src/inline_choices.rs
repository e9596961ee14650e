//! The inliner's part of the command line.

use clap::{Args, ValueEnum};
use weft_cli::{Fault, failure};
use weft_device_ir::{InlineModel, InlineOptions, InlineReport, LlvmNumbers};

use crate::llvm_choices::LlvmChoices;

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Inlining")]
pub(crate) struct InlineChoices {
    /// Model that decides about inlining
    #[arg(long, value_name = "MODEL", value_enum, default_value = "gpu")]
    inline_model: Model,
    /// Make a recursive call N times dearer [default: 8 for gpu, 2 for llvm]
    ///
    /// For llvm that is a call which inlining brought in from a cycle of calls, and each round
    /// makes it N times dearer again. A function's own attribute of this name holds besides.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    function_inline_cost_multiplier: Option<u32>,
    /// Inline every call that can be, whatever it costs
    #[arg(long, conflicts_with = "disable_inlining")]
    nv_inline_all: bool,
    /// Inline nothing but what must be
    #[arg(long)]
    disable_inlining: bool,
    /// Give every array of an inlined function its own place on the stack
    #[arg(long)]
    disable_inlined_alloca_merging: bool,
    /// Print each decision of the inliner, with its numbers
    #[arg(long)]
    profuse_inline: bool,
    /// Write the reason into each call that stays, as attribute `inline-remark` of the optimized
    /// module (`--emit bc`)
    #[arg(long)]
    inline_remark_attribute: bool,
    #[command(flatten)]
    budgets: BudgetChoices,
    #[command(flatten)]
    llvm: LlvmChoices,
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Inlining by the models gpu and nvidia")]
struct BudgetChoices {
    /// Budget for inlining into one function [default: 20000]
    ///
    /// In the model's units: for gpu 5 for each instruction of growth, for nvidia bytes that calls
    /// move.
    #[arg(long, value_name = "N")]
    inline_budget: Option<u32>,
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
    /// Make a callee dearer by N for each case of its switches [default: 0]
    #[arg(long, value_name = "N")]
    inline_switchctrl: Option<u32>,
    /// Make a callee dearer by N for each of its switches [default: 0]
    #[arg(long, value_name = "N")]
    inline_numswitchfunc: Option<u32>,
    /// Do not inline a callee with a switch of more than N cases [default: no limit]
    #[arg(long, value_name = "N")]
    inline_maxswitchcases: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Model {
    /// The rules of NVIDIA's compiler: bytes that calls move, against a budget
    Nvidia,
    /// LLVM's own: instructions, against a threshold
    Llvm,
    /// The cost of a call on a GPU, against the growth of its caller
    Gpu,
}

impl BudgetChoices {
    /// Returns the name of an option that is given.
    fn given(&self) -> Option<&'static str> {
        let Self {
            inline_budget,
            inline_total_budget,
            inline_adj_budget,
            aggressive_inline,
            inline_switchctrl,
            inline_numswitchfunc,
            inline_maxswitchcases,
        } = self;
        [
            ("--inline-budget", inline_budget.is_some()),
            ("--inline-total-budget", inline_total_budget.is_some()),
            ("--inline-adj-budget", inline_adj_budget.is_some()),
            ("--aggressive-inline", *aggressive_inline),
            ("--inline-switchctrl", inline_switchctrl.is_some()),
            ("--inline-numswitchfunc", inline_numswitchfunc.is_some()),
            ("--inline-maxswitchcases", inline_maxswitchcases.is_some()),
        ]
        .into_iter()
        .find_map(|(name, is_given)| is_given.then_some(name))
    }
}

impl InlineChoices {
    /// Refuses options that the chosen model does not ask for.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let model = self.inline_model;
        let budget = self.budgets.given().filter(|_| model == Model::Llvm);
        let llvm = self.llvm.given().filter(|_| model != Model::Llvm);
        let factor = self.function_inline_cost_multiplier.filter(|_| model == Model::Nvidia);
        let refused = [
            (budget, "the model llvm goes by thresholds"),
            (llvm, "it is for --inline-model=llvm alone"),
            (
                factor.map(|_| "--function-inline-cost-multiplier"),
                "the model nvidia does not look at recursion",
            ),
        ];
        let refused =
            refused.into_iter().find_map(|(option, reason)| option.map(|option| (option, reason)));
        refused.map_or(Ok(()), |(option, reason)| {
            Err(failure(Fault::Usage, format!("{option} would do nothing: {reason}")))
        })
    }

    /// Refuses options for inlining where `level` leaves calls alone.
    pub(crate) fn check_optimized(&self, level: &str) -> anyhow::Result<()> {
        let own = [
            ("--inline-model", self.inline_model != Model::Gpu),
            ("--function-inline-cost-multiplier", self.function_inline_cost_multiplier.is_some()),
            ("--nv-inline-all", self.nv_inline_all),
            ("--disable-inlining", self.disable_inlining),
            ("--disable-inlined-alloca-merging", self.disable_inlined_alloca_merging),
        ];
        let own = own.into_iter().find_map(|(name, is_given)| is_given.then_some(name));
        let given = own.or_else(|| self.budgets.given()).or_else(|| self.llvm.given());
        given.map_or(Ok(()), |option| {
            let reason = format!("{option} would do nothing: {level} inlines only what must be");
            Err(failure(Fault::Usage, reason))
        })
    }

    /// Whether the optimized module holds what is asked for, and nothing else does.
    pub(crate) fn needs_bitcode(&self) -> bool {
        self.inline_remark_attribute
    }

    /// Returns what LLVM keeps for the whole process.
    pub(crate) fn numbers(&self) -> LlvmNumbers {
        let is_llvm = self.inline_model == Model::Llvm;
        self.llvm.numbers(self.function_inline_cost_multiplier.filter(|_| is_llvm))
    }

    pub(crate) fn resolve(&self) -> InlineOptions {
        let default = InlineOptions::default();
        let BudgetChoices { inline_budget, aggressive_inline, .. } = self.budgets;
        let aggressive = aggressive_inline.then_some(InlineOptions::AGGRESSIVE_BUDGET);
        InlineOptions {
            model: match self.inline_model {
                Model::Nvidia => InlineModel::Nvidia,
                Model::Llvm => InlineModel::Llvm,
                Model::Gpu => InlineModel::Gpu,
            },
            llvm: self.llvm.rules(),
            budget: aggressive.or(inline_budget).unwrap_or(default.budget),
            total_budget: self.budgets.inline_total_budget,
            adjusted_budget: self.budgets.inline_adj_budget,
            inline_all: self.nv_inline_all,
            disabled: self.disable_inlining,
            recursion: self.function_inline_cost_multiplier.unwrap_or(default.recursion),
            switch_case_cost: self.budgets.inline_switchctrl.unwrap_or_default(),
            switch_cost: self.budgets.inline_numswitchfunc.unwrap_or_default(),
            largest_switch: self.budgets.inline_maxswitchcases,
            merges_allocas: !self.disable_inlined_alloca_merging,
            adds_remarks: self.inline_remark_attribute,
        }
    }

    /// Returns the text for `--profuse-inline`; `None` without that option.
    pub(crate) fn profuse(&self, report: &InlineReport) -> Option<String> {
        self.profuse_inline.then(|| report.to_string())
    }
}
