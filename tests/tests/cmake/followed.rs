//! Libraries and sources that a project names in other ways than plainly.

use std::collections::BTreeMap;
use std::fs;

use weft_tests::Run;

use crate::project::{Project, from_checkout, units};

/// Names of the kernels of `tests/cmake/followed`, one for each way to name a library or a source.
const KERNELS: [&str; 13] = [
    "added",
    "behind_package",
    "condition",
    "configuration",
    "elsewhere",
    "file",
    "for_release",
    "group",
    "objects",
    "plus",
    "source",
    "underscore",
    "whole_archive",
];

#[test]
fn libraries_and_sources_are_followed_however_they_are_named() {
    let project = Project::copy("tests/cmake/followed");
    let configured = project.cmake("Ninja").args(from_checkout()).succeed();
    // With a gap, kernels stay in any case, and the list of them would prove less.
    assert!(!configured.stdout.contains("keeps kernels"), "{}", configured.stdout);
    let steps = project.build();
    assert_eq!(units(&steps, "codegen").len(), KERNELS.len(), "{steps:?}");
    project.run("program");
    let image = fs::read(project.image("program")).expect("an image");
    for kernel in KERNELS {
        let name = format!("kernel_{kernel}");
        let found = image.windows(name.len()).any(|window| window == name.as_bytes());
        assert!(found, "{name} is not in the image");
    }
    assert_eq!(project.build(), BTreeMap::new(), "nothing changed, and something was done");
}

#[test]
fn expressions_have_the_values_that_cmake_gives_them() {
    let project = Project::copy("tests/cmake/expressions");
    project.bare_cmake("Ninja").args(from_checkout()).arg("-DCMAKE_BUILD_TYPE=Release").succeed();
    let folder = |name: &str| project.output(name);
    let mut count = 0;
    for entry in fs::read_dir(folder("cmake")).expect("values") {
        let path = entry.expect("a value").path();
        let name = path.file_name().expect("a name").to_owned();
        let theirs = fs::read_to_string(&path).expect("a value");
        let ours = fs::read_to_string(folder("weft").join(&name)).expect("a value");
        let expression = fs::read_to_string(folder("text").join(&name)).expect("an expression");
        assert_eq!(ours, theirs, "{expression}");
        count += 1;
    }
    assert!(count > 50, "only {count} expressions were compared");
    Run::new("cmake", project.build_folder()).args(["--build", "."]).succeed();
}
