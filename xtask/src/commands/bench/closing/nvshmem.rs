//! Three kernels on NVSHMEM's device library: how long the device link takes, by the clock.
//!
//! The library is one module of 2,800 functions, of which the kernels reach a few. It is summarized once,
//! whatever is linked with it, and that is not part of the time; all else from the three kernels' objects
//! and the library's bitcode to the image is. The kernels call each other's helper, so there are calls
//! between the program's own units, too. They are compiled and linked, not run.

use std::fs;
use std::path::Path;

use super::options::Options;
use super::print;
use super::setup::{Setup, build, link};
use dev_builds::{Program, Settings, Target, Variant};
use dev_process::{Result, remove, while_trying};
use dev_toolchain::samples;

const SOURCES: [(&str, &str); 5] = [
    ("include/nvshmem.cuh", include_str!("nvshmem/nvshmem.cuh.txt")),
    ("src/exchange.cu", include_str!("nvshmem/exchange.cu.txt")),
    ("src/gather.cu", include_str!("nvshmem/gather.cu.txt")),
    ("src/main.cpp", include_str!("nvshmem/main.cpp.txt")),
    ("src/ring.cu", include_str!("nvshmem/ring.cu.txt")),
];

/// Prints `nvshmem_seconds`.
pub(super) fn measure(root: &Path, setup: &Setup, _options: &Options) -> Result<()> {
    let library = samples::ensure(root, samples::NVSHMEM)?.join(samples::NVSHMEM_LIBRARY);
    let folder = setup.folder.join("nvshmem");
    let fresh = folder.join("source");
    write(&fresh, &library)?;
    let program = Program::copy_if_different(&fresh, &folder.join("weft"), &setup.tools)?;
    remove(&fresh)?;
    let settings = Settings::default();
    program.write_ninja(Variant::Weft, &settings)?;
    build(&program, Target::Objects)?;
    let once = build(&program, Target::Summaries)?;
    let spent = link(&program, &settings)?;
    let image = dev_sass::read(&setup.tools.toolchain, &program.image(Variant::Weft)?)?;
    println!(
        "nvshmem: three kernels on {}; all summaries took {:.2} s, the device link {:.2} s of processor time",
        samples::NVSHMEM_LIBRARY,
        once.processor,
        spent.processor
    );
    for (name, cost) in &image.kernels {
        println!("  {name:10} {:4} registers, {:5} bytes of stack", cost.registers, cost.stack);
    }
    print("nvshmem_seconds", spent.log.seconds);
    Ok(())
}

fn write(folder: &Path, library: &Path) -> Result<()> {
    remove(folder)?;
    for name in ["include", "src"] {
        let folder = folder.join(name);
        fs::create_dir_all(&folder).map_err(while_trying("create", &folder))?;
    }
    for (name, text) in SOURCES {
        let path = folder.join(name);
        fs::write(&path, text).map_err(while_trying("write", &path))?;
    }
    let place = folder.join("src").join(library.file_name().unwrap_or_default());
    fs::copy(library, &place).map(drop).map_err(while_trying("copy", library))
}
