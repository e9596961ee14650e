//! PTX of whole programs from nvcc's link-time optimization.

use crate::{ARCHITECTURE, Run, Workbench, tools};

/// Compiles `NAME.nvcc.cu` of each name for nvcc's link-time optimization, and returns the PTX of
/// the program. `options` are for the compiler.
pub(super) fn ptx(bench: &Workbench, names: &[&str], options: &[&str]) -> Result<String, String> {
    for name in names {
        nvcc(bench)
            .args(["-dc", "-ltoir", "-w", "-o", &format!("{name}.ltoir")])
            .args(options.iter().copied())
            .arg(format!("{name}.nvcc.cu"))
            .attempt()?;
    }
    // nvcc alone reads no LTO-IR that is not inside an object, and nvlink makes no PTX that it
    // would not assemble, so the files go through nvcc's driver of nvlink.
    let units = names.iter().map(|name| format!("{name}.ltoir"));
    nvcc(bench)
        .args(["-dlink", "-ptx", "-Xnvlink", "-ignore-host-info", "-o", "nvcc.ptx"])
        .args(units)
        .attempt()?;
    Ok(String::from_utf8_lossy(&bench.read("nvcc.ptx")).into_owned())
}

fn nvcc(bench: &Workbench) -> Run {
    let arguments = [format!("-arch={ARCHITECTURE}"), "-dlto".to_owned()];
    Run::new(tools().cuda("nvcc"), bench.path()).args(arguments)
}
