//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use weft_artifact::{ModuleId, OptionSetting, TrackedOption};
use weft_cli::{Fault, failure, refused};
use weft_container::LtoIrUse;
use weft_device_ir::PriorityOverride;
use weft_lto_ir::NvlinkArguments;

/// Summarizes one unit for the thin link.
#[derive(Parser, Debug)]
#[command(name = "summarize", version, after_help = weft_cli::EXIT_CODES)]
pub struct Arguments {
    /// The unit: an object of clang or nvcc, device bitcode, a cubin, PTX or fat binary; or an
    /// archive
    ///
    /// Bitcode is read of clang 16 to 22, also of several of them in one program. LTO IR of nvcc
    /// (`-gencode arch=compute_90,code=lto_90`) is read by NVIDIA's nvlink, of CUDA 13.
    ///
    /// Device code without bitcode stays as it is in the link, and what it needs of other units
    /// stays with it. An archive gives a summary for each member, under the module id `ID/MEMBER`.
    /// An object that `ld -r` made of several gives one for each module in it: `ID`, `ID~module2`
    /// and so on.
    #[arg(required_unless_present_any = ["print", "print_text"])]
    input: Option<PathBuf>,
    /// File for the summary
    #[arg(
        short,
        long,
        value_name = "FILE",
        required_unless_present_any = ["print", "print_text", "print_modules"]
    )]
    output: Option<PathBuf>,
    /// Stable name of the unit, such as its source path relative to the workspace
    ///
    /// The name becomes part of symbol names, so it must be the same in every checkout. By default
    /// the input's path, if that is relative.
    #[arg(long, value_name = "ID")]
    module_id: Option<ModuleId>,
    /// Architecture to take, such as `sm_90`, when the unit holds several
    #[arg(long, value_name = "ARCHITECTURE")]
    arch: Option<String>,
    /// Also write the unit's device bitcode or LTO IR, for backend jobs to read instead of the
    /// object
    ///
    /// The bitcode names its source file without the folders of this machine, so it is the same in
    /// each checkout. LTO IR is written as a fat binary that holds nothing else. The file is empty
    /// when the unit has neither. Not for archives and for objects with several modules:
    /// backend-job finds what it needs in them itself.
    #[arg(long, value_name = "FILE")]
    bitcode: Option<PathBuf>,
    /// The unit goes to the device link as it is, and no host code of it is in the program but its
    /// own
    ///
    /// For prebuilt cubins, fat binaries, objects and archives. It is an error if there is no
    /// device code in the unit, or bitcode, which would not be linked.
    #[arg(long, conflicts_with = "bitcode")]
    opaque: bool,
    /// Only the unit's host code is linked by the build that asks
    ///
    /// It is an error if the unit holds device bitcode or LTO IR, which would be lost. Other device
    /// code may be there, as it registers itself.
    #[arg(long, conflicts_with_all = ["bitcode", "opaque"])]
    host_only: bool,
    /// An option of the unit's compilation that its IR does not show; may be repeated
    ///
    /// The unit's functions compute by the first four of them wherever they are imported.
    ///
    /// NAME is ftz, prec-div, prec-sqrt, fmad, maxrregcount, split-compile or generate-line-info;
    /// VALUE a number, or true or false.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    options: Vec<OptionSetting>,
    /// How to assign import priorities
    #[arg(long, value_name = "WAY", value_enum, default_value = "normal")]
    import_priority: ImportPriorityWay,
    /// How to treat device code of nvcc
    #[arg(long, value_name = "WAY", value_enum, default_value = "auto")]
    lto_ir: LtoIrWay,
    #[command(flatten)]
    pub(crate) nvlink: NvlinkArguments,
    /// Print a summary as JSON and do nothing else
    #[arg(
        long,
        value_name = "SUMMARY",
        conflicts_with_all = [
            "input", "output", "module_id", "arch", "bitcode", "opaque", "host_only"
        ]
    )]
    print: Option<PathBuf>,
    /// Print a summary as a listing and do nothing else
    #[arg(
        long,
        value_name = "SUMMARY",
        conflicts_with_all = [
            "print", "input", "output", "module_id", "arch", "bitcode", "opaque", "host_only"
        ]
    )]
    print_text: Option<PathBuf>,
    /// Print the id of each module of device bitcode or LTO IR in the input, with its architecture,
    /// and do nothing else
    ///
    /// A line is `ID<TAB>ARCHITECTURE`. Build systems ask so which units an archive holds.
    #[arg(
        long,
        conflicts_with_all = [
            "print", "print_text", "output", "arch", "bitcode", "opaque", "host_only"
        ]
    )]
    print_modules: bool,
    #[command(flatten)]
    pub(crate) job_report: weft_cli::JobReportArguments,
    #[command(flatten)]
    pub(crate) execution: weft_cli::ExecutionArguments,
    #[command(flatten)]
    common: weft_cli::CommonArguments,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ImportPriorityWay {
    /// Each function as its facts say
    Normal,
    /// Every function that can be imported is wanted
    All,
    /// Functions of which other units hold copies are wanted least
    Conservative,
}

impl From<ImportPriorityWay> for PriorityOverride {
    fn from(way: ImportPriorityWay) -> Self {
        match way {
            ImportPriorityWay::Normal => Self::Normal,
            ImportPriorityWay::All => Self::All,
            ImportPriorityWay::Conservative => Self::Conservative,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LtoIrWay {
    /// LTO IR for the architecture is optimized, and other code is linked as it is
    Auto,
    /// LTO IR for the architecture is optimized, and it is an error if device code has none
    Required,
    /// All device code of nvcc is linked as it is
    Never,
}

impl From<LtoIrWay> for LtoIrUse {
    fn from(way: LtoIrWay) -> Self {
        match way {
            LtoIrWay::Auto => Self::Taken,
            LtoIrWay::Required => Self::Required,
            LtoIrWay::Never => Self::Opaque,
        }
    }
}

/// Facts about a unit that the build knows and the unit does not state.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// Options of the unit's compilation that the IR does not show.
    pub options: Vec<OptionSetting>,
    /// Way to assign import priorities.
    pub priority_override: PriorityOverride,
}

fn parse_option(text: &str) -> Result<OptionSetting, String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    if name == "inline-info" {
        return Err(refused::INLINE_INFO.to_owned());
    }
    let (option, _) = TrackedOption::NAMES
        .into_iter()
        .find(|(_, known)| *known == name)
        .ok_or_else(|| format!("there is no option '{name}'"))?;
    let value = match value {
        "true" => 1,
        "false" => 0,
        number => number.parse().map_err(|_| format!("'{number}' is no value of '{name}'"))?,
    };
    option.check(value).map_err(|reason| format!("{name}={value}: {reason}"))?;
    Ok(OptionSetting { option, value, given: true, fixed: None, asked: false })
}

/// The work that the command line requests.
pub(crate) enum Mode {
    /// The program summarizes a unit.
    Summarize(Request),
    /// The program prints which modules a file holds.
    PrintModules { input: PathBuf, module_id: ModuleId, lto_ir_use: LtoIrUse },
    /// The program prints a summary.
    Print { summary: PathBuf, style: Style },
}

/// The unit to summarize, and the files to write.
pub(crate) struct Request {
    pub(crate) input: PathBuf,
    pub(crate) module_id: ModuleId,
    pub(crate) architecture: Option<String>,
    pub(crate) knowledge: Knowledge,
    pub(crate) summary: PathBuf,
    pub(crate) bitcode: Option<PathBuf>,
    /// Whether the input must hold device code without bitcode, and has no other host code than its
    /// own.
    pub(crate) opaque: bool,
    /// Whether the input must hold no device bitcode and no LTO IR.
    pub(crate) host_only: bool,
    /// How LTO IR counts.
    pub(crate) lto_ir_use: LtoIrUse,
    /// Options that name nvlink.
    pub(crate) nvlink: NvlinkArguments,
}

/// The form of a printed summary.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Style {
    /// JSON, for programs.
    Json,
    /// A listing, for people.
    Text,
}

impl Arguments {
    pub(crate) fn resolve(self) -> anyhow::Result<Mode> {
        if let Some(summary) = self.print {
            return Ok(Mode::Print { summary, style: Style::Json });
        }
        if let Some(summary) = self.print_text {
            return Ok(Mode::Print { summary, style: Style::Text });
        }
        let needed = || failure(Fault::Usage, "an input and --output are needed");
        let input = self.input.ok_or_else(needed)?;
        let module_id = match self.module_id {
            Some(module_id) => module_id,
            None => ModuleId::new(input.to_string_lossy())
                .map_err(|error| failure(Fault::Usage, format!("{error}; give --module-id")))?,
        };
        let lto_ir_use = if self.opaque { LtoIrUse::Opaque } else { self.lto_ir.into() };
        if self.print_modules {
            return Ok(Mode::PrintModules { input, module_id, lto_ir_use });
        }
        let summary = self.output.ok_or_else(needed)?;
        Ok(Mode::Summarize(Request {
            input,
            module_id,
            architecture: self.arch,
            knowledge: Knowledge {
                options: self.options,
                priority_override: self.import_priority.into(),
            },
            summary,
            bitcode: self.bitcode,
            opaque: self.opaque,
            host_only: self.host_only,
            lto_ir_use,
            nvlink: self.nvlink,
        }))
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Arguments;

    #[test]
    fn no_option_takes_the_next_argument_for_a_value_that_can_be_left_out() {
        let mut command = Arguments::command();
        command.build();
        assert_eq!(weft_cli::optional_values::breaches(&command), Vec::<String>::new());
    }
}
