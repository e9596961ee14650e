//! The CMake package with the real CMake, Ninja, Make, clang, ptxas and nvlink: what it builds,
//! what it builds again after an edit, and what it says to mistakes.

#![allow(clippy::expect_used, reason = "a test may stop at the first surprise")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use weft_tests::{Run, tools, workspace_root};

/// The transport example, whose device code is in 31 units.
const TRANSPORT_UNITS: usize = 31;

/// A private copy of a CMake project, with a build folder whose name needs quoting.
struct Project {
    folder: TempDir,
}

impl Project {
    /// Copies a folder of the checkout.
    fn copy(path: &str) -> Self {
        let project = Self { folder: TempDir::with_prefix("weft-cmake-").expect("a folder") };
        copy(&workspace_root().join(path), &project.source());
        project
    }

    fn source(&self) -> PathBuf {
        self.folder.path().join("source")
    }

    fn build_folder(&self) -> PathBuf {
        self.folder.path().join("build folder")
    }

    /// A file of the build.
    fn output(&self, path: &str) -> PathBuf {
        self.build_folder().join(path)
    }

    /// CMake with a generator and nothing else.
    fn bare_cmake(&self, generator: &str) -> Run {
        fs::create_dir_all(self.build_folder()).expect("a build folder");
        Run::new("cmake", self.build_folder()).arg(self.source()).args(["-G", generator])
    }

    /// CMake as a user calls it, but for the place of Weft.
    fn cmake(&self, generator: &str) -> Run {
        let cuda = tools().cuda_root().display();
        let compiler = tools().llvm("clang++");
        self.bare_cmake(generator)
            .args(["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CUDA_ARCHITECTURES=90"])
            .arg(format!("-DCMAKE_CUDA_COMPILER={}", compiler.display()))
            .arg(format!("-DCUDAToolkit_ROOT={cuda}"))
            .arg(format!(
                "-DCMAKE_CUDA_FLAGS=--cuda-path={cuda} --cuda-gpu-arch=sm_90 \
                 -Wno-unknown-cuda-version"
            ))
    }

    /// Builds and returns what was done: verbs of Weft, such as `codegen`, with their units, and
    /// CMake's own steps under `Building` and `Linking`.
    fn build(&self) -> BTreeMap<String, Vec<String>> {
        let outcome =
            Run::new("cmake", self.build_folder()).args(["--build", ".", "-j2"]).succeed();
        steps(&outcome.stdout)
    }

    /// Replaces a text in a source file, which must be there.
    fn edit(&self, path: &str, old: &str, new: &str) {
        let path = self.source().join(path);
        let text = fs::read_to_string(&path).expect("a source file");
        assert!(text.contains(old), "{} does not hold {old:?}", path.display());
        fs::write(&path, text.replace(old, new)).expect("a source file is written");
    }

    /// Runs a built program, which has to return 0; without a GPU it says so.
    fn run(&self, program: &str) {
        Run::new(self.output(program), self.build_folder()).succeed();
    }

    /// The kernels that were removed, by the manifest of a program.
    fn removed_kernels(&self, program: &str) -> Vec<String> {
        let path = self.output(&format!("{program}.weft/sm_90/plans/manifest.json"));
        let text = fs::read_to_string(path).expect("a manifest");
        let manifest: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let kernels = manifest["removed_kernels"].as_array().expect("removed kernels");
        kernels.iter().map(|kernel| kernel.as_str().unwrap_or_default().to_owned()).collect()
    }

    /// The device image of a program.
    fn image(&self, program: &str) -> PathBuf {
        self.output(&format!("{program}.weft/sm_90/image.cubin"))
    }
}

/// The package in the checkout and the executables of this build.
fn from_checkout() -> [String; 2] {
    let package = workspace_root().join("cmake");
    [
        format!("-DWeft_DIR={}", package.display()),
        format!("-DWeft_EXECUTABLES_DIR={}", executables().display()),
    ]
}

fn executables() -> PathBuf {
    tools().weft("summarize").parent().expect("a folder").to_owned()
}

/// An install tree: the package and the executables where a distribution puts them.
fn install(prefix: &Path) -> String {
    copy(&workspace_root().join("cmake"), &prefix.join("lib/cmake/Weft"));
    fs::create_dir_all(prefix.join("bin")).expect("a folder");
    for name in ["summarize", "thinlink", "backend-job"] {
        std::os::unix::fs::symlink(tools().weft(name), prefix.join("bin").join(name))
            .expect("a link");
    }
    format!("-DCMAKE_PREFIX_PATH={}", prefix.display())
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(&from, &to).expect("a copy");
        }
    }
}

/// What Ninja or Make printed before each step, after `[1/9] ` or `[ 10%] `.
fn steps(output: &str) -> BTreeMap<String, Vec<String>> {
    let mut steps: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in output.lines() {
        let Some((_, step)) = line.strip_prefix('[').and_then(|it| it.split_once("] ")) else {
            continue;
        };
        let step = step.strip_prefix("Weft ").unwrap_or(step);
        let (verb, unit) = step.split_once(' ').unwrap_or((step, ""));
        if verb != "Built" {
            steps.entry(verb.to_owned()).or_default().push(unit.to_owned());
        }
    }
    for units in steps.values_mut() {
        units.sort();
    }
    steps
}

/// The units for which something was done.
fn units<'steps>(steps: &'steps BTreeMap<String, Vec<String>>, verb: &str) -> Vec<&'steps str> {
    steps.get(verb).into_iter().flatten().map(String::as_str).collect()
}

#[test]
fn transport_builds_with_ninja_and_an_edit_goes_as_far_as_it_must() {
    let project = Project::copy("examples/transport");
    project.cmake("Ninja").args(from_checkout()).succeed();
    let first = project.build();
    for verb in ["import", "codegen", "assemble"] {
        assert_eq!(units(&first, verb).len(), TRANSPORT_UNITS, "{verb}: {first:?}");
    }
    project.run("transport");

    let removed = project.removed_kernels("transport");
    assert!(removed.iter().any(|kernel| kernel.contains("debug_dump_particles")), "{removed:?}");
    let image = project.image("transport");
    let symbols = Run::new(tools().cuda("cuobjdump"), project.build_folder())
        .args(["-symbols".into(), image.clone().into_os_string()])
        .succeed()
        .stdout;
    assert!(symbols.contains("tally_flux") && !symbols.contains("debug_dump_particles"));

    let nothing = Run::new("ninja", project.build_folder()).arg("-n").succeed();
    assert!(nothing.stdout.contains("no work to do"), "{}", nothing.stdout);

    project.edit("src/tally.cu", "kPrivateEdit = 1.0f", "kPrivateEdit = 2.0f");
    let steps = project.build();
    for verb in ["summarize", "codegen", "assemble"] {
        assert_eq!(units(&steps, verb), ["src/tally.cu"], "{verb}: {steps:?}");
    }

    let linked = fs::read(&image).expect("an image");
    project.edit("src/tally.cu", "// private-edit:", "// a comment; private-edit:");
    let steps = project.build();
    assert_eq!(units(&steps, "Building").len(), 1, "{steps:?}");
    for verb in ["codegen", "assemble", "nvlink"] {
        assert_eq!(units(&steps, verb), [""; 0], "{verb} after a comment: {steps:?}");
    }
    assert!(linked == fs::read(&image).expect("an image"), "a comment changed the image");

    project.edit("src/geometry.cu", "// shared-edit:", "// a comment; shared-edit:");
    let nothing = Run::new("ninja", project.build_folder()).arg("-n").succeed();
    assert!(!nothing.stdout.contains("no work to do"), "{}", nothing.stdout);
}

/// A program with a marked static library, a marked object library, a host-only library, a generated
/// source, per-source options and names that need quoting.
fn libraries_build(generator: &str, weft: impl IntoIterator<Item = String>) -> Project {
    let project = Project::copy("tests/cmake/libraries");
    project.cmake(generator).args(weft).succeed();
    let first = project.build();
    let all =
        ["generated/made/seed.cu", "late.cu", "noise/noise.cu", "odd name+.cu", "physics/step.cu"];
    assert_eq!(units(&first, "codegen"), all, "{first:?}");
    project.run("program");
    assert_eq!(project.removed_kernels("program"), ["_Z11dead_kernelPi", "_Z9dead_stepPi"]);

    // This one is imported. Nothing is built in between: what the first build noted must do.
    project.edit("noise/noise.cu", "12345", "12347");
    let steps = project.build();
    assert_eq!(units(&steps, "summarize"), ["noise/noise.cu"], "{steps:?}");
    assert_eq!(units(&steps, "codegen"), ["noise/noise.cu", "physics/step.cu"], "{steps:?}");
    assert_eq!(project.build(), BTreeMap::new(), "nothing changed, and something was done");

    // Nobody can import a function that is not to be inlined.
    project.edit("late.cu", "x * 3", "x * 5");
    let steps = project.build();
    for verb in ["summarize", "codegen", "assemble"] {
        assert_eq!(units(&steps, verb), ["late.cu"], "{verb}: {steps:?}");
    }
    assert_eq!(project.build(), BTreeMap::new(), "after an edit");

    // A header that one unit includes.
    project.edit("include/limits.cuh", "100", "101");
    let steps = project.build();
    assert_eq!(units(&steps, "assemble"), ["odd name+.cu"], "{steps:?}");
    assert_eq!(project.build(), BTreeMap::new(), "after an edit");
    project
}

#[test]
fn libraries_build_the_same_with_ninja_and_make_from_a_checkout_and_installed() {
    let prefix = TempDir::with_prefix("weft-prefix-").expect("a folder");
    let ninja = libraries_build("Ninja", from_checkout());
    let make = libraries_build("Unix Makefiles", [install(prefix.path())]);
    let [one, other] = [ninja, make].map(|it| fs::read(it.image("program")).expect("an image"));
    assert!(one == other, "Ninja and Make gave different images");
}

#[test]
fn the_settings_file_of_the_project_gives_two_checkouts_one_cache() {
    let shared = TempDir::with_prefix("weft-shared-").expect("a folder");
    let settings = format!("[cache]\ndir = {:?}\n", shared.path());
    let images = [0, 1].map(|_| {
        let project = Project::copy("tests/cmake/libraries");
        fs::write(project.source().join("weft.toml"), &settings).expect("a settings file");
        project.cmake("Ninja").args(from_checkout()).succeed();
        let build = Run::new("cmake", project.build_folder()).args(["--build", ".", "-j2"]);
        // As it is for users: other tests turn the cache off.
        build.variable("WEFT_CACHE", "").succeed();
        fs::read(project.image("program")).expect("an image")
    });
    assert!(images[0] == images[1], "two checkouts gave different images");
    let stats = Run::new(tools().weft("backend-job"), shared.path()).args(["cache", "stats"]);
    let stats = stats.arg("--cache-dir").arg(shared.path()).succeed().stdout;
    for row in ["codegen          5       5", "assemble         5       5", ": 10 results"] {
        assert!(stats.contains(row), "{row:?} is not in {stats}");
    }
}

#[test]
fn several_architectures_get_an_image_each() {
    let project = Project::copy("tests/cmake/libraries");
    let more = ["-DCMAKE_CUDA_ARCHITECTURES=80;90-real", "-DCMAKE_BUILD_TYPE=Debug"];
    project.cmake("Ninja").args(from_checkout()).args(more).succeed();
    let steps = project.build();
    assert_eq!(units(&steps, "nvlink"), ["program (sm_80)", "program (sm_90)"]);
    let images = Run::new(tools().cuda("cuobjdump"), project.build_folder())
        .args(["--list-elf", "program"])
        .succeed()
        .stdout;
    assert!(images.contains("sm_80.cubin") && images.contains("sm_90.cubin"), "{images}");
    project.run("program");
}

#[test]
fn mistakes_end_the_configuration_and_say_what_to_do() {
    let clang = Project::copy("tests/cmake/errors");
    let nvcc = Project::copy("tests/cmake/errors");
    let multi_config = Project::copy("tests/cmake/errors");
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
            Some("nvcc") => {
                nvcc.bare_cmake("Ninja").args([&compiler, "-DCMAKE_CUDA_ARCHITECTURES=90"])
            }
            Some(generator) => multi_config.cmake(generator),
        };
        let outcome = cmake.args(from_checkout()).arg(format!("-DCASE={case}")).expect(1);
        // CMake breaks lines.
        let said = outcome.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(says), "{case}: expected {says:?} in:\n{}", outcome.stderr);
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
