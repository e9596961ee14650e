//! Weft's executables.

use std::path::PathBuf;

use weft_action::Tool;
use weft_cli::{Fault, failure};

/// Name of this executable.
pub(crate) const NAME: &str = "weft";

/// Returns the path of another executable of Weft, which is beside this one.
pub(crate) fn own(name: &str) -> anyhow::Result<PathBuf> {
    // The other executables are not beside a symbolic link to this program.
    let this = Tool::this_program(NAME).path;
    let this = std::fs::canonicalize(&this).unwrap_or(this);
    let path = this.with_file_name(name);
    if path.is_file() {
        return Ok(path);
    }
    let message = format!("there is no {name} beside {}", this.display());
    Err(failure(Fault::Environment, message))
}
