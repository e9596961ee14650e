//! One source in several targets of a program, with a different definition of a macro in each
//! target.

use std::collections::BTreeMap;

use weft_tests::{Run, tools};

use crate::project::{Project, from_checkout, units};

/// Returns the kernels and variables of a program's image that are global or weak, without the
/// suffixes that clang adds to names that are local to a file.
fn symbols(project: &Project, program: &str) -> Vec<String> {
    let table = Run::new(tools().llvm("llvm-readelf"), project.build_folder())
        .args(["-sW".into(), project.image(program).into_os_string()])
        .succeed()
        .stdout;
    let names =
        table.lines().filter(|line| [" FUNC ", " OBJECT "].iter().any(|kind| line.contains(kind)));
    let mut names: Vec<_> = names
        .filter(|line| !line.contains(" UND "))
        .filter_map(|line| line.split_whitespace().last())
        .map(|name| name.split("__static__").next().unwrap_or(name))
        .map(|name| name.split("__intern__").next().unwrap_or(name).to_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_source_in_three_targets_is_three_units_with_names_that_stay() {
    for generator in ["Ninja", "Unix Makefiles"] {
        let project = Project::copy("tests/cmake/twice");
        project.cmake(generator).args(from_checkout()).succeed();
        let first = project.build();
        let all = ["scale.cu", "scale.cu", "scale.cu@doubles", "scale.cu@program"];
        assert_eq!(units(&first, "codegen"), all, "{generator}: {first:?}");
        project.run("alone");
        project.run("program");
        let kernels = ["_Z5scaleIdEvPT_S0_", "_Z5scaleIfEvPT_S0_", "_Z5scaleIiEvPT_S0_"];
        let found = symbols(&project, "program");
        for kernel in kernels {
            assert!(found.iter().any(|symbol| symbol == kernel), "{kernel} is not in {found:?}");
        }
        for local in ["_ZL5state", "_ZL7advanceP"] {
            let count = found.iter().filter(|name| name.starts_with(local)).count();
            assert_eq!(count, 3, "{local} in {found:?}");
        }
        assert_eq!(project.build(), BTreeMap::new(), "{generator}: nothing changed");
        let review = std::fs::read_to_string(project.output("program.md")).expect("a report");
        for text in ["Against before: 0 worse, ", "| new | `scale<double>` |", "Gone: `gone`."] {
            assert!(review.contains(text), "{text:?} is not in {review}");
        }

        // The targets compile this text under different names, and an edit reaches all of them.
        project.edit("scale.cu", "+= state", "-= state");
        assert_eq!(units(&project.build(), "codegen"), all, "{generator}");
    }
}
