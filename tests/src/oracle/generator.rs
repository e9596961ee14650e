//! From bitcode to an image without Weft: LLVM's code generator, ptxas and nvlink.

use super::image::Image;
use crate::{ARCHITECTURE, Run, Workbench, tools};

/// Version of PTX that LLVM writes: that of Weft's units, so that parameters may be as large.
const PTX_FEATURE: &str = "+ptx88";

/// The PTX of bitcode, without the locals that nothing names: nvlink gives each shared one its place.
/// What a compiler keeps for a link that knows all classes means nothing to a linker that does not.
pub(super) fn ptx_of(bench: &Workbench, bitcode: &str) -> Result<String, String> {
    let (clean, ptx) = (clean(bitcode), format!("{bitcode}.plain.ptx"));
    let opt = bench.llvm("opt").args([
        "-S",
        "-passes=lowertypetests,elim-avail-extern,globaldce",
        bitcode,
        "-o",
        &clean,
    ]);
    opt.arg("-lowertypetests-drop-type-tests=all").attempt()?;
    let target =
        ["-mtriple=nvptx64-nvidia-cuda", &format!("-mcpu={ARCHITECTURE}")].map(str::to_owned);
    let run = bench.llvm("llc").args(target).arg(format!("-mattr={PTX_FEATURE}"));
    run.args([&clean, "-o", &ptx]).attempt()?;
    Ok(without_array_of_host_uses(&String::from_utf8_lossy(&bench.read(&ptx))))
}

/// The local constants of bitcode, of which there is PTX, whose address means nothing: every function that
/// reads one may have a copy of its own.
pub(super) fn constants_without_identity(bench: &Workbench, bitcode: &str) -> Vec<String> {
    let text = bench.read(&clean(bitcode));
    let text = String::from_utf8_lossy(&text);
    let constant = |line: &str| {
        let (name, definition) = line.strip_prefix('@')?.split_once(" = ")?;
        let mut words = definition.split(' ');
        let is_local = matches!(words.next()?, "internal" | "private");
        let is_free =
            is_local && words.next()? == "unnamed_addr" && words.any(|it| it == "constant");
        is_free.then(|| name.trim_matches('"').to_owned())
    };
    text.lines().filter_map(constant).collect()
}

/// The file of a module as text, as the code generator gets it.
fn clean(bitcode: &str) -> String {
    format!("{bitcode}.clean.ll")
}

/// Makes `cubin` of PTX.
pub(super) fn assemble(bench: &Workbench, text: &str, cubin: &str) -> Result<(), String> {
    let ptx = format!("{cubin}.ptx");
    bench.write(&ptx, text);
    let run = Run::new(tools().cuda("ptxas"), bench.path());
    run.args(["-c", &format!("-arch={ARCHITECTURE}"), &ptx, "-o", cubin]).attempt().map(drop)
}

/// clang lists what host code uses of other units in an array, which keeps archive members in a link. It
/// declares kernels there as plain functions (clang 22), and nvlink refuses them.
fn without_array_of_host_uses(ptx: &str) -> String {
    let lines = ptx.lines().filter(|it| !it.contains(" __clang_gpu_used_external["));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Links cubins and opaque files, with NVIDIA's device runtime where it is needed.
pub(super) fn nvlink(
    bench: &Workbench,
    files: &[String],
    output: &str,
    has_runtime: bool,
) -> Result<Image, String> {
    let run = Run::new(tools().cuda("nvlink"), bench.path());
    let mut run = run.arg(format!("-arch={ARCHITECTURE}")).args(["-o", output]).args(files);
    if has_runtime {
        run = run.arg(tools().cuda_root().join("lib/libcudadevrt.a"));
    }
    run.attempt()?;
    Image::read(&bench.read(output)).map_err(|error| format!("{output}: {error}"))
}
