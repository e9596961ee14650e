//! Reading inputs and writing outputs, with errors that name the file.

use std::path::Path;

use weft_artifact::file::write_if_different;

use crate::{Blame as _, Fault};

/// Reads a whole input.
pub fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path).blame(Fault::Environment, || format!("cannot read {}", path.display()))
}

/// Writes an output unless it holds that content already: then its time stays, and a build system
/// that looks at times need not run what depends on it.
pub fn write(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    write_if_different(path, content)
        .map(drop)
        .blame(Fault::Environment, || format!("cannot write {}", path.display()))
}
