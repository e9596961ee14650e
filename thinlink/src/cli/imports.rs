//! Options of imports on the command line, by the names that LLVM's users know.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use weft_cli::refused::{self, not_taken};
use weft_cli::{Blame as _, Fault, files};

use crate::model::policy::{ImportModel, ImportPolicy, Printed};

/// Options that decide which bodies go into other modules.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Imports")]
pub struct ImportArguments {
    /// How functions are weighed. `gpu`: by what they become after inlining, less what their call
    /// moves through `.param` space, more in loops. `llvm`: by their instructions, exactly as LLVM
    /// 22's thin link does.
    #[arg(long, value_name = "MODEL", value_enum, default_value_t = Model::Gpu)]
    pub import_model: Model,

    /// Goal of the build. `kernels`: a module gets all functions that its kernels call, so that
    /// their code is best. `edits`: a module calls functions above 50 instructions where they are
    /// defined, so that an edit of one compiles few modules again, and kernels take more registers.
    #[arg(long, value_name = "GOAL", value_enum, default_value_t = Goal::Kernels)]
    pub tune_for: Goal,

    /// The most instructions of a function that other modules get, as a copy or an import; larger
    /// ones are called. Of LTO IR, the PTX instructions before optimization count, and a module is
    /// read as a whole, if none of its functions is larger [default: 50 with `--tune-for=edits`,
    /// otherwise none].
    #[arg(long, value_name = "N")]
    pub copy_limit: Option<u32>,

    /// Highest cost of a function that is imported where it is called, in instructions [default:
    /// 500; of the model `llvm`, 100].
    #[arg(long, value_name = "N")]
    pub import_instr_limit: Option<u32>,

    /// Factor on the limit at the calls of a kernel, which may grow more than what it calls
    /// [default: 40; of the model `llvm`, 1].
    #[arg(long, value_name = "F", value_parser = multiplier)]
    pub import_kernel_multiplier: Option<f32>,

    /// The most functions that a module gets from others, as copies or imports; -1 for no bound.
    /// Copies come first, those for direct callees of kernels before others; then imports: direct
    /// callees, then what they call, then possible targets of indirect calls; of those the hottest
    /// and smallest. The number that makes a program wrong names the function, by --print-imports.
    #[arg(long, value_name = "N", default_value_t = -1, allow_negative_numbers = true)]
    pub import_cutoff: i64,

    /// Factor from 0 to 1 on the limit for each further level of calls. The product is truncated.
    #[arg(long, value_name = "F", default_value_t = 0.7, value_parser = factor)]
    pub import_instr_evolution_factor: f32,

    /// The same below calls that are hot by profile.
    #[arg(long, value_name = "F", default_value_t = 1.0, value_parser = factor)]
    pub import_hot_evolution_factor: f32,

    /// Factor on the limit at calls that are hot by profile.
    #[arg(long, value_name = "F", default_value_t = 10.0, value_parser = multiplier)]
    pub import_hot_multiplier: f32,

    /// Factor on the limit at calls that are critical by profile.
    #[arg(long, value_name = "F", default_value_t = 100.0, value_parser = multiplier)]
    pub import_critical_multiplier: f32,

    /// Factor on the limit at calls that are cold by profile.
    #[arg(long, value_name = "F", default_value_t = 0.0, value_parser = multiplier)]
    pub import_cold_multiplier: f32,

    /// Import every external function of the program into every module. For tests of importers.
    #[arg(long)]
    pub import_all_index: bool,

    /// Import a function only if the inliner's budgets will leave room for it in some function of
    /// the importer. For jobs whose inliner is told other budgets or another model.
    #[arg(long, value_name = "BOOL", default_value_t = true, default_missing_value = "true",
          num_args = 0..=1, require_equals = true, action = clap::ArgAction::Set)]
    pub import_by_budget: bool,

    /// Import functions whatever their size, and `noinline` ones too.
    #[arg(long)]
    pub force_import_all: bool,

    /// Refused: a module has the declarations that it needs without it.
    #[arg(long)]
    pub import_declaration: bool,

    /// Import constants whose initializers name symbols, such as tables of virtual functions.
    #[arg(long, value_name = "BOOL", default_value_t = true, default_missing_value = "true",
          num_args = 0..=1, require_equals = true, action = clap::ArgAction::Set)]
    pub import_constants_with_refs: bool,

    /// Give imported functions the metadata `thinlto_src_module` and `thinlto_src_file`, which name
    /// their module and its source file.
    #[arg(long)]
    pub enable_import_metadata: bool,

    /// JSON object from a root function to a list of functions: the module of the root imports
    /// exactly those.
    #[arg(long, value_name = "FILE")]
    pub thinlto_workload_def: Option<PathBuf>,

    /// Print every import to standard output: `MODULE imports SYMBOL from SOURCE`.
    #[arg(long)]
    pub print_imports: bool,

    /// Print every candidate that was not imported to standard output, and why.
    #[arg(long)]
    pub print_import_failures: bool,
}

/// Goal of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Goal {
    /// The best code of kernels.
    Kernels,
    /// Few jobs after an edit.
    Edits,
}

/// See [`ImportModel`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Model {
    /// Weft's.
    Gpu,
    /// LLVM's.
    Llvm,
}

impl ImportArguments {
    /// Reads the workload definition, if there is one.
    pub fn resolve(&self) -> anyhow::Result<ImportPolicy> {
        if self.import_declaration {
            return Err(not_taken("--import-declaration", refused::IMPORT_DECLARATION));
        }
        let model = match self.import_model {
            Model::Gpu => ImportModel::Gpu,
            Model::Llvm => ImportModel::Llvm,
        };
        let limit_for_edits =
            (self.tune_for == Goal::Edits).then_some(ImportPolicy::COPY_LIMIT_FOR_EDITS);
        let workload = self.thinlto_workload_def.as_deref().map(workload).transpose()?;
        Ok(ImportPolicy {
            model,
            limit: self.import_instr_limit.unwrap_or_else(|| model.default_limit()),
            kernel_multiplier: self
                .import_kernel_multiplier
                .unwrap_or_else(|| model.default_kernel_multiplier()),
            copy_limit: self.copy_limit.or(limit_for_edits),
            // Every negative number means no bound, as LLVM has it.
            cutoff: u64::try_from(self.import_cutoff)
                .ok()
                .map(|cutoff| u32::try_from(cutoff).unwrap_or(u32::MAX)),
            evolution_factor: self.import_instr_evolution_factor,
            hot_evolution_factor: self.import_hot_evolution_factor,
            hot_multiplier: self.import_hot_multiplier,
            critical_multiplier: self.import_critical_multiplier,
            cold_multiplier: self.import_cold_multiplier,
            budgets: self.import_by_budget,
            all_index: self.import_all_index,
            force_all: self.force_import_all,
            constants_with_refs: self.import_constants_with_refs,
            metadata: self.enable_import_metadata,
            workload: workload.unwrap_or_default(),
            printed: Printed { imports: self.print_imports, failures: self.print_import_failures },
        })
    }
}

fn workload(path: &Path) -> anyhow::Result<BTreeMap<String, Vec<String>>> {
    serde_json::from_slice(&files::read(path)?).blame(Fault::Input, || {
        format!("{}: not a JSON object from names to lists of names", path.display())
    })
}

fn factor(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        // Above 1 a cycle of calls would raise the limit without end.
        Ok(factor) if (0.0..=1.0).contains(&factor) => Ok(factor),
        Ok(_) => Err("it must lie between 0 and 1".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn multiplier(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(factor) if factor >= 0.0 && factor.is_finite() => Ok(factor),
        Ok(_) => Err("it must not be negative".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
