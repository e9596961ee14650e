//! PTX of whole programs from nvcc's link-time optimization.

use crate::{ARCHITECTURE, Run, Workbench, tools};

/// Compiles sources for nvcc's link-time optimization, and returns the PTX of the program. Each
/// unit is the name of its output and the path of its source. `options` are for the compiler.
pub(super) fn ptx(
    bench: &Workbench,
    units: &[(String, String)],
    options: &[&str],
) -> Result<String, String> {
    for (name, source) in units {
        nvcc(bench)
            .args(["-dlto", "-dc", "-ltoir", "-w", "-o", &format!("{name}.ltoir")])
            .args(options.iter().copied())
            .arg(source)
            .attempt()?;
    }
    // This is the command that `nvcc -dlto -dlink -ptx` prints with `--dryrun`. nvcc itself takes
    // host objects only, which would have to be compiled first.
    let library = tools().cuda_root().join("nvvm");
    Run::new(tools().cuda("nvlink"), bench.path())
        .args([format!("-arch={ARCHITECTURE}"), format!("-nvvmpath={}", library.display())])
        .args(["-m64", "-dlto", "-emit-ptx", "-ignore-host-info", "-o", "nvcc.ptx"])
        .args(units.iter().map(|(name, _)| format!("{name}.ltoir")))
        .attempt()?;
    Ok(String::from_utf8_lossy(&bench.read("nvcc.ptx")).into_owned())
}

/// Compiles sources one by one, without link-time optimization, and returns the PTX of each.
pub(super) fn ptx_of_units(
    bench: &Workbench,
    units: &[(String, String)],
    options: &[&str],
) -> Result<Vec<String>, String> {
    let one = |(name, source): &(String, String)| {
        let output = format!("{name}.nvcc.ptx");
        nvcc(bench)
            .args(["-rdc=true", "-ptx", "-w", "-o", &output])
            .args(options.iter().copied())
            .arg(source)
            .attempt()?;
        Ok(String::from_utf8_lossy(&bench.read(&output)).into_owned())
    };
    units.iter().map(one).collect()
}

fn nvcc(bench: &Workbench) -> Run {
    Run::new(tools().cuda("nvcc"), bench.path()).arg(format!("-arch={ARCHITECTURE}"))
}
