//! nvcc, except that relocatable device code is optimized across units.
//!
//! A unit is compiled to LTO IR instead of machine code, and links of device code and of programs
//! go through [`crate::link`]. All else is nvcc's own.

mod compile;
mod mode;
mod one_step;

use std::path::{Path, PathBuf};

use weft_action::{BuildCommand, Scratch, Tool, find_program};
use weft_cli::{Blame as _, DOCTOR_HINT, Fault, ToolPlaces, failure};
use weft_workers::Workers;

use crate::link::{self, LinkArguments, Names};
use crate::nvcc_flags::{self, with_flags};
use mode::Mode;

/// Name by which the executable is nvcc.
const NAME: &str = "weft-nvcc";

/// Returns the arguments for nvcc, if the executable was called as nvcc: by that name, or with the
/// word `nvcc` in front.
pub(crate) fn arguments(mut words: impl Iterator<Item = String>) -> Option<Vec<String>> {
    let program = words.next()?;
    if Path::new(&program).file_name().is_some_and(|name| name == NAME) {
        return Some(words.collect());
    }
    (words.next()? == "nvcc").then(|| words.collect())
}

/// Does what nvcc does with `arguments`.
#[expect(clippy::disallowed_methods, reason = "nvcc is looked up as a shell would")]
pub(crate) fn nvcc(arguments: &[String]) -> anyhow::Result<()> {
    let arguments = &with_flags(arguments.to_vec())[..];
    let link = LinkArguments::of_variable()?;
    // Before a file is opened.
    let workers = link.workers();
    let search_path = std::env::var_os("PATH");
    let nvcc = find_nvcc(search_path.as_deref())?;
    let command = |arguments: Vec<String>| [vec![nvcc.clone()], arguments].concat();
    match mode::of(arguments)? {
        Mode::Unit => {
            let plan = |words: &[String]| plan(command(words.to_vec()));
            link::alone(&command(compile::to_lto_ir(arguments, plan)?))
        }
        Mode::DeviceLink => {
            link::device_link(&link.with_command(command(arguments.to_vec())), &workers)
        }
        Mode::Link => {
            let link = link.with_command(command(arguments.to_vec()));
            link::link(&link, &Names::new(), &workers)
        }
        Mode::UnitsAndLink => units_and_link(arguments, &command, &link, &workers),
        Mode::Other => link::alone(&command(arguments.to_vec())),
    }
}

/// Compiles the units of a command that links as well, each to LTO IR, and links them.
fn units_and_link(
    arguments: &[String],
    command: &dyn Fn(Vec<String>) -> Vec<String>,
    link: &LinkArguments,
    workers: &Workers,
) -> anyhow::Result<()> {
    let scratch =
        Scratch::new().blame(Fault::Environment, || "cannot make a temporary folder".to_owned())?;
    let Some(divided) = one_step::divide(arguments, scratch.path())? else {
        let link = link.with_command(command(arguments.to_vec()));
        return link::link(&link, &Names::new(), workers);
    };
    let mut names = Names::new();
    for unit in divided.units {
        let plan = |words: &[String]| plan(command(words.to_vec()));
        link::alone(&command(compile::to_lto_ir(&unit.arguments, plan)?))?;
        names.insert(unit.object, unit.source);
    }
    link::link(&link.with_command(command(divided.link)), &names, workers)
}

/// Returns the commands that a command of nvcc would run, and its warnings.
fn plan(mut command: Vec<String>) -> anyhow::Result<String> {
    command.push("--dryrun".to_owned());
    let (program, arguments) = (&command[0], &command[1..]);
    let without = &nvcc_flags::VARIABLES[..];
    let command = BuildCommand { program, arguments, without, group: None };
    let output = command.run_with_output();
    let output = output.blame(Fault::Environment, || format!("cannot start {program}"))?;
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Finds nvcc: in the root of CUDA that is named, or on the search path, where this program may be
/// under its name.
fn find_nvcc(search_path: Option<&std::ffi::OsStr>) -> anyhow::Result<String> {
    let this = std::fs::canonicalize(Tool::this_program("weft").path).ok();
    let is_other = |path: &PathBuf| std::fs::canonicalize(path).ok() != this;
    let on_path = find_program(Path::new("nvcc"), search_path).filter(is_other);
    let place = ToolPlaces::of_cuda(None).cuda();
    let in_root = place.path.map(|root| root.join("bin/nvcc")).filter(|path| path.is_file());
    let found = in_root.filter(is_other).or(on_path);
    found.map(|path| path.to_string_lossy().into_owned()).ok_or_else(|| {
        let message = format!("there is no nvcc on the search path; {DOCTOR_HINT}");
        failure(Fault::Environment, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_executable_is_nvcc_by_its_name_or_its_first_word() {
        let of = |words: &str| arguments(words.split(' ').map(str::to_owned));
        assert_eq!(of("/bin/weft-nvcc -c a.cu"), Some(vec!["-c".to_owned(), "a.cu".to_owned()]));
        assert_eq!(of("weft nvcc -c"), Some(vec!["-c".to_owned()]));
        assert_eq!(of("weft link -- nvcc"), None);
        assert_eq!(of("weft"), None);
    }
}
