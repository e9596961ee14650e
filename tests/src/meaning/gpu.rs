//! Comparison of a program on the processor with its image and its PTX on this machine's GPU.
//!
//! Threads of one launch would race for the memory that they share, so each launch has one thread,
//! as on the processor. A variable that the driver writes replaces the thread's number.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::driver::THREADS;
use super::options::Options;
use super::steps::{compile, plain, weft};
use crate::{ARCHITECTURE, Run, Workbench, tools};
use dev_programs::random::{Argument, Launch, MEMORY, Program};

/// Exit code of the driver on a machine without a GPU.
const NO_GPU: i32 = 77;
/// The linked image, and the program that runs kernels.
const IMAGE: &str = "image.cubin";
const DRIVER: &str = "driver";
/// Expression by which a kernel reads its thread's number.
const QUESTION: &str = "__nvvm_read_ptx_sreg_tid_x()";
const VARIABLE: &str = "weft_thread";
/// Functions of CUDA's driver API that the driver calls.
const SUPPORT: &str = include_str!("gpu_driver.h");

/// Outcome of running a program on a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnGpu {
    /// Image and PTX print what the processor prints.
    Same,
    /// The program was built, but there is no GPU to run it.
    NoGpu,
}

/// Runs a program linked plainly on the processor, and through Weft on a GPU.
pub(super) fn both_ways(
    bench: &Workbench,
    program: &Program,
    options: &Options,
) -> Result<OnGpu, String> {
    let expected = build(bench, program, options)?;
    for files in forms(program) {
        let outcome = Run::new(bench.file(DRIVER), bench.path()).args(&files).outcome();
        match outcome.code {
            Some(0) if outcome.stdout == expected => {}
            Some(NO_GPU) => return Ok(OnGpu::NoGpu),
            _ => {
                let (code, printed, messages) = (outcome.code, outcome.stdout, outcome.stderr);
                return Err(format!(
                    "on the processor it prints\n{expected}\nand on the GPU, of {}, with exit code \
                     {code:?}\n{printed}\n{messages}",
                    files.join(" ")
                ));
            }
        }
    }
    Ok(OnGpu::Same)
}

/// Writes a program through Weft and what it must print into a folder, for a machine with a GPU.
pub(super) fn write(
    bench: &Workbench,
    program: &Program,
    options: &Options,
    folder: &Path,
) -> Result<(), String> {
    let expected = build(bench, program, options)?;
    let copied = || {
        fs::create_dir_all(folder)?;
        fs::write(folder.join("expected.txt"), &expected)?;
        let files = forms(program).into_iter().flatten().chain([DRIVER.to_owned()]);
        files
            .into_iter()
            .try_for_each(|name| fs::copy(bench.file(&name), folder.join(&name)).map(drop))
    };
    copied().map_err(|error| format!("cannot write {}: {error}", folder.display()))
}

/// Returns the files of each form of the program that the driver loads: the image, and the PTX.
fn forms(program: &Program) -> [Vec<String>; 2] {
    [vec![IMAGE.to_owned()], program.names().iter().map(|name| format!("{name}.ptx")).collect()]
}

/// Builds all forms of a program and their driver, and returns what it prints on the processor.
fn build(bench: &Workbench, program: &Program, options: &Options) -> Result<String, String> {
    let expected = plain(bench, program, options)?;
    let names = program.names();
    for (unit, name) in names.iter().enumerate() {
        bench.write(&format!("{name}.cu"), text(program, unit));
        compile(bench, name, &options.compile())?;
    }
    weft(bench, program, options, "cubin,ptx")?;
    let cubins = names.iter().map(|name| format!("{name}.cubin"));
    let link = Run::new(tools().cuda("nvlink"), bench.path());
    link.args([format!("-arch={ARCHITECTURE}")]).args(["-o", IMAGE]).args(cubins).attempt()?;
    bench.write("driver.cpp", driver(program));
    let include = format!("-I{}", tools().cuda_root().join("include").display());
    let compiler = bench.llvm("clang++").args(["-std=c++17", "-o", DRIVER, &include]);
    compiler.args(["driver.cpp", "-ldl"]).attempt()?;
    Ok(expected)
}

/// Returns the text of a unit that reads the variable instead of the thread's number. The first
/// unit defines the variable, and host code of the last unit writes it.
fn text(program: &Program, unit: usize) -> String {
    let kind = if unit == 0 { "" } else { "extern " };
    let mut text =
        format!("extern \"C\" {{ {kind}__attribute__((device)) unsigned {VARIABLE}; }}\n");
    text.push_str(&program.text(unit).replace(QUESTION, VARIABLE));
    if unit + 1 == program.units.len() {
        let _ = writeln!(text, "void writes_thread() {{ host_touches(&{VARIABLE}); }}");
    }
    text
}

/// Returns the host program in C++.
fn driver(program: &Program) -> String {
    let mut text = format!("{SUPPORT}\nint main(int count, char **names) {{\n");
    let mut line = |line: &str| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  {line}");
    };
    line(&format!("Gpu gpu({MEMORY}, count - 1, names + 1);"));
    line("const CUdeviceptr memory = gpu.memory();");
    for array in &program.host_arrays {
        let name = &array.name;
        if let Some(words) = array.written {
            line(&format!("gpu.write(\"{name}\", {});", braced(&words)));
        }
    }
    for (number, Launch { kernel, arguments }) in program.launches.iter().enumerate() {
        let mut pointers = Vec::new();
        for (place, argument) in arguments.iter().enumerate() {
            let name = format!("argument_{number}_{place}");
            match argument {
                Argument::Word(word) => line(&format!("const uint32_t {name} = {word};")),
                Argument::Block(words) => {
                    line(&format!("const uint64_t {name}[3] = {};", braced(words)));
                }
                Argument::Memory => line(&format!("const CUdeviceptr {name} = memory;")),
            }
            pointers.push(format!("&{name}"));
        }
        line(&format!("gpu.launch(\"{kernel}\", {THREADS}, {{{}}});", pointers.join(", ")));
    }
    for array in program.host_arrays.iter().filter(|array| array.written.is_none()) {
        line(&format!("gpu.show(\"{}\", 8);", array.name));
    }
    text + "}\n"
}

fn braced<Word: std::fmt::Display>(words: &[Word]) -> String {
    let words: Vec<_> = words.iter().map(|word| format!("{word}u")).collect();
    format!("{{{}}}", words.join(", "))
}
