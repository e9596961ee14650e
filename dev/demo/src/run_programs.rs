//! Runs the three programs and compares their outputs.

use std::fmt::Write as _;

use crate::measure::PerVariant;
use dev_builds::{Program, Variant};
use dev_process::{Result, environment};

/// Variable that, if set, makes a machine without a GPU an error.
const GPU_VARIABLE: &str = "WEFT_REQUIRE_GPU";
/// Part of the output of programs on a machine without a GPU.
const NO_GPU: &str = "no CUDA device";

/// Runs the programs, Weft's last, and returns the fault in their outputs, if there is one.
pub(super) fn run(programs: &PerVariant<Program<'_>>) -> Result<Option<String>> {
    let mut outputs = Vec::new();
    println!("running the programs");
    for variant in [Variant::Rdc, Variant::Dlto, Variant::Weft] {
        let output = programs.of(variant).run(variant)?;
        print!("{}", under(variant, &output));
        outputs.push((variant, output));
    }
    if outputs.iter().all(|(_, output)| output.contains(NO_GPU)) {
        if environment::variable(GPU_VARIABLE).is_some() {
            return Ok(Some(format!("{GPU_VARIABLE} is set, but there is no GPU")));
        }
        println!("  what they compute is not compared: that needs a GPU");
        return Ok(None);
    }
    let difference = difference(&outputs);
    if difference.is_none() {
        println!("  all three print the same");
    }
    Ok(difference)
}

/// Puts a program's name before its output.
fn under(variant: Variant, output: &str) -> String {
    let names = [variant.name()].into_iter().chain(std::iter::repeat(""));
    let mut text = String::new();
    for (name, line) in names.zip(output.lines()) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  {name:5} {line}");
    }
    text
}

/// Describes the first difference between the first output and another one.
fn difference(outputs: &[(Variant, String)]) -> Option<String> {
    let (first_variant, first) = outputs.first()?;
    outputs.iter().find(|(_, output)| output != first).map(|(variant, output)| {
        let lines = first.lines().zip(output.lines()).find(|(one, other)| one != other);
        let (one, other) = lines.unwrap_or(("other lines after these", "others"));
        let (first_name, name) = (first_variant.name(), variant.name());
        format!("the programs differ: {first_name} prints {one:?}, {name} {other:?}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_outputs_are_shown_at_their_first_difference() {
        let outputs = |weft: &str| {
            [(Variant::Rdc, "a 1\nb 2\n".to_owned()), (Variant::Weft, weft.to_owned())]
        };
        assert_eq!(difference(&outputs("a 1\nb 2\n")), None);
        let text = difference(&outputs("a 1\nb 3\n")).unwrap_or_default();
        assert!(text.contains("rdc prints \"b 2\", weft \"b 3\""), "{text}");
        assert!(difference(&outputs("a 1\n")).is_some());
    }

    #[test]
    fn the_name_stands_before_the_first_line_only() {
        assert_eq!(under(Variant::Weft, "a\nb\n"), "  weft  a\n        b\n");
    }
}
