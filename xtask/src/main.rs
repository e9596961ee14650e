//! The task runner: everything a developer or the CI does with this repository, as one program.
//!
//! It has no dependencies and needs none of the tools that it installs, so a fresh checkout and a
//! Rust toolchain are enough to start it. `.cargo/config.toml` makes it `cargo xtask`.

mod commands;
mod environment;
mod error;
mod process;
mod stopwatch;
mod toolchain;

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let outcome =
        environment::workspace_root().and_then(|root| commands::dispatch(&root, &arguments));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if !error.message().is_empty() {
                eprintln!("{}", error.message());
            }
            ExitCode::from(error.exit_code())
        }
    }
}
