//! A generated library of CUDA units, and programs on it.
//!
//! A unit of the library has a kernel that host code launches, a function that other units call,
//! static functions, one of which may not be inlined, and a table in constant memory; the header
//! has an inline function and a template. Units call units before them, so the calls have no cycle.
//! Each program adds one unit. The unit's kernel uses other functions of the library than the next
//! program's, and its host code launches all kernels of the library.

use std::fs;
use std::path::Path;

use dev_process::{Result, remove, while_trying};
use dev_random::SplitMix64;

/// Module id of the unit of the program itself.
pub const MAIN: &str = "src/main.cu";

const CMAKE_LISTS: &str = include_str!("CMakeLists.txt");
const HEADER: &str = include_str!("library.cuh.txt");
const UNIT: &str = include_str!("unit.cu.txt");
const PROGRAM: &str = include_str!("main.cu.txt");
/// Number of functions of the library that a program's own kernel calls.
const USED: u32 = 3;

/// Writes a library of `units` units into a folder, instead of its earlier content.
pub fn write(folder: &Path, units: u32, seed: u64) -> Result<()> {
    remove(folder)?;
    for name in ["src", "include", "programs"] {
        let folder = folder.join(name);
        fs::create_dir_all(&folder).map_err(while_trying("create", &folder))?;
    }
    let mut random = SplitMix64::new(seed);
    write_file(folder, "include/library.cuh", &header(units))?;
    for number in 0..units {
        let name = format!("src/library_{number:02}.cu");
        write_file(folder, &name, &unit(number, &mut random))?;
    }
    Ok(())
}

/// Writes the own unit of a program into the folder of a library of `units` units.
pub fn write_program(folder: &Path, program: u32, units: u32) -> Result<()> {
    write_file(folder, MAIN, &program_unit(program, units))
}

/// Writes the own units of `programs` programs into the folder of a library of `units` units, with
/// a `CMakeLists.txt` of all.
pub fn write_programs(folder: &Path, programs: u32, units: u32) -> Result<()> {
    for program in 0..programs {
        write_file(folder, &program_file(program), &program_unit(program, units))?;
    }
    write_file(folder, "CMakeLists.txt", CMAKE_LISTS)
}

/// Returns the path of the own unit of a program that [`write_programs`] writes. Its target has the
/// name of the file.
fn program_file(program: u32) -> String {
    format!("programs/program_{program:02}.cu")
}

fn write_file(folder: &Path, name: &str, text: &str) -> Result<()> {
    let path = folder.join(name);
    fs::write(&path, text).map_err(while_trying("write", &path))
}

fn header(units: u32) -> String {
    let declared = (0..units).map(|unit| {
        format!("__device__ int library_{unit}(int value);\nvoid launch_{unit}(int* values);\n")
    });
    HEADER.replace("@DECLARED@\n", &declared.collect::<String>())
}

fn unit(number: u32, random: &mut SplitMix64) -> String {
    // A unit calls at most two units before it.
    let mut callees: Vec<u64> =
        (0..2).filter(|_| number > 0).map(|_| random.below(number.max(1).into())).collect();
    callees.dedup();
    let calls = callees.iter().map(|callee| format!("  value += library_{callee}(value);\n"));
    UNIT.replace("@CALLS@", &calls.collect::<String>())
        .replace("@FACTOR@", &(3 + random.below(90)).to_string())
        .replace("@ROUNDS@", &(2 + random.below(6)).to_string())
        .replace("@UNIT@", &number.to_string())
}

fn program_unit(program: u32, units: u32) -> String {
    let used = (0..USED).map(|at| (program * USED + at) % units);
    let calls = used.map(|unit| format!("  value ^= library_{unit}(value);\n"));
    let launches = (0..units).map(|unit| format!("  launch_{unit}(values);\n"));
    PROGRAM
        .replace("@CALLS@", &calls.collect::<String>())
        .replace("@LAUNCHES@", &launches.collect::<String>())
        .replace("@PROGRAM@", &(program + 2).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_use_different_functions_and_launch_every_kernel() {
        let [one, next] = [0, 1].map(|program| program_unit(program, 20));
        for unit in 0..20 {
            assert!(one.contains(&format!("launch_{unit}(values)")));
        }
        assert!(one.contains("library_2(value)") && !next.contains("library_2(value)"));
        assert!(next.contains("library_3(value)"));
        assert!(!one.contains('@'), "{one}");
    }

    #[test]
    fn units_call_only_units_before_them() {
        let mut random = SplitMix64::new(3);
        for number in 0..20 {
            let text = unit(number, &mut random);
            assert!(!text.contains('@'), "{text}");
            let called = text.split("value += library_").skip(1);
            for callee in called.filter_map(|rest| rest.split('(').next()) {
                assert!(callee.parse::<u32>().unwrap() < number, "{text}");
            }
        }
    }
}
