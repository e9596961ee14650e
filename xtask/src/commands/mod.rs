//! The table of commands. A command is a file here and a row there.

mod arguments;
mod bench;
mod check;
mod dist;
mod errors;
mod fuzz;
mod gpu;
mod hunt;
mod install;
mod kill;
mod knobs;
mod load;
mod nightly;
mod pictures;
mod ptx;
mod random_programs;
mod setup;
mod test;

use std::path::Path;

use arguments::takes_no_arguments;
use dev_process::{Error, Result};

/// One row of the table.
struct Command {
    name: &'static str,
    help: &'static str,
    /// Takes the root of the checkout and the arguments after the name.
    run: fn(&Path, &[String]) -> Result<()>,
}

const COMMANDS: &[Command] = &[
    Command { name: "setup", help: setup::HELP, run: setup::run },
    Command {
        name: "demo",
        help: "build an example without LTO, with Weft, with nvcc -dlto; compare",
        run: |root, arguments| {
            takes_no_arguments("demo", arguments)?;
            dev_demo::run(root)
        },
    },
    Command { name: "test", help: test::HELP, run: test::run },
    Command { name: "knobs", help: knobs::HELP, run: knobs::run },
    Command { name: "errors", help: errors::HELP, run: errors::run },
    Command { name: "pictures", help: pictures::HELP, run: pictures::run },
    Command { name: "install", help: install::HELP, run: install::run },
    Command { name: "dist", help: dist::HELP, run: dist::run },
    Command { name: "nightly", help: nightly::HELP, run: nightly::run },
    Command { name: "fuzz", help: fuzz::HELP, run: fuzz::run },
    Command { name: "ptx", help: ptx::HELP, run: ptx::run },
    Command { name: "kill", help: kill::HELP, run: kill::run },
    Command { name: "load", help: load::HELP, run: load::run },
    Command { name: "gpu", help: gpu::HELP, run: gpu::run },
    Command { name: "hunt", help: hunt::HELP, run: hunt::run },
    Command { name: "bench", help: bench::HELP, run: bench::run },
    Command { name: "check", help: check::HELP, run: check::run },
];

/// Runs the command that the first argument names.
pub(crate) fn dispatch(root: &Path, arguments: &[String]) -> Result<()> {
    let Some((name, rest)) = arguments.split_first() else {
        return Err(Error::usage(table()));
    };
    match COMMANDS.iter().find(|command| command.name == name) {
        Some(command) => (command.run)(root, rest),
        None if ["help", "--help", "-h"].contains(&name.as_str()) => Err(Error::usage(table())),
        None => Err(Error::usage(format!("there is no command {name:?}\n\n{}", table()))),
    }
}

fn table() -> String {
    let width = COMMANDS.iter().map(|command| command.name.len()).max().unwrap_or(0);
    let rows = COMMANDS.iter().map(|Command { name, help, .. }| format!("  {name:width$}  {help}"));
    let head = ["usage: cargo xtask COMMAND [ARGUMENT...]", "", "Commands:"].map(str::to_owned);
    head.into_iter().chain(rows).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anything_but_a_command_lists_the_table_and_exits_with_2() {
        for arguments in [vec![], vec!["--help".to_owned()], vec!["chekc".to_owned()]] {
            let outcome = dispatch(Path::new("."), &arguments);
            let Err(error) = outcome else { panic!("{arguments:?} is no command") };
            assert_eq!(error.exit_code(), 2);
            for command in COMMANDS {
                assert!(error.message().contains(command.help));
            }
        }
    }
}
