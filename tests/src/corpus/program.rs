//! A program of the corpus: its description, its files and its two links.

use std::path::{Path, PathBuf};

use super::build;
use super::description::Description;
use super::folders::folders;
use crate::oracle::{self, Failure, LinkInputs};
use crate::{Compiler, Workbench};

/// Name of the file that describes a program, in the program's folder.
pub(super) const DESCRIPTION: &str = "program.txt";

/// Options of the thin link: a job for each unit, one job for all, jobs of several units, and jobs
/// that share no code.
pub const JOBS: [&[&str]; 4] = [&[], &["--full"], &["--pack=64"], CALLS];

/// Options of the thin link with which modules call every function of another one.
pub(super) const CALLS: &[&str] = &["--copy-limit=0"];

/// One program of the corpus.
#[derive(Clone, Debug)]
pub struct Program {
    /// Name of the program's folder, which says what the program is about.
    pub name: String,
    /// Mistake of a device linker that the program would show, in one or two sentences.
    pub reason: String,
    /// Path of the folder with the program's sources.
    pub folder: PathBuf,
    pub(super) description: Description,
}

impl Program {
    /// Reads the program in `folder`; an error names the file and the line.
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

    /// Compiles the units into the bench's folder, makes the archives and relocatable objects, and
    /// returns the inputs of the link.
    pub fn build(&self, bench: &Workbench) -> Result<LinkInputs, String> {
        build::build(bench, &self.folder, &self.description)
            .map_err(|error| format!("program {}: {error}", self.name))
    }

    /// Compares both links of the program.
    pub fn check(&self) -> Result<(), Box<Failure>> {
        oracle::check(&self.name, |bench| self.build(bench))
    }

    /// Does the same with units of other compilers, which take turns.
    pub fn check_by(&self, compilers: &[Compiler]) -> Result<(), Box<Failure>> {
        let bench = Workbench::with_compilers(compilers);
        oracle::check_in(bench, &self.name, |bench| self.build(bench))
    }

    /// Does the same for each of some lists of options of `thinlink`.
    pub fn check_with_each(&self, lists: &[&[&str]]) -> Result<(), Box<Failure>> {
        oracle::check_outcome(Workbench::new(), &self.name, |bench| {
            oracle::compare_with_each(bench, &self.build(bench)?, lists)
        })
    }
}

/// Returns all programs, sorted by name. Fails the test if a folder cannot be read.
pub fn programs() -> Vec<Program> {
    let mut programs: Vec<_> = folders()
        .iter()
        .map(|folder| Program::read(folder).unwrap_or_else(|error| panic!("{error}")))
        .collect();
    programs.sort_by(|one, other| one.name.cmp(&other.name));
    programs
}
