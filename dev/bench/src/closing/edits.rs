//! Share of a clean build that runs again after an edit of one body, over one edit in each unit of
//! the generated program.
//!
//! The edit of a unit adds a statement to one of its functions that a kernel reaches. Over the
//! units, the functions go through all levels of calls, from functions that nearly every kernel
//! reaches to functions that few kernels reach. Edits are not reverted, so they accumulate.
//! `edit_share` compares all processor time, of the compiler and of the device link;
//! `edit_share_of_link` compares the device link alone. The build is tuned for edits;
//! `edit_registers` says what that costs: registers over those of a build that is tuned for
//! kernels, the geometric mean over kernels.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::options::{Options, print};
use crate::device_link::{Setup, build, link};
use crate::figures::{geometric_mean, median, number};
use dev_builds::{Program, Settings, Target, Variant};
use dev_process::{Error, Result, processor_time, while_trying};
use dev_programs::deep::Size;
use dev_toolchain::Toolchain;

/// Option of the thin link for few jobs after an edit.
pub(crate) const TUNED: &str = "--tune-for=edits";

/// Prints `edit_share`.
pub(super) fn measure(_root: &Path, setup: &Setup, options: &Options) -> Result<()> {
    let source = dev_programs::generated(options.quick, options.seed);
    let size = dev_programs::size_of_generated(options.quick);
    let [fresh, place] = ["source", "weft"].map(|name| setup.folder.join("edits").join(name));
    let toolchain = &setup.tools.toolchain;
    source.write(&fresh)?;
    let program = Program::copy(&fresh, &place, &setup.tools)?;
    let settings = Settings { thinlink_options: vec![TUNED.to_owned()], ..source.settings() };
    let before = processor_time::of_children()?;
    let clean_link = link(&program, Variant::Weft, &settings)?.processor;
    let clean = processor_time::of_children()? - before;
    println!(
        "edits: a clean build takes {clean:.2} s of processor time, its link {clean_link:.2} s"
    );
    let (mut shares, mut shares_of_link) = (Vec::new(), Vec::new());
    in_each_unit(&program, &size, |function| {
        let compiled = build(&program, Variant::Weft, Target::Objects)?;
        let linked = build(&program, Variant::Weft, Target::Image)?;
        let ran = linked.log.count(&["import", "codegen", "assemble"]);
        let all = compiled.processor + linked.processor;
        println!(
            "  {function:6} {:2} jobs ran, of {:2} codegen: {all:.2} s",
            ran,
            linked.log.count(&["codegen"])
        );
        shares.push(all / clean);
        shares_of_link.push(linked.processor / clean_link);
        Ok(())
    })?;
    let registers = registers_for_edits(&program, Variant::Weft, &source.settings(), toolchain)?;
    print("edit_registers", registers);
    print("edit_share_of_link", median(shares_of_link));
    print("edit_share", median(shares));
    Ok(())
}

/// Returns the registers of kernels in a build that was tuned for edits over those of a build by
/// `settings`, which this links: the geometric mean.
pub(crate) fn registers_for_edits(
    program: &Program<'_>,
    variant: Variant,
    settings: &Settings,
    toolchain: &Toolchain,
) -> Result<f64> {
    let image = || dev_sass::read(toolchain, &program.image(variant)?);
    let for_edits = image()?;
    link(program, variant, settings)?;
    let for_kernels = image()?;
    Ok(geometric_mean(for_edits.kernels.iter().filter_map(|(name, cost)| {
        Some(number(cost.registers) / number(for_kernels.kernels.get(name)?.registers))
    })))
}

/// Edits a live function in each unit of a generated program, and calls `each` after each edit with
/// the function's name.
pub(crate) fn in_each_unit(
    program: &Program<'_>,
    size: &Size,
    mut each: impl FnMut(&str) -> Result<()>,
) -> Result<()> {
    let live = reached(&sources(program)?);
    for unit in 0..size.units {
        let levels = (0..size.levels).map(|step| (unit + step) % size.levels);
        let mut functions = levels.map(|level| format!("f_{unit}_{level}"));
        let Some(function) = functions.find(|function| live.contains(function)) else { continue };
        edit(&program.folder().join(format!("src/unit_{unit:02}.cu")), &function)?;
        each(&function)?;
    }
    Ok(())
}

/// Returns the text of all CUDA units.
fn sources(program: &Program<'_>) -> Result<String> {
    let mut text = String::new();
    for unit in &program.units().cuda {
        let path = program.folder().join(unit);
        text += &fs::read_to_string(&path).map_err(while_trying("read", &path))?;
    }
    Ok(text)
}

/// Returns the functions of the generator that kernels reach by calls. In the generator's text a
/// definition starts on a new line with `__device__` or `__global__`, and each name followed by `(`
/// inside it is a call.
fn reached(text: &str) -> BTreeSet<String> {
    let mut calls: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut open = Vec::new();
    let mut body: &mut Vec<&str> = calls.entry("").or_default();
    for line in text.lines() {
        let names = line.split('(').filter_map(|part| part.rsplit([' ', '{', '(']).next());
        let mut names = names.filter(|name| name.starts_with("f_") || name.starts_with("kernel_"));
        if line.starts_with("__device__ ") || line.starts_with("__global__ ") {
            let name = names.next().unwrap_or_default();
            if line.starts_with("__global__ ") {
                open.push(name);
            }
            body = calls.entry(name).or_default();
        } else {
            body.extend(names);
        }
    }
    let mut reached = BTreeSet::new();
    while let Some(name) = open.pop() {
        for callee in calls.get(name).into_iter().flatten() {
            if reached.insert((*callee).to_owned()) {
                open.push(callee);
            }
        }
    }
    reached
}

/// Adds a statement to a function of the generator in a source file.
fn edit(path: &Path, function: &str) -> Result<()> {
    let text = fs::read_to_string(path).map_err(while_trying("read", path))?;
    let edited = edited(&text, function)
        .ok_or_else(|| Error::new(format!("{}: has no {function}", path.display())))?;
    fs::write(path, edited).map_err(while_trying("write", path))
}

/// Returns the text with one more statement before the last one of the function's body, which
/// returns the changed state; `None` if there is no such function.
fn edited(text: &str, function: &str) -> Option<String> {
    let name = text.find(&format!(" {function}("))?;
    let end = name + text[name..].find("\n}\n")?;
    let last = text[..end].rfind('\n')? + 1;
    Some(format!("{}    s.w += 0.125f;\n{}", &text[..last], &text[last..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_kernels_call_is_reached_and_nothing_else() {
        let text = "\
__device__ float f_0_0(State s, float a, int n) {
    return s.x;
}
__device__ State f_0_1(State s, float a, int n) {
    if (s.x > 1.0f) { s.z += f_0_0(s, a, n); }
    return s;
}
__device__ State f_1_1(State s, float a, int n) {
    f_2_0(&s, a, n);
}
__global__ void kernel_0(float* out) {
    s = f_0_1(s, a * 1.5f, n + 1);
}
";
        assert_eq!(reached(text), ["f_0_0", "f_0_1"].map(str::to_owned).into());
    }

    #[test]
    fn the_statement_goes_into_the_function_that_is_named() {
        let text = "__device__ float f_1_1(State s, float a, int n) {\n    f_1_0(&s, a, n);\n}\n\n\
                    __device__ State f_1_10(State s, float a, int n) {\n    s.x = 1;\n    \
                    return s;\n}\n";
        let expected = text.replace("    return s;", "    s.w += 0.125f;\n    return s;");
        assert_eq!(edited(text, "f_1_10"), Some(expected));
        assert_eq!(edited(text, "f_1_2"), None);
    }
}
