//! Small CUDA programs, each of which a device linker can get wrong in one way.
//!
//! A program is a folder of `tests/corpus`. Its `program.txt` says why the program is there, how its
//! units are compiled and put together, in which order they are linked, and what host code does with
//! kernels and variables. The author states these names by hand, so that they check what Weft
//! reads from host code instead of repeating it. The README of that folder describes the format.

mod build;
mod description;
mod entries;
mod words;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use description::Description;

use crate::oracle::LinkInputs;
use crate::{Workbench, workspace_root};

/// The file of a program's folder that describes it.
const DESCRIPTION: &str = "program.txt";

/// One program of the corpus.
#[derive(Clone, Debug)]
pub struct Program {
    /// Name of its folder, which says what it is about.
    pub name: String,
    /// The mistake of a device linker that the program would show, in one or two sentences.
    pub reason: String,
    /// The folder with its sources.
    pub folder: PathBuf,
    description: Description,
}

impl Program {
    /// The program in `folder`; an error names the file and the line.
    fn read(folder: &Path) -> Result<Self, String> {
        let path = folder.join(DESCRIPTION);
        let in_file = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(&path).map_err(|error| in_file(&error))?;
        let description = Description::parse(&text).map_err(|error| in_file(&error))?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self {
            name,
            reason: description.reason.clone(),
            folder: folder.to_owned(),
            description,
        })
    }

    /// Compiles its units into the bench's folder, puts archives and relocatable objects together, and
    /// returns what is to be linked.
    pub fn build(&self, bench: &Workbench) -> Result<LinkInputs, String> {
        build::build(bench, &self.folder, &self.description)
            .map_err(|error| format!("program {}: {error}", self.name))
    }
}

/// All programs, sorted by name. Fails the test where a folder cannot be read.
pub fn programs() -> Vec<Program> {
    let mut programs: Vec<_> = folders()
        .iter()
        .map(|folder| Program::read(folder).unwrap_or_else(|error| panic!("{error}")))
        .collect();
    programs.sort_by(|one, other| one.name.cmp(&other.name));
    programs
}

/// The folder of the corpus.
fn corpus() -> PathBuf {
    workspace_root().join("tests/corpus")
}

/// The folders of its programs.
fn folders() -> Vec<PathBuf> {
    let corpus = corpus();
    let entries = std::fs::read_dir(&corpus)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", corpus.display()));
    entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}
