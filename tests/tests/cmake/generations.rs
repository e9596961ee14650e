//! A library for an earlier architecture of the program's generation, or for its family.

use weft_tests::{Run, tools};

use crate::detected::Compilers;
use crate::project::{Project, from_checkout};

#[test]
fn code_for_an_earlier_architecture_is_part_of_the_image() {
    for (compilers, library, program) in
        [(Compilers::Clang, "sm_100", "sm_103"), (Compilers::Nvcc, "sm_100f", "sm_103a")]
    {
        let project = Project::copy("tests/cmake/generations");
        let cmake = project.cmake_with(compilers, "Ninja").args(from_checkout());
        cmake
            .args([format!("-DOF_LIBRARY={library}"), format!("-DOF_PROGRAM={program}")])
            .succeed();
        project.build();
        project.run("program");
        let cuobjdump = |option: &str| {
            let run = Run::new(tools().cuda("cuobjdump"), project.build_folder());
            run.args([option, "program"]).succeed().stdout
        };
        let (images, symbols) = (cuobjdump("-lelf"), cuobjdump("-symbols"));
        assert!(images.contains(&format!(".{program}.cubin")), "{images}");
        assert_eq!(images.lines().count(), 1, "{images}");
        assert!(symbols.contains("_Z7advancePi") && !symbols.contains("_Z6scaledi"), "{symbols}");
    }
}
