//! Lays out NVIDIA's Python wheels as one CUDA root.
//!
//! The wheels are the only CUDA that a package registry offers by digest and without an installer.
//! Each holds a part of one tree, so unpacking them together gives a CUDA root, except for two
//! links that the tools expect. The root is built aside and renamed into place.

use std::fs;
use std::path::{Path, PathBuf};

use crate::lock::Lock;
use crate::state::State;
use dev_process::{Error, Process, Result, Stopwatch, environment, remove, while_trying};

/// Variable that names an existing CUDA root; nothing of CUDA is installed when it is set.
pub const CUDA_VARIABLE: &str = "WEFT_CUDA_ROOT";

/// Folder of the tree in the wheels.
const TREE: &str = "nvidia/cu13";
/// Links that the wheels lack, with their targets. `nvlink -dlto` looks for the first, and a linker
/// with `-lcudart` for the second.
const LINKS: &[(&str, &str)] =
    &[("nvvm/lib64/libnvvm.so", "../../lib/libnvvm.so.4"), ("lib/libcudart.so", "libcudart.so.13")];

/// Returns the CUDA root, or `None` if there is none. A root that the user names must exist and be
/// of the right version.
pub(crate) fn root(workspace: &Path, major: &str) -> Result<Option<PathBuf>> {
    if let Some(given) = environment::variable(CUDA_VARIABLE).map(PathBuf::from) {
        return check_given(&given, major).map(|()| Some(given));
    }
    let installed = State::folder(workspace).join("cuda");
    Ok(installed.is_dir().then_some(installed))
}

/// Returns whether the installed CUDA root came from the wheels that the lock asks for.
pub(crate) fn is_current(workspace: &Path, lock: &Lock) -> bool {
    fs::read_to_string(State::folder(workspace).join("cuda.stamp"))
        .is_ok_and(|stamp| stamp == lock.requirements())
}

/// Replaces the installed CUDA root by the one that the lock asks for.
pub(crate) fn install(workspace: &Path, lock: &Lock) -> Result<()> {
    check_machine()?;
    check_pip()?;
    let state = State::lock(workspace)?;
    let (root, stamp) = (state.path("cuda"), state.path("cuda.stamp"));
    if root.is_dir() && is_current(workspace, lock) && links_are_there(&root) {
        return Ok(()); // The run that we waited for has done it.
    }
    let stopwatch = Stopwatch::start();
    let megabytes = lock.wheels.iter().map(|wheel| wheel.size).sum::<u64>() / 1_000_000;
    println!("installing CUDA {}: {} wheels, {megabytes} MB", lock.cuda, lock.wheels.len());
    let scratch = state.scratch("cuda")?;
    let tree = unpack(scratch.path(), lock)?;
    add_links(&tree)?;
    // Without its stamp the root counts as stale, wherever the installation is interrupted.
    remove(&stamp)?;
    remove(&root)?;
    fs::rename(&tree, &root).map_err(while_trying("move into place", &tree))?;
    fs::write(&stamp, lock.requirements()).map_err(while_trying("write", &stamp))?;
    println!("installed CUDA {} in {} ({stopwatch})", lock.cuda, root.display());
    Ok(())
}

/// Has pip download, verify and unpack the wheels; returns the tree that they make.
fn unpack(scratch: &Path, lock: &Lock) -> Result<PathBuf> {
    let requirements = scratch.join("requirements.txt");
    fs::write(&requirements, lock.requirements()).map_err(while_trying("write", &requirements))?;
    let site = scratch.join("site");
    let downloads = scratch.join("downloads");
    fs::create_dir(&downloads).map_err(while_trying("create", &downloads))?;
    Process::new("python3")
        .args(["-m", "pip", "install", "--quiet", "--no-input", "--no-cache-dir", "--no-compile"])
        .args(["--disable-pip-version-check", "--no-deps", "--only-binary=:all:"])
        .args(["--require-hashes", "--target"])
        .arg(&site)
        .arg("--requirement")
        .arg(&requirements)
        // The downloads are on the disk that needs the space anyhow, and go with the scratch
        // folder.
        .variable("TMPDIR", &downloads)
        // These settings of pip are not about a folder of our own.
        .variable("PIP_ROOT_USER_ACTION", "ignore")
        .variable("PIP_REQUIRE_VIRTUALENV", "0")
        .output(site.join(TREE))
        .run()?;
    Ok(site.join(TREE))
}

#[cfg(unix)]
fn add_links(tree: &Path) -> Result<()> {
    for (link, target) in LINKS {
        let link = tree.join(link);
        if let Some(folder) = link.parent() {
            fs::create_dir_all(folder).map_err(while_trying("create", folder))?;
        }
        if link.symlink_metadata().is_err() {
            std::os::unix::fs::symlink(target, &link).map_err(while_trying("link", &link))?;
        }
    }
    if links_are_there(tree) {
        return Ok(());
    }
    Err(Error::new("the wheels no longer hold the libraries that the links of a CUDA root go to"))
}

#[cfg(not(unix))]
fn add_links(_tree: &Path) -> Result<()> {
    check_machine()
}

fn links_are_there(tree: &Path) -> bool {
    LINKS.iter().all(|(link, _)| tree.join(link).is_file())
}

fn check_machine() -> Result<()> {
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Ok(());
    }
    Err(Error::new("cannot install CUDA: the wheels in toolchain.lock are for Linux on x86-64"))
}

fn check_pip() -> Result<()> {
    if environment::find_program("python3").is_none() {
        let text = "cannot install CUDA: this system has no python3 (Debian package python3-pip)";
        return Err(Error::new(text));
    }
    let version = Process::new("python3").args(["-m", "pip", "--version"]).quietly().outcome()?;
    if version.success {
        return Ok(());
    }
    Err(Error::new("cannot install CUDA: this python3 has no pip (Debian package python3-pip)"))
}

fn check_given(root: &Path, major: &str) -> Result<()> {
    let header = root.join("include/cuda.h");
    let Ok(text) = fs::read(&header) else {
        let text = format!("{CUDA_VARIABLE} is {}, but it has no include/cuda.h", root.display());
        return Err(Error::new(text));
    };
    let found = major_version(&String::from_utf8_lossy(&text));
    if found.as_deref() == Some(major) {
        return Ok(());
    }
    let (root, found) = (root.display(), found.unwrap_or_else(|| "of no version".to_owned()));
    Err(Error::new(format!("{CUDA_VARIABLE} is {root}: CUDA {found}, but {major} is needed")))
}

/// Reads the major version from `#define CUDA_VERSION 13050` in `cuda.h`.
fn major_version(header: &str) -> Option<String> {
    let number = header.lines().find_map(|line| line.strip_prefix("#define CUDA_VERSION "))?;
    let number: u32 = number.trim().parse().ok()?;
    Some((number / 1000).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read_from_the_header() {
        let header = "/* x */\n#define CUDA_VERSION 13050\n#define CUDA_CB\n";
        assert_eq!(major_version(header).as_deref(), Some("13"));
        assert_eq!(major_version("#define CUDA_VERSION_X 1"), None);
    }
}
