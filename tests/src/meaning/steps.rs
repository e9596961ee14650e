//! Steps that compile, link and run a program.

use super::options::Options;
use super::{driver, retarget};
use crate::{ARCHITECTURE, Run, Workbench, tools};
use dev_programs::random::Program;

/// Compiles all units, and returns the output of the program when it is linked plainly.
pub(crate) fn plain(
    bench: &Workbench,
    program: &Program,
    options: &Options,
) -> Result<String, String> {
    plain_with(bench, program, &options.compile())
}

/// Does as [`plain`] does, with any options of clang.
pub(crate) fn plain_with(
    bench: &Workbench,
    program: &Program,
    compile_options: &[&str],
) -> Result<String, String> {
    bench.write("driver.ll", driver::text(program));
    for (unit, name) in program.names().into_iter().enumerate() {
        bench.write(&format!("{name}.cu"), program.text(unit));
        compile(bench, name, compile_options)?;
    }
    run(bench, program, "plain", "bc")
}

/// Makes `NAME.summary` and `NAME.bc` from `NAME.cu`, by way of clang's host object.
pub fn compile(bench: &Workbench, name: &str, options: &[&str]) -> Result<(), String> {
    compile_object(bench, name, options)?;
    let summarize = bench.weft("summarize").args(["--module-id", name]);
    let outputs = [format!("{name}.summary"), "--bitcode".to_owned(), format!("{name}.bc")];
    summarize.arg("-o").args(outputs).arg(format!("{name}.o")).attempt().map(drop)
}

/// Compiles `NAME.cu` into `NAME.o`, clang's host object with device bitcode inside.
pub fn compile_object(bench: &Workbench, name: &str, options: &[&str]) -> Result<(), String> {
    clang(bench, name).args(options.iter().copied()).attempt().map(drop)
}

fn clang(bench: &Workbench, name: &str) -> Run {
    bench
        .llvm("clang++")
        .arg(format!("--cuda-gpu-arch={ARCHITECTURE}"))
        .arg(format!("--cuda-path={}", tools().cuda_root().display()))
        .args(["-nocudainc", "-nocudalib", "-std=c++17", "-w", "-c", &format!("-cuid={name}")])
        .args(["-fgpu-rdc", "--offload-new-driver", "-foffload-lto", "-ffp-contract=off"])
        .args(["-Xarch_host", "-O0", "-o", &format!("{name}.o"), &format!("{name}.cu")])
}

/// Writes the file of the program's link order. Returns the options that name the file.
pub fn link_order(bench: &Workbench, program: &Program) -> [&'static str; 2] {
    let lines = program.link_order().into_iter().flat_map(|name| [name, "\n"]);
    bench.write("link-order.txt", lines.collect::<String>());
    ["--link-order", "link-order.txt"]
}

/// Links the program through Weft and writes the outputs that `emit` names for every unit.
pub(crate) fn weft(
    bench: &Workbench,
    program: &Program,
    options: &Options,
    emit: &str,
) -> Result<(), String> {
    weft_with(bench, program, &options.thinlink(), &options.codegen(), emit)
}

/// Does as [`weft`] does, with any options of the thin link and of the jobs.
pub(crate) fn weft_with(
    bench: &Workbench,
    program: &Program,
    thinlink_options: &[&str],
    job_options: &[&str],
    emit: &str,
) -> Result<(), String> {
    let names = program.names();
    let names = names.as_slice();
    let summaries = names.iter().map(|name| format!("{name}.summary"));
    bench
        .weft("thinlink")
        .args(["-o", "plans"])
        .args(thinlink_options.iter().copied())
        .args(link_order(bench, program))
        .args(summaries)
        .attempt()?;
    for name in names {
        bench
            .weft("backend-job")
            .args(["run", "--emit", emit, "-o", &format!("{name}.x")])
            .args(["--plan", &format!("plans/{name}.plan"), "--module", &format!("{name}.bc")])
            .args(names.iter().map(|name| format!("--import={name}={name}.bc")))
            .arg("--ptxas")
            .arg(tools().cuda("ptxas"))
            .args(job_options.iter().copied())
            .attempt()?;
    }
    Ok(())
}

/// Links all `NAME.EXTENSION` into `way.ll`, retargets the result for this machine, runs it and
/// returns its output.
pub(super) fn run(
    bench: &Workbench,
    program: &Program,
    way: &str,
    extension: &str,
) -> Result<String, String> {
    // Of several definitions that may differ, LLVM's linker keeps the first, as Weft does.
    let modules = program.link_order().into_iter().map(|name| format!("{name}.{extension}"));
    let linked = bench.llvm("llvm-link").args(["-S", "-o", "-"]).args(modules).attempt()?.stdout;
    let file = format!("{way}.ll");
    bench.write(&file, retarget::text(&linked)?);
    let arguments = ["-O0".to_owned(), format!("--extra-module={file}"), "driver.ll".to_owned()];
    // A program that was made smaller may have lost its end.
    let run = Run::new("timeout", bench.path()).args(["60"]).arg(tools().llvm("lli"));
    Ok(run.args(arguments).attempt()?.stdout)
}
