//! The executable `summarize`.

use std::process::ExitCode;

fn main() -> ExitCode {
    weft_cli::main(summarize::run)
}
