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
//!
//! Import, codegen and assemble describe themselves as declared actions, and a session gets their
//! results: it knows when to run them and when the local cache has what they would write. `run` is
//! the three in a row, each with a key of its own, so it too stops early at a linked module that did
//! not change.

mod arguments;
mod assemble;
mod cache;
mod codegen;
mod depfile;
mod import;
mod stage;

pub use arguments::Arguments;
use arguments::{AssembleArguments, CodegenArguments, Command, ImportArguments, RunArguments};
use weft_action::Session;
use weft_cli::{Blame as _, Fault, files};

/// What messages call the executable.
const NAME: &str = "backend-job";

/// The program: one phase, or all three.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    match arguments.command {
        Command::Stage(stage) => stage::stage(&stage),
        Command::Import(import) => {
            import.execution.with_session(NAME, |session| import_phase(session, &import))
        }
        Command::Codegen(codegen) => {
            codegen.execution.with_session(NAME, |session| codegen_phase(session, &codegen))
        }
        Command::Assemble(assemble) => {
            assemble.execution.with_session(NAME, |session| assemble_phase(session, &assemble))
        }
        Command::Run(run) => run.execution.with_session(NAME, |session| all_phases(session, &run)),
        Command::Cache(command) => command.run(),
    }
}

fn import_phase(session: &Session, arguments: &ImportArguments) -> anyhow::Result<()> {
    let imported = import::import(session, &arguments.inputs)?;
    if let Some(depfile) = &arguments.depfile {
        let content = depfile::rule(&arguments.output, &imported.read);
        files::write(depfile, content.as_bytes())?;
    }
    files::write(&arguments.output, &imported.linked)
}

fn codegen_phase(session: &Session, arguments: &CodegenArguments) -> anyhow::Result<()> {
    let linked = files::read(&arguments.input)?;
    let name = arguments.input.display().to_string();
    let ptx = codegen::codegen(session, &name, &linked, &arguments.options, &name)?;
    files::write(&arguments.output, &ptx)
}

fn assemble_phase(session: &Session, arguments: &AssembleArguments) -> anyhow::Result<()> {
    let ptx = files::read(&arguments.input)?;
    let name = arguments.input.display().to_string();
    let architecture = assemble::target_of(&ptx).blame(Fault::Input, || name.clone())?;
    let cubin = assemble::assemble(session, &name, &ptx, &architecture, &arguments.options)?;
    files::write(&arguments.output, &cubin)
}

fn all_phases(session: &Session, arguments: &RunArguments) -> anyhow::Result<()> {
    let imported = import::import(session, &arguments.inputs)?;
    let (module, linked) = (imported.module_id.as_str(), &imported.linked);
    let name = arguments.inputs.module.display().to_string();
    let ptx = codegen::codegen(session, module, linked, &arguments.codegen, &name)?;
    let architecture = assemble::target_of(&ptx).blame(Fault::Input, || name.clone())?;
    let cubin = assemble::assemble(session, module, &ptx, &architecture, &arguments.assemble)?;
    if let Some(path) = &arguments.save_linked {
        files::write(path, &imported.linked)?;
    }
    if let Some(path) = &arguments.save_ptx {
        files::write(path, &ptx)?;
    }
    files::write(&arguments.output, &cubin)
}
