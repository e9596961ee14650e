//! How long CUDA takes to load an image as Weft ships it, and as it is without compression.

use std::fs;
use std::path::Path;

use dev_process::{Process, Result, while_trying};
use dev_toolchain::Toolchain;

const PROGRAM: &str = include_str!("load.cpp");

/// Writes the two forms of an image, and the program that loads them, into `folder`.
pub(crate) fn write(toolchain: &Toolchain, image: &Path, folder: &Path) -> Result<()> {
    for (name, options) in [("plain", &[][..]), ("compressed", &["--compress-all"])] {
        Process::new(&toolchain.fatbinary)
            .arg(format!("--create={}", folder.join(name).display()))
            .arg("-64")
            .args(options)
            .arg(format!("--image3=kind=elf,sm=90,file={}", image.display()))
            .run()?;
    }
    let source = folder.join("load.cpp");
    fs::write(&source, PROGRAM).map_err(while_trying("write", &source))?;
    let cuda = toolchain.cuda_root.display();
    Process::new(&toolchain.host_cxx)
        .args(["-O2", "-o", "load", "load.cpp"])
        .args([format!("-I{cuda}/include"), format!("-L{cuda}/lib")])
        .args(["-lcudart_static", "-ldl", "-lrt", "-lpthread"])
        .directory(folder)
        .run()
}
