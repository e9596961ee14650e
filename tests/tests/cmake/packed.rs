//! Jobs of several units.

use std::collections::BTreeMap;

use crate::project::{Project, from_checkout, units};

#[test]
fn a_job_of_several_units_runs_again_after_an_edit_of_any() {
    for generator in ["Ninja", "Unix Makefiles"] {
        let project = Project::copy("tests/cmake/shared");
        project.edit("CMakeLists.txt", "OPTIONS -O2", "OPTIONS -O2 --full");
        project.cmake(generator).args(from_checkout()).succeed();
        let first = project.build();
        for verb in ["import", "codegen"] {
            assert_eq!(units(&first, verb), ["solver.cu"], "{verb}: {first:?}");
        }
        project.run("program");
        assert_eq!(project.build(), BTreeMap::new(), "nothing changed, and something was done");

        project.edit("terms.cu", "+ 1.0f", "+ 1.0f /* the same */");
        let steps = project.build();
        assert_eq!(units(&steps, "summarize"), ["terms.cu"], "{steps:?}");
        assert_eq!(units(&steps, "codegen"), [""; 0], "after a comment: {steps:?}");

        // The job of the first unit reads the bitcode of the second.
        project.edit("terms.cu", "+ 1.0f", "+ 1.5f");
        let steps = project.build();
        for verb in ["import", "codegen"] {
            assert_eq!(units(&steps, verb), ["solver.cu"], "{verb}: {steps:?}");
        }
    }
}
