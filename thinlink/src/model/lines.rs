//! Files that list something, one item per line.

use std::path::Path;

use weft_cli::{Blame as _, Fault, files};

/// Returns the lines of a file without the space around them. Empty lines are ignored.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<String>> {
    let text = String::from_utf8(files::read(path)?)
        .blame(Fault::Input, || format!("{} is no text", path.display()))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    Ok(lines.map(str::to_owned).collect())
}
