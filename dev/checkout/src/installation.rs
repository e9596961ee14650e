//! An install tree of Weft: what a user's CMake, Bazel and shell find in a prefix.
//!
//! | below the prefix | what |
//! |---|---|
//! | `bin` | the executables |
//! | `lib/cmake/Weft` | the CMake package |
//! | `share/weft/bazel` | the Bazel rules, as a repository |
//! | `share/bash-completion/completions` | completion of the executables' options |
//!
//! Files of an earlier install are replaced, and all other files in the prefix are left alone.

use std::fs;
use std::path::Path;

use crate::executables::PACKAGES;
use dev_process::{Process, Result, remove, while_trying};

/// Puts the executables in `executables`, with the packages in the checkout at `root`, into
/// `prefix`.
pub fn install(root: &Path, executables: &Path, prefix: &Path) -> Result<()> {
    for (from, to) in [("cmake", "lib/cmake/Weft"), ("bazel", "share/weft/bazel")] {
        let to = prefix.join(to);
        remove(&to)?;
        copy_folder(&root.join(from), &to)?;
    }
    let completions = prefix.join("share/bash-completion/completions");
    fs::create_dir_all(&completions).map_err(while_trying("create", &completions))?;
    let bin = prefix.join("bin");
    fs::create_dir_all(&bin).map_err(while_trying("create", &bin))?;
    for name in PACKAGES {
        let (built, installed) = (executables.join(name), bin.join(name));
        // The old executable may be running, so it is removed and not overwritten.
        remove(&installed)?;
        fs::copy(&built, &installed).map_err(while_trying("copy", &built))?;
        let script = Process::new(&installed).args(["--completion", "bash"]).quietly().capture()?;
        let completion = completions.join(name);
        fs::write(&completion, script).map_err(while_trying("write", &completion))?;
    }
    Ok(())
}

/// Copies a folder with its content.
pub fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).map_err(while_trying("create", to))?;
    for entry in fs::read_dir(from).map_err(while_trying("read", from))? {
        let entry = entry.map_err(while_trying("read", from))?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy_folder(&from, &to)?;
        } else {
            fs::copy(&from, &to).map_err(while_trying("copy", &from))?;
        }
    }
    Ok(())
}
