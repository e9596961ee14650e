//! A library of device bitcode, of which only the reachable part stays.

use std::collections::BTreeMap;
use std::fs;

use weft_tests::{Run, tools};

use crate::project::{Project, from_checkout, units};

/// The setting for two architectures.
const ARCHITECTURES: &str = "-DCMAKE_CUDA_ARCHITECTURES=90;100";

#[test]
fn of_a_library_of_bitcode_stays_what_a_program_reaches() {
    let project = Project::copy("tests/cmake/vendor");
    let messages = project.cmake("Ninja").args(from_checkout()).arg(ARCHITECTURES).succeed().stdout;
    assert!(!messages.contains("keeps kernels"), "{messages}");
    let first = project.build();
    // Both programs take part in one summary of the library for each architecture.
    let summarized = units(&first, "summarize");
    let libraries = summarized.iter().filter(|unit| unit.starts_with("generated/vendor.bc"));
    assert_eq!(libraries.count(), 2, "{summarized:?}");
    for program in ["direct", "through"] {
        project.run(program);
        assert_eq!(project.removed_kernels(program), ["_Z16kernel_of_vendorPf"], "{program}");
        let symbols = Run::new(tools().cuda("cuobjdump"), project.build_folder())
            .args(["-symbols".into(), project.image(program).into_os_string()])
            .succeed()
            .stdout;
        assert!(symbols.contains("_Z5scalePf"), "{symbols}");
        for name in ["unreached_of_vendor", "kernel_of_vendor"] {
            assert!(!symbols.contains(name), "{symbols}");
        }
    }
    assert_eq!(project.build(), BTreeMap::new(), "nothing changed, and something was done");

    // An edit of unreachable code reruns the summary, but no job.
    project.edit("vendor.cu", "x * 9.0f", "x * x");
    let steps = project.build();
    assert_eq!(units(&steps, "summarize").len(), 2, "{steps:?}");
    for verb in ["codegen", "nvlink"] {
        assert_eq!(units(&steps, verb), [""; 0], "{verb}: {steps:?}");
    }
    project.edit("vendor.cu", "x * 4.0f", "x * 4.5f");
    let steps = project.build();
    assert_eq!(units(&steps, "nvlink").len(), 4, "{steps:?}");
}

#[test]
fn a_library_that_is_no_bitcode_or_is_missing_ends_the_configuration() {
    for (file, says) in [
        ("vendor.a", "LIBRARIES 'vendor.a' of 'direct' is no device"),
        ("vendor_<architecture>.bc", "vendor_sm_90.bc does not exist"),
    ] {
        let project = Project::copy("tests/cmake/vendor");
        let lists = project.source().join("CMakeLists.txt");
        let text = fs::read_to_string(&lists).expect("a file");
        let text = text.replace("LIBRARIES \"${vendor}\"", &format!("LIBRARIES \"{file}\""));
        fs::write(&lists, text).expect("a file is written");
        let outcome = project.cmake("Ninja").args(from_checkout()).expect(1);
        let words: Vec<&str> = outcome.stderr.split_whitespace().collect();
        assert!(words.join(" ").contains(says), "{}", outcome.stderr);
    }
}
