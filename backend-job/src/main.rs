//! The executable `backend-job`.

use std::process::ExitCode;

fn main() -> ExitCode {
    weft_cli::main(backend_job::run)
}
