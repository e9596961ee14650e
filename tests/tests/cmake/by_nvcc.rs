//! Projects whose CUDA compiler is nvcc: the same call links the LTO IR of their units.

use std::collections::BTreeMap;
use std::fs;

use weft_tests::{Run, tools};

use crate::detected::Compilers;
use crate::project::{Project, from_checkout, units};

/// Configures a project of the checkout with nvcc.
fn configured(path: &str, generator: &str) -> Project {
    let project = Project::copy(path);
    project.cmake_with(Compilers::Nvcc, generator).args(from_checkout()).succeed();
    project
}

/// Returns the kernels of a program's image.
fn kernels(project: &Project, program: &str) -> String {
    Run::new(tools().cuda("cuobjdump"), project.build_folder())
        .args(["-symbols".into(), project.image(program).into_os_string()])
        .succeed()
        .stdout
}

/// Builds a program with a static library, an object library and a library of host code, and builds
/// it again after edits. Returns its image before them.
fn build(generator: &str) -> Vec<u8> {
    let project = configured("tests/cmake/libraries", generator);
    let first = project.build();
    let all =
        ["generated/made/seed.cu", "late.cu", "noise/noise.cu", "odd name+.cu", "physics/step.cu"];
    assert_eq!(units(&first, "codegen"), all, "{first:?}");
    project.run("program");
    assert_eq!(project.removed_kernels("program"), ["_Z11dead_kernelPi", "_Z9dead_stepPi"]);
    let image = fs::read(project.image("program")).expect("an image");
    assert_eq!(project.build(), BTreeMap::new(), "nothing changed, and something was done");

    // The job of the kernel that calls this function has it.
    project.edit("noise/noise.cu", "12345", "12347");
    let steps = project.build();
    assert_eq!(units(&steps, "summarize"), ["noise/noise.cu"], "{steps:?}");
    assert_eq!(units(&steps, "codegen"), ["physics/step.cu"], "{steps:?}");
    assert_eq!(project.build(), BTreeMap::new(), "after an edit");

    // Code that is the same ends the build with the import phase.
    project.edit("noise/noise.cu", "12347", "12347 /* the same */");
    let steps = project.build();
    assert_eq!(units(&steps, "codegen"), [""; 0], "{steps:?}");
    image
}

#[test]
fn both_generators_build_a_program_and_its_libraries() {
    assert!(build("Ninja") == build("Unix Makefiles"), "the images differ");
}

/// Edits a function of another unit than its kernel's, with this option of the target, and returns
/// the jobs that ran.
fn jobs_after_an_edit(option: &str) -> Vec<String> {
    let project = Project::copy("tests/cmake/libraries");
    let call = "weft_device_thinlto(TARGET program";
    project.edit("CMakeLists.txt", call, &format!("{call} OPTIONS {option}"));
    project.cmake_with(Compilers::Nvcc, "Ninja").args(from_checkout()).succeed();
    project.build();
    project.run("program");
    project.edit("noise/noise.cu", "12345", "12347");
    let steps = project.build();
    project.run("program");
    units(&steps, "codegen").into_iter().map(str::to_owned).collect()
}

#[test]
fn units_can_be_compiled_together_and_apart() {
    // The only job has the name of the first unit.
    assert_eq!(jobs_after_an_edit("--full"), ["generated/made/seed.cu"]);
    // Other jobs call the function.
    assert_eq!(jobs_after_an_edit("--copy-limit=0"), ["noise/noise.cu"]);
}

#[test]
fn a_shared_library_keeps_the_kernels_that_it_uses_or_exports() {
    let project = Project::copy("tests/cmake/shared");
    // nvcc hides the host symbols of kernels unless it is told otherwise.
    for is_exported in [false, true] {
        let cmake = project.cmake_with(Compilers::Nvcc, "Ninja").args(from_checkout());
        let flags = if is_exported { "--device-entity-has-hidden-visibility=false" } else { "" };
        cmake.arg(format!("-DCMAKE_CUDA_FLAGS={flags}")).succeed();
        project.build();
        project.run("program");
        let symbols = kernels(&project, "solver");
        for name in ["_Z12solve_kernelPf", "_Z12vendor_scalef"] {
            assert!(symbols.contains(name), "{name} is not in the image:\n{symbols}");
        }
        assert_eq!(symbols.contains("_Z17kernel_for_othersPf"), is_exported, "{symbols}");
    }
}

#[test]
fn programs_without_kernels_link() {
    let project = configured("tests/cmake/no_entries", "Ninja");
    project.build();
}

/// One of CMake's own ways to ask for device link-time optimization, and separate compilation for
/// the whole project.
#[test]
fn what_cmake_has_for_device_links_is_taken_back() {
    let project = Project::copy("examples/cmake");
    project
        .cmake_with(Compilers::Nvcc, "Ninja")
        .args(from_checkout())
        .arg("-DCMAKE_CUDA_SEPARABLE_COMPILATION=ON")
        .arg("-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON")
        .succeed();
    let steps = project.build();
    assert_eq!(units(&steps, "codegen"), ["forces.cu", "step.cu"], "{steps:?}");
    project.run("simulation");
    let graph = fs::read_to_string(project.output("build.ninja")).expect("a build file");
    assert!(!graph.contains("cmake_device_link"), "CMake links device code, too");
}

#[test]
fn architectures_get_an_image_each_and_ptx_is_refused() {
    let project = Project::copy("examples/cmake");
    let cmake = project.cmake_with(Compilers::Nvcc, "Ninja").args(from_checkout());
    cmake.clone().arg("-DCMAKE_CUDA_ARCHITECTURES=80-real;90").succeed();
    project.build();
    project.run("simulation");
    let images = Run::new(tools().cuda("cuobjdump"), project.build_folder())
        .args(["--list-elf", "simulation"])
        .succeed()
        .stdout;
    assert!(images.contains("sm_80.cubin") && images.contains("sm_90.cubin"), "{images}");
    let refused = cmake.arg("-DCMAKE_CUDA_ARCHITECTURES=90-virtual").expect(1).stderr;
    let refused = refused.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(refused.contains("is to have PTX for sm_90, which is made of clang's"), "{refused}");
}

/// Options that nvcc has by other values, or that change what its units hold.
#[test]
fn options_of_units_reach_nvcc() {
    let project = Project::copy("examples/cmake");
    let call = "weft_device_thinlto(TARGET simulation)";
    let options = "--ftz=1 --prec-div=false --prec-sqrt=0 --fmad=0 --generate-line-info";
    let new = format!("weft_device_thinlto(TARGET simulation OPTIONS {options})");
    project.edit("CMakeLists.txt", call, &new);
    project.cmake_with(Compilers::Nvcc, "Ninja").args(from_checkout()).succeed();
    project.build();
    let ptx = fs::read_to_string(project.output("simulation.weft/sm_90/step.cu.ptx"));
    let ptx = ptx.expect("PTX");
    assert!(ptx.contains(".ftz.f32") && ptx.contains(".loc"), "{ptx}");
    project.run("simulation");
}
