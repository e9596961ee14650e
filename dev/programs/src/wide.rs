//! Generates CUDA programs of any number of units, to measure the growth of builds.
//!
//! A program has the layout that [`dev_builds`] builds, a `BUILD.bazel` and a `CMakeLists.txt`.
//! Unit `i` has a kernel and a function that other units call, and calls two such functions of
//! units before it: one near, as most calls in real programs are, and one anywhere. So the call
//! graph has no cycle and grows with the number of units. In each unit, a body that no other unit
//! can import is marked `private-edit`, for [`dev_builds::Edit`].

use std::fs;
use std::path::Path;

use dev_process::{Result, remove, while_trying};
use dev_random::SplitMix64;

/// Name of the program in both kinds of build file.
pub const TARGET: &str = "program";

const BUILD_BAZEL: &str = include_str!("wide/BUILD.bazel.txt");
const CMAKE_LISTS: &str = include_str!("wide/CMakeLists.txt");
const HOST_UNIT: &str = include_str!("wide/main.cpp.txt");
const CUDA_UNIT: &str = include_str!("wide/unit.cu.txt");
/// Maximum distance of the near call.
const NEIGHBORS: u64 = 5;

/// Writes a program of `units` CUDA units, instead of the content of `folder`. The same numbers
/// give the same files.
pub fn write(folder: &Path, units: u32, seed: u64) -> Result<()> {
    remove(folder)?;
    for name in ["src", "include"] {
        let folder = folder.join(name);
        fs::create_dir_all(&folder).map_err(while_trying("create", &folder))?;
    }
    let mut random = SplitMix64::new(seed);
    let mut files = vec![
        ("BUILD.bazel".to_owned(), BUILD_BAZEL.to_owned()),
        ("CMakeLists.txt".to_owned(), CMAKE_LISTS.to_owned()),
        ("include/units.cuh".to_owned(), header(units)),
        ("src/main.cpp".to_owned(), host_unit(units)),
    ];
    for unit in 0..units {
        files.push((format!("src/unit_{unit:03}.cu"), cuda_unit(unit, &mut random)));
    }
    for (name, text) in files {
        let path = folder.join(name);
        fs::write(&path, text).map_err(while_trying("write", &path))?;
    }
    Ok(())
}

/// Joins a line for each item.
fn lines<T>(items: impl IntoIterator<Item = T>, line: impl Fn(T) -> String) -> String {
    items.into_iter().map(line).collect::<Vec<_>>().concat()
}

fn header(units: u32) -> String {
    let functions = lines(0..units, |unit| format!("__device__ int work_{unit}(int value);\n"));
    format!("#pragma once\n\n{functions}")
}

fn host_unit(units: u32) -> String {
    let declared = lines(0..units, |unit| format!("void launch_{unit}(int* values);\n"));
    let called = lines(0..units, |unit| format!("  launch_{unit}(values);\n"));
    HOST_UNIT.replace("@DECLARED@", &declared).replace("@CALLED@", &called)
}

fn cuda_unit(unit: u32, random: &mut SplitMix64) -> String {
    let callees = callees(u64::from(unit), random);
    let calls = lines(callees, |callee| format!("  value += work_{callee}(value);\n"));
    CUDA_UNIT
        .replace("@CALLS@", &calls)
        .replace("@FACTOR@", &(3 + random.below(90)).to_string())
        .replace("@ROUNDS@", &(2 + random.below(6)).to_string())
        .replace("@UNIT@", &unit.to_string())
}

/// Draws the units before this one whose functions it calls: none, one or two.
fn callees(unit: u64, random: &mut SplitMix64) -> Vec<u64> {
    if unit == 0 {
        return Vec::new();
    }
    let near = unit - 1 - random.below(NEIGHBORS.min(unit));
    let far = random.below(unit);
    if near == far { vec![near] } else { vec![near, far] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(count: u32, seed: u64) -> Vec<String> {
        let mut random = SplitMix64::new(seed);
        (0..count).map(|unit| cuda_unit(unit, &mut random)).collect()
    }

    #[test]
    fn a_seed_gives_the_same_units_and_more_units_leave_the_first_alone() {
        assert_eq!(units(20, 1), units(20, 1));
        assert_eq!(units(20, 1), units(30, 1)[..20]);
        assert_ne!(units(20, 1), units(20, 2));
    }

    #[test]
    fn units_call_at_most_two_others_that_come_before() {
        let mut random = SplitMix64::new(7);
        for unit in 0..200 {
            let callees = callees(unit, &mut random);
            assert!(
                callees.len() <= 2 && callees.iter().all(|callee| *callee < unit),
                "{callees:?}"
            );
            assert_eq!(callees.is_empty(), unit == 0);
        }
    }
}
