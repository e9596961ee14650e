//! Options of the phases after the import.

use clap::Args;
use weft_artifact::{PhaseOptions, TrackedOption};
use weft_cli::refused::{self, not_taken};

/// Options that the thin link settles for all modules. What is not given here is what each module
/// was compiled with.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Options of the later phases")]
pub struct OptionArguments {
    /// Flush denormals to zero, or not, in all units [default: as each unit was compiled]
    ///
    /// An error where a unit holds instructions of libdevice that were chosen the other way.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = flag)]
    ftz: Option<u32>,
    /// Round divisions of single precision correctly, in all units [default: as each unit was
    /// compiled]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = flag)]
    prec_div: Option<u32>,
    /// Round square roots of single precision correctly, in all units [default: as each unit was
    /// compiled]
    ///
    /// An error where a unit holds those of libdevice that were chosen the other way.
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = flag)]
    prec_sqrt: Option<u32>,
    /// Fuse multiplications with additions, in all units [default: as each unit was compiled]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = flag)]
    fmad: Option<u32>,
    /// Registers per thread at the most; 0 for no limit [default: what the units say]
    #[arg(long, value_name = "N")]
    maxrregcount: Option<u32>,
    /// Threads that ptxas may use for a module; 0 for one per processor [default: what the units
    /// say]
    #[arg(long, value_name = "N")]
    split_compile: Option<u32>,
    /// Keep line numbers
    #[arg(long)]
    generate_line_info: bool,
    /// Refused: LLVM's code generator and ptxas do not record inlining
    #[arg(long)]
    inline_info: bool,
    /// Code for a debugger
    #[arg(short = 'g', long)]
    debug: bool,
    /// How hard to optimize, from 0 to 3 [default: 3]
    #[arg(short = 'O', long, value_name = "LEVEL",
          value_parser = clap::value_parser!(u32).range(0..=3))]
    opt_level: Option<u32>,
}

impl OptionArguments {
    pub(super) fn resolve(&self) -> anyhow::Result<PhaseOptions> {
        use TrackedOption::{
            Fmad, Ftz, GenerateLineInfo, MaxrregCount, PrecDiv, PrecSqrt, SplitCompile,
        };
        if self.inline_info {
            return Err(not_taken("--inline-info", refused::INLINE_INFO));
        }
        let settings = [
            (Ftz, self.ftz),
            (PrecDiv, self.prec_div),
            (PrecSqrt, self.prec_sqrt),
            (Fmad, self.fmad),
            (MaxrregCount, self.maxrregcount),
            (SplitCompile, self.split_compile),
            (GenerateLineInfo, self.generate_line_info.then_some(1)),
        ];
        Ok(PhaseOptions {
            optimization_level: self.opt_level,
            debug: self.debug,
            settings: settings
                .into_iter()
                .filter_map(|(option, value)| Some((option, value?)))
                .collect(),
        })
    }
}

fn flag(text: &str) -> Result<u32, String> {
    match text {
        "0" | "false" => Ok(0),
        "1" | "true" => Ok(1),
        _ => Err("expected true, false, 1 or 0".to_owned()),
    }
}
