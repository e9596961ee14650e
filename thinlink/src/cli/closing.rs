//! Options of closing modules on the command line.

use clap::Args;

use crate::model::policy::ClosingPolicy;

/// Options that decide which modules get copies of all functions that their kernels reach.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Closed modules")]
pub struct ClosingArguments {
    /// Give each module copies of all functions that its kernels reach by calls, so that no call
    /// leaves it, and compile nothing that only copies are used of. Not with `--import-model=llvm`,
    /// `--import-all-index` or `--thinlto-workload-def`, which say what a module gets.
    #[arg(long, value_name = "BOOL", default_value_t = true, default_missing_value = "true",
          num_args = 0..=1, require_equals = true, action = clap::ArgAction::Set)]
    pub close_modules: bool,

    /// The most IR instructions that a kernel may reach by calls to get copies of what it calls.
    #[arg(long, value_name = "N", default_value_t = ClosingPolicy::CLOSURE_LIMIT)]
    pub closure_limit: u32,

    /// Growth of the program by copies that will not be inlined that is allowed, in percent of its
    /// IR instructions. The functions that cost most stay shared.
    #[arg(long, value_name = "PERCENT", default_value_t = ClosingPolicy::GROWTH_PERCENT)]
    pub closure_growth: u32,
}

impl ClosingArguments {
    pub(crate) fn resolve(&self) -> ClosingPolicy {
        ClosingPolicy {
            is_on: self.close_modules,
            closure_limit: self.closure_limit,
            growth_percent: self.closure_growth,
        }
    }
}
