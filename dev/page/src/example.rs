//! The example as its users build it, with the page of its report.

use std::fs;
use std::path::{Path, PathBuf};

use dev_checkout::bazel::Parts;
use dev_checkout::installation::copy_folder;
use dev_process::{Error, Process, Result, environment, while_trying};

/// The line of the example's `CMakeLists.txt` that this crate adds a report to.
const CALL: &str = "weft_device_thinlto(TARGET transport)";
const REPORTING_CALL: &str = "weft_device_thinlto(TARGET transport REPORT page.html)";

/// A build of the example.
#[derive(Clone, Debug)]
pub struct Example {
    /// The folder of CMake's build.
    pub build: PathBuf,
    /// Folder of the device link's files, below `build`.
    pub device_link: &'static str,
    /// Folder of the lists that the build's steps read, in the same form.
    pub lists: &'static str,
    /// The page that the build made.
    pub page: PathBuf,
}

impl Example {
    /// Copies the example into the empty folder `folder` and builds it with CMake.
    pub fn build(folder: &Path, parts: &Parts<'_>) -> Result<Self> {
        let cmake = environment::find_program("cmake")
            .ok_or_else(|| Error::new("cmake is missing: `cargo xtask test` installs it"))?;
        let (source, build) = (folder.join("transport"), folder.join("build"));
        copy_folder(&parts.checkout.join("examples/transport"), &source)?;
        let lists = source.join("CMakeLists.txt");
        let text = fs::read_to_string(&lists).map_err(while_trying("read", &lists))?;
        if !text.contains(CALL) {
            return Err(Error::new(format!("{} does not hold {CALL}", lists.display())));
        }
        fs::write(&lists, text.replace(CALL, REPORTING_CALL))
            .map_err(while_trying("write", &lists))?;
        let cuda = parts.cuda_root.display();
        Process::new(&cmake)
            .arg("-S")
            .arg(&source)
            .arg("-B")
            .arg(&build)
            .args(["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CUDA_ARCHITECTURES=90"])
            .arg(format!("-DCMAKE_CUDA_COMPILER={}/bin/clang++", parts.llvm_prefix.display()))
            .arg(format!("-DCUDAToolkit_ROOT={cuda}"))
            .arg(format!("-DWeft_DIR={}", parts.checkout.join("cmake").display()))
            .arg(format!("-DWeft_EXECUTABLES_DIR={}", parts.executables.display()))
            .arg(format!(
                "-DCMAKE_CUDA_FLAGS=--cuda-path={cuda} --cuda-gpu-arch=sm_90 \
                 -Wno-unknown-cuda-version"
            ))
            .capture()?;
        let page = build.join("page.html");
        Process::new(&cmake)
            .arg("--build")
            .arg(&build)
            .arg("-j2")
            // Times of a cache would say nothing about the example.
            .variable("WEFT_CACHE", "off")
            .output(&page)
            .capture()?;
        let device_link = "transport.weft/sm_90/";
        Ok(Self { build, device_link, lists: "CMakeFiles/transport.weft/sm_90/", page })
    }
}
