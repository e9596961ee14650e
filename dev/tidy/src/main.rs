//! Checks the checkout in the current folder, or lists the imports of one of its packages.

use std::io;
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: dev-tidy [ROOT [PACKAGE-FOLDER]]
Checks the checkout at ROOT, or lists the imports between the files of one package.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.as_slice() {
        [] => check(Path::new(".")),
        [option] if option.starts_with('-') => Err(io::Error::other(USAGE)),
        [root] => check(Path::new(root)),
        [root, package] => list(Path::new(root), package),
        _ => Err(io::Error::other(USAGE)),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("{error}");
        ExitCode::FAILURE
    })
}

fn check(root: &Path) -> io::Result<ExitCode> {
    let report = dev_tidy::check(root)?;
    print!("{report}");
    Ok(if report.is_tidy() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn list(root: &Path, package: &str) -> io::Result<ExitCode> {
    for line in dev_tidy::imports(root, package)? {
        println!("{line}");
    }
    Ok(ExitCode::SUCCESS)
}
