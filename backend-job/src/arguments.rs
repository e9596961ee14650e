//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use weft_artifact::{FastCompile, ModuleId, PhaseOptions};
use weft_cli::{Declared, ExecutionArguments, Fault, JobReportArguments, failure};
use weft_device_ir::{CodegenOptions, Effort, OptimizationLevel, PtxVersion};
use weft_lto_ir::NvlinkArguments;

use crate::assemble_choices::AssembleChoices;
use crate::emit::{CodegenProduct, Product};
use crate::generator_choices::GeneratorChoices;
use crate::inline_choices::InlineChoices;
use crate::outputs::SplitChoices;
use crate::report::ReportChoices;

/// Compiles one module by its plan: imports, optimizes, emits PTX, assembles.
#[derive(Parser, Debug)]
#[command(name = "backend-job", version, after_help = weft_cli::EXIT_CODES)]
pub struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    common: weft_cli::CommonArguments,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Copy the other bitcode that each plan needs into one file, for an import job to declare
    Stage(StageArguments),
    /// Carry out the plan: import what it names, write the linked module
    Import(ImportArguments),
    /// Optimize a linked module and emit PTX
    Codegen(Box<CodegenArguments>),
    /// Assemble PTX into a relocatable cubin
    Assemble(AssembleArguments),
    /// Link the optimized modules of a program into one, for codegen to make PTX for the driver of
    Combine(CombineArguments),
    /// All three phases in one process
    Run(Box<RunArguments>),
}

#[derive(Args, Debug)]
pub(crate) struct StageArguments {
    /// The folder of the plans, as the thin link writes it
    #[arg(long, value_name = "DIR")]
    pub(crate) plans: PathBuf,
    /// A file of lines `ID<TAB>FILE`: the modules and their bitcode
    #[arg(long, value_name = "FILE")]
    pub(crate) module_map: PathBuf,
    /// Folder for `<module id>.imports` of every module of the map
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output_dir: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct CombineArguments {
    /// Optimized modules (`--emit bc`) of one architecture, always in the same order: it shows in
    /// the output. `@FILE` stands for the lines of FILE, one path each.
    #[arg(value_name = "MODULE", required = true)]
    pub(crate) inputs: Vec<PathBuf>,
    /// File for the combined module
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Args, Debug)]
pub(crate) struct ImportArguments {
    #[command(flatten)]
    pub(crate) inputs: ImportInputs,
    /// File for the linked module
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Also write what was read, as a Makefile rule, for Ninja and Make
    #[arg(long, value_name = "FILE")]
    pub(crate) depfile: Option<PathBuf>,
    /// Keep the linked module in the local cache, for other programs that have this module
    #[arg(long)]
    pub(crate) shared: bool,
    /// An option for libnvvm, with which nvlink optimizes LTO IR, such as `-opt=0`; may be repeated
    #[arg(long = "Xnvvm", value_name = "OPTION", allow_hyphen_values = true)]
    pub(crate) libnvvm_options: Vec<String>,
    #[command(flatten)]
    pub(crate) report: JobReportArguments,
    #[command(flatten)]
    pub(crate) execution: ExecutionArguments,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct ImportInputs {
    /// The module's plan, of the thin link
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: PathBuf,
    /// The module that the bitcode is of: a plan for another is refused
    #[arg(long, value_name = "ID")]
    pub(crate) module_id: Option<ModuleId>,
    /// The module's device bitcode, or the object or archive that holds it
    ///
    /// Of an archive, the member that the last part of the module id names is taken.
    #[arg(long, value_name = "FILE")]
    pub(crate) module: PathBuf,
    /// Bitcode, object or archive of another module; those that the plan needs are read
    #[arg(long, value_name = "ID=FILE", value_parser = parse_import)]
    pub(crate) import: Vec<(ModuleId, PathBuf)>,
    /// A file of lines `ID<TAB>FILE` that says the same for many modules
    #[arg(long, value_name = "FILE")]
    pub(crate) module_map: Option<PathBuf>,
    /// The bitcode of the other modules that the plan needs, as `stage` writes it
    #[arg(long, value_name = "FILE")]
    pub(crate) staged: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) nvlink: NvlinkArguments,
    /// Options for libnvvm, where nvlink optimizes LTO IR with it.
    #[arg(skip)]
    pub(crate) libnvvm_options: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct CodegenArguments {
    /// The linked module
    pub(crate) input: PathBuf,
    /// File for the PTX, or for the products of `--emit`
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Products to write
    ///
    /// One kind goes to the file that `-o` names. Of several, each goes to that file's name with
    /// its last extension replaced: by `opt.bc` for bc, by `ptx` for ptx.
    #[arg(long, value_name = "KIND", value_enum, value_delimiter = ',', default_value = "ptx")]
    pub(crate) emit: Vec<CodegenProduct>,
    /// Print the optimizer's report to standard output as JSON, as an action hands it over
    #[arg(long, hide = true)]
    pub(crate) print_report: bool,
    #[command(flatten)]
    pub(crate) options: Declared<CodegenChoices>,
    #[command(flatten)]
    pub(crate) split: SplitChoices,
    #[command(flatten)]
    pub(crate) report: ReportChoices,
    #[command(flatten)]
    pub(crate) execution: ExecutionArguments,
}

impl CodegenArguments {
    /// Whether the optimized module is an output.
    pub(crate) fn emits_bitcode(&self) -> bool {
        self.emit.iter().any(|product| Product::from(*product) == Product::Bc)
    }
}

/// The options that decide the PTX of a linked module. Each is an argument of the declared action,
/// and so a part of its key.
#[derive(Args, Debug)]
pub(crate) struct CodegenChoices {
    /// How hard LLVM and ptxas optimize [default: what the thin link settled, else 3]
    ///
    /// ptxas finds it in the PTX. `fast-compile` gives up speed of the code for speed of both.
    #[arg(short = 'O', value_name = "LEVEL", value_enum)]
    optimize: Option<Level>,
    /// Let LLVM unroll loops by its own limits, too
    ///
    /// Without it, LLVM unrolls what the source asks for and loops through small local arrays, and
    /// leaves the others to ptxas.
    #[arg(long)]
    unroll_loops: bool,
    /// Newest version of PTX to write, such as 8.5: the one that your ptxas takes [default: the one
    /// that the clang of the unit asked for; `run` asks ptxas]
    ///
    /// A ptxas says it of a file that is too new, and the build systems' packages ask it.
    #[arg(long, value_name = "VERSION", overrides_with = "newest_ptx")]
    newest_ptx: Option<PtxVersion>,
    #[command(flatten)]
    pub(crate) inline: InlineChoices,
    #[command(flatten)]
    pub(crate) generator: GeneratorChoices,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Level {
    #[value(name = "0")]
    O0,
    #[value(name = "1")]
    O1,
    #[value(name = "2")]
    O2,
    #[value(name = "3")]
    O3,
    /// No fast compilation, whatever the thin link settled
    #[value(name = "fast-compile=0")]
    NotFast,
    /// Level 2, and half the budgets of the inliner
    #[value(name = "fast-compile=min")]
    FastMin,
    /// Level 1, and a quarter of the budgets
    #[value(name = "fast-compile=mid")]
    FastMid,
    /// Level 1, and only what makes nothing larger is inlined
    #[value(name = "fast-compile=max")]
    FastMax,
}

impl Level {
    fn effort(self) -> Effort {
        match self {
            Self::O0 => Effort::Level(OptimizationLevel::O0),
            Self::O1 => Effort::Level(OptimizationLevel::O1),
            Self::O2 => Effort::Level(OptimizationLevel::O2),
            Self::O3 => Effort::Level(OptimizationLevel::O3),
            Self::NotFast => Effort::Fast(None),
            Self::FastMin => Effort::Fast(Some(FastCompile::Min)),
            Self::FastMid => Effort::Fast(Some(FastCompile::Mid)),
            Self::FastMax => Effort::Fast(Some(FastCompile::Max)),
        }
    }
}

impl CodegenChoices {
    /// Refuses options that would do nothing, and sets what LLVM keeps for the whole process. It is
    /// called once, before a second thread exists. `emits_bitcode` tells whether the optimized
    /// module is an output.
    pub(crate) fn prepare(&self, emits_bitcode: bool) -> anyhow::Result<()> {
        self.inline.check()?;
        if matches!(self.optimize, Some(Level::O0)) {
            self.inline.check_optimized("-O0")?;
        }
        if self.inline.needs_bitcode() && !emits_bitcode {
            let reason = "--inline-remark-attribute shows in the optimized module: add --emit bc";
            return Err(failure(Fault::Usage, reason));
        }
        self.generator.check()?;
        anyhow::ensure!(self.inline.numbers().set_for_process(), "LLVM's numbers cannot be set");
        Ok(())
    }

    /// Refuses options of the inliner for a module that the thin link `settled` not to optimize.
    pub(crate) fn check_settled(&self, settled: &PhaseOptions) -> anyhow::Result<()> {
        let is_optimized = self.optimize.is_some()
            || settled.fast_compile.is_some()
            || settled.optimization_level != Some(0);
        if is_optimized { Ok(()) } else { self.inline.check_optimized("the thin link's -O0") }
    }

    /// Whether the newest PTX to write is given.
    pub(crate) fn limits_ptx(&self) -> bool {
        self.newest_ptx.is_some()
    }

    pub(crate) fn resolve(&self) -> CodegenOptions {
        CodegenOptions {
            effort: self.optimize.map(Level::effort),
            inline: self.inline.resolve(),
            unrolls_loops: self.unroll_loops,
            newest_ptx: self.newest_ptx.filter(|version| version.limits()),
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct AssembleArguments {
    /// The PTX
    pub(crate) input: PathBuf,
    /// File for the cubin
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) options: AssembleChoices,
    #[command(flatten)]
    pub(crate) report: ReportChoices,
    #[command(flatten)]
    pub(crate) execution: ExecutionArguments,
}

#[derive(Args, Debug)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) inputs: ImportInputs,
    /// The plan of the same module for another architecture; may be repeated
    ///
    /// The names of outputs then hold `{arch}`, which stands for each plan's architecture; so it
    /// does in the names of inputs that hold one architecture alone.
    #[arg(long, value_name = "FILE", conflicts_with = "arch")]
    pub(crate) also_plan: Vec<PathBuf>,
    /// Write the job, with copies of its inputs, as a folder whose script `run` does it again
    #[arg(long, value_name = "DIR")]
    pub(crate) save: Option<PathBuf>,
    /// File for the cubin, or for the products of `--emit`
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Products to write; phases that no product needs are left out
    ///
    /// One kind goes to the file that `-o` names. Of several, each goes to that file's name with
    /// its last extension replaced: by `linked.bc`, `opt.bc` for bc, `ptx` or `cubin`.
    #[arg(long, value_name = "KIND", value_enum, value_delimiter = ',', default_value = "cubin")]
    pub(crate) emit: Vec<Product>,
    #[command(flatten)]
    pub(crate) codegen: Declared<CodegenChoices>,
    #[command(flatten)]
    pub(crate) assemble: AssembleChoices,
    #[command(flatten)]
    pub(crate) split: SplitChoices,
    #[command(flatten)]
    pub(crate) report: ReportChoices,
    #[command(flatten)]
    pub(crate) execution: ExecutionArguments,
}

impl RunArguments {
    /// Whether the optimized module is an output.
    pub(crate) fn emits_bitcode(&self) -> bool {
        self.emit.contains(&Product::Bc)
    }
}

/// Divides the text at the first `=`. A module id with `=` in it must go into a module map.
fn parse_import(text: &str) -> Result<(ModuleId, PathBuf), String> {
    let (module_id, file) = text.split_once('=').ok_or("expected ID=FILE")?;
    let module_id = ModuleId::new(module_id).map_err(|error| error.to_string())?;
    Ok((module_id, PathBuf::from(file)))
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
