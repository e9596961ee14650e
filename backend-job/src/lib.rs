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
mod depfile;

mod import;
mod inline_choices;
mod stage;

pub use arguments::Arguments;
use arguments::{
    AssembleArguments, CodegenArguments, CodegenChoices, Command, ImportArguments, RunArguments,
};
use weft_cli::{Blame as _, Fault, files};
use weft_device_ir::Compiled;

/// The program: one phase, or all three.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    match arguments.command {
        Command::Stage(stage) => stage::stage(&stage),
        Command::Import(import) => import_phase(&import),
        Command::Codegen(codegen) => codegen_phase(&codegen),
        Command::Assemble(assemble) => assemble_phase(&assemble),
        Command::Run(run) => all_phases(&run),
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

fn codegen_phase(arguments: &CodegenArguments) -> anyhow::Result<()> {
    let linked = files::read(&arguments.input)?;
    let compiled = weft_device_ir::compile(&linked, arguments.options.resolve())
        .blame(Fault::Input, || arguments.input.display().to_string())?;
    print_inlining(&arguments.options, &compiled);
    files::write(&arguments.output, &compiled.ptx)
}

/// Decisions go where messages go: standard output is for what a caller reads.
fn print_inlining(choices: &CodegenChoices, compiled: &Compiled) {
    if let Some(text) = choices.inline.profuse(&compiled.inlining) {
        eprint!("{text}");
    }
}

fn assemble_phase(arguments: &AssembleArguments) -> anyhow::Result<()> {
    let ptx = files::read(&arguments.input)?;
    let architecture =
        assemble::target_of(&ptx).blame(Fault::Input, || arguments.input.display().to_string())?;
    let cubin = assemble::assemble(&ptx, &architecture, &arguments.options)?;
    files::write(&arguments.output, &cubin)
}

fn all_phases(arguments: &RunArguments) -> anyhow::Result<()> {
    let imported = import::import(&arguments.inputs)?;
    let compiled = weft_device_ir::compile(&imported.linked, arguments.codegen.resolve())
        .blame(Fault::Input, || arguments.inputs.module.display().to_string())?;
    print_inlining(&arguments.codegen, &compiled);
    let Compiled { ptx, architecture, .. } = compiled;
    let cubin = assemble::assemble(&ptx, &architecture, &arguments.assemble)?;
    if let Some(path) = &arguments.save_linked {
        files::write(path, &imported.linked)?;
    }
    if let Some(path) = &arguments.save_ptx {
        files::write(path, &ptx)?;
    }
    files::write(&arguments.output, &cubin)
}
