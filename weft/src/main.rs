//! The executable `weft`, which is a call of its library.

use std::process::ExitCode;

fn main() -> ExitCode {
    match weft::as_nvcc() {
        Some(code) => code,
        None => weft_cli::main(weft::run),
    }
}
