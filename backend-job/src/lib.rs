//! The hermetic job of one module, in three phases with one file between each two.
//!
//! | phase | reads | writes |
//! |---|---|---|
//! | `import` | plan, own code, code of the import sources | the linked module |
//! | `codegen` | the linked module | PTX |
//! | `assemble` | PTX | a relocatable cubin |
//!
//! A build that must declare inputs before it knows the plans puts `stage` in front: it copies the
//! import sources of each plan into one file, which the module's import phase reads instead.
//!
//! The linked module holds exactly what can matter to the module's code. A build keyed on file
//! contents therefore stops after the cheap import phase when an edit elsewhere did not reach it.
//! For NVIDIA's LTO IR the linked module is PTX, which nvlink makes in the import phase, and
//! codegen hands it on. A phase reads what its command line names and nothing else, and starts no
//! program but ptxas and nvlink.
//!
//! Import, codegen and assemble describe themselves as declared actions, and a session gets their
//! results, from the local cache or by running them. `run` runs the three in a row, each with its
//! own key, so it too stops early at an unchanged linked module.

// These macros panic where nobody reads the output, and a panic counts as a defect.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod arguments;
mod assemble;
mod assemble_choices;
mod assembled;
mod blame_kernel;
mod check_plan;
mod clones;
mod codegen;
mod combine;
mod depfile;
mod emit;
mod function_limits;
mod generator_choices;
mod import;
mod inline_choices;
mod inlining;
mod llvm_choices;
mod modes;
mod outputs;
mod plans;
mod ptxas_files;
mod ptxas_remarks;
mod register_limits;
mod report;
mod report_table;
mod results;
mod run;
mod save;
mod search;
mod stage;

pub use arguments::Arguments;
use arguments::{AssembleArguments, Command, ImportArguments, ImportInputs};
use report::Report;
use weft_action::{Phase, Session};
use weft_cli::{Blame as _, Fault, failure, files};
use weft_job::JobReport;

/// Name of the executable in messages.
const NAME: &str = "backend-job";

/// Runs the program: one phase, or all three.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    match arguments.command {
        Command::Stage(stage) => stage::stage(&stage),
        Command::Import(import) => {
            let shared = import.shared.then_some(Phase::Import);
            import
                .execution
                .with_session_that_shares(shared, NAME, |session| import_phase(session, &import))
        }
        Command::Codegen(codegen) => {
            codegen.options.prepare(codegen.emits_bitcode())?;
            codegen.execution.with_session(NAME, |session| codegen::phase(session, &codegen))
        }
        Command::Assemble(assemble) => {
            assemble.execution.with_session(NAME, |session| assemble_phase(session, &assemble))
        }
        Command::Combine(combine) => combine::combine(&combine),
        Command::Run(run) => {
            run.codegen.prepare(run.emits_bitcode())?;
            run.execution.with_session(NAME, |session| run::all_phases(session, &run))
        }
    }
}

fn import_phase(session: &Session, arguments: &ImportArguments) -> anyhow::Result<()> {
    let libnvvm_options = arguments.libnvvm_options.clone();
    let inputs = ImportInputs { libnvvm_options, ..arguments.inputs.clone() };
    let imported = import::import(session, &inputs)?;
    if let Some(depfile) = &arguments.depfile {
        let content = depfile::rule(&arguments.output, &imported.read);
        files::write(depfile, content.as_bytes())?;
    }
    files::write(&arguments.output, &imported.linked)?;
    let facts = JobReport { architecture: imported.architecture, ..JobReport::default() };
    arguments.report.write(session, facts)
}

fn assemble_phase(session: &Session, arguments: &AssembleArguments) -> anyhow::Result<()> {
    let mut report = Report::start(&arguments.report);
    let ptx = files::read(&arguments.input)?;
    let name = arguments.input.display().to_string();
    let target = assemble::target_of(&ptx).blame(Fault::Input, || name.clone())?;
    let settled = weft_container::ptx_options(&ptx)
        .map_err(|reason| failure(Fault::Input, format!("{name}: {reason}")))?;
    let input = assemble::Ptx { subject: &name, text: &ptx, target: &target };
    let limit = arguments.options.time_limit();
    let assembled =
        assemble::assemble(session, &input, &settled, &arguments.options, limit.as_ref())?;
    report.phase("assemble");
    report.cubin(arguments.options.architecture(&target), &assembled)?;
    files::write(&arguments.output, &assembled.cubin)?;
    files::say(ptxas_remarks::for_users(&assembled.messages, &name));
    report.finish(session, &arguments.report)
}
