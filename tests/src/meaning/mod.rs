//! Runs a program twice on this machine's processor, linked plainly and through Weft, and compares.
//!
//! Device bitcode is not far from what any processor can run: its target and its calling convention
//! change, and what asks the GPU something gets a stand-in (`retarget`). A driver in LLVM's
//! language launches the kernels, one thread after the other, and prints a digest of the memory after
//! each launch (`driver`). LLVM's `lli` runs that without optimising anything.

mod driver;
mod gpu;
mod options;
pub mod retarget;

use std::path::PathBuf;

pub use gpu::OnGpu;
pub use options::Options;

use crate::programs::Program;
use crate::random::Random;
use crate::{ARCHITECTURE, Run, Workbench, tools};

/// A program whose meaning changed, or that some tool refused.
#[derive(Debug)]
pub struct Difference {
    /// What came of it.
    pub story: String,
    /// Where all files of the program are.
    pub folder: PathBuf,
}

/// Runs the program of `seed` both ways, with options that the seed draws.
pub fn check(seed: u64) -> Result<(), Box<Difference>> {
    with_program(seed, both_ways)
}

/// Runs the program of `seed` plainly on the processor and through Weft on a GPU, as SASS and as PTX.
pub fn check_on_gpu(seed: u64) -> Result<OnGpu, Box<Difference>> {
    with_program(seed, gpu::both_ways)
}

fn with_program<T>(
    seed: u64,
    compare: fn(&Workbench, &Program, &Options) -> Result<T, String>,
) -> Result<T, Box<Difference>> {
    let program = Program::generate(seed);
    let options = Options::draw(&mut Random::new(!seed));
    let bench = Workbench::new();
    compare(&bench, &program, &options).map_err(|story| {
        let story = format!("program {seed} with {options}:\n{story}");
        bench.write("story.txt", &story);
        Box::new(Difference { story, folder: bench.keep() })
    })
}

fn both_ways(bench: &Workbench, program: &Program, options: &Options) -> Result<(), String> {
    let plain = plain(bench, program, options)?;
    weft(bench, program, options, "linked,bc")?;
    let linked = run(bench, program, "weft", "opt.bc")?;
    if plain == linked {
        return Ok(());
    }
    Err(format!("linked plainly it prints\n{plain}\nand through Weft\n{linked}"))
}

/// Compiles all units, and returns what the program prints when it is linked plainly.
fn plain(bench: &Workbench, program: &Program, options: &Options) -> Result<String, String> {
    bench.write("driver.ll", driver::text(program));
    for (unit, name) in program.names().into_iter().enumerate() {
        bench.write(&format!("{name}.cu"), program.text(unit));
        compile(bench, name, &options.compile())?;
    }
    run(bench, program, "plain", "bc")
}

/// `NAME.summary` and `NAME.bc` of `NAME.cu`, with clang's host object between them.
pub fn compile(bench: &Workbench, name: &str, options: &[&str]) -> Result<(), String> {
    compile_object(bench, name, options)?;
    let summarize = bench.weft("summarize").args(["--module-id", name]);
    let outputs = [format!("{name}.summary"), "--bitcode".to_owned(), format!("{name}.bc")];
    summarize.arg("-o").args(outputs).arg(format!("{name}.o")).attempt().map(drop)
}

/// `NAME.o` of `NAME.cu`: clang's host object, with device bitcode inside.
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

/// Writes the file of the program's link order. Returns the options for it.
pub fn link_order(bench: &Workbench, program: &Program) -> [&'static str; 2] {
    let lines = program.link_order().into_iter().flat_map(|name| [name, "\n"]);
    bench.write("link-order.txt", lines.collect::<String>());
    ["--link-order", "link-order.txt"]
}

/// What `emit` says, of every unit.
fn weft(bench: &Workbench, program: &Program, options: &Options, emit: &str) -> Result<(), String> {
    let names = program.names();
    let names = names.as_slice();
    let summaries = names.iter().map(|name| format!("{name}.summary"));
    bench
        .weft("thinlink")
        .args(["-o", "plans"])
        .args(options.thinlink())
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
            .args(options.codegen())
            .attempt()?;
    }
    Ok(())
}

/// Links all `NAME.EXTENSION` into `way.ll`, makes it fit for this machine, and returns what it
/// prints.
fn run(bench: &Workbench, program: &Program, way: &str, extension: &str) -> Result<String, String> {
    // LLVM's linker keeps the first of definitions that may differ, too.
    let modules = program.link_order().into_iter().map(|name| format!("{name}.{extension}"));
    let linked = bench.llvm("llvm-link").args(["-S", "-o", "-"]).args(modules).attempt()?.stdout;
    let file = format!("{way}.ll");
    bench.write(&file, retarget::text(&linked)?);
    let arguments = ["-O0".to_owned(), format!("--extra-module={file}"), "driver.ll".to_owned()];
    Ok(bench.llvm("lli").args(arguments).attempt()?.stdout)
}
