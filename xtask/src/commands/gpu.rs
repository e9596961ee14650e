//! `cargo xtask gpu`: makes a folder of programs for a machine with a GPU.

use std::fmt::Display;
use std::path::Path;

use super::random_programs::run_tests;
use dev_process::{Error, Result};

/// The line in the table of commands.
pub(crate) const HELP: &str =
    "write programs into FOLDER for a machine with a GPU, where FOLDER/run.sh runs and times them";
/// Number of random programs beside the others.
const PROGRAMS: u64 = 100;

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let [folder] = arguments else { return Err(Error::usage("usage: cargo xtask gpu FOLDER")) };
    let folder = std::path::absolute(folder)
        .map_err(|error| Error::usage(format!("gpu: {folder:?} is no folder: {error}")))?;
    dev_gpu::write(root, &folder)?;
    let random = folder.join(dev_gpu::RANDOM);
    let settings: [(&str, &dyn Display); 2] =
        [("WEFT_PROGRAMS", &PROGRAMS), ("WEFT_GPU_FOLDER", &random.display())];
    run_tests(root, &settings, &["--workspace", "--test", "programs", "on_a_gpu"])?;
    println!("copy {0} to a machine with a GPU, and run {0}/run.sh there", folder.display());
    Ok(())
}
