//! The Bazel rules, with the real Bazel, in its sandbox: `examples/transport` and a small workspace
//! of several packages. What ran is taken from Bazel's own execution log.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;
use weft_tests::{Outcome, Run, tools, workspace_root};

/// Bazel's execution log, in the folder of a workspace.
const EXECUTION_LOG: &str = "execution.json";

/// How often each kind of action ran.
type Counts<'a> = BTreeMap<&'a str, usize>;

/// A Bazel workspace in a folder of its own, with a server of its own.
struct Workspace {
    folder: TempDir,
    bazel: PathBuf,
}

/// One command that Bazel ran.
struct Spawn {
    mnemonic: String,
    message: String,
    runner: String,
    cache_hit: bool,
    arguments: Vec<String>,
    inputs: Vec<String>,
}

impl Workspace {
    /// A copy of a folder of the checkout, made a workspace.
    fn copy_of(source: &str) -> Self {
        let workspace =
            Self { folder: TempDir::with_prefix("weft-bazel-").unwrap(), bazel: bazel() };
        copy(&workspace_root().join(source), &workspace.path());
        let rules = workspace_root().join("bazel");
        let definition = include_str!("../bazel/WORKSPACE.in");
        workspace.write("WORKSPACE", &definition.replace("@RULES@", &rules.to_string_lossy()));
        workspace.write(".bazelrc", &workspace.options());
        workspace
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("workspace")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    fn write(&self, name: &str, content: &str) {
        std::fs::write(self.file(name), content).unwrap();
    }

    /// The options that every command of Bazel takes.
    fn options(&self) -> String {
        let stubs = workspace_root().join("tests/bazel/stubs");
        let executables = tools().weft("thinlink");
        let clang = tools().llvm("clang");
        let variables = [
            ("WEFT_CUDA_ROOT", Some(tools().cuda_root())),
            ("WEFT_EXECUTABLES", executables.parent()),
            ("WEFT_LLVM_PREFIX", clang.parent().and_then(Path::parent)),
        ];
        let mut lines = vec![
            format!("startup --output_user_root={}", self.folder.path().join("root").display()),
            "startup --max_idle_secs=60 --host_jvm_args=-Xmx1g".to_owned(),
            "build --spawn_strategy=sandboxed --incompatible_strict_action_env".to_owned(),
            "build --nosandbox_debug --color=no --curses=no --show_progress_rate_limit=60"
                .to_owned(),
            format!("build --execution_log_json_file={}", self.file(EXECUTION_LOG).display()),
        ];
        for (name, value) in variables {
            lines.push(format!("build --repo_env={name}={}", value.unwrap().display()));
        }
        // Bazel's own packages, which it loads to look for toolchains, name these repositories.
        for name in ["rules_cc", "rules_java", "remote_coverage_tools"] {
            lines
                .push(format!("build --override_repository={name}={}", stubs.join(name).display()));
        }
        lines.join("\n") + "\n"
    }

    fn run(&self, command: &str, arguments: &[&str]) -> Run {
        Run::new(&self.bazel, self.path()).arg(command).args(arguments.iter().copied())
    }

    /// Builds and returns what ran.
    fn build(&self, targets: &[&str]) -> Vec<Spawn> {
        self.run("build", targets).succeed();
        let log = std::fs::read_to_string(self.file(EXECUTION_LOG)).unwrap();
        let spawns = serde_json::Deserializer::from_str(&log).into_iter::<Value>();
        spawns.map(|spawn| Spawn::of(&spawn.unwrap())).collect()
    }

    /// Runs a program that was built.
    fn program(&self, name: &str) -> Outcome {
        Run::new(self.file("bazel-bin").join(name), self.path()).succeed()
    }

    /// Replaces a text that is in the file.
    fn edit(&self, name: &str, edit: impl FnOnce(&str) -> String) {
        let before = std::fs::read_to_string(self.file(name)).unwrap();
        let after = edit(&before);
        assert!(before != after, "{name} was not changed");
        self.write(name, &after);
    }
}

impl Drop for Workspace {
    /// Ends the server; its outputs are write-protected, so they go by its hand, too.
    fn drop(&mut self) {
        self.run("clean", &["--expunge"]).outcome();
    }
}

impl Spawn {
    fn of(spawn: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        Self {
            mnemonic: text(&spawn["mnemonic"]),
            message: text(&spawn["progressMessage"]),
            runner: text(&spawn["runner"]),
            cache_hit: spawn["remoteCacheHit"].as_bool().unwrap_or_default(),
            arguments: list(&spawn["commandArgs"]).iter().map(text).collect(),
            inputs: list(&spawn["inputs"]).iter().map(|input| text(&input["path"])).collect(),
        }
    }

    /// Fails the test unless it ran in a sandbox and names files by relative paths only.
    fn check_hermetic(&self) {
        assert!(self.runner.ends_with("-sandbox"), "{}: runner {}", self.message, self.runner);
        for argument in &self.arguments {
            let absolute = argument.starts_with('/') || argument.contains("=/");
            let absolute = absolute || argument.contains("-I/") || argument.contains("@/");
            assert!(!absolute, "{}: absolute path {argument}", self.message);
        }
        for input in &self.inputs {
            assert!(!input.starts_with('/'), "{}: absolute input {input}", self.message);
        }
    }
}

/// Bazel on the search path.
#[expect(clippy::disallowed_methods, reason = "the search path is where an installed Bazel is")]
fn bazel() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|it| it.join("bazel")).find(|it| it.is_file());
    assert!(
        found.is_some(),
        "bazel is missing: `cargo xtask setup` installs Debian's package bazel-bootstrap"
    );
    found.unwrap()
}

fn copy(source: &Path, target: &Path) {
    std::fs::create_dir_all(target).unwrap();
    for entry in std::fs::read_dir(source).unwrap() {
        let entry = entry.unwrap();
        let target = target.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn counts(spawns: &[Spawn]) -> Counts<'_> {
    let mut counts = BTreeMap::new();
    for spawn in spawns {
        *counts.entry(spawn.mnemonic.as_str()).or_default() += 1;
    }
    counts
}

/// The messages of one kind of action, sorted.
fn messages<'a>(spawns: &'a [Spawn], mnemonic: &str) -> Vec<&'a str> {
    let of_kind = spawns.iter().filter(|spawn| spawn.mnemonic == mnemonic);
    let mut messages: Vec<_> = of_kind.map(|spawn| spawn.message.as_str()).collect();
    messages.sort_unstable();
    messages
}

/// What runs from the changed image on, once each.
const IMAGE_STEPS: [&str; 5] =
    ["WeftNvlink", "WeftFatbinary", "WeftWrap", "WeftRegister", "WeftLink"];

/// Adds 1 to the constant on the line after the comment.
fn edit_constant(text: &str, marker: &str) -> String {
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    let comment = lines.iter().position(|line| line.contains(&format!("// {marker}:"))).unwrap();
    assert!(lines[comment + 1].contains("= 1.0f"), "{}", lines[comment + 1]);
    lines[comment + 1] = lines[comment + 1].replace("= 1.0f", "= 2.0f");
    lines.join("\n") + "\n"
}

fn transport_says_there_is_no_device_or_runs(workspace: &Workspace) {
    let stdout = workspace.program("transport").stdout;
    assert!(stdout.contains("no CUDA device here") || stdout.contains("checksum"), "{stdout}");
}

#[test]
fn transport_is_built_in_the_sandbox_and_an_edit_runs_what_it_can_reach() {
    let workspace = Workspace::copy_of("examples/transport");
    let targets = ["//:transport", "--output_groups=+weft_image,+weft_manifest"];
    let cuda = std::fs::read_dir(workspace.file("src")).unwrap().flatten();
    let units = cuda.filter(|it| it.file_name().to_string_lossy().ends_with(".cu")).count();

    let spawns = workspace.build(&targets);
    for spawn in &spawns {
        spawn.check_hermetic();
    }
    let ran = counts(&spawns);
    for mnemonic in ["WeftCompile", "WeftImport", "WeftCodegen", "WeftAssemble"] {
        assert_eq!(ran[mnemonic], units, "{mnemonic}");
    }
    assert_eq!(ran["WeftSummarize"], units + ran["WeftHostCompile"]);
    assert_imports_declare_three_files_and_the_tool(&spawns);
    transport_says_there_is_no_device_or_runs(&workspace);
    let image = workspace.file("bazel-bin/_weft/transport/sm_90/image.cubin");
    let first_image = std::fs::read(&image).unwrap();

    assert_eq!(counts(&workspace.build(&targets)), Counts::new(), "nothing was changed");

    workspace.edit("src/tally.cu", |text| format!("{text}// A comment.\n"));
    let comment = workspace.build(&targets);
    assert_eq!(counts(&comment), Counts::from([("WeftCompile", 1)]), "a comment was changed");

    workspace.edit("src/tally.cu", |text| edit_constant(text, "private-edit"));
    let private = workspace.build(&targets);
    let mut expected: Counts<'_> = IMAGE_STEPS.map(|step| (step, 1)).into();
    for step in ["WeftCompile", "WeftSummarize", "WeftThinLink", "WeftStage"] {
        expected.insert(step, 1);
    }
    for step in ["WeftImport", "WeftCodegen", "WeftAssemble"] {
        expected.insert(step, 1);
        let of_unit = messages(&private, step);
        assert!(of_unit.iter().all(|it| it.contains("src/tally.cu for sm_90")), "{of_unit:?}");
    }
    assert_eq!(counts(&private), expected, "a private constant was changed");
    assert!(std::fs::read(&image).unwrap() != first_image, "the image holds the constant");
    transport_says_there_is_no_device_or_runs(&workspace);

    workspace.edit("src/geometry.cu", |text| edit_constant(text, "shared-edit"));
    let shared = workspace.build(&targets);
    let units = ["geometry", "population", "tally"];
    let generated = units.map(|unit| format!("Generating code of src/{unit}.cu for sm_90"));
    assert_eq!(messages(&shared, "WeftCodegen"), generated);
    assert_eq!(messages(&shared, "WeftCompile"), ["Compiling src/geometry.cu"]);
}

/// Each import declares the tool, its plan, its bitcode, and one file with what its plan names: not
/// the bitcode of all units, so that the number of declared inputs does not grow with its square.
fn assert_imports_declare_three_files_and_the_tool(spawns: &[Spawn]) {
    for import in spawns.iter().filter(|it| it.mnemonic == "WeftImport") {
        assert_eq!(import.inputs.len(), 4, "{}: {:?}", import.message, import.inputs);
    }
}

#[test]
fn libraries_of_several_packages_and_architectures() {
    let workspace = Workspace::copy_of("tests/bazel/libraries");
    let spawns = workspace.build(&["//..."]);
    for spawn in &spawns {
        spawn.check_hermetic();
    }
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

/// Bazel keys a cache as it keys actions on a cluster: by the command line and the inputs' content.
#[test]
fn two_checkouts_share_a_cache() {
    let cache = TempDir::with_prefix("weft-bazel-cache-").unwrap();
    let option = format!("--disk_cache={}", cache.path().display());
    let arguments = ["//program", option.as_str()];
    let first = Workspace::copy_of("tests/bazel/libraries").build(&arguments);
    assert!(!first.is_empty() && first.iter().all(|spawn| !spawn.cache_hit));
    let second = Workspace::copy_of("tests/bazel/libraries").build(&arguments);
    let missed = second.iter().filter(|spawn| !spawn.cache_hit);
    let missed: Vec<_> = missed.map(|spawn| spawn.message.as_str()).collect();
    assert_eq!(missed, [""; 0]);
    assert_eq!(counts(&second), counts(&first));
}
