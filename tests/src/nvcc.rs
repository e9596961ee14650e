//! Units that nvcc compiles to LTO IR.

use std::path::Path;

use crate::{ARCHITECTURE, Run, Workbench, tools};

/// Compiles a unit to an object with PTX and LTO IR.
pub(crate) fn compile(
    bench: &Workbench,
    source: &str,
    output: &str,
    options: &[&str],
) -> Result<(), String> {
    if let Some(folder) = Path::new(output).parent() {
        let folder = bench.path().join(folder);
        std::fs::create_dir_all(folder).map_err(|error| format!("{output}: {error}"))?;
    }
    let number = ARCHITECTURE.trim_start_matches("sm_");
    let mut nvcc = Run::new(tools().cuda("nvcc"), bench.path()).args([
        "-dc",
        "-w",
        "-extended-lambda",
        "-forward-unknown-to-host-compiler",
    ]);
    if !options.iter().any(|option| option.starts_with("-std=")) {
        nvcc = nvcc.arg("-std=c++17");
    }
    for form in ["compute", "lto"] {
        nvcc = nvcc.arg(format!("-gencode=arch=compute_{number},code={form}_{number}"));
    }
    nvcc.args(options.iter().copied()).args([source, "-o", output]).attempt().map(drop)
}
