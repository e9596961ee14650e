//! `cargo xtask`: the task runner. `.cargo/config.toml` gives it that name.

use std::env;
use std::process::ExitCode;

use xtask::{commands, environment};

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
