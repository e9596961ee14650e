//! Projects modeled on real ones, which docs/projects.md refers to.

use std::collections::BTreeMap;
use std::fs;

use crate::project::{Project, from_checkout, units};

#[test]
fn a_program_with_cub_and_thrust_gets_their_headers_and_inlines_into_their_kernels() {
    let project = Project::copy("tests/cmake/cccl");
    project.cmake("Ninja").args(from_checkout()).succeed();
    let steps = project.build();
    assert_eq!(
        units(&steps, "summarize"),
        ["main.cu", "order.cu", "rows.cu", "total.cu", "twice.cu"]
    );
    project.run("program");
    let report = fs::read_to_string(project.output("report.txt")).expect("a report");
    assert!(report.contains("imports 1 definition from twice.cu"), "{report}");
    assert_eq!(project.build(), BTreeMap::new(), "nothing changed, and something was done");
}

#[test]
fn many_programs_on_one_library_share_its_summaries_and_are_rebuilt_apart() {
    let project = Project::copy("tests/cmake/programs");
    project.cmake("Ninja").args(from_checkout()).succeed();
    let steps = project.build();
    let summarized = ["fill.cpp", "one.cpp", "scale.cpp", "three.cpp", "two.cpp"];
    assert_eq!(units(&steps, "summarize"), summarized, "{steps:?}");
    for program in ["one", "two", "three"] {
        project.run(program);
        assert_eq!(project.removed_kernels(program), [""; 0], "{program}");
    }
    assert_eq!(project.build(), BTreeMap::new(), "nothing changed, and something was done");

    project.edit("two.cpp", ", 3)", ", 5)");
    let steps = project.build();
    for verb in ["summarize", "codegen"] {
        assert_eq!(units(&steps, verb), ["two.cpp"], "{verb}: {steps:?}");
    }
    for verb in ["nvlink", "fatbinary"] {
        assert_eq!(units(&steps, verb), ["two"], "{verb}: {steps:?}");
    }
}
