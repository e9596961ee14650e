//! Support for the tests of the CMake package: a separate project for each test, and the steps that
//! a build ran.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use dev_checkout::installation::{copy_folder, install as install_into};
use tempfile::TempDir;
use weft_tests::{Run, tools, workspace_root};

use crate::detected::{self, Compilers};

/// A private copy of a CMake project, with a build folder whose name needs quoting.
pub(crate) struct Project {
    folder: TempDir,
}

impl Project {
    /// Copies a folder of the checkout.
    pub(crate) fn copy(path: &str) -> Self {
        let project = Self { folder: TempDir::with_prefix("weft-cmake-").expect("a folder") };
        copy_folder(&workspace_root().join(path), &project.source()).expect("a copy");
        project
    }

    pub(crate) fn source(&self) -> PathBuf {
        self.folder.path().join("source")
    }

    pub(crate) fn build_folder(&self) -> PathBuf {
        self.folder.path().join("build folder")
    }

    /// Returns the path of a file in the build folder.
    pub(crate) fn output(&self, path: &str) -> PathBuf {
        self.build_folder().join(path)
    }

    /// Returns CMake's command with a generator and no other setting.
    pub(crate) fn bare_cmake(&self, generator: &str) -> Run {
        fs::create_dir_all(self.build_folder()).expect("a build folder");
        Run::new("cmake", self.build_folder()).arg(self.source()).args(["-G", generator])
    }

    /// Returns CMake's command as a user would write it, except for the path of Weft and for the
    /// standard of CUDA sources that choose none: the headers of C++14 take less time to compile
    /// than those of the default, C++17, which the example and the rebuild table have.
    pub(crate) fn cmake(&self, generator: &str) -> Run {
        self.cmake_with(Compilers::Clang, generator)
    }

    /// Returns the command of another CMake, as [`Project::cmake`] does.
    pub(crate) fn cmake_of(&self, program: &Path, generator: &str) -> Run {
        fs::create_dir_all(self.build_folder()).expect("a build folder");
        Run::new(program, self.build_folder())
            .arg(self.source())
            .args(["-G", generator, "-DCMAKE_CUDA_STANDARD=14"])
            .args(settings(Compilers::Clang))
    }

    /// Returns CMake's command with a choice of compilers.
    pub(crate) fn cmake_with(&self, compilers: Compilers, generator: &str) -> Run {
        let settings = settings(compilers);
        let cmake = self.bare_cmake(generator);
        let record = detected::put(&self.build_folder(), compilers, &settings);
        cmake.args(settings).args([record, "-DCMAKE_CUDA_STANDARD=14"])
    }

    /// Builds the project and returns the steps that ran: verbs of Weft, such as `codegen`, with
    /// their units, and CMake's own steps under `Building` and `Linking`.
    pub(crate) fn build(&self) -> BTreeMap<String, Vec<String>> {
        let outcome =
            Run::new("cmake", self.build_folder()).args(["--build", ".", "-j2"]).succeed();
        steps(&outcome.stdout)
    }

    /// Returns the output of the target `weft_report`.
    pub(crate) fn print_reports(&self) -> String {
        let build = Run::new("cmake", self.build_folder());
        build.args(["--build", ".", "--target", "weft_report"]).succeed().stdout
    }

    /// Replaces a text in a source file. The text must occur.
    pub(crate) fn edit(&self, path: &str, old: &str, new: &str) {
        let path = self.source().join(path);
        let text = fs::read_to_string(&path).expect("a source file");
        assert!(text.contains(old), "{} does not hold {old:?}", path.display());
        fs::write(&path, text.replace(old, new)).expect("a source file is written");
    }

    /// Runs a built program. The program must return 0; without a GPU it prints a message.
    pub(crate) fn run(&self, program: &str) {
        Run::new(self.output(program), self.build_folder()).succeed();
    }

    /// Returns the removed kernels that the manifest of a program lists.
    pub(crate) fn removed_kernels(&self, program: &str) -> Vec<String> {
        let path = self.output(&format!("{program}.weft/sm_90/plans/manifest.json"));
        let text = fs::read_to_string(path).expect("a manifest");
        let manifest: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let kernels = manifest["removed_kernels"].as_array().expect("removed kernels");
        kernels.iter().map(|kernel| kernel.as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Returns the path of a program's device image.
    pub(crate) fn image(&self, program: &str) -> PathBuf {
        self.output(&format!("{program}.weft/sm_90/image.cubin"))
    }
}

/// Returns settings for the compilers.
fn settings(compilers: Compilers) -> Vec<String> {
    let cuda = tools().cuda_root().display();
    let clang = tools().llvm("clang++");
    let mut settings =
        vec!["-DCMAKE_BUILD_TYPE=Release".to_owned(), "-DCMAKE_CUDA_ARCHITECTURES=90".to_owned()];
    if matches!(compilers, Compilers::Nvcc | Compilers::NvccAndClang) {
        settings.push(format!("-DCMAKE_CUDA_COMPILER={}", tools().cuda("nvcc").display()));
    } else {
        settings.push(format!("-DCMAKE_CUDA_COMPILER={}", clang.display()));
        settings.push(format!("-DCUDAToolkit_ROOT={cuda}"));
        settings.push(format!(
            "-DCMAKE_CUDA_FLAGS=--cuda-path={cuda} --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version"
        ));
    }
    if matches!(compilers, Compilers::ClangAlone | Compilers::NvccAndClang) {
        settings.push(format!("-DCMAKE_CXX_COMPILER={}", clang.display()));
    }
    settings
}

/// Returns settings for the package in the checkout and the executables of this build.
pub(crate) fn from_checkout() -> [String; 2] {
    let package = workspace_root().join("cmake");
    [
        format!("-DWeft_DIR={}", package.display()),
        format!("-DWeft_EXECUTABLES_DIR={}", executables().display()),
    ]
}

pub(crate) fn executables() -> PathBuf {
    tools().weft("summarize").parent().expect("a folder").to_owned()
}

/// Makes an install tree with the package and the executables where a distribution puts them.
/// Returns the setting for CMake.
pub(crate) fn install(prefix: &Path) -> String {
    install_into(workspace_root(), &executables(), prefix).expect("an install");
    format!("-DCMAKE_PREFIX_PATH={}", prefix.display())
}

/// Parses the lines that Ninja or Make prints before each step, which begin with `[1/9] ` or `[
/// 10%] `.
pub(crate) fn steps(output: &str) -> BTreeMap<String, Vec<String>> {
    let mut steps: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in output.lines() {
        let Some((_, step)) = line.strip_prefix('[').and_then(|rest| rest.split_once("] ")) else {
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

/// Returns the units of the steps with this verb.
pub(crate) fn units<'steps>(
    steps: &'steps BTreeMap<String, Vec<String>>,
    verb: &str,
) -> Vec<&'steps str> {
    steps.get(verb).into_iter().flatten().map(String::as_str).collect()
}
