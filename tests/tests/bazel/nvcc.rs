//! The Bazel rules with nvcc as the compiler of CUDA units.

use weft_tests::bazel::{Workspace, counts};
use weft_tests::{Run, tools};

/// Setting of the compiler.
const NVCC: &str = "build --repo_env=WEFT_CUDA_COMPILER=nvcc";

#[test]
fn units_of_nvcc_are_optimized_and_cached_like_those_of_clang() {
    let workspace = Workspace::with_options("examples/bazel", &[NVCC.to_owned()]);
    let spawns = workspace.build(&["//:transport"]);
    let compilers = spawns.iter().filter(|spawn| spawn.mnemonic == "WeftCompile");
    assert!(compilers.clone().count() == 2, "{:?}", counts(&spawns));
    for compiler in compilers {
        assert!(compiler.arguments[0].ends_with("/nvcc"), "{:?}", compiler.arguments);
    }
    for spawn in spawns.iter().filter(|spawn| spawn.mnemonic.starts_with("Weft")) {
        assert!(spawn.runner.ends_with("-sandbox"), "{}: runner {}", spawn.message, spawn.runner);
        spawn.check_relative();
    }
    workspace.program("transport");
    let image = "bazel-bin/_weft/transport/sm_90/image.cubin";
    let symbols = Run::new(tools().cuda("cuobjdump"), workspace.path());
    let symbols = symbols.args(["-symbols", image]).succeed().stdout;
    assert!(symbols.contains("_Z12tally_kernelPf"), "{symbols}");

    // A comment changes a unit's object, and no code.
    let unit = std::fs::read_to_string(workspace.file("tracks.cu"));
    let unit = unit.unwrap_or_else(|error| panic!("{error}"));
    workspace.write("tracks.cu", &format!("{unit}// the same\n"));
    let spawns = workspace.build(&["//:transport"]);
    let ran = counts(&spawns);
    assert!(ran.contains_key("WeftCompile") && !ran.contains_key("WeftCodegen"), "{ran:?}");

    let options = ["//:transport", "--repo_env=WEFT_CUDA_COMPILER=gcc"];
    let wrong = workspace.run("build", &options).expect(1).stderr;
    assert!(wrong.contains("WEFT_CUDA_COMPILER=gcc is no compiler of CUDA units"), "{wrong}");

    let build = std::fs::read_to_string(workspace.file("BUILD.bazel"));
    let build = build.unwrap_or_else(|error| panic!("{error}"));
    workspace.write("BUILD.bazel", &build.replace("\"sm_90\"", "\"compute_90\""));
    let refused = workspace.run("build", &["//:transport"]).expect(1).stderr;
    assert!(refused.contains("the PTX of an image is made of clang's bitcode alone"), "{refused}");
}

/// nvcc hides the host symbols of kernels by itself, so only what the library launches stays.
#[test]
fn a_shared_library_of_nvcc_loses_what_it_hides() {
    let workspace = Workspace::with_options("tests/bazel/no_entries", &[NVCC.to_owned()]);
    workspace.build(&["//:libhidden.so"]);
    let image = workspace.output("_weft/image_of_shared/sm_90/image.cubin");
    let image = String::from_utf8_lossy(&image);
    assert!(image.contains("_Z11used_kernelPi"), "the launched kernel is gone");
    assert!(!image.contains("_Z13unused_kernelPi"), "a hidden kernel stays");
}
