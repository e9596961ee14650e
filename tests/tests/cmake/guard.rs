//! Programs whose device code would be incomplete: the host link fails, and the message names the
//! missing code.

use std::collections::BTreeMap;
use std::fs;

use tempfile::TempDir;
use weft_tests::{Outcome, Run};

use crate::detected::Compilers;
use crate::project::{Project, from_checkout};

/// The host compiler has to be clang because one of the cases uses an option of clang's.
const COMPILERS: Compilers = Compilers::ClangAlone;

/// A project in which each case links a library in another way, and the prefix of an installed
/// package that some cases find.
struct Cases {
    project: Project,
    prefix: TempDir,
    generator: &'static str,
}

impl Cases {
    fn new(generator: &'static str) -> Self {
        let prefix = TempDir::with_prefix("weft-package-").expect("a folder");
        Self { project: Project::copy("tests/cmake/guard"), prefix, generator }
    }

    /// Makes and installs the package that some cases find.
    fn install_package(&self) {
        let package = Project::copy("tests/cmake/guard");
        let definition = package.source().join("package/CMakeLists.txt");
        fs::copy(definition, package.source().join("CMakeLists.txt")).expect("a CMakeLists.txt");
        package.cmake_with(COMPILERS, self.generator).args(from_checkout()).succeed();
        package.build();
        Run::new("cmake", package.build_folder())
            .args(["--install", ".", "--prefix"])
            .arg(self.prefix.path())
            .succeed();
    }

    fn configure(&self, case: &str) {
        self.project
            .cmake_with(COMPILERS, self.generator)
            .args(from_checkout())
            .arg(format!("-DCASE={case}"))
            .arg(format!("-DCMAKE_PREFIX_PATH={}", self.prefix.path().display()))
            .succeed();
    }

    fn build(&self) -> Outcome {
        Run::new("cmake", self.project.build_folder()).args(["--build", ".", "-j2"]).outcome()
    }

    /// Builds a case, which must fail with the messages that its file states. A second build must
    /// fail again.
    fn check(&self, case: &str) {
        let path = self.project.source().join(format!("cases/{case}.cmake"));
        let text = fs::read_to_string(path).expect("a case");
        let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key));
        let says = value("# says: ").expect("what the case says");
        let program = self.project.output(value("# not left: ").unwrap_or("program"));
        self.configure(case);
        for turn in ["first", "second"] {
            let outcome = self.build();
            let messages = format!("{} {}", outcome.stdout, outcome.stderr);
            let messages = messages.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(outcome.code != Some(0), "{case}: the {turn} build succeeded: {messages}");
            assert!(
                messages.contains(says),
                "{case}, {turn} build: expected {says:?} in:\n{messages}"
            );
            assert!(!program.exists(), "{case}: {} is left", program.display());
        }
    }

    /// Builds the correct project, and builds it again, which must do nothing.
    fn check_correct(&self) {
        self.configure("correct");
        self.project.build();
        self.project.run("program");
        // The host link leaves out the unit of the first one.
        let removed = ["_Z12extra_kernelPi", "_Z12spare_kernelPi"];
        assert_eq!(self.project.removed_kernels("program"), removed);
        assert_eq!(self.project.build(), BTreeMap::new(), "nothing changed");
    }
}

#[test]
fn a_program_that_would_lack_device_code_is_not_linked() {
    let cases = Cases::new("Ninja");
    cases.install_package();
    let folder = cases.project.source().join("cases");
    let mut names: Vec<_> = fs::read_dir(folder)
        .expect("the cases")
        .map(|entry| entry.expect("a case").path())
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .filter(|name| name != "correct")
        .collect();
    names.sort();
    assert!(names.len() >= 6, "only {names:?} were found");
    for name in names {
        cases.check(&name);
    }
    cases.check_correct();
}

#[test]
fn make_links_no_program_that_would_lack_device_code() {
    let cases = Cases::new("Unix Makefiles");
    cases.check_correct();
    cases.check("expression");
    cases.check_correct();
}
