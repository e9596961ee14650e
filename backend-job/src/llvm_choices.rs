//! The part of the command line that is for the model llvm alone.

use clap::{ArgAction, Args};
use weft_device_ir::{LlvmNumbers, LlvmRules};

/// The largest number that LLVM's arithmetic has room for.
const LARGEST: i64 = 100_000_000;

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Inlining by the model llvm")]
pub(crate) struct LlvmChoices {
    /// General threshold, in LLVM's units of 5 per instruction, which NVPTX multiplies by 11
    /// [default: 2000]
    ///
    /// LLVM's own default is 225.
    #[arg(long, value_name = "N", value_parser = number())]
    inline_threshold: Option<u32>,
    /// Threshold for functions that the source calls `inline`, if above the general one [default:
    /// 325]
    #[arg(long, value_name = "N", value_parser = number())]
    inlinehint_threshold: Option<u32>,
    /// Threshold for functions that are `cold`, if below the general one [default: 45]
    #[arg(long, value_name = "N", value_parser = number())]
    inlinecold_threshold: Option<u32>,
    /// Threshold for calls that are rarely reached, if below the general one [default: 45]
    #[arg(long, value_name = "N", value_parser = number())]
    inline_cold_callsite_threshold: Option<u32>,
    /// Threshold for calls that a profile counts as hot [default: 3000]
    #[arg(long, value_name = "N", value_parser = number())]
    hot_callsite_threshold: Option<u32>,
    /// Threshold for calls in inner loops, instead of the general one [default: none]
    #[arg(long, value_name = "N", value_parser = number())]
    locally_hot_callsite_threshold: Option<u32>,
    /// Cost of an instruction [default: 5]
    #[arg(long, value_name = "N", value_parser = number())]
    inline_instr_cost: Option<u32>,
    /// Cost of a call in an inlined body, and what inlining a call saves [default: 25]
    #[arg(long, value_name = "N", value_parser = number())]
    inline_call_penalty: Option<u32>,
    /// Cost of a load or store beside that of an instruction [default: 0]
    #[arg(long, value_name = "N", value_parser = number())]
    inline_memaccess_cost: Option<u32>,
    /// Count the whole cost of a call where it is above the limit already
    ///
    /// The numbers of `--profuse-inline` and of reports are exact then.
    #[arg(long)]
    inline_cost_full: bool,
    /// Leave out a call whose inlining would keep the caller from being inlined itself
    #[arg(long)]
    inline_deferral: bool,
    /// Weigh the cycles that a hot call would save against its size [default: on where the profile
    /// is of an instrumented program]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", action = ArgAction::Set)]
    inline_enable_cost_benefit_analysis: Option<bool>,
    /// Inline a hot call if N times the cycles that it saves outweigh its size [default: 8]
    #[arg(long, value_name = "N", value_parser = number())]
    inline_savings_multiplier: Option<u32>,
    /// Keep a hot call if N times the cycles that it saves do not outweigh its size [default: 8]
    #[arg(long, value_name = "N", value_parser = number())]
    inline_savings_profitable_multiplier: Option<u32>,
    /// Size that is not weighed against the cycles that a hot call saves [default: 100]
    #[arg(long, value_name = "N", value_parser = number())]
    inline_size_allowance: Option<u32>,
}

fn number() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(0..=LARGEST)
}

impl LlvmChoices {
    /// Returns the name of an option that is given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        // The pattern names all fields, so that a new one cannot be forgotten.
        let Self {
            inline_threshold,
            inlinehint_threshold,
            inlinecold_threshold,
            inline_cold_callsite_threshold,
            hot_callsite_threshold,
            locally_hot_callsite_threshold,
            inline_instr_cost,
            inline_call_penalty,
            inline_memaccess_cost,
            inline_cost_full,
            inline_deferral,
            inline_enable_cost_benefit_analysis,
            inline_savings_multiplier,
            inline_savings_profitable_multiplier,
            inline_size_allowance,
        } = self;
        [
            ("--inline-threshold", inline_threshold.is_some()),
            ("--inlinehint-threshold", inlinehint_threshold.is_some()),
            ("--inlinecold-threshold", inlinecold_threshold.is_some()),
            ("--inline-cold-callsite-threshold", inline_cold_callsite_threshold.is_some()),
            ("--hot-callsite-threshold", hot_callsite_threshold.is_some()),
            ("--locally-hot-callsite-threshold", locally_hot_callsite_threshold.is_some()),
            ("--inline-instr-cost", inline_instr_cost.is_some()),
            ("--inline-call-penalty", inline_call_penalty.is_some()),
            ("--inline-memaccess-cost", inline_memaccess_cost.is_some()),
            ("--inline-cost-full", *inline_cost_full),
            ("--inline-deferral", *inline_deferral),
            (
                "--inline-enable-cost-benefit-analysis",
                inline_enable_cost_benefit_analysis.is_some(),
            ),
            ("--inline-savings-multiplier", inline_savings_multiplier.is_some()),
            (
                "--inline-savings-profitable-multiplier",
                inline_savings_profitable_multiplier.is_some(),
            ),
            ("--inline-size-allowance", inline_size_allowance.is_some()),
        ]
        .into_iter()
        .find_map(|(name, is_given)| is_given.then_some(name))
    }

    pub(crate) fn rules(&self) -> LlvmRules {
        let default = LlvmRules::default();
        LlvmRules {
            threshold: self.inline_threshold.unwrap_or(default.threshold),
            hint_threshold: self.inlinehint_threshold.unwrap_or(default.hint_threshold),
            cold_threshold: self.inlinecold_threshold.unwrap_or(default.cold_threshold),
            cold_call_threshold: self
                .inline_cold_callsite_threshold
                .unwrap_or(default.cold_call_threshold),
            hot_call_threshold: self.hot_callsite_threshold.unwrap_or(default.hot_call_threshold),
            locally_hot_call_threshold: self.locally_hot_callsite_threshold,
            counts_full_cost: self.inline_cost_full,
            defers: self.inline_deferral,
        }
    }

    /// Returns the numbers that hold for the process, with the factor for recursion.
    pub(crate) fn numbers(&self, recursion: Option<u32>) -> LlvmNumbers {
        LlvmNumbers {
            instruction: self.inline_instr_cost,
            call: self.inline_call_penalty,
            memory_access: self.inline_memaccess_cost,
            weighs_benefit: self.inline_enable_cost_benefit_analysis,
            savings: self.inline_savings_multiplier,
            profitable_savings: self.inline_savings_profitable_multiplier,
            free_size: self.inline_size_allowance,
            recursion,
        }
    }
}
