//! The programs that a link starts.

use std::path::Path;

use weft_action::find_program;
use weft_cli::{CUDA_PROGRAMS, DOCTOR_HINT, Fault, ToolPlaces, failure};

use crate::drivers::Driver;
use crate::executables::own;

/// Paths of programs.
#[derive(Clone, Debug)]
pub(super) struct Tools {
    pub(super) summarize: String,
    pub(super) thinlink: String,
    pub(super) backend_job: String,
    pub(super) ptxas: String,
    pub(super) nvlink: String,
    pub(super) fatbinary: String,
    /// NVIDIA's device runtime, if it is there.
    pub(super) device_runtime: Option<String>,
}

/// Folders of CUDA's libraries below its root.
const LIBRARIES: [&str; 4] = ["lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"];

impl Tools {
    /// Finds the programs: Weft's own beside this one, NVIDIA's in the root of CUDA. That is
    /// `cuda`, or else the one whose nvcc is `command`, or else where all executables look.
    pub(super) fn find(
        cuda: Option<&Path>,
        command: &str,
        search_path: Option<&std::ffi::OsStr>,
    ) -> anyhow::Result<Self> {
        let of_nvcc = || {
            let is_nvcc = Driver::of(command) == Driver::Nvcc;
            let nvcc = find_program(Path::new(command), search_path).filter(|_| is_nvcc)?;
            let root = std::fs::canonicalize(nvcc).ok()?.parent()?.parent()?.to_owned();
            root.join("bin/nvlink").is_file().then_some(root)
        };
        let place = ToolPlaces::of_cuda(cuda.map(Path::to_owned).or_else(of_nvcc)).cuda();
        let root = place.path.unwrap_or_default();
        let of_cuda = |name: &str| {
            let path = root.join("bin").join(name);
            let found = if path.is_file() { Some(path) } else { None };
            found.map(|path| path.to_string_lossy().into_owned()).ok_or_else(|| {
                failure(
                    Fault::Environment,
                    format!(
                        "there is no bin/{name} in {}, the root of CUDA by {}: --cuda names \
                         another; {DOCTOR_HINT}",
                        root.display(),
                        place.named_by
                    ),
                )
            })
        };
        let of_weft = |name: &str| own(name).map(|path| path.to_string_lossy().into_owned());
        let [ptxas, nvlink, fatbinary] = CUDA_PROGRAMS.map(of_cuda);
        let device_runtime = LIBRARIES
            .iter()
            .map(|folder| root.join(folder).join("libcudadevrt.a"))
            .find(|path| path.is_file())
            .map(|path| path.to_string_lossy().into_owned());
        Ok(Self {
            summarize: of_weft("summarize")?,
            thinlink: of_weft("thinlink")?,
            backend_job: of_weft("backend-job")?,
            ptxas: ptxas?,
            nvlink: nvlink?,
            fatbinary: fatbinary?,
            device_runtime,
        })
    }
}
