//! Runs programs on a GPU, where the machine has one.

use std::path::Path;

use dev_builds::{Program, Target, Tools, Variant};
use dev_process::Result;

/// Returns whether the machine has an NVIDIA GPU.
pub(super) fn has_gpu() -> bool {
    Path::new("/dev/nvidia0").exists()
}

/// Runs the three builds of the program in `folder`, each of which prints the time of its kernels.
pub(super) fn run(folder: &Path, tools: &Tools) -> Result<()> {
    for variant in Variant::ALL {
        let program = Program::open(&folder.join(variant.name()), tools)?;
        program.build(variant, Target::Program, 1)?;
        println!("  {:5} on the GPU:\n{}", variant.name(), program.run(variant)?);
    }
    Ok(())
}
