//! The package with a CMake of the next major version, which knows more policies.

use weft_tests::{Run, workspace_root};

use crate::project::{Project, from_checkout};

#[test]
fn a_later_cmake_warns_of_nothing_and_builds() {
    let cmake = dev_toolchain::servers::cmake(workspace_root());
    assert!(cmake.is_file(), "{}: `cargo xtask test` installs it", cmake.display());
    let project = Project::copy("tests/cmake/libraries");
    let configured = project.cmake_of(&cmake, "Ninja").args(from_checkout()).succeed();
    let text = configured.stdout + &configured.stderr;
    assert!(!text.contains("Warning") && !text.contains("Policy"), "{text}");
    let build = || Run::new("ninja", project.build_folder()).succeed().stdout;
    build();
    project.run("program");
    let rebuilt = build();
    assert!(rebuilt.contains("no work to do"), "{rebuilt}");

    // The depfile of an import is read: a change of what it imports runs it again.
    project.edit("physics/step.cu", "\n", "\n\n");
    let rebuilt = build();
    assert!(rebuilt.contains("Weft summarize physics/step.cu"), "{rebuilt}");
    assert!(build().contains("no work to do"));
}
