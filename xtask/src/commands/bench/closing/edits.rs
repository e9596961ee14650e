//! One body edited in each unit of the generated program: how much of a clean build runs again.
//!
//! The edit of a unit adds a statement to one of its functions; over the units the functions go through all
//! levels of calls, from those that nearly every kernel reaches to those that few do. Edits stay, so each is
//! one to the program before it. What is compared is all processor time, of the compiler and of the device
//! link; `edit_share_of_link` compares the device link alone.

use std::fs;
use std::path::Path;

use super::options::Options;
use super::print;
use super::setup::{Setup, build, link};
use crate::commands::bench::median;
use crate::commands::bench::programs;
use crate::error::{Error, Result, while_trying};
use crate::processor_time;
use crate::program::{Program, Target};

/// Prints `edit_share`.
pub(super) fn measure(_root: &Path, setup: &Setup, options: &Options) -> Result<()> {
    let source = programs::generated(options.quick, options.seed);
    let size = programs::size_of_generated(options.quick);
    let [fresh, place] = ["source", "weft"].map(|name| setup.folder.join("edits").join(name));
    source.write(&fresh)?;
    let program = Program::copy(&fresh, &place, &setup.tools)?;
    let before = processor_time::of_children()?;
    let clean_link = link(&program, &source.settings())?.processor;
    let clean = processor_time::of_children()? - before;
    println!(
        "edits: a clean build takes {clean:.2} s of processor time, its link {clean_link:.2} s"
    );
    let (mut shares, mut shares_of_link) = (Vec::new(), Vec::new());
    for unit in 0..size.units {
        let function = format!("f_{unit}_{}", unit % size.levels);
        let path = place.join(format!("src/unit_{unit:02}.cu"));
        edit(&path, &function)?;
        let compiled = build(&program, Target::Objects)?;
        let linked = build(&program, Target::Image)?;
        let ran = linked.log.count(&["import", "codegen", "assemble"]);
        let all = compiled.processor + linked.processor;
        println!(
            "  {function:6} {:2} jobs ran, of {:2} codegen: {all:.2} s",
            ran,
            linked.log.count(&["codegen"])
        );
        shares.push(all / clean);
        shares_of_link.push(linked.processor / clean_link);
    }
    print("edit_share_of_link", median(shares_of_link));
    print("edit_share", median(shares));
    Ok(())
}

/// Adds a statement to a function of the generator in a source file.
fn edit(path: &Path, function: &str) -> Result<()> {
    let text = fs::read_to_string(path).map_err(while_trying("read", path))?;
    let edited = edited(&text, function)
        .ok_or_else(|| Error::new(format!("{}: has no {function}", path.display())))?;
    fs::write(path, edited).map_err(while_trying("write", path))
}

/// The text with a statement more at the start of the body; `None` without the function.
fn edited(text: &str, function: &str) -> Option<String> {
    let name = text.find(&format!(" {function}("))?;
    let body = name + text[name..].find("{\n")? + 2;
    Some(format!("{}    a += 0.125f;\n{}", &text[..body], &text[body..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statement_goes_into_the_function_that_is_named() {
        let text = "__device__ float f_1_1(State s, float a, int n) {\n    f_1_0(&s, a, n);\n}\n\n\
                    __device__ void f_1_10(State* state, float a, int n) {\n    s.x = 1;\n}\n";
        let expected = text.replace("int n) {\n    s.x", "int n) {\n    a += 0.125f;\n    s.x");
        assert_eq!(edited(text, "f_1_10"), Some(expected));
        assert_eq!(edited(text, "f_1_2"), None);
    }
}
