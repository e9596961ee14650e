//! Checks the checkout in the current folder, or lists the imports of one of its packages.

use std::path::Path;
use std::process::ExitCode;

use dev_process::{Error, Result};

const USAGE: &str = "usage: dev-tidy [ROOT [PACKAGE-FOLDER]]
Checks the checkout at ROOT, or lists the imports between the files of one package.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.as_slice() {
        [] => check(Path::new(".")),
        [option] if option.starts_with('-') => Err(Error::usage(USAGE)),
        [root] => check(Path::new(root)),
        [root, package] => list(Path::new(root), package),
        _ => Err(Error::usage(USAGE)),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("{error}");
        ExitCode::from(error.exit_code())
    })
}

fn check(root: &Path) -> Result<ExitCode> {
    let report = dev_tidy::check(root)?;
    print!("{report}");
    Ok(if report.is_tidy() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn list(root: &Path, package: &str) -> Result<ExitCode> {
    for line in dev_tidy::imports(root, package)? {
        println!("{line}");
    }
    Ok(ExitCode::SUCCESS)
}
