//! Makes what users get of Weft.

use std::path::Path;
use std::process::ExitCode;

use dev_process::{Error, ended};

const USAGE: &str = "usage: dev-dist CHECKOUT [--verify]
Builds the executables in the checkout and packs them into dist of its target folder; with --verify,
does so again in another folder and compares the bytes.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments.as_slice() {
        [root] => dev_dist::run(Path::new(root), false),
        [root, "--verify"] => dev_dist::run(Path::new(root), true),
        _ => Err(Error::usage(USAGE)),
    };
    ended(outcome)
}
