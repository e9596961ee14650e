//! Links that give stubs other names, and libraries of nvcc's relocatable device code.

use weft_tests::{Run, tools};

use crate::project::{Project, from_checkout};

#[test]
fn a_kernel_stays_that_an_option_of_the_link_names() {
    let project = Project::copy("tests/cmake/host_names");
    project.cmake("Ninja").args(from_checkout()).succeed();
    project.build();
    for way in ["option", "words", "item", "library", "expression", "flags"] {
        let removed = project.removed_kernels(&format!("by_{way}"));
        assert_eq!(removed, ["_Z8unwantedPi"], "{way}");
    }
    // Response files and scripts are not read, so everything stays.
    for way in ["by_file", "by_script"] {
        assert_eq!(project.removed_kernels(way), [""; 0], "{way}");
    }
    assert_eq!(project.removed_kernels("unnamed"), ["_Z6wantedPi", "_Z8unwantedPi"]);
}

#[test]
fn a_library_of_nvcc_is_registered_with_the_image() {
    let project = Project::copy("tests/cmake/nvcc_library");
    project.cmake("Ninja").args(from_checkout()).succeed();
    project.build();
    project.run("app");
    let symbols = Run::new(tools().cuda("cuobjdump"), project.build_folder())
        .args(["-symbols".into(), project.image("app").into_os_string()])
        .succeed()
        .stdout;
    for name in ["_Z13vendor_kerneli", "_Z1kPi", "vendor_state"] {
        assert!(symbols.contains(name), "{name}: {symbols}");
    }
    // Without its device code, the program does not link.
    project.cmake("Ninja").args(from_checkout()).arg("-DALONE=ON").succeed();
    let build = Run::new("cmake", project.build_folder()).args(["--build", ".", "-j2"]).outcome();
    assert_ne!(build.code, Some(0), "{}", build.stdout);
    let said = format!("{}{}", build.stdout, build.stderr);
    assert!(said.contains("_Z10vendor_geti"), "{said}");
}
