//! Bazel workspaces for tests, and the facts that Bazel's own execution log states about a build.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use dev_checkout::bazel::{self, Parts};
use dev_process::environment::find_program;
use serde_json::Value;
use tempfile::TempDir;

use crate::rebuild::Steps;
use crate::{Outcome, Run, tools, workspace_root};

/// Name of Bazel's execution log in the folder of a workspace.
const EXECUTION_LOG: &str = "execution.json";

/// Number of actions that ran, by mnemonic.
pub type Counts<'a> = BTreeMap<&'a str, usize>;

/// A Bazel workspace in a private folder, with a private server that ends when this value is
/// dropped.
#[derive(Debug)]
pub struct Workspace {
    folder: TempDir,
    bazel: PathBuf,
}

impl Workspace {
    /// Copies a folder of the checkout and makes the copy a workspace.
    pub fn copy_of(source: &str) -> Self {
        Self::with_options(source, &[])
    }

    /// Copies a folder as `copy_of` does, and adds lines to the workspace's `.bazelrc`.
    pub fn with_options(source: &str, options: &[String]) -> Self {
        let folder = TempDir::with_prefix("weft-bazel-");
        let folder = folder.unwrap_or_else(|error| panic!("cannot make a folder: {error}"));
        let workspace = Self { folder, bazel: program() };
        let log = workspace.file(EXECUTION_LOG);
        let mut options = options.to_vec();
        options.push(format!("build --execution_log_json_file={}", log.display()));
        let root = workspace.folder.path().join("root");
        make_workspace(source, &workspace.path(), &root, options);
        workspace
    }

    /// Returns the path of the workspace's folder.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("workspace")
    }

    /// Returns the path of a file in the workspace.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Adds statements to the workspace's `WORKSPACE`.
    pub fn define(&self, statements: &str) {
        let definition = fs::read_to_string(self.file("WORKSPACE")).unwrap_or_default();
        self.write("WORKSPACE", &(definition + "\n" + statements));
    }

    /// Copies the rules to a folder beside the workspace, and there changes the text `from`, which
    /// `file` must hold, to `to`. Returns the folder.
    pub fn changed_rules(&self, file: &str, from: &str, to: &str) -> PathBuf {
        let rules = self.folder.path().join("rules");
        copy(&workspace_root().join("bazel"), &rules)
            .unwrap_or_else(|error| panic!("{}: {error}", rules.display()));
        let path = rules.join(file);
        let text = fs::read_to_string(&path).unwrap_or_default();
        assert!(text.contains(from), "{from:?} is not in {}", path.display());
        fs::write(&path, text.replace(from, to))
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        rules
    }

    /// Writes a file in the workspace.
    pub fn write(&self, name: &str, content: &str) {
        let path = self.file(name);
        fs::write(&path, content).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// Returns the content of an output, given its path below `bazel-bin`.
    pub fn output(&self, name: &str) -> Vec<u8> {
        let path = self.file("bazel-bin").join(name);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Returns a Bazel command that runs in the workspace.
    pub fn run(&self, command: &str, arguments: &[&str]) -> Run {
        Run::new(&self.bazel, self.path()).arg(command).args(arguments.iter().copied())
    }

    /// Builds the targets and returns the spawns that ran.
    pub fn build(&self, targets: &[&str]) -> Vec<Spawn> {
        self.run("build", targets).succeed();
        let path = self.file(EXECUTION_LOG);
        let log = fs::read_to_string(&path);
        let log = log.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let spawns = serde_json::Deserializer::from_str(&log).into_iter::<Value>();
        let spawn = |spawn: Result<Value, _>| match spawn {
            Ok(spawn) => Spawn::of(&spawn),
            Err(error) => panic!("{}: {error}", path.display()),
        };
        spawns.map(spawn).collect()
    }

    /// Runs a program that was built. The program must return 0; without a GPU it prints a message.
    pub fn program(&self, name: &str) -> Outcome {
        Run::new(self.file("bazel-bin").join(name), self.path()).succeed()
    }
}

impl Drop for Workspace {
    /// Ends the server. Bazel removes the outputs, too, because they are write-protected.
    fn drop(&mut self) {
        self.run("clean", &["--expunge"]).outcome();
    }
}

/// Returns the path of Bazel.
pub fn program() -> PathBuf {
    find_program("bazel").unwrap_or_else(|| {
        panic!("bazel is missing: `cargo xtask setup` installs Debian's package bazel-bootstrap")
    })
}

/// Copies `source`, a folder of the checkout, to `folder`, and makes the copy a workspace whose
/// Bazel keeps its own files below `root`.
pub fn make_workspace(source: &str, folder: &Path, root: &Path, options: Vec<String>) {
    copy(&workspace_root().join(source), folder)
        .unwrap_or_else(|error| panic!("cannot copy {source}: {error}"));
    describe(folder, root, options);
}

/// Writes the files that make a folder a workspace with the rules and executables of the checkout.
fn describe(folder: &Path, root: &Path, mut options: Vec<String>) {
    let clang = tools().llvm("clang");
    tools().weft("thinlink");
    let parts = Parts {
        checkout: workspace_root(),
        llvm_prefix: clang.parent().and_then(Path::parent).unwrap_or(Path::new("/")),
        cuda_root: tools().cuda_root(),
        executables: tools().executables(),
    };
    // The server of a test lives too short a time for the JVM's optimizing compiler to pay off.
    options.push("startup --host_jvm_args=-XX:TieredStopAtLevel=1".to_owned());
    bazel::write(folder, root, &parts, &options).unwrap_or_else(|error| panic!("{error}"));
}

fn copy(source: &Path, target: &Path) -> std::io::Result<()> {
    fs::create_dir_all(target)?;
    for entry in fs::read_dir(source)? {
        let entry = entry?;
        let target = target.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// One command that Bazel ran, or whose result came from a remote cache.
#[derive(Clone, Debug)]
pub struct Spawn {
    /// Mnemonic of the action.
    pub mnemonic: String,
    /// Progress message that Bazel shows while the command runs.
    pub message: String,
    /// Name of the spawn runner, such as `linux-sandbox`, `remote` or `remote cache hit`.
    pub runner: String,
    /// Whether the result came from a remote cache.
    pub cache_hit: bool,
    /// Arguments of the command, the program included.
    pub arguments: Vec<String>,
    /// Paths of the inputs. The files of a folder are listed one by one.
    pub inputs: Vec<String>,
    /// Properties of the platform that the command asks for, as `NAME=VALUE`.
    pub properties: Vec<String>,
}

impl Spawn {
    fn of(spawn: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let property =
            |value: &Value| format!("{}={}", text(&value["name"]), text(&value["value"]));
        Self {
            mnemonic: text(&spawn["mnemonic"]),
            message: text(&spawn["progressMessage"]),
            runner: text(&spawn["runner"]),
            cache_hit: spawn["remoteCacheHit"].as_bool().unwrap_or_default(),
            arguments: list(&spawn["commandArgs"]).iter().map(text).collect(),
            inputs: list(&spawn["inputs"]).iter().map(|input| text(&input["path"])).collect(),
            properties: list(&spawn["platform"]["properties"]).iter().map(property).collect(),
        }
    }

    /// Fails the test if an argument or an input is an absolute path.
    pub fn check_relative(&self) {
        for argument in &self.arguments {
            let absolute = argument.starts_with('/')
                || ["=/", "-I/", "@/", ":/"].iter().any(|prefix| argument.contains(prefix));
            assert!(!absolute, "{}: absolute path {argument}", self.message);
        }
        for input in &self.inputs {
            assert!(!input.starts_with('/'), "{}: absolute input {input}", self.message);
        }
    }

    /// Returns the step of the rebuild table that this spawn belongs to, and its unit if the step
    /// has one for each unit.
    fn step(&self) -> (&'static str, Option<&str>) {
        let step = match self.mnemonic.as_str() {
            "WeftCompile" => "compile",
            "WeftHostCompile" => "compile-host",
            "WeftSummarize" => "summarize",
            "WeftThinLink" => return ("thinlink", None),
            "WeftStage" => return ("stage", None),
            "WeftImport" => "import",
            "WeftCodegen" => "codegen",
            "WeftAssemble" => "assemble",
            "CppLink" => return ("link", None),
            "WeftGuard" => return ("guard", None),
            image if IMAGE_STEPS.contains(&image) => return ("image", None),
            other => panic!("{other}: {}: no step of the rebuild table", self.message),
        };
        // In a message such as "Generating code of src/a.cu for sm_90", the unit is one word,
        // because no unit of the project has a space in its name.
        (step, self.message.split(' ').find(|word| word.starts_with("src/")))
    }
}

/// Mnemonics of the actions that run after cubins change, once for each program with one
/// architecture.
const IMAGE_STEPS: [&str; 4] = ["WeftNvlink", "WeftFatbinary", "WeftWrap", "WeftRegister"];

/// Returns the steps that ran, in the words of the rebuild table. An image is made by all of its
/// steps or by none.
pub fn steps(spawns: &[Spawn]) -> Steps {
    let mut steps = Steps::new();
    for spawn in spawns {
        let (step, unit) = spawn.step();
        steps.entry(step.to_owned()).or_default().extend(unit.map(str::to_owned));
    }
    for units in steps.values_mut() {
        units.sort_unstable();
    }
    if steps.contains_key("image") {
        let counts = counts(spawns);
        assert!(IMAGE_STEPS.iter().all(|step| counts.get(step) == Some(&1)), "{counts:?}");
    }
    steps
}

/// Counts the spawns of each mnemonic.
pub fn counts(spawns: &[Spawn]) -> Counts<'_> {
    let mut counts = BTreeMap::new();
    for spawn in spawns {
        *counts.entry(spawn.mnemonic.as_str()).or_default() += 1;
    }
    counts
}
