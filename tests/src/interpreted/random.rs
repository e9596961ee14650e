//! Random programs.

use std::fmt::Write as _;

use dev_interpreter::{Fault, Launch, Machine};
use dev_programs::random::{Argument, HostArray, MEMORY, Program};

use super::nvidia;
use crate::Workbench;
use crate::meaning::{Difference, Options, THREADS, plain, weft, with_program};
use crate::oracle::ptx_of;

/// Options of nvcc that select the arithmetic of the other compilers.
const NVCC: [&str; 3] = ["-std=c++17", "-fmad=false", "-extended-lambda"];

/// Agreement of the builds of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// All builds compute what the processor computes.
    All,
    /// The builds of clang's code agree with the processor, and nvcc's program with nvcc's units:
    /// the two compilers read the source in different ways, as C++ allows where it leaves the
    /// order of evaluation open, and no linker is to blame.
    WithinCompilers,
}

/// Runs the program of `seed` from the PTX of three builds, and on the processor, and compares the
/// memory after each launch. The seed determines the options of Weft's build.
pub fn check_random(seed: u64) -> Result<Agreement, Box<Difference>> {
    with_program(seed, compare)
}

fn compare(bench: &Workbench, program: &Program, options: &Options) -> Result<Agreement, String> {
    let expected = plain(bench, program, options)?;
    let names = program.link_order();
    let mut files = Vec::new();
    for name in &names {
        files.push((format!("plain/{name}"), ptx_of(bench, &format!("{name}.bc"))?));
    }
    same("the processor", &expected, "plain PTX", &outcome(program, &files)?)?;
    weft(bench, program, options, "bc,ptx")?;
    let file = |name: &&str| {
        let text = bench.read(&format!("{name}.ptx"));
        (format!("weft/{name}"), String::from_utf8_lossy(&text).into_owned())
    };
    let files: Vec<_> = names.iter().map(file).collect();
    same("the processor", &expected, "Weft's PTX", &outcome(program, &files)?)?;
    for (unit, name) in program.names().into_iter().enumerate() {
        bench.write(&format!("{name}.nvcc.cu"), program.text_for_nvcc(unit));
    }
    let units = names.iter().map(|name| ((*name).to_owned(), format!("{name}.nvcc.cu")));
    let units: Vec<_> = units.collect();
    let whole = nvidia::ptx(bench, &units, &NVCC)?;
    let found = outcome(program, &[("nvcc".to_owned(), whole)])?;
    if found == expected {
        return Ok(Agreement::All);
    }
    let texts = nvidia::ptx_of_units(bench, &units, &NVCC)?;
    let names = names.iter().map(|name| format!("nvcc/{name}"));
    let files: Vec<_> = names.zip(texts).collect();
    same("PTX of nvcc's units", &outcome(program, &files)?, "PTX of nvcc's program", &found)?;
    Ok(Agreement::WithinCompilers)
}

fn same(one: &str, expected: &str, other: &str, found: &str) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("from {one} it prints\n{expected}\nand from {other}\n{found}"))
}

/// Links files of PTX by names, runs the program, and returns what its driver on the processor
/// would print. The error is a fault of the program.
pub(crate) fn outcome(program: &Program, files: &[(String, String)]) -> Result<String, String> {
    run(program, files).map_err(|fault| fault.to_string())
}

/// Runs a program and returns what its driver on the processor would print.
fn run(program: &Program, files: &[(String, String)]) -> Result<String, Fault> {
    let files = files.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    let linked = dev_interpreter::Program::link(files)?;
    let mut machine = Machine::new(&linked);
    let memory = machine.allocate(MEMORY * size_of::<u32>());
    for HostArray { name, written, .. } in &program.host_arrays {
        if let Some(words) = written {
            let (address, _) = machine.variable(name)?;
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            machine.write(address, &bytes)?;
        }
    }
    let mut printed = String::new();
    for launch in &program.launches {
        let arguments: Vec<Vec<u8>> = launch
            .arguments
            .iter()
            .map(|argument| match argument {
                Argument::Word(word) => word.to_le_bytes().to_vec(),
                Argument::Block(words) => {
                    words.iter().flat_map(|word| word.to_le_bytes()).collect()
                }
                Argument::Memory => memory.to_le_bytes().to_vec(),
            })
            .collect();
        let threads = u32::try_from(THREADS).unwrap_or(u32::MAX);
        for thread in 0..threads {
            machine.launch(&Launch {
                dynamic_shared_bytes: 32,
                // Threads of one launch would race for the memory that they share.
                only_thread: Some(thread),
                ..Launch::new(&launch.kernel, [1, 1, 1], [threads, 1, 1], &arguments)
            })?;
        }
        show(&mut printed, &machine, &launch.kernel, memory, MEMORY)?;
    }
    for HostArray { name, .. } in program.host_arrays.iter().filter(|array| array.written.is_none())
    {
        let (address, _) = machine.variable(name)?;
        show(&mut printed, &machine, name, address, 8)?;
    }
    Ok(printed)
}

/// Prints a name with the digest of words that the driver on the processor makes, too.
fn show(
    printed: &mut String,
    machine: &Machine<'_>,
    name: &str,
    address: u64,
    count: usize,
) -> Result<(), Fault> {
    let bytes = machine.read(address, (count * size_of::<u32>()) as u64)?;
    let words = bytes
        .chunks_exact(4)
        .map(|word| u64::from(u32::from_le_bytes(<[u8; 4]>::try_from(word).unwrap_or_default())));
    let digest = words.fold(0xcbf2_9ce4_8422_2325_u64, |digest, word| {
        (digest ^ word).wrapping_mul(0x0100_0000_01b3)
    });
    // Writing to a String cannot fail.
    let _ = writeln!(printed, "{name} {digest:016x}");
    Ok(())
}
