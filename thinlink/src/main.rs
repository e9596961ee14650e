//! `thinlink`: see the library for what it does and why.

use std::process::ExitCode;

fn main() -> ExitCode {
    weft_cli::main(thinlink::run)
}
