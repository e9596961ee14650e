//! The variables in which nvcc looks for more words of its command.

use weft_action::first_variable;

use crate::words::split;

/// Words before those of the command, and behind them.
pub(crate) const VARIABLES: [&str; 2] = ["NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"];

/// Returns the arguments of nvcc with those of its variables, which nvcc must not see again.
pub(crate) fn with_flags(arguments: Vec<String>) -> Vec<String> {
    let [before, behind] = VARIABLES.map(|name| first_variable(name).unwrap_or_default());
    let arguments = split(&before).into_iter().chain(arguments);
    arguments.chain(split(&behind)).collect()
}
