//! The CMake package with the real CMake, Ninja, Make, clang, ptxas and nvlink: its builds, its
//! rebuilds after an edit, and its messages about mistakes.

#![allow(clippy::expect_used, clippy::panic, reason = "a test may stop at the first surprise")]

mod arithmetic;
mod configurations;
mod followed;
mod guard;
mod installed;
mod names;
mod options;
mod packed;
mod project;
mod readme;
mod rebuild_table;
mod recipes;
mod servers;
mod shared;
mod twice;
mod vendor;

use std::collections::BTreeMap;
use std::fs;

use project::{Project, from_checkout, install, units};
use tempfile::TempDir;
use weft_tests::reference::transport_image;
use weft_tests::{Run, tools};

/// Number of units with device code in the transport example.
const TRANSPORT_UNITS: usize = 31;

#[test]
fn transport_builds_with_ninja_and_an_edit_goes_as_far_as_it_must() {
    let project = Project::copy("examples/transport");
    project.cmake("Ninja").args(from_checkout()).succeed();
    let first = project.build();
    for verb in ["import", "codegen"] {
        assert_eq!(units(&first, verb).len(), TRANSPORT_UNITS, "{verb}: {first:?}");
    }
    project.run("transport");

    let removed = project.removed_kernels("transport");
    assert!(removed.iter().any(|kernel| kernel.contains("debug_dump_particles")), "{removed:?}");
    let image = project.image("transport");
    let linked = fs::read(&image).expect("an image");
    assert!(linked == transport_image(), "the image differs from the one of `cargo xtask demo`");

    let nothing = Run::new("ninja", project.build_folder()).arg("-n").succeed();
    assert!(nothing.stdout.contains("no work to do"), "{}", nothing.stdout);

    project.edit("src/tally.cu", "kPrivateEdit = 1.0f", "kPrivateEdit = 2.0f");
    let steps = project.build();
    for verb in ["summarize", "codegen"] {
        assert_eq!(units(&steps, verb), ["src/tally.cu"], "{verb}: {steps:?}");
    }

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

/// Builds a program with a marked static library, a marked object library, a host-only library, a
/// generated source, per-source options and names that need quoting.
fn libraries_build(generator: &str, weft: impl IntoIterator<Item = String>) -> Project {
    let project = Project::copy("tests/cmake/libraries");
    project.cmake(generator).args(weft).succeed();
    let first = project.build();
    let all =
        ["generated/made/seed.cu", "late.cu", "noise/noise.cu", "odd name+.cu", "physics/step.cu"];
    assert_eq!(units(&first, "codegen"), all, "{first:?}");
    project.run("program");
    // The order is that of the program's sources, followed by that of its libraries' sources.
    let order = fs::read_to_string(project.output("program.weft/sm_90/link-order.txt"));
    let expected =
        ["odd name+.cu", "generated/made/seed.cu", "late.cu", "physics/step.cu", "noise/noise.cu"];
    assert_eq!(order.expect("a link order").lines().collect::<Vec<_>>(), expected);
    assert_eq!(project.removed_kernels("program"), ["_Z11dead_kernelPi", "_Z9dead_stepPi"]);
    let report = fs::read_to_string(project.output("report.txt")).expect("a report");
    let lines = report.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let lines: Vec<_> = lines.collect();
    assert!(lines.iter().any(|line| line.ends_with(&["step", "physics/step.cu"])), "{report}");
    assert!(lines.iter().any(|line| line.as_slice() == ["dead_step"]), "{report}");
    assert!(lines.iter().any(|line| line.starts_with(&["assemble", "5"])), "{report}");
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
    project
}

#[test]
fn libraries_build_the_same_with_ninja_and_make_from_a_checkout_and_installed() {
    let prefix = TempDir::with_prefix("weft-prefix-").expect("a folder");
    let ninja = libraries_build("Ninja", from_checkout());
    let make = libraries_build("Unix Makefiles", [install(prefix.path())]);
    let [one, other] =
        [ninja, make].map(|build| fs::read(build.image("program")).expect("an image"));
    assert!(one == other, "Ninja and Make gave different images");
}

#[test]
fn transport_built_with_make_is_the_same() {
    let project = Project::copy("examples/transport");
    project.cmake("Unix Makefiles").args(from_checkout()).succeed();
    project.build();
    let linked = fs::read(project.image("transport")).expect("an image");
    assert!(linked == transport_image(), "the image differs from the one of `cargo xtask demo`");
}

#[test]
fn the_settings_file_of_the_project_gives_two_checkouts_one_cache() {
    let shared = TempDir::with_prefix("weft-shared-").expect("a folder");
    let settings = format!(
        "[cache]
dir = {:?}
",
        shared.path()
    );
    let row = |phase: &str| -> (u64, u64) {
        let stats = Run::new(tools().weft("backend-job"), shared.path()).args(["cache", "stats"]);
        let stats = stats.arg("--cache-dir").arg(shared.path()).succeed().stdout;
        let row = stats.lines().find(|line| line.starts_with(phase)).expect("a row");
        let mut numbers = row.split_whitespace().skip(1).map_while(|word| word.parse().ok());
        (numbers.next().expect("hits"), numbers.next().expect("misses"))
    };
    let mut rows = Vec::new();
    let images = [0, 1].map(|_| {
        let project = Project::copy("tests/cmake/libraries");
        fs::write(project.source().join("weft.toml"), &settings).expect("a settings file");
        project.cmake("Ninja").args(from_checkout()).succeed();
        let build = Run::new("cmake", project.build_folder()).args(["--build", ".", "-j2"]);
        // This is the default for users, while the other tests turn the cache off.
        build.variable("WEFT_CACHE", "").variable("WEFT_CACHE_DIR", "").succeed();
        rows.push((row("codegen"), row("assemble")));
        fs::read(project.image("program")).expect("an image")
    });
    assert!(images[0] == images[1], "two checkouts gave different images");
    // Units without code share a result, unless two of them are made at once.
    let [(codegen, assemble), again] = rows[..] else { panic!("{rows:?}") };
    for ((hits, misses), again) in [(codegen, again.0), (assemble, again.1)] {
        assert_eq!(hits + misses, 5, "{rows:?}");
        assert_eq!(again, (hits + 5, misses), "the second checkout made nothing: {rows:?}");
    }
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

#[test]
fn mistakes_end_the_configuration_and_say_what_to_do() {
    let clang = Project::copy("tests/cmake/errors");
    let nvcc = Project::copy("tests/cmake/errors");
    let compiler = format!("-DCMAKE_CUDA_COMPILER={}", tools().cuda("nvcc").display());
    let mut count = 0;
    for entry in fs::read_dir(clang.source().join("cases")).expect("the cases") {
        let path = entry.expect("a case").path();
        let case = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a case");
        let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key));
        let says = value("# says: ").expect("what the case says");
        let cmake = match value("# with: ") {
            None => clang.cmake("Ninja"),
            Some(_) => nvcc.bare_cmake("Ninja").args([&compiler, "-DCMAKE_CUDA_ARCHITECTURES=90"]),
        };
        let outcome = cmake.args(from_checkout()).arg(format!("-DCASE={case}")).expect(1);
        // CMake breaks lines.
        let messages = outcome.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(messages.contains(says), "{case}: expected {says:?} in:\n{}", outcome.stderr);
        count += 1;
    }
    assert!(count > 20, "only {count} cases were found");
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
