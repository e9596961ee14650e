//! One declared action: a program, its arguments, its inputs, its outputs.
//!
//! This crate is the one place of the product that starts processes. An action runs in a folder of
//! its own that holds its inputs and nothing else, with an empty environment, under names that the
//! action declares. So neither a path of the machine nor its environment can reach an output, and
//! what is written that was not declared is lost. A program that exits with 0 and has not written
//! its outputs has failed.

mod run_here;

use std::path::{Path, PathBuf};
use std::time::Duration;

pub use run_here::ActionError;

/// A declared action.
#[derive(Clone, Debug)]
pub struct Action<'data> {
    /// The program's file.
    pub program: PathBuf,
    /// Its arguments. Files are named as in `inputs` and `outputs`.
    pub arguments: Vec<String>,
    /// Names and contents of the files that it reads.
    pub inputs: Vec<(&'static str, &'data [u8])>,
    /// Name of the file that it writes.
    pub output: &'static str,
    /// How long it may run before it is ended. It is no part of what the action makes.
    pub time_limit: Option<Duration>,
}

/// What an action that succeeded made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// The output's content.
    pub output: Vec<u8>,
    /// What the program printed, on either stream.
    pub messages: String,
}

impl Action<'_> {
    /// Runs the action on this machine.
    pub fn run_here(&self) -> Result<Done, ActionError> {
        run_here::run(self)
    }
}

/// Finds `name` in the folders of `search_path`, unless it names a file with its folder already.
pub fn find_program(name: &Path, search_path: Option<&std::ffi::OsStr>) -> Option<PathBuf> {
    if name.components().count() > 1 {
        return name.is_file().then(|| name.to_path_buf());
    }
    std::env::split_paths(search_path?).map(|folder| folder.join(name)).find(|it| it.is_file())
}
