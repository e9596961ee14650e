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
mod combine;
mod depfile;
mod emit;
mod generator_choices;
mod import;
mod stage;

use std::path::Path;

pub use arguments::Arguments;
use arguments::{
    AssembleArguments, CodegenArguments, CodegenChoices, Command, ImportArguments, RunArguments,
};
use emit::{Emission, Product};
use generator_choices::generator;
use weft_cli::{Blame as _, Fault, failure, files};
use weft_device_ir::{Compiled, IrError, Wanted};

/// The program: one phase, or all three.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    match arguments.command {
        Command::Stage(stage) => stage::stage(&stage),
        Command::Import(import) => import_phase(&import),
        Command::Codegen(codegen) => codegen_phase(&codegen),
        Command::Assemble(assemble) => assemble_phase(&assemble),
        Command::Combine(combine) => combine::combine(&combine),
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
    let emission =
        Emission::new(arguments.emit.iter().copied().map(Product::from), &arguments.output);
    let linked = files::read(&arguments.input)?;
    let wanted = emission.of_codegen();
    let compiled = compile(&linked, &arguments.options, wanted, &arguments.input)?;
    write(&emission, Product::Bc, &compiled.optimised)?;
    write(&emission, Product::Ptx, &compiled.ptx)
}

/// What is wanted of the linked module, which `path` is or was made from.
fn compile(
    linked: &[u8],
    choices: &CodegenChoices,
    wanted: Wanted,
    path: &Path,
) -> anyhow::Result<Compiled> {
    let library = choices.generator.load()?;
    weft_device_ir::compile(linked, choices.resolve(), generator(library.as_ref()), wanted).map_err(
        |error| {
            let fault = match error {
                IrError::Libnvvm { .. } => Fault::Tool,
                _ => Fault::Input,
            };
            failure(fault, format!("{}: {error}", path.display()))
        },
    )
}

fn assemble_phase(arguments: &AssembleArguments) -> anyhow::Result<()> {
    let ptx = files::read(&arguments.input)?;
    let architecture =
        assemble::target_of(&ptx).blame(Fault::Input, || arguments.input.display().to_string())?;
    let settled = weft_device_ir::options_of_ptx(&ptx).map_err(|reason| {
        failure(Fault::Input, format!("{}: {reason}", arguments.input.display()))
    })?;
    let cubin = assemble::assemble(&ptx, &architecture, &settled, &arguments.options)?.output;
    files::write(&arguments.output, &cubin)
}

fn all_phases(arguments: &RunArguments) -> anyhow::Result<()> {
    let emission = Emission::new(arguments.emit.iter().copied(), &arguments.output);
    let linked = import::import(&arguments.inputs)?.linked;
    let wanted = emission.of_codegen();
    if wanted == Wanted::default() {
        return write(&emission, Product::Linked, &linked);
    }
    let compiled = compile(&linked, &arguments.codegen, wanted, &arguments.inputs.module)?;
    let cubin = match emission.file(Product::Cubin) {
        Some(_) => {
            let Compiled { ptx, architecture, options, .. } = &compiled;
            assemble::assemble(ptx, architecture, options, &arguments.assemble)?.output
        }
        None => Vec::new(),
    };
    // Nothing is written before everything is made.
    write(&emission, Product::Linked, &linked)?;
    write(&emission, Product::Bc, &compiled.optimised)?;
    write(&emission, Product::Ptx, &compiled.ptx)?;
    write(&emission, Product::Cubin, &cubin)
}

/// Writes a product if it was asked for.
fn write(emission: &Emission, product: Product, content: &[u8]) -> anyhow::Result<()> {
    emission.file(product).map_or(Ok(()), |file| files::write(file, content))
}
