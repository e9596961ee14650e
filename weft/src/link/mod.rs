//! Links a program by the command that links its host code.
//!
//! The command shows all that the device link needs: the objects and archives, their order, and what
//! is linked. So no build system has to know of Weft. Each step is one of Weft's executables, with
//! the arguments that build systems give it, so all of them share one cache.

mod arguments;
mod device;
mod drivers;
mod host_link;
mod inputs;
mod libraries;
mod run;
mod tools;
mod words;

use std::path::{Path, PathBuf};

use weft_action::Scratch;
use weft_cli::{Blame as _, Fault};

pub(crate) use arguments::LinkArguments;
use device::{DeviceLink, Linked, text};
use drivers::Driver;
use host_link::HostLink;
use inputs::Input;
use run::Step;
use tools::Tools;

/// Folders in which linkers look for libraries after those of the command.
const SYSTEM_FOLDERS: [&str; 6] = [
    "/usr/local/lib",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/lib64",
    "/usr/lib64",
    "/usr/lib",
];

/// Carries out `weft link`.
#[expect(
    clippy::disallowed_methods,
    reason = "ids are paths from the folder of the command, and a bare program name is looked up"
)]
pub(crate) fn link(arguments: &LinkArguments) -> anyhow::Result<()> {
    let program = arguments.program()?;
    let command = &arguments.command;
    let alone = |command: &[String]| Step {
        what: "the link of host code".to_owned(),
        program: program.to_owned(),
        arguments: command[1..].to_vec(),
    };
    let workers = run::workers(arguments.jobs);
    let Some(host) = host_link::host_link(command, &SYSTEM_FOLDERS.map(PathBuf::from))? else {
        return alone(command).run();
    };
    let place = std::env::current_dir().blame(Fault::Environment, || ".".to_owned())?;
    let inputs = inputs::inputs(&host, &place)?;
    if inputs.iter().all(|input| input.architectures.is_empty()) {
        return alone(command).run();
    }
    let search_path = std::env::var_os("PATH");
    let tools = Tools::find(arguments.cuda.as_deref(), program, search_path.as_deref())?;
    let scratch;
    let folder = match &arguments.keep {
        Some(folder) => folder.as_path(),
        None => {
            scratch = Scratch::new().blame(Fault::Environment, || "no folder".to_owned())?;
            scratch.path()
        }
    };
    let (host, inputs) = (&host, &inputs[..]);
    let (tools, workers) = (&tools, &workers);
    let linked = DeviceLink { arguments, tools, host, inputs, folder, workers }.run()?;
    let object = registration(program, tools, inputs, folder, &linked)?;
    alone(&with_object(command, host.place, &object)).run()?;
    guard(tools, host, inputs, &linked).run()
}

/// Makes the object that registers the image when the program starts.
fn registration(
    program: &str,
    tools: &Tools,
    inputs: &[Input],
    folder: &Path,
    linked: &Linked,
) -> anyhow::Result<PathBuf> {
    let (source, object) = (folder.join("registration.c"), folder.join("registration.o"));
    let mut arguments = vec!["register".to_owned(), text(&linked.fatbin)];
    let waiting = inputs.iter().filter(|input| input.has_nvcc_units);
    arguments.extend(waiting.map(|input| format!("--nvcc-object={}", text(&input.path))));
    arguments.extend(["-o".to_owned(), text(&source)]);
    let what = "the registration of the image".to_owned();
    Step { what: what.clone(), program: tools.backend_job.clone(), arguments }.run()?;
    let compiler = match Driver::of(program) {
        Driver::Linker => "cc",
        Driver::Compiler | Driver::Nvcc => program,
    };
    let position = match Driver::of(program) {
        Driver::Nvcc => "-Xcompiler=-fPIC",
        Driver::Compiler | Driver::Linker => "-fPIC",
    };
    let words = ["-x", "c", "-O3", position, "-c", &text(&source), "-o", &text(&object)];
    let arguments = words.map(str::to_owned).to_vec();
    Step { what, program: compiler.to_owned(), arguments }.run()?;
    Ok(object)
}

/// Returns the command with the object in front of its first input. nvcc must not link the device
/// code once more.
fn with_object(command: &[String], place: usize, object: &Path) -> Vec<String> {
    let mut command = command.to_vec();
    command.insert(place, text(object));
    if Driver::of(&command[0]) == Driver::Nvcc {
        command.insert(1, "-nodlink".to_owned());
    }
    command
}

/// Returns the check of the linked program.
fn guard(tools: &Tools, host: &HostLink, inputs: &[Input], linked: &Linked) -> Step {
    let mut arguments = vec!["guard".to_owned(), "--remove".to_owned()];
    arguments.extend(["--image".to_owned(), text(&linked.fatbin)]);
    let manifests = linked.manifests.iter();
    arguments.extend(manifests.flat_map(|path| ["--manifest".to_owned(), text(path)]));
    arguments.push(text(&host.output));
    arguments.extend(inputs.iter().map(|input| text(&input.path)));
    Step { what: "the guard".to_owned(), program: tools.backend_job.clone(), arguments }
}
