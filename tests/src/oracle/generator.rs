//! The way from bitcode to an image without Weft: LLVM's code generator, ptxas and nvlink.

use super::image::Image;
use crate::{ARCHITECTURE, Run, Workbench, tools};

/// Version of PTX that LLVM writes. Weft's units have the same version, so that the limits on
/// parameters are equal.
const PTX_FEATURE: &str = "+ptx88";

/// Makes PTX from bitcode, without unreferenced locals, because nvlink allocates memory for each
/// shared local. Type tests are dropped, because the plain link does not know all classes.
pub(crate) fn ptx_of(bench: &Workbench, bitcode: &str) -> Result<String, String> {
    let (clean, ptx) = (clean(bitcode), format!("{bitcode}.plain.ptx"));
    let opt = bench.llvm("opt").args([
        "-S",
        "-passes=lowertypetests,elim-avail-extern,globaldce",
        bitcode,
        "-o",
        &clean,
    ]);
    opt.arg("-lowertypetests-drop-type-tests=all").attempt()?;
    let text = bench.read(&clean);
    bench.write(&clean, with_plain_declarations(&String::from_utf8_lossy(&text)));
    let target =
        ["-mtriple=nvptx64-nvidia-cuda", &format!("-mcpu={ARCHITECTURE}")].map(str::to_owned);
    let run = bench.llvm("llc").args(target).arg(format!("-mattr={PTX_FEATURE}"));
    run.args([&clean, "-o", &ptx]).attempt()?;
    let text = without_array_of_host_uses(&String::from_utf8_lossy(&bench.read(&ptx)));
    Ok(with_plain_names_of_aliases(text))
}

/// Returns the local constants of bitcode whose address is insignificant: every function that reads
/// one may have its own copy. The PTX of the bitcode must have been made before.
pub(super) fn constants_without_identity(bench: &Workbench, bitcode: &str) -> Vec<String> {
    let text = bench.read(&clean(bitcode));
    let text = String::from_utf8_lossy(&text);
    let constant = |line: &str| {
        let (name, definition) = line.strip_prefix('@')?.split_once(" = ")?;
        let mut words = definition.split(' ');
        let is_local = matches!(words.next()?, "internal" | "private");
        let is_free =
            is_local && words.next()? == "unnamed_addr" && words.any(|word| word == "constant");
        is_free.then(|| name.trim_matches('"').to_owned())
    };
    text.lines().filter_map(constant).collect()
}

/// Returns the name of the text file that the code generator reads.
fn clean(bitcode: &str) -> String {
    format!("{bitcode}.clean.ll")
}

/// Assembles PTX into `cubin`.
pub(super) fn assemble(bench: &Workbench, text: &str, cubin: &str) -> Result<(), String> {
    let ptx = format!("{cubin}.ptx");
    bench.write(&ptx, text);
    let run = Run::new(tools().cuda("ptxas"), bench.path());
    run.args(["-c", &format!("-arch={ARCHITECTURE}"), &ptx, "-o", cubin]).attempt().map(drop)
}

/// Removes from declarations what definitions state of their results and effects. A module that
/// imported a function eventually knows these facts, and could drop code that a module with only a
/// declaration keeps, such as a use of shared memory for a result that the function never returns.
/// Weak declarations become strong, because LLVM defines such variables, and ptxas refuses such
/// functions.
fn with_plain_declarations(module: &str) -> String {
    let lines = module.lines().map(|line| match line.strip_prefix("declare ") {
        Some(rest) if !rest.contains("@llvm.") => {
            let rest = rest.strip_prefix("extern_weak ").unwrap_or(rest);
            format!("declare {}", plain_declaration(rest))
        }
        _ if line.starts_with('@') => line.replacen(" = extern_weak ", " = external ", 1),
        _ => line.to_owned(),
    });
    lines.flat_map(|line| [line, "\n".to_owned()]).collect()
}

/// Facts about a result that change no bits of it.
const FACTS: [&str; 6] =
    ["range(", "nofpclass(", "dereferenceable(", "dereferenceable_or_null(", "nonnull", "noundef"];

/// Removes these facts, and makes the function's own attributes those of any device function.
fn plain_declaration(declaration: &str) -> String {
    let Some((mut result, function)) = declaration.split_once('@') else {
        return declaration.to_owned();
    };
    let mut kept = String::new();
    while let Some((word, rest)) = result.split_once(' ') {
        let is_fact = FACTS.iter().any(|fact| word.starts_with(fact));
        // The bounds of a range are separated by blanks.
        let is_open = word.contains('(') && !word.contains(')');
        let end =
            if is_fact && is_open { rest.find(") ").map_or(rest.len(), |at| at + 2) } else { 0 };
        if !is_fact {
            kept.push_str(word);
            kept.push(' ');
        }
        result = &rest[end..];
    }
    let function = match function.rsplit_once(" #") {
        Some((before, group)) => {
            let after = group.trim_start_matches(|digit: char| digit.is_ascii_digit());
            format!("{before} convergent nounwind{after}")
        }
        None => function.to_owned(),
    };
    format!("{kept}{result}@{function}")
}

/// Removes the array in which clang lists the symbols of other units that host code uses, to keep
/// archive members in a link. clang 22 declares kernels there as plain functions, which nvlink
/// refuses.
fn without_array_of_host_uses(ptx: &str) -> String {
    let lines = ptx.lines().filter(|line| !line.contains(" __clang_gpu_used_external["));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Names aliases of functions in initial values as functions are named. LLVM 22 names them as
/// variables, which ptxas refuses.
fn with_plain_names_of_aliases(mut ptx: String) -> String {
    let aliases = ptx.lines().filter_map(|line| line.strip_prefix(".alias ")?.split_once(','));
    let aliases: Vec<String> = aliases.map(|(alias, _)| alias.to_owned()).collect();
    for alias in aliases {
        ptx = ptx.replace(&format!("generic({alias})"), &alias);
    }
    ptx
}

/// Links cubins and opaque files, and NVIDIA's device runtime if `has_runtime` is set.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_lose_facts_about_results_and_effects() {
        let module = "declare range(i64 0, 4294967296) i64 @f(ptr noundef) local_unnamed_addr #3\n\
            declare hidden noundef nonnull ptr @g() #2 !dbg !5\n\
            declare zeroext i8 @h()\n\
            declare extern_weak void @i()\n\
            @j = extern_weak dso_local addrspace(1) global i32, align 4\n\
            declare range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1\n";
        let plain = "declare i64 @f(ptr noundef) local_unnamed_addr convergent nounwind\n\
            declare hidden ptr @g() convergent nounwind !dbg !5\n\
            declare zeroext i8 @h()\n\
            declare void @i()\n\
            @j = external dso_local addrspace(1) global i32, align 4\n\
            declare range(i32 0, 64) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1\n";
        assert_eq!(with_plain_declarations(module), plain);
    }
}
