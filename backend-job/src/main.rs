//! The executable `backend-job`.

use std::process::ExitCode;

fn main() -> ExitCode {
    // No thread has been started yet, as `keep_variables` requires.
    weft_device_ir::keep_variables(weft_cli::is_variable_read);
    weft_cli::main(backend_job::run)
}
