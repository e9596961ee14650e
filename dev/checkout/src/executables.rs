//! Builds the executables of Weft as their users get them.

use std::path::{Path, PathBuf};

use dev_process::{Error, Process, Result};
use dev_toolchain::Toolchain;

/// Packages with one executable of the same name each.
pub const PACKAGES: &[&str] = &["summarize", "thinlink", "backend-job", "weft"];

/// Builds the executables with optimization and returns the folder that holds them.
pub fn build(root: &Path, toolchain: &Toolchain) -> Result<PathBuf> {
    let folder = target_folder(root)?.join("release");
    let packages = PACKAGES.iter().flat_map(|package| ["--package", package]);
    Process::new("cargo")
        .args(["build", "--release", "--locked", "--bins"])
        .args(packages)
        .variables(toolchain.environment())
        .directory(root)
        .run()?;
    match PACKAGES.iter().find(|package| !folder.join(package).is_file()) {
        Some(package) => {
            Err(Error::new(format!("cargo built no {}", folder.join(package).display())))
        }
        None => Ok(folder),
    }
}

/// Builds all executables of the workspace as the end-to-end tests run them: cargo builds
/// executables only for tests of the same package.
pub fn build_for_tests(root: &Path, toolchain: &Toolchain) -> Result<()> {
    Process::new("cargo")
        .args(["build", "--workspace", "--bins", "--locked"])
        .variables(toolchain.environment())
        .directory(root)
        .run()
}

/// Returns cargo's target folder, which a variable or a configuration file may have moved.
pub fn target_folder(root: &Path) -> Result<PathBuf> {
    let metadata = Process::new("cargo")
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .directory(root)
        .quietly()
        .capture()?;
    let folder = metadata.split_once("\"target_directory\":\"").map(|(_, rest)| rest);
    let folder = folder.and_then(|rest| rest.split('"').next()).map(PathBuf::from);
    folder.ok_or_else(|| Error::new("cargo metadata names no target_directory"))
}
