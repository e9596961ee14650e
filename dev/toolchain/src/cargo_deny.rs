//! Builds cargo-deny, which only `cargo xtask check` needs, in the version of `toolchain.lock`.
//!
//! It is not a part of `setup`, as building and testing Weft should not wait for it. cargo verifies
//! its downloads against the registry's digests and, because of `--locked`, against the crate's own
//! lock file.

use std::path::{Path, PathBuf};

use crate::lock::Lock;
use crate::state::State;
use dev_process::{Error, Process, Result, Stopwatch, environment};

const NAME: &str = "cargo-deny";

/// Returns the program in the version that the lock names: from `PATH`, from an earlier run, or
/// built now.
pub fn ensure(root: &Path) -> Result<PathBuf> {
    let lock = Lock::read(root)?;
    let version = lock.crates.into_iter().find(|(name, _)| name == NAME);
    let Some((_, version)) = version else {
        return Err(Error::new(format!("toolchain.lock names no version of {NAME}")));
    };
    let own = State::folder(root).join(NAME).join("bin").join(NAME);
    let present = [Some(own.clone()), environment::find_program(NAME)];
    match present.into_iter().flatten().find(|path| is_of_version(path, &version)) {
        Some(path) => Ok(path),
        None => build(root, &version).map(|()| own),
    }
}

fn is_of_version(program: &Path, version: &str) -> bool {
    let process = Process::new(program).arg("--version").quietly();
    environment::is_executable(program)
        && process.capture().is_ok_and(|text| text.trim() == format!("{NAME} {version}"))
}

fn build(root: &Path, version: &str) -> Result<()> {
    let state = State::lock(root)?;
    let scratch = state.scratch(NAME)?;
    let folder = state.path(NAME);
    let stopwatch = Stopwatch::start();
    println!("building {NAME} {version}, which takes a minute or two");
    Process::new("cargo")
        .args(["install", "--quiet", "--locked", "--force", NAME, "--version", version, "--root"])
        .arg(&folder)
        .arg("--target-dir")
        .arg(scratch.path())
        // The program runs for a second and is built once: its release profile takes over twice the
        // time.
        .variable("CARGO_PROFILE_RELEASE_LTO", "false")
        .variable("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .output(folder.join("bin").join(NAME))
        .run()?;
    println!("built {NAME} {version} ({stopwatch})");
    Ok(())
}
