//! The hermetic job of one module, in three phases with one file between each.
//!
//! | phase | reads | writes |
//! |---|---|---|
//! | `import` | plan, own bitcode, bitcode of the import sources | the linked module |
//! | `codegen` | the linked module | PTX |
//! | `assemble` | PTX | a relocatable cubin |
//!
//! A build that must declare inputs before it knows the plans puts `stage` in front: it copies the
//! import sources of each plan into one file, which the module's import phase reads in their place.
//!
//! The linked module holds exactly what can matter to the module's code. A build keyed on file
//! contents therefore stops after the cheap import phase when an edit elsewhere did not reach it.
//! A phase reads what its command line names and nothing else, and starts no program but ptxas.

mod arguments;
mod assemble;
mod assemble_choices;
mod blame_kernel;
mod check_plan;
mod codegen;
mod combine;
mod depfile;
mod emit;
mod generator_choices;
mod import;
mod occupancy;
mod outputs;
mod report;
mod run;
mod save;
mod stage;

pub use arguments::Arguments;
use arguments::{AssembleArguments, Command, ImportArguments};
use report::Report;
use weft_cli::{Blame as _, Fault, failure, files};

/// The program: one phase, or all three.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    match arguments.command {
        Command::Stage(stage) => stage::stage(&stage),
        Command::Import(import) => import_phase(&import),
        Command::Codegen(codegen) => codegen::phase(&codegen),
        Command::Assemble(assemble) => assemble_phase(&assemble),
        Command::Combine(combine) => combine::combine(&combine),
        Command::Run(run) => run::all_phases(&run),
    }
}

fn import_phase(arguments: &ImportArguments) -> anyhow::Result<()> {
    let imported = import::import(&arguments.inputs)?;
    if let Some(depfile) = &arguments.depfile {
        let content = depfile::rule(&arguments.output, &imported.read);
        files::write(depfile, content.as_bytes())?;
    }
    files::write(&arguments.output, &imported.linked)
}

fn assemble_phase(arguments: &AssembleArguments) -> anyhow::Result<()> {
    let mut report = Report::start(&arguments.report);
    let ptx = files::read(&arguments.input)?;
    let target =
        assemble::target_of(&ptx).blame(Fault::Input, || arguments.input.display().to_string())?;
    let settled = weft_device_ir::options_of_ptx(&ptx).map_err(|reason| {
        failure(Fault::Input, format!("{}: {reason}", arguments.input.display()))
    })?;
    let done = assemble::assemble(&ptx, &target, &settled, &arguments.options)?;
    report.phase("assemble");
    report.cubin(arguments.options.architecture(&target), &done)?;
    files::write(&arguments.output, &done.output)?;
    report.finish(&arguments.report)
}
