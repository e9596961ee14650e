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
    // This is the command that `nvcc -dlto -dlink -ptx` prints with `--dryrun`. nvcc itself takes
    // host objects only, which would have to be compiled first.
    let library = tools().cuda_root().join("nvvm");
    Run::new(tools().cuda("nvlink"), bench.path())
        .args([format!("-arch={ARCHITECTURE}"), format!("-nvvmpath={}", library.display())])
        .args(["-m64", "-dlto", "-emit-ptx", "-ignore-host-info", "-o", "nvcc.ptx"])
        .args(names.iter().map(|name| format!("{name}.ltoir")))
        .attempt()?;
    Ok(String::from_utf8_lossy(&bench.read("nvcc.ptx")).into_owned())
}

fn nvcc(bench: &Workbench) -> Run {
    let arguments = [format!("-arch={ARCHITECTURE}"), "-dlto".to_owned()];
    Run::new(tools().cuda("nvcc"), bench.path()).args(arguments)
}
