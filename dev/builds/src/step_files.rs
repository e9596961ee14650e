//! Files that steps of a build write beside their outputs: `STEM.RULE.ENDING`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::units::files_below;
use dev_process::{Error, Result, while_trying};

/// The file of one step.
pub(super) struct StepFile {
    pub(super) path: PathBuf,
    /// Path of the step's outputs in the folder of the build, without an ending.
    pub(super) stem: String,
    pub(super) rule: String,
    pub(super) text: String,
}

impl StepFile {
    /// Returns the error about a text that is no step's.
    pub(super) fn unexpected(&self) -> Error {
        Error::new(format!("{}: unexpected text", self.path.display()))
    }
}

/// Reads the files with an ending, such as `.times`, in a folder and below it.
pub(super) fn read(folder: &Path, ending: &str) -> Result<Vec<StepFile>> {
    let mut files = Vec::new();
    for path in files_below(folder)? {
        let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy();
        let Some((stem, rule)) = name.strip_suffix(ending).and_then(|stem| stem.rsplit_once('.'))
        else {
            continue;
        };
        let (stem, rule) = (stem.to_owned(), rule.to_owned());
        let text = fs::read_to_string(&path).map_err(while_trying("read", &path))?;
        files.push(StepFile { path, stem, rule, text });
    }
    Ok(files)
}
