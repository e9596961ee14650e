//! The executable `weft`, which is a call of its library.

use std::process::ExitCode;

fn main() -> ExitCode {
    weft_cli::main(weft::run)
}
