//! The example, built with Ninja and with Make.

use std::fs;

use dev_checkout::installation::copy_folder;
use serde_json::Value;
use weft_tests::reference::transport_image;
use weft_tests::{Run, tools};

use crate::project::{Project, from_checkout, units};

/// Number of units with device code in the example.
const UNITS: usize = 31;
/// File in which CMake states the commands that compile units.
const COMMANDS: &str = "compile_commands.json";

/// Configures the example.
fn configure(project: &Project, generator: &str) {
    let states_commands = "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON";
    project.cmake(generator).args(from_checkout()).arg(states_commands).succeed();
}

/// Returns the words of the commands that compile units, with their folders and sources.
fn compile_commands(project: &Project) -> Vec<Vec<String>> {
    let text = fs::read_to_string(project.output(COMMANDS)).expect("the commands");
    let commands: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    let values = |command: &Value| {
        ["directory", "file", "command"].map(|key| command[key].as_str().expect(key).to_owned())
    };
    let words = |text: String| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    commands.iter().map(|command| values(command).into_iter().flat_map(words).collect()).collect()
}

fn assert_image_of_the_demo(project: &Project) {
    let linked = fs::read(project.image("transport")).expect("an image");
    assert!(linked == transport_image(), "the image differs from the one of `cargo xtask demo`");
}

#[test]
fn transport_builds_with_ninja_and_make_and_an_edit_goes_as_far_as_it_must() {
    let project = Project::copy("examples/transport");
    configure(&project, "Ninja");
    let first = project.build();
    for verb in ["import", "codegen"] {
        assert_eq!(units(&first, verb).len(), UNITS, "{verb}: {first:?}");
    }
    project.run("transport");

    let removed = project.removed_kernels("transport");
    assert!(removed.iter().any(|kernel| kernel.contains("debug_dump_particles")), "{removed:?}");
    assert_image_of_the_demo(&project);

    let nothing = Run::new("ninja", project.build_folder()).arg("-n").succeed();
    assert!(nothing.stdout.contains("no work to do"), "{}", nothing.stdout);
    build_with_make(&project);

    project.edit("src/tally.cu", "kPrivateEdit = 1.0f", "kPrivateEdit = 2.0f");
    let steps = project.build();
    for verb in ["summarize", "codegen"] {
        assert_eq!(units(&steps, verb), ["src/tally.cu"], "{verb}: {steps:?}");
    }

    let image = project.image("transport");
    let linked = fs::read(&image).expect("an image");
    project.edit("src/tally.cu", "// private-edit:", "// a comment; private-edit:");
    let steps = project.build();
    assert_eq!(units(&steps, "Building").len(), 1, "{steps:?}");
    for verb in ["codegen", "nvlink"] {
        assert_eq!(units(&steps, verb), [""; 0], "{verb} after a comment: {steps:?}");
    }
    assert!(linked == fs::read(&image).expect("an image"), "a comment changed the image");

    project.edit("src/geometry.cu", "// shared-edit:", "// a comment; shared-edit:");
    let nothing = Run::new("ninja", project.build_folder()).arg("-n").succeed();
    assert!(!nothing.stdout.contains("no work to do"), "{}", nothing.stdout);
}

/// Builds the example with Make instead of Ninja, and puts Ninja's folder back. Make has to
/// compile each unit by the very command that Ninja ran in a folder of this name. So the objects of
/// these commands are there already, and Make runs all other steps.
fn build_with_make(project: &Project) {
    let (build, aside) = (project.build_folder(), project.source().with_file_name("of Ninja"));
    let of_ninja = compile_commands(project);
    fs::rename(&build, &aside).expect("the folder is renamed");
    configure(project, "Unix Makefiles");
    assert_eq!(compile_commands(project), of_ninja, "Make compiles otherwise than Ninja");
    let objects = "CMakeFiles/transport.dir/src";
    copy_folder(&aside.join(objects), &build.join(objects)).expect("a copy");

    let steps = project.build();
    assert_eq!(units(&steps, "Building"), [""; 0], "the objects are not of use to Make");
    for verb in ["import", "codegen"] {
        assert_eq!(units(&steps, verb).len(), UNITS, "{verb}: {steps:?}");
    }
    assert_image_of_the_demo(project);
    fs::remove_dir_all(&build).expect("the folder of Make is removed");
    fs::rename(&aside, &build).expect("the folder is renamed");
}

#[test]
fn without_weft_or_with_nvcc_the_example_is_a_plain_project() {
    let project = Project::copy("examples/transport");
    let compiler = format!("-DCMAKE_CUDA_COMPILER={}", tools().cuda("nvcc").display());
    project
        .bare_cmake("Ninja")
        .args([&compiler, "-DCMAKE_CUDA_ARCHITECTURES=90"])
        .args(from_checkout())
        .succeed();
    assert!(!project.output("transport.weft").exists(), "nvcc's objects were given to Weft");
}
