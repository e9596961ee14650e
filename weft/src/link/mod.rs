//! Links a program by the command that links its host code.
//!
//! The command shows all that the device link needs: the objects and archives, and their order. So
//! no build system has to know of Weft. Each step is one of Weft's executables, with the arguments
//! that build systems give it, so all of them share one cache.

mod all;
mod arguments;
mod device;
mod hidden;
mod host_link;
mod host_script;
mod inputs;
mod kept;
mod libraries;
mod modules;
mod nvcc_options;
mod progress;
mod record;
mod run;
mod tools;
mod turn;
mod version_script;

use std::path::{Path, PathBuf};

use weft_action::Scratch;
use weft_cli::{Blame as _, ExecutionArguments, Fault, failure};
use weft_workers::Workers;

use crate::drivers::{Driver, divided};
use crate::guard::{GuardArguments, guard};
use crate::program_report::{ReportArguments, program_report};
use crate::register::{RegisterArguments, register};

pub(crate) use arguments::LinkArguments;
use device::{DeviceLink, IMAGE, Linked, MANIFEST, REPORTS, text};
use hidden::hidden_symbols;
use host_link::{HostLink, Wanted};
use host_script::WithScript;
use inputs::Input;
pub(crate) use inputs::Names;
use libraries::SYSTEM_FOLDERS;
use run::Step;
use tools::Tools;
use turn::Turn;

/// Carries out `weft link`, with names for inputs whose own would not be the same in each build.
pub(crate) fn link(
    arguments: &LinkArguments,
    names: &Names,
    workers: &Workers,
) -> anyhow::Result<()> {
    let command = &arguments.command;
    let Some((host, inputs)) = read(command, Wanted::Program, names, workers)? else {
        return alone(command);
    };
    let arguments = arguments.with_options_of_command()?;
    let folder = Folder::of(&arguments)?;
    let linked = device(&arguments, (&host, &inputs), folder.path(), workers)?;
    let object = folder.path().join("registration.o");
    registration(command, &inputs, &linked, &object)?;
    let turn = Turn::wait(&host.output);
    link_host_code(&with_object(command, host.place, &object), folder.path())?;
    let (folders, _) = inputs::architectures(&inputs);
    let folders: Vec<PathBuf> =
        folders.iter().map(|architecture| folder.path().join(architecture)).collect();
    check(&host, &inputs, linked)?;
    drop(turn);
    arguments.report.as_ref().map_or(Ok(()), |file| report(file, &host, &folders))
}

/// Links the host code.
fn link_host_code(command: &[String], folder: &Path) -> anyhow::Result<()> {
    let file = folder.join("host.lds");
    match host_script::divide(command, &target_words(command), &file) {
        Some(WithScript { script, link }) => {
            alone(&script)?;
            alone(&link)
        }
        None => alone(command),
    }
}

/// Writes a report of the link from the files in the folders of its architectures.
fn report(file: &Path, host: &HostLink, folders: &[PathBuf]) -> anyhow::Result<()> {
    let all = |name: &str| folders.iter().map(|folder| folder.join(name)).collect();
    let title = host.output.file_name().unwrap_or_default().to_string_lossy();
    let arguments = ReportArguments::of_link(all(REPORTS), all(MANIFEST), all(IMAGE), &title);
    program_report(&arguments.with_output(file))
}

/// Carries out a command of nvcc that links device code alone, to an object that registers it.
pub(crate) fn device_link(arguments: &LinkArguments, workers: &Workers) -> anyhow::Result<()> {
    let command = &arguments.command;
    let Some((host, inputs)) = read(command, Wanted::DeviceCode, &Names::new(), workers)? else {
        return alone(command);
    };
    let arguments = arguments.with_options_of_command()?;
    let folder = Folder::of(&arguments)?;
    let linked = device(&arguments, (&host, &inputs), folder.path(), workers)?;
    registration(command, &inputs, &linked, &host.output)
}

/// Runs `command` as it is.
pub(crate) fn alone(command: &[String]) -> anyhow::Result<()> {
    let (program, arguments) =
        command.split_first().ok_or_else(|| failure(Fault::Usage, "there is no command to run"))?;
    Step { what: name(program), program: program.clone(), arguments: arguments.to_vec(), work: 1 }
        .run()
}

/// Returns the name of a program without its folder.
fn name(program: &str) -> String {
    Path::new(program).file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns what a command links and what is in its inputs; `None` if there is no device code that
/// can be optimized, or if it is linked already.
#[expect(clippy::disallowed_methods, reason = "ids are paths from the folder of the command")]
fn read(
    command: &[String],
    wanted: Wanted,
    names: &Names,
    workers: &Workers,
) -> anyhow::Result<Option<(HostLink, Vec<Input>)>> {
    let system_folders = SYSTEM_FOLDERS.map(PathBuf::from);
    let Some(host) = host_link::host_link(command, wanted, &system_folders)? else {
        return Ok(None);
    };
    // The command says what is wrong with a file that is not there, and some ask for that.
    if host.inputs.iter().any(|input| !input.path.is_file()) {
        return Ok(None);
    }
    let place = std::env::current_dir().blame(Fault::Environment, || ".".to_owned())?;
    let inputs = inputs::inputs(&host, &place, names, workers)?;
    let has_code = inputs.iter().any(|input| !input.architectures.is_empty());
    let is_linked = inputs.iter().any(|input| input.registers);
    Ok((has_code && !is_linked).then_some((host, inputs)))
}

/// The folder of the files between the steps.
enum Folder {
    Kept(PathBuf),
    Removed(Scratch),
}

impl Folder {
    fn of(arguments: &LinkArguments) -> anyhow::Result<Self> {
        if let Some(folder) = &arguments.keep {
            return Ok(Self::Kept(folder.clone()));
        }
        let scratch = Scratch::new();
        scratch
            .map(Self::Removed)
            .blame(Fault::Environment, || "cannot make a temporary folder".to_owned())
    }

    fn path(&self) -> &Path {
        match self {
            Self::Kept(folder) => folder,
            Self::Removed(scratch) => scratch.path(),
        }
    }
}

/// Does the device link.
#[expect(clippy::disallowed_methods, reason = "a bare program name is looked up as a shell would")]
fn device(
    arguments: &LinkArguments,
    (host, inputs): (&HostLink, &[Input]),
    folder: &Path,
    workers: &Workers,
) -> anyhow::Result<Linked> {
    let search_path = std::env::var_os("PATH");
    let program = arguments.program()?;
    let tools = Tools::find(arguments.cuda.as_deref(), program, search_path.as_deref())?;
    let settings = ExecutionArguments::default().settings()?;
    let (tools, settings) = (&tools, &settings);
    let (hidden, notes) = hidden_symbols(host, workers)?;
    for note in notes {
        weft_cli::files::say(format!("weft: note: {note}\n"));
    }
    let hidden = &hidden;
    record::linked(&DeviceLink {
        arguments,
        tools,
        settings,
        host,
        inputs,
        hidden,
        folder,
        workers,
    })
}

/// Makes the object that registers the image when the program starts.
fn registration(
    command: &[String],
    inputs: &[Input],
    linked: &Linked,
    object: &Path,
) -> anyhow::Result<()> {
    let source = linked.fatbin.with_file_name("registration.c");
    let waiting = inputs.iter().filter(|input| input.has_nvcc_units);
    register(&RegisterArguments {
        image: linked.fatbin.clone(),
        nvcc_object: waiting.map(|input| input.path.clone()).collect(),
        output: source.clone(),
    })?;
    let what = "the registration of the image".to_owned();
    let program = command.first().map_or("", String::as_str);
    let (compiler, position) = match Driver::of(program) {
        Driver::Linker => ("cc", "-fPIC"),
        Driver::Compiler => (program, "-fPIC"),
        Driver::Nvcc => (program, "-Xcompiler=-fPIC"),
    };
    let mut arguments = target_words(command);
    let words = ["-x", "c", "-O3", position, "-c", &text(&source), "-o", &text(object)];
    arguments.extend(words.map(str::to_owned));
    Step { what, program: compiler.to_owned(), arguments, work: 1 }.run()
}

/// Returns the words of a compiler's command that say what machine the code is for, and which
/// compiler of host code nvcc starts.
fn target_words(command: &[String]) -> Vec<String> {
    const JOINED: [&str; 4] = ["--gcc-toolchain=", "--sysroot=", "--target=", "-m"];
    const WITH_VALUE: [&str; 4] = ["--compiler-bindir", "--sysroot", "-ccbin", "-target"];
    let Some((program, rest)) = command.split_first() else { return Vec::new() };
    let driver = Driver::of(program);
    let mut words = Vec::new();
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        let value = driver.takes_next(word).then(|| rest.next()).flatten();
        let (name, _) = divided(word);
        let is_joined = value.is_none() && JOINED.iter().any(|start| word.starts_with(start));
        if driver != Driver::Linker && (is_joined || WITH_VALUE.contains(&name)) {
            words.push(word.clone());
            words.extend(value.cloned());
        }
    }
    words
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

/// Checks the linked program, and removes it if it lacks device code.
fn check(host: &HostLink, inputs: &[Input], linked: Linked) -> anyhow::Result<()> {
    let with_device_code = inputs.iter().map(|input| input.path.clone());
    let libraries = host.shared_libraries().map(Path::to_owned);
    guard(&GuardArguments {
        program: host.output.clone(),
        linked_from: with_device_code.chain(libraries).collect(),
        image: vec![linked.fatbin],
        manifest: linked.manifests,
        remove: true,
        ..GuardArguments::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &str) -> Vec<String> {
        command.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn the_object_comes_before_all_inputs() {
        let object = Path::new("r.o");
        for (command, place, expected) in [
            ("g++ -o app a.o -lm", 3, "g++ -o app r.o a.o -lm"),
            ("nvcc a.o -o app", 1, "nvcc -nodlink r.o a.o -o app"),
        ] {
            assert_eq!(with_object(&words(command), place, object), words(expected));
        }
    }

    #[test]
    fn the_registration_is_compiled_for_the_machine_of_the_link() {
        for (command, expected) in [
            (
                "clang++ --target=aarch64-linux-gnu -mllvm -x a.o --sysroot /s -m64 -o app",
                "--target=aarch64-linux-gnu --sysroot /s -m64",
            ),
            ("nvcc -ccbin g++-12 a.o --compiler-bindir=gcc", "-ccbin g++-12 --compiler-bindir=gcc"),
        ] {
            assert_eq!(target_words(&words(command)), words(expected), "{command}");
        }
        assert_eq!(target_words(&words("ld -m elf_x86_64 a.o")), [""; 0]);
    }
}
