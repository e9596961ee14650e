//! Wall time of the device link of three kernels on NVSHMEM's device library.
//!
//! The library is one module of 2,800 functions, of which the kernels reach a few. Its summary is
//! made once for all programs and is not part of the time; all other steps from the objects of the
//! kernels and the library's bitcode to the image are. The kernels call each other's helper, so
//! there are calls between the program's own units, too. They are compiled and linked, not run.

use std::path::Path;

use super::options::{Options, print};
use crate::device_link::{Setup, build, link};
use dev_builds::{Settings, Target, Variant};
use dev_process::Result;

/// Prints `nvshmem_seconds`.
pub(super) fn measure(root: &Path, setup: &Setup, _options: &Options) -> Result<()> {
    let source = dev_programs::three_kernels(root)?;
    let program = source.open(&setup.folder, Variant::Weft, &setup.tools)?;
    let settings = Settings::default();
    program.write_ninja(Variant::Weft, &settings)?;
    build(&program, Variant::Weft, Target::Objects)?;
    let once = build(&program, Variant::Weft, Target::Summaries)?;
    let spent = link(&program, Variant::Weft, &settings)?;
    let image = dev_sass::read(&setup.tools.toolchain, &program.image(Variant::Weft)?)?;
    println!(
        "nvshmem: {}; all summaries took {:.2} s, the device link {:.2} s of processor time",
        source.what, once.processor, spent.processor
    );
    for (name, cost) in &image.kernels {
        println!("  {name:10} {:4} registers, {:5} bytes of stack", cost.registers, cost.stack);
    }
    print("nvshmem_seconds", spent.log.seconds);
    Ok(())
}
