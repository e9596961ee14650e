//! Builds the executables without a trace of the build machine or the build folder.

use std::path::{Path, PathBuf};

use dev_checkout::executables::PACKAGES;
use dev_process::{Error, Process, Result, environment};
use dev_toolchain::Toolchain;

use crate::system::rustc;

/// Separates the compiler's options in cargo's variable.
const SEPARATOR: &str = "\x1f";

/// Builds in a separate target folder, as other options compile everything again, and returns the
/// folder of the executables.
pub fn executables(root: &Path, toolchain: &Toolchain) -> Result<PathBuf> {
    let folders = renamed_folders(root)?;
    let rust: Vec<String> =
        folders.iter().map(|(from, to)| format!("--remap-path-prefix={from}={to}")).collect();
    let c: Vec<String> =
        folders.iter().map(|(from, to)| format!("-ffile-prefix-map={from}={to}")).collect();
    let target = root.join("target/dist-build");
    let built = target.join("release");
    let mut process = Process::new("cargo")
        .args(["build", "--release", "--locked", "--bins"])
        .args(PACKAGES.iter().flat_map(|package| ["--package", package]))
        .arg("--target-dir")
        .arg(&target)
        .variables(toolchain.environment())
        .variable("CARGO_ENCODED_RUSTFLAGS", rust.join(SEPARATOR))
        .directory(root);
    for variable in ["CFLAGS", "CXXFLAGS"] {
        process = process.variable(variable, c.join(" "));
    }
    process.run()?;
    match PACKAGES.iter().find(|package| !built.join(package).is_file()) {
        Some(package) => {
            Err(Error::new(format!("cargo built no {}", built.join(package).display())))
        }
        None => Ok(built),
    }
}

/// Returns the folders whose paths compilers would record, each with its replacement. The compilers
/// apply the last one that matches.
fn renamed_folders(root: &Path) -> Result<Vec<(String, String)>> {
    let cargo = cargo_home()?;
    let commit = rustc(&["--version", "--verbose"])?;
    let commit = commit.lines().find_map(|line| line.strip_prefix("commit-hash: "));
    let sources = format!("{}/lib/rustlib/src/rust", rustc(&["--print", "sysroot"])?);
    let mut folders = vec![
        (text(&cargo)?, "cargo".to_owned()),
        // The official builds of rustc use this name for Rust's sources, so the name is the same
        // whether or not the sources are installed here.
        (sources, format!("/rustc/{}", commit.unwrap_or_default())),
        (text(root)?, "weft".to_owned()),
    ];
    // The name of a registry's folder depends on how the machine reaches it.
    let registries = std::fs::read_dir(cargo.join("registry/src")).into_iter().flatten().flatten();
    let mut registries: Vec<PathBuf> = registries.map(|entry| entry.path()).collect();
    registries.sort();
    for registry in registries {
        folders.push((text(&registry)?, "crates".to_owned()));
    }
    Ok(folders)
}

/// Returns the folders whose paths no file for users may hold.
pub(crate) fn folders_of_this_machine(root: &Path) -> Result<Vec<String>> {
    Ok(vec![text(root)?, text(&cargo_home()?)?, rustc(&["--print", "sysroot"])?])
}

fn cargo_home() -> Result<PathBuf> {
    let home = || environment::variable("HOME").map(|home| PathBuf::from(home).join(".cargo"));
    let cargo = environment::variable("CARGO_HOME").map(PathBuf::from).or_else(home);
    cargo.ok_or_else(|| Error::new("neither CARGO_HOME nor HOME names cargo's folder"))
}

fn text(path: &Path) -> Result<String> {
    let text = path.to_str().filter(|text| !text.contains(char::is_whitespace));
    let problem =
        || Error::new(format!("{} has a space or is not Unicode: build elsewhere", path.display()));
    text.map(str::to_owned).ok_or_else(problem)
}
