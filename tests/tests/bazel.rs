//! The Bazel rules, with the real Bazel, in its sandbox: `examples/transport`, a small workspace of
//! several packages, and what is said to mistakes. What ran is taken from Bazel's own execution log.

use weft_tests::bazel::{Spawn, Workspace, counts, steps};
use weft_tests::rebuild::{self, BuildSystem};
use weft_tests::{Run, reference, tools};

/// Fails the test unless all ran in a sandbox, with relative paths only.
fn check_hermetic(spawns: &[Spawn]) {
    for spawn in spawns {
        assert!(spawn.runner.ends_with("-sandbox"), "{}: runner {}", spawn.message, spawn.runner);
        spawn.check_relative();
    }
}

#[test]
fn transport_built_in_the_sandbox_has_the_image_of_the_demo() {
    let workspace = Workspace::copy_of("examples/transport");
    let spawns = workspace.build(&["//:transport", "--output_groups=+weft_image,+weft_manifest"]);
    check_hermetic(&spawns);
    let units = std::fs::read_dir(workspace.file("src")).into_iter().flatten().flatten();
    let units = units.filter(|it| it.path().extension().is_some_and(|it| it == "cu")).count();
    let ran = counts(&spawns);
    for mnemonic in ["WeftCompile", "WeftImport", "WeftCodegen", "WeftAssemble"] {
        assert_eq!(ran[mnemonic], units, "{mnemonic}");
    }
    assert_eq!(ran["WeftSummarize"], units + ran["WeftHostCompile"]);
    // Each import declares the tool, its plan, its bitcode, and one file with what its plan names: not
    // the bitcode of all units, so that the number of declared inputs does not grow with its square.
    for import in spawns.iter().filter(|it| it.mnemonic == "WeftImport") {
        assert_eq!(import.inputs.len(), 4, "{}: {:?}", import.message, import.inputs);
    }
    let image = workspace.output("_weft/transport/sm_90/image.cubin");
    assert!(image == reference::transport_image(), "the image is not that of the demo");
    let stdout = workspace.program("transport").stdout;
    assert!(stdout.contains("no CUDA device here") || stdout.contains("checksum"), "{stdout}");
}

#[test]
fn an_edit_runs_what_it_can_reach_and_no_more() {
    let workspace = Workspace::copy_of("tests/rebuild/project");
    workspace.build(&["//:program"]);
    let mut differences = String::new();
    for row in rebuild::rows(BuildSystem::Bazel) {
        row.apply(&workspace.path());
        differences += &row.differences(&steps(&workspace.build(&["//:program"])));
    }
    assert!(differences.is_empty(), "tests/rebuild/table.txt is not what ran:\n{differences}");
    workspace.program("program");
}

#[test]
fn libraries_of_several_packages_and_architectures() {
    let workspace = Workspace::copy_of("tests/bazel/libraries");
    check_hermetic(&workspace.build(&["//..."]));
    let program = workspace.file("bazel-bin/program/program");
    let images = Run::new(tools().cuda("cuobjdump"), workspace.path())
        .args(["-lelf", &program.to_string_lossy()])
        .succeed();
    for architecture in ["sm_90", "sm_100"] {
        assert!(images.stdout.contains(architecture), "{}", images.stdout);
    }
    workspace.program("program/program");
    workspace.run("test", &["//program:program_test"]).succeed();
    workspace.program("program/host_only");

    let refused = |arguments: &[&str], says: &str| {
        workspace.run("build", arguments).expect(1).says(&[says]);
    };
    let twice = "scale/scale.cu is compiled by //scale:scale and by //scale:scale_again";
    refused(&["//program:twice"], twice);
    let name = "the architecture \"90\" is not of the form sm_90";
    refused(&["//program:no_architecture"], name);
    let variable = "needs the environment variable WEFT_LLVM_PREFIX: the prefix of LLVM 22";
    refused(&["//program:host_only", "--repo_env=WEFT_LLVM_PREFIX="], variable);
    let root = "WEFT_CUDA_ROOT=/ has no bin/fatbinary";
    refused(&["//program:host_only", "--repo_env=WEFT_CUDA_ROOT=/"], root);
}
