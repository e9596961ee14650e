//! Options of the phases after the import.

use clap::Args;
use weft_artifact::{FastCompile, PhaseOptions, TrackedOption};
use weft_cli::refused::{self, not_taken};
use weft_cli::{Fault, failure};

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
    #[arg(long, value_name = "N", value_parser = registers)]
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
    /// Give up speed of the code for speed of LLVM and ptxas: 0, min, mid or max [default: 0]
    ///
    /// It takes the place of `--opt-level`.
    #[arg(long = "Ofast-compile", value_name = "LEVEL", value_parser = fast_compile)]
    fast_compile: Option<FastLevel>,
    /// Bytes of the largest local constant that may be in constant memory; larger ones move to
    /// global memory [default: no limit unless all constants are more than constant memory has]
    ///
    /// clang puts tables into constant memory that NVIDIA's compiler puts into global memory, and
    /// an image has 65,536 bytes of it. Threads that read different elements at a time read them
    /// one after the other from constant memory, and together from global memory.
    #[arg(long, value_name = "BYTES")]
    largest_constant: Option<u32>,
}

/// A value of `--Ofast-compile`, which is none for 0.
#[derive(Clone, Copy, Debug)]
struct FastLevel(Option<FastCompile>);

impl OptionArguments {
    pub(super) fn resolve(&self) -> anyhow::Result<PhaseOptions> {
        use TrackedOption::{
            Fmad, Ftz, GenerateLineInfo, MaxrregCount, PrecDiv, PrecSqrt, SplitCompile,
        };
        if self.inline_info {
            return Err(not_taken("--inline-info", refused::INLINE_INFO));
        }
        let fast_compile = self.fast_compile.and_then(|FastLevel(level)| level);
        if let Some(level) = fast_compile {
            let other = if self.debug { Some("--debug") } else { None };
            let other = other.or_else(|| self.opt_level.map(|_| "--opt-level"));
            if let Some(other) = other {
                let level = level.name();
                return Err(failure(
                    Fault::Usage,
                    format!(
                        "--Ofast-compile={level} decides how hard to optimize, and so does {other}"
                    ),
                ));
            }
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
            fast_compile,
            debug: self.debug,
            largest_constant: self.largest_constant,
            lto_ir: false,
            settings: settings
                .into_iter()
                .filter_map(|(option, value)| Some((option, value?)))
                .collect(),
        })
    }
}

fn fast_compile(text: &str) -> Result<FastLevel, String> {
    let named = FastCompile::NAMES.into_iter().find(|(_, name)| *name == text);
    match named {
        Some((level, _)) => Ok(FastLevel(Some(level))),
        None if text == "0" => Ok(FastLevel(None)),
        None => Err("expected 0, min, mid or max".to_owned()),
    }
}

fn registers(text: &str) -> Result<u32, String> {
    let number = text.parse().map_err(|_| "expected a number".to_owned())?;
    TrackedOption::MaxrregCount.check(number).map(|()| number)
}

fn flag(text: &str) -> Result<u32, String> {
    match text {
        "0" | "false" => Ok(0),
        "1" | "true" => Ok(1),
        _ => Err("expected true, false, 1 or 0".to_owned()),
    }
}
