//! `cargo xtask errors`: checks the page of all errors, or writes it.

use std::path::Path;

use dev_process::{Error, Result};

/// The line in the table of commands.
pub(crate) const HELP: &str = "check the page of all errors; --write makes docs/errors.md";

/// Checks the page, or writes it.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let writes = match arguments {
        [] => false,
        [option] if option == "--write" => true,
        _ => return Err(Error::usage("usage: cargo xtask errors [--write]")),
    };
    let (errors, tested) = dev_errors::check(root, writes)?;
    println!("{errors} errors, of which tests reach {tested}");
    Ok(())
}
