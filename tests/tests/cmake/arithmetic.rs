//! Targets with different floating-point options, given as nvcc's options.

use std::fs;

use weft_tests::arithmetic;

use crate::project::{Project, from_checkout};

#[test]
fn units_compute_as_the_options_of_their_own_target_say() {
    let project = Project::copy("tests/arithmetic");
    project.cmake("Ninja").args(from_checkout()).succeed();
    project.build();
    let ptx = |unit: &str| {
        let path = project.output(&format!("program.weft/sm_90/{unit}.ptx"));
        fs::read_to_string(path).expect("PTX")
    };
    arithmetic::check(&ptx("library.cu"), &ptx("program.cu"));

    // The options of a program apply to its own units, but not to those of the library.
    project.edit("CMakeLists.txt", "OPTIONS -O3", "OPTIONS --prec-div=0 --fmad=true");
    project.build();
    let program = ptx("program.cu");
    assert!(program.contains("div.full.f32") && program.contains("fma.rn.f32"), "{program}");
    project.edit("CMakeLists.txt", "--prec-div=0 --fmad=true", "--prec-div=maybe");
    let message = ["option '--prec-div=maybe' of 'program'", "--prec-div are 0, 1, true, false."];
    project.cmake("Ninja").args(from_checkout()).expect(1).says(&message);
}
