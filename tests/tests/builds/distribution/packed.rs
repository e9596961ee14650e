//! The packages of this build's executables.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use dev_checkout::executables::PACKAGES;
use dev_dist::pack::{Order, Packages, pack};
use dev_toolchain::Scope;
use weft_tests::{Run, tools, workspace_root};

/// Time of the files: some second of 2020.
const TIME: u64 = 1_600_000_000;

/// Packages of the executables, which are made once.
pub(crate) fn packages() -> &'static Packages {
    static PACKED: OnceLock<Packages> = OnceLock::new();
    PACKED.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("distribution");
        pack_into(&executables(&folder.join("bin")), &folder)
    })
}

/// Packs the executables in a folder.
pub(crate) fn pack_into(executables: &Path, output: &Path) -> Packages {
    let toolchain = dev_toolchain::ensure(workspace_root(), Scope::Builds).unwrap();
    let order = Order {
        root: workspace_root(),
        toolchain: &toolchain,
        executables,
        output,
        time: TIME,
        small: false,
        unwanted_paths: Vec::new(),
    };
    pack(&order).unwrap()
}

/// Copies the executables without what debuggers read, which is most of them, and returns the
/// folder.
pub(crate) fn executables(folder: &Path) -> PathBuf {
    fs::create_dir_all(folder).unwrap();
    for name in PACKAGES {
        let stripped = folder.join(name);
        Run::new("strip", folder).arg("-o").args([&stripped, &tools().weft(name)]).succeed();
    }
    folder.to_owned()
}
