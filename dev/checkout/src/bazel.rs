//! Folders that are Bazel workspaces with the rules of this checkout, for tests and benches.
//!
//! The functions here write text and return commands, so that tests can run them in their own way.

use std::fs;
use std::path::{Path, PathBuf};

use dev_process::{Process, Result, while_trying};

const DEFINITION: &str = include_str!("bazel/WORKSPACE.in");
/// Repositories that Bazel's own packages name during toolchain resolution, and that Bazel would
/// fetch regardless of the rules in use.
const STUBS: [&str; 3] = ["rules_cc", "rules_java", "remote_coverage_tools"];

/// Places of the parts that a workspace uses.
#[derive(Clone, Debug)]
pub struct Parts<'paths> {
    /// The checkout.
    pub checkout: &'paths Path,
    /// The prefix of LLVM.
    pub llvm_prefix: &'paths Path,
    /// The CUDA root.
    pub cuda_root: &'paths Path,
    /// Folder of Weft's executables.
    pub executables: &'paths Path,
}

/// Makes `folder` a workspace whose Bazel keeps everything below `output_root`. `options` are more
/// lines of its `.bazelrc`.
pub fn write(
    folder: &Path,
    output_root: &Path,
    parts: &Parts<'_>,
    options: &[String],
) -> Result<()> {
    let rules = parts.checkout.join("bazel");
    let definition = DEFINITION.replace("@RULES@", &rules.to_string_lossy());
    let mut lines = vec![
        format!("startup --output_user_root={}", output_root.display()),
        "startup --max_idle_secs=60 --host_jvm_args=-Xmx1g".to_owned(),
        "build --spawn_strategy=sandboxed --incompatible_strict_action_env --jobs=2".to_owned(),
        // Debian's settings turn this option on, and then no sandbox is removed.
        "build --nosandbox_debug --color=no --curses=no --show_progress_rate_limit=60".to_owned(),
    ];
    let variables = [
        ("WEFT_CUDA_ROOT", parts.cuda_root),
        ("WEFT_EXECUTABLES", parts.executables),
        ("WEFT_LLVM_PREFIX", parts.llvm_prefix),
    ];
    lines.extend(
        variables.map(|(name, path)| format!("build --repo_env={name}={}", path.display())),
    );
    lines.extend(STUBS.map(|name| {
        let stub = parts.checkout.join("tests/bazel/stubs").join(name);
        format!("build --override_repository={name}={}", stub.display())
    }));
    lines.extend_from_slice(options);
    for (name, text) in [("WORKSPACE", definition), (".bazelrc", lines.join("\n") + "\n")] {
        let path = folder.join(name);
        fs::write(&path, text).map_err(while_trying("write", &path))?;
    }
    Ok(())
}

/// A workspace whose server ends with this value.
#[derive(Debug)]
pub struct Server {
    bazel: PathBuf,
    folder: PathBuf,
}

impl Server {
    /// Makes the server of the workspace in `folder`; it starts with the first command.
    pub fn new(bazel: &Path, folder: &Path) -> Self {
        Self { bazel: bazel.to_owned(), folder: folder.to_owned() }
    }

    /// Returns a command of Bazel in the workspace.
    pub fn command(&self, arguments: &[&str]) -> Process {
        Process::new(&self.bazel).args(arguments.iter().copied()).directory(&self.folder)
    }
}

impl Drop for Server {
    /// Has Bazel remove its outputs, which are write-protected.
    fn drop(&mut self) {
        let cleaned = self.command(&["clean", "--expunge"]).quietly().outcome();
        if let Err(error) = cleaned {
            eprintln!("{error}");
        }
    }
}
