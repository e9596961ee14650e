//! Units with names that are nearly or entirely the same.

use std::collections::BTreeMap;

use weft_tests::{Run, tools};

use crate::project::{Project, from_checkout, units};

#[test]
fn units_of_like_names_are_told_apart() {
    for generator in ["Ninja", "Unix Makefiles"] {
        let project = Project::copy("tests/cmake/names");
        let configured = project.cmake(generator).args(from_checkout()).succeed();
        assert!(!configured.stdout.contains("keeps kernels"), "{}", configured.stdout);
        let steps = project.build();
        let cuda = ["a/b.cu", "a_b.cu", "generated/x.cu", "generated/x.cu~2"];
        assert_eq!(units(&steps, "codegen"), cuda, "{generator}: {steps:?}");
        let host = ["host.cpp", "host.cpp@two", "main.cpp"];
        let all = [&cuda[..], &host[..]].concat();
        let mut summarized = units(&steps, "summarize");
        summarized.sort_unstable();
        assert_eq!(summarized, all, "{generator}: {steps:?}");
        project.run("program");

        // Each unit has its own kernel and variable, which share their names in the source.
        let table = Run::new(tools().llvm("llvm-readelf"), project.build_folder())
            .args(["-sW".into(), project.image("program").into_os_string()])
            .succeed()
            .stdout;
        for local in ["_ZL12local_kernelPi", "_ZL5state"] {
            let mut names: Vec<_> = table
                .lines()
                .filter(|line| line.contains(" FUNC ") || line.contains(" OBJECT "))
                .filter_map(|line| line.split_whitespace().last())
                .filter(|name| name.starts_with(local))
                .collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), cuda.len(), "{local} in {names:?}");
        }
        assert_eq!(project.build(), BTreeMap::new(), "{generator}: nothing changed");
    }
}
