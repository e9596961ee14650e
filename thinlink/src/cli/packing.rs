//! Options of packing on the command line.

use clap::Args;

use crate::model::policy::Packing;

/// Options that let one job compile several modules as one.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Packed modules")]
pub struct PackingArguments {
    /// Compile the whole program in N jobs, each with equally many modules in the order of their
    /// ids. Without a number it is one job, or as few as the code generator allows: modules whose
    /// variables refer to each other in a circle cannot be in one.
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true,
          value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "pack")]
    #[expect(clippy::option_option, reason = "left out, given, and given with a number")]
    pub full: Option<Option<u32>>,

    /// Compile small modules together, in the order of their ids, up to that many IR instructions
    /// of live code in one job, or 2,000 without a number. Each module counts up to a sixteenth of
    /// that more, so that few edits change which modules are together. The plan of a job's first
    /// module lists the others, and their own plans emit nothing.
    #[arg(long, value_name = "INSTRUCTIONS", num_args = 0..=1, require_equals = true,
          value_parser = clap::value_parser!(u32).range(1..))]
    #[expect(clippy::option_option, reason = "left out, given, and given with a number")]
    pub pack: Option<Option<u32>>,
}

impl PackingArguments {
    pub(crate) fn resolve(&self) -> Packing {
        match (self.full, self.pack) {
            (Some(Some(number)), _) => Packing::Number(number),
            (Some(None), _) => Packing::Whole,
            (None, Some(size)) => Packing::Size(size.unwrap_or(Packing::SIZE)),
            (None, None) => Packing::Alone,
        }
    }
}
