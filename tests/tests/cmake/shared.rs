//! A shared library with device code, some of it opaque, and a program that is installed with it.

use std::collections::BTreeMap;

use weft_tests::{Run, tools};

use crate::project::{Project, from_checkout, units};

#[test]
fn a_shared_library_links_opaque_code_and_works_installed() {
    let project = Project::copy("tests/cmake/shared");
    let messages = project.cmake("Ninja").args(from_checkout()).succeed().stdout;
    assert!(messages.contains("solver keeps kernels whose host symbols it exports"), "{messages}");
    let first = project.build();
    assert_eq!(units(&first, "codegen"), ["solver.cu", "terms.cu"]);
    assert_eq!(
        units(&first, "summarize"),
        ["generated/vendor.cubin", "solver.cu", "terms.cu"],
        "{first:?}"
    );
    project.run("program");
    assert_eq!(project.removed_kernels("solver"), [""; 0]);
    let symbols = Run::new(tools().cuda("cuobjdump"), project.build_folder())
        .args(["-symbols".into(), project.image("solver").into_os_string()])
        .succeed()
        .stdout;
    for name in ["_Z12solve_kernelPf", "_Z17kernel_for_othersPf", "_Z12vendor_scalef"] {
        assert!(symbols.contains(name), "{name} is not in the image:\n{symbols}");
    }
    assert_eq!(project.build(), BTreeMap::new(), "nothing changed, and something was done");

    // No target of this project asks for a report.
    let reports = Run::new("cmake", project.build_folder());
    let messages = reports.args(["--build", ".", "--target", "weft_report"]).expect(1).stderr;
    assert!(messages.contains("unknown target 'weft_report'"), "{messages}");

    // The summary of the opaque code stays the same, so only the link reruns after it.
    project.edit("vendor.cu", "* 4.0f", "* 4.5f");
    let steps = project.build();
    assert_eq!(units(&steps, "summarize"), ["generated/vendor.cubin"]);
    for (verb, expected) in [("thinlink", vec![]), ("import", vec![]), ("nvlink", vec!["solver"])] {
        assert_eq!(units(&steps, verb), expected, "{verb}: {steps:?}");
    }

    let prefix = project.output("installed");
    Run::new("cmake", project.build_folder())
        .args(["--install".into(), ".".into(), "--prefix".into(), prefix.into_os_string()])
        .succeed();
    project.run("installed/bin/program");

    // Only the library's own host code can launch kernels that the library hides.
    project.edit(
        "solver.cu",
        "int solve()",
        "__attribute__((visibility(\"default\"))) int solve()",
    );
    let hidden = project.cmake("Ninja").args(from_checkout());
    hidden.arg("-DCMAKE_CUDA_VISIBILITY_PRESET=hidden").succeed();
    project.build();
    project.run("program");
    assert_eq!(project.removed_kernels("solver"), ["_Z17kernel_for_othersPf"]);
}
