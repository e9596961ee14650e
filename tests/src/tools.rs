//! Paths of the tools that tests run.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Folders of the tools and sources that tests use.
#[derive(Debug)]
pub struct Tools {
    /// Folder of `summarize`, `thinlink` and `backend-job`.
    weft: PathBuf,
    /// Folder of LLVM's tools.
    llvm: PathBuf,
    /// CUDA root.
    cuda: PathBuf,
    /// Folder of ggml-cuda's sources.
    ggml: PathBuf,
    /// Folder of CUDA 12's headers and ptxas.
    cuda_12: PathBuf,
    /// Folder of further versions of clang.
    clangs: PathBuf,
}

impl Tools {
    /// Returns the path of one of Weft's executables.
    pub fn weft(&self, name: &str) -> PathBuf {
        present(self.weft.join(name))
    }

    /// Returns the folder of Weft's executables.
    pub fn executables(&self) -> &Path {
        &self.weft
    }

    /// Returns the path of one of LLVM's programs, such as `clang++`.
    pub fn llvm(&self, name: &str) -> PathBuf {
        present(self.llvm.join(name))
    }

    /// Returns the path of one of CUDA's programs, such as `ptxas`.
    pub fn cuda(&self, name: &str) -> PathBuf {
        present(self.cuda.join("bin").join(name))
    }

    /// Returns the CUDA root, for `--cuda-path`.
    pub fn cuda_root(&self) -> &Path {
        &self.cuda
    }

    /// Returns the folder of CUDA 12, with headers, libdevice and ptxas alone.
    pub fn cuda_12(&self) -> &Path {
        sample(&self.cuda_12)
    }

    /// Returns the folder of further versions of clang.
    pub fn clangs(&self) -> &Path {
        sample(&self.clangs)
    }

    /// Returns the folder of ggml-cuda's sources.
    pub fn ggml(&self) -> &Path {
        sample(&self.ggml)
    }
}

/// Returns the tools that `cargo xtask test` names in variables, or else those that `cargo xtask
/// setup` installed.
pub fn tools() -> &'static Tools {
    static TOOLS: OnceLock<Tools> = OnceLock::new();
    TOOLS.get_or_init(|| {
        let llvm = variable("WEFT_LLVM_PREFIX").unwrap_or_else(|| "/usr/lib/llvm-22".into());
        let sample = |name: &str, folder: &str| {
            variable(name).unwrap_or_else(|| workspace_root().join(".toolchain").join(folder))
        };
        Tools {
            weft: executables(),
            llvm: llvm.join("bin"),
            cuda: sample("WEFT_CUDA_ROOT", "cuda"),
            ggml: sample("WEFT_GGML", "ggml"),
            cuda_12: sample("WEFT_CUDA_12", "cuda-12"),
            clangs: sample("WEFT_CLANGS", "clangs"),
        }
    })
}

/// Returns the root of the checkout.
pub fn workspace_root() -> &'static Path {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    root.unwrap_or_else(|| Path::new("."))
}

/// Returns the folder of Weft's executables: Cargo builds test programs into its subfolder `deps`.
fn executables() -> PathBuf {
    let folder = std::env::current_exe()
        .ok()
        .and_then(|program| Some(program.parent()?.parent()?.to_owned()));
    folder.unwrap_or_else(|| workspace_root().join("target/debug"))
}

fn sample(folder: &Path) -> &Path {
    assert!(
        folder.join("stamp").is_file(),
        "{} is missing: run the tests with `cargo xtask test`, which downloads it first",
        folder.display()
    );
    folder
}

fn present(tool: PathBuf) -> PathBuf {
    assert!(
        tool.is_file(),
        "{} is missing: run the tests with `cargo xtask test`, which sets up and builds first",
        tool.display()
    );
    tool
}

/// Returns the number that an environment variable sets, or `default` without the variable.
pub fn setting(name: &str, default: u64) -> u64 {
    let number = |value: &Path| value.to_str().and_then(|text| text.parse().ok());
    variable(name).map_or(default, |value| {
        number(&value).unwrap_or_else(|| panic!("{name}={} is no number", value.display()))
    })
}

/// Returns the path that an environment variable sets, if it does.
pub fn path_setting(name: &str) -> Option<PathBuf> {
    variable(name)
}

/// Reports on standard error that the test `what` was skipped because there is no GPU. With
/// `WEFT_REQUIRE_GPU` set, the test fails instead.
#[expect(clippy::disallowed_methods, reason = "whether a GPU must be there is asked by a variable")]
pub fn skip_without_gpu(what: &str) {
    assert!(std::env::var_os("WEFT_REQUIRE_GPU").is_none(), "WEFT_REQUIRE_GPU: no GPU here");
    // The report bypasses the capture of test output, so that a skipped test is seen.
    let line = format!("SKIPPED: {what} need a GPU, and there is none\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
}

#[expect(clippy::disallowed_methods, reason = "tests are configured by variables")]
fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}
