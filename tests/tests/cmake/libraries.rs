//! A program with libraries of several kinds, and builds of it in several ways.

use std::collections::BTreeMap;
use std::fs;

use tempfile::TempDir;
use weft_tests::{Outcome, Run, tools};

use crate::configurations;
use crate::project::{Project, from_checkout, install, units};

/// Builds a program with a marked static library, a marked object library, a host-only library, a
/// generated source, per-source options and names that need quoting. Returns the images before and
/// after edits.
fn build(generator: &str, weft: impl IntoIterator<Item = String>) -> [Vec<u8>; 2] {
    let project = Project::copy("tests/cmake/libraries");
    project.cmake(generator).args(weft).succeed();
    let first = project.build();
    let all =
        ["generated/made/seed.cu", "late.cu", "noise/noise.cu", "odd name+.cu", "physics/step.cu"];
    assert_eq!(units(&first, "codegen"), all, "{first:?}");
    project.run("program");
    let image = || fs::read(project.image("program")).expect("an image");
    let before = image();
    // The order is that of the program's sources, followed by that of its libraries' sources.
    let order = fs::read_to_string(project.output("CMakeFiles/program.weft/sm_90/link-order.txt"));
    let expected =
        ["odd name+.cu", "generated/made/seed.cu", "late.cu", "physics/step.cu", "noise/noise.cu"];
    assert_eq!(order.expect("a link order").lines().collect::<Vec<_>>(), expected);
    assert_eq!(project.removed_kernels("program"), ["_Z11dead_kernelPi", "_Z9dead_stepPi"]);
    let report = fs::read_to_string(project.output("report.txt")).expect("a report");
    let lines = report.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let lines: Vec<_> = lines.collect();
    assert!(lines.iter().any(|line| line.ends_with(&["step", "physics/step.cu"])), "{report}");
    assert!(lines.iter().any(|line| line.as_slice() == ["dead_step"]), "{report}");
    // No ptxas runs for the three modules that emit nothing.
    assert!(lines.iter().any(|line| line.starts_with(&["assemble", "2"])), "{report}");
    let imports = "    imports 1 definition from noise/noise.cu (1 emitted here)\n";
    let step = report.split_once("\nphysics/step.cu ");
    assert!(step.is_some_and(|(_, rest)| rest.contains(imports)), "{report}");
    let printed = project.print_reports();
    assert!(printed.contains(&report), "weft_report printed {printed}");

    // The module of a kernel has a copy of this function, so its own unit has no code. No build
    // runs in between, so the dependencies that the first build recorded must suffice.
    project.edit("noise/noise.cu", "12345", "12347");
    let steps = project.build();
    assert_eq!(units(&steps, "summarize"), ["noise/noise.cu"], "{steps:?}");
    assert_eq!(units(&steps, "codegen"), ["physics/step.cu"], "{steps:?}");
    assert_eq!(project.build(), BTreeMap::new(), "nothing changed, and something was done");

    // The same holds for a function that must not be inlined.
    project.edit("late.cu", "x * 3", "x * 5");
    let steps = project.build();
    assert_eq!(units(&steps, "summarize"), ["late.cu"], "{steps:?}");
    assert_eq!(units(&steps, "codegen"), ["odd name+.cu"], "{steps:?}");
    assert_eq!(project.build(), BTreeMap::new(), "after an edit");

    // Only one unit includes this header.
    project.edit("include/limits.cuh", "100", "101");
    let steps = project.build();
    assert_eq!(units(&steps, "codegen"), ["odd name+.cu"], "{steps:?}");
    assert_eq!(project.build(), BTreeMap::new(), "after an edit");
    [before, image()]
}

#[test]
fn all_generators_build_the_same_from_a_checkout_and_installed() {
    let prefix = TempDir::with_prefix("weft-prefix-").expect("a folder");
    let ninja = build("Ninja", from_checkout());
    let make = build("Unix Makefiles", [install(prefix.path())]);
    assert!(ninja == make, "Ninja and Make gave different images");
    let [before, _] = ninja;
    configurations::debug_and_release_of_one_build_folder_have_images_of_their_own(&before);
}

#[test]
fn several_architectures_get_an_image_each() {
    let project = Project::copy("tests/cmake/libraries");
    let more = ["-DCMAKE_CUDA_ARCHITECTURES=80;90-real;90-virtual", "-DCMAKE_BUILD_TYPE=Debug"];
    project.cmake("Ninja").args(from_checkout()).args(more).succeed();
    let steps = project.build();
    assert_eq!(units(&steps, "nvlink"), ["program (sm_80)", "program (sm_90)"]);
    let images = Run::new(tools().cuda("cuobjdump"), project.build_folder())
        .args(["--list-elf", "program"])
        .succeed()
        .stdout;
    assert!(images.contains("sm_80.cubin") && images.contains("sm_90.cubin"), "{images}");
    let ptx = Run::new(tools().cuda("cuobjdump"), project.build_folder())
        .args(["--dump-ptx", "program"])
        .succeed()
        .stdout;
    assert_eq!(ptx.matches(".target sm_90").count(), 1, "{ptx}");
    assert!(ptx.contains(".entry _Z4stepPi") && !ptx.contains(".extern .func"), "{ptx}");
    project.run("program");
    assert_eq!(project.build(), BTreeMap::new(), "nothing changed, and something was done");

    // A comment changes no code, so the rebuild ends before the step that reads the whole program.
    project.edit("noise/noise.cu", "12345", "12345 /* the same */");
    let steps = project.build();
    for verb in ["codegen", "combine", "nvlink"] {
        assert_eq!(units(&steps, verb), [""; 0], "{verb} after a comment: {steps:?}");
    }
}

/// The driver makes machine code of the program when it starts.
#[test]
fn ptx_alone_is_an_image() {
    let project = Project::copy("examples/cmake");
    let architectures = "-DCMAKE_CUDA_ARCHITECTURES=90-virtual";
    project.cmake("Ninja").args(from_checkout()).arg(architectures).succeed();
    project.build();
    let list = |option: &str| {
        let run = Run::new(tools().cuda("cuobjdump"), project.build_folder());
        let Outcome { stdout, stderr, .. } = run.args([option, "simulation"]).outcome();
        stdout + &stderr
    };
    assert!(list("--list-elf").contains("No ELF file found"), "{}", list("--list-elf"));
    assert_eq!(list("--list-ptx").matches("PTX file").count(), 1, "{}", list("--list-ptx"));
    project.run("simulation");
}
