//! Reading inputs and writing outputs, with errors that name the file.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use weft_artifact::file::{write_framed, write_if_different, write_large_if_different};

use crate::{Blame as _, Fault};

/// Reads a whole input.
pub fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path).blame(Fault::Environment, || format!("cannot read {}", path.display()))
}

/// Puts the lines of FILE, one path each, in the place of every argument `@FILE`.
pub fn expand_responses(arguments: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut paths = Vec::with_capacity(arguments.len());
    for argument in arguments {
        let Some(file) = argument.to_str().and_then(|it| it.strip_prefix('@')) else {
            paths.push(argument.clone());
            continue;
        };
        let text = std::fs::read_to_string(file)
            .blame(Fault::Environment, || format!("cannot read response file {file}"))?;
        paths.extend(text.lines().filter(|line| !line.is_empty()).map(PathBuf::from));
    }
    Ok(paths)
}

/// Writes an output unless it holds that content already: then its time stays, and a build system
/// that looks at times need not run what depends on it.
pub fn write(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    written(path, write_if_different(path, content))
}

/// As [`write()`], for content that tells by itself whether it is whole.
pub fn write_artifact(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    written(path, write_framed(path, content))
}

/// As [`write()`], for content that is too large to be in memory: `write` writes it.
pub fn write_large(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> anyhow::Result<()> {
    written(path, write_large_if_different(path, write))
}

fn written(path: &Path, is_new: io::Result<bool>) -> anyhow::Result<()> {
    is_new.map(drop).blame(Fault::Environment, || format!("cannot write {}", path.display()))
}
