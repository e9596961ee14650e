//! Builds commands of cargo, which only one command of the task runner needs each, in the versions
//! of `toolchain.lock`.
//!
//! They are not a part of `setup`, as building and testing Weft should not wait for them. cargo
//! verifies its downloads against the registry's digests and, because of `--locked`, against the
//! crate's own lock file.

use std::path::{Path, PathBuf};

use crate::lock::Lock;
use crate::state::State;
use dev_process::{Error, Process, Result, Stopwatch, environment};

/// Returns `cargo NAME` as a process without arguments, in the version that the lock names: from
/// `PATH`, from an earlier run, or built now.
pub fn command(root: &Path, name: &str) -> Result<Process> {
    let program = format!("cargo-{name}");
    let lock = Lock::read(root)?;
    let version = lock.crates.into_iter().find(|(name, _)| *name == program);
    let Some((_, version)) = version else {
        return Err(Error::new(format!("toolchain.lock names no version of {program}")));
    };
    let own = State::folder(root).join(&program).join("bin").join(&program);
    let present = [Some(own.clone()), environment::find_program(&program)];
    let is_wanted = |path: &PathBuf| is_of_version(path, name, &version);
    let path = match present.into_iter().flatten().find(is_wanted) {
        Some(path) => path,
        None => build(root, &program, &version).map(|()| own)?,
    };
    // Cargo itself gives the program its name as the first argument.
    Ok(Process::new(path).arg(name))
}

fn is_of_version(path: &Path, name: &str, version: &str) -> bool {
    let process = Process::new(path).args([name, "--version"]).quietly();
    environment::is_executable(path)
        && process.capture().is_ok_and(|text| text.trim() == format!("cargo-{name} {version}"))
}

fn build(root: &Path, program: &str, version: &str) -> Result<()> {
    let state = State::lock(root)?;
    let scratch = state.scratch(program)?;
    let folder = state.path(program);
    let stopwatch = Stopwatch::start();
    println!("building {program} {version}, which takes a minute or two");
    Process::new("cargo")
        .args([
            "install",
            "--quiet",
            "--locked",
            "--force",
            program,
            "--version",
            version,
            "--root",
        ])
        .arg(&folder)
        .arg("--target-dir")
        .arg(scratch.path())
        // The programs run for seconds and are built once: the release profile takes over twice the
        // time.
        .variable("CARGO_PROFILE_RELEASE_LTO", "false")
        .variable("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .output(folder.join("bin").join(program))
        .run()?;
    println!("built {program} {version} ({stopwatch})");
    Ok(())
}
