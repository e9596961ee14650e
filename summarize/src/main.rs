//! The executable `summarize`.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Nothing has started a thread yet.
    weft_device_ir::keep_variables(weft_cli::is_variable_read);
    weft_cli::main(summarize::run)
}
