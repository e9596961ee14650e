//! Bazel workspaces for tests, and what Bazel's own execution log says of a build.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use dev_checkout::bazel::{self, Parts};
use dev_process::environment::find_program;
use serde_json::Value;
use tempfile::TempDir;

use crate::rebuild::Steps;
use crate::{Outcome, Run, tools, workspace_root};

/// Bazel's execution log, in the folder of a workspace.
const EXECUTION_LOG: &str = "execution.json";

/// How often each kind of action ran.
pub type Counts<'a> = BTreeMap<&'a str, usize>;

/// A Bazel workspace in a folder of its own, with a server of its own that ends with this value.
#[derive(Debug)]
pub struct Workspace {
    folder: TempDir,
    bazel: PathBuf,
}

impl Workspace {
    /// A copy of a folder of the checkout, made a workspace.
    pub fn copy_of(source: &str) -> Self {
        Self::with_options(source, &[])
    }

    /// The same, with more lines in its `.bazelrc`.
    pub fn with_options(source: &str, options: &[String]) -> Self {
        let folder = TempDir::with_prefix("weft-bazel-");
        let folder = folder.unwrap_or_else(|error| panic!("cannot make a folder: {error}"));
        let bazel = find_program("bazel").unwrap_or_else(|| {
            panic!(
                "bazel is missing: `cargo xtask setup` installs Debian's package bazel-bootstrap"
            )
        });
        let workspace = Self { folder, bazel };
        copy(&workspace_root().join(source), &workspace.path())
            .unwrap_or_else(|error| panic!("cannot copy {source}: {error}"));
        let clang = tools().llvm("clang");
        tools().weft("thinlink");
        let parts = Parts {
            checkout: workspace_root(),
            llvm_prefix: clang.parent().and_then(Path::parent).unwrap_or(Path::new("/")),
            cuda_root: tools().cuda_root(),
            executables: tools().executables(),
        };
        let log = workspace.file(EXECUTION_LOG);
        let mut options = options.to_vec();
        options.push(format!("build --execution_log_json_file={}", log.display()));
        // A server of a test lives too short for its second compiler to pay.
        options.push("startup --host_jvm_args=-XX:TieredStopAtLevel=1".to_owned());
        let root = workspace.folder.path().join("root");
        bazel::write(&workspace.path(), &root, &parts, &options)
            .unwrap_or_else(|error| panic!("{error}"));
        workspace
    }

    /// The workspace's folder.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("workspace")
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Writes a file in it.
    pub fn write(&self, name: &str, content: &str) {
        let path = self.file(name);
        fs::write(&path, content).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// The content of an output, by its path below `bazel-bin`.
    pub fn output(&self, name: &str) -> Vec<u8> {
        let path = self.file("bazel-bin").join(name);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// A command of Bazel in it.
    pub fn run(&self, command: &str, arguments: &[&str]) -> Run {
        Run::new(&self.bazel, self.path()).arg(command).args(arguments.iter().copied())
    }

    /// Builds and returns what ran.
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

    /// Runs a program that was built, which has to return 0; without a GPU it says so.
    pub fn program(&self, name: &str) -> Outcome {
        Run::new(self.file("bazel-bin").join(name), self.path()).succeed()
    }
}

impl Drop for Workspace {
    /// Ends the server; its outputs are write-protected, so they go by its hand, too.
    fn drop(&mut self) {
        self.run("clean", &["--expunge"]).outcome();
    }
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

/// One command that Bazel ran, or whose result it had from a remote cache.
#[derive(Clone, Debug)]
pub struct Spawn {
    /// Kind of the action.
    pub mnemonic: String,
    /// What Bazel shows while it runs.
    pub message: String,
    /// Who ran it, such as `linux-sandbox`, `remote` or `remote cache hit`.
    pub runner: String,
    /// Whether its result was in a remote cache.
    pub cache_hit: bool,
    /// The command line.
    pub arguments: Vec<String>,
    /// Paths of its inputs; the files of a folder one by one.
    pub inputs: Vec<String>,
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

    /// Fails the test if the command line or an input is an absolute path.
    pub fn check_relative(&self) {
        for argument in &self.arguments {
            let absolute = argument.starts_with('/')
                || ["=/", "-I/", "@/", ":/"].iter().any(|it| argument.contains(it));
            assert!(!absolute, "{}: absolute path {argument}", self.message);
        }
        for input in &self.inputs {
            assert!(!input.starts_with('/'), "{}: absolute input {input}", self.message);
        }
    }

    /// The step of the rebuild table that this is, and its unit, if it is a step of units.
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
            "WeftLink" => return ("link", None),
            "WeftGuard" => return ("guard", None),
            image if IMAGE_STEPS.contains(&image) => return ("image", None),
            other => panic!("{other}: {}: no step of the rebuild table", self.message),
        };
        // "Generating code of src/a.cu for sm_90": no name of a unit of the project has a space.
        (step, self.message.split(' ').find(|word| word.starts_with("src/")))
    }
}

/// What runs from changed cubins on, once for each program with one architecture.
const IMAGE_STEPS: [&str; 4] = ["WeftNvlink", "WeftFatbinary", "WeftWrap", "WeftRegister"];

/// What ran, in the words of the rebuild table. An image is made by all of its steps or by none.
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

/// How often each kind of action ran.
pub fn counts(spawns: &[Spawn]) -> Counts<'_> {
    let mut counts = BTreeMap::new();
    for spawn in spawns {
        *counts.entry(spawn.mnemonic.as_str()).or_default() += 1;
    }
    counts
}
