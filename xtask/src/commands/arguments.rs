//! Arguments of commands.

use dev_process::{Error, Result};

/// Refuses arguments to a command that takes none.
pub(super) fn takes_no_arguments(command: &str, arguments: &[String]) -> Result<()> {
    match arguments.first() {
        None => Ok(()),
        Some(first) => Err(Error::usage(format!("{command} takes no arguments, got {first:?}"))),
    }
}
