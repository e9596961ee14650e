//! Texts of an executable about itself: completion scripts and manual pages.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::files;

/// Options that every executable has.
#[derive(Args, Clone, Debug)]
pub struct CommonArguments {
    /// Print a completion script for the shell and do nothing else
    #[arg(long, value_name = "SHELL", value_enum)]
    completion: Option<Shell>,
    /// Write the manual pages into a folder and do nothing else
    #[arg(long, value_name = "DIR")]
    man: Option<PathBuf>,
}

/// Does what `arguments` ask for with one of these options, which are answered before the command
/// line is checked; `None` if there is none.
pub(crate) fn printed(
    command: impl Fn() -> Command,
    arguments: &[OsString],
) -> Option<anyhow::Result<()>> {
    let value_of = |option: &str| {
        let position = arguments.iter().position(|argument| argument == option)?;
        arguments.get(position + 1)
    };
    let shell = value_of("--completion").and_then(|shell| shell.to_str()?.parse().ok());
    if let Some(shell) = shell {
        return Some(files::print(&completion(command(), shell)));
    }
    let folder = value_of("--man").map(PathBuf::from);
    folder.map(|folder| manual(command(), &folder))
}

fn completion(mut command: Command, shell: Shell) -> Vec<u8> {
    let name = command.get_name().to_owned();
    // clap_complete panics where nobody reads standard output, so it writes into memory.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut script);
    script
}

/// Writes a page for the executable, and one for each of its commands.
fn manual(mut command: Command, folder: &Path) -> anyhow::Result<()> {
    command.build();
    let mut all = Vec::new();
    pages(&command, &mut all)?;
    all.iter().try_for_each(|(name, page)| files::write(&folder.join(name), page))
}

fn pages(command: &Command, all: &mut Vec<(String, Vec<u8>)>) -> io::Result<()> {
    let page = Man::new(command.clone());
    let mut text = Vec::new();
    page.render(&mut text)?;
    all.push((page.get_filename(), text));
    let mut below = command.get_subcommands().filter(|below| below.get_name() != "help");
    below.try_for_each(|below| pages(below, all))
}
