//! The Starlark of the Bazel rules, read by buildifier: its warnings name features that later
//! versions of Bazel removed or reversed. `dev-tidy` checks the rest.

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use weft_tests::{Outcome, Run, workspace_root};

/// Checks the format and all warnings. The content decides the checks, regardless of the file's
/// extension.
fn buildifier(kind: &str, files: &[PathBuf]) -> Outcome {
    let program = dev_toolchain::scripts::buildifier(workspace_root());
    assert!(program.is_file(), "{}: `cargo xtask test` installs it", program.display());
    let arguments = ["-mode=check", "-lint=warn", "-warnings=all", kind];
    Run::new(program, workspace_root()).args(arguments).args(files).outcome()
}

/// Returns the files below a folder whose name has the ending.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(self::files(&path, ending));
        } else if path.to_string_lossy().ends_with(ending) {
            files.push(path);
        }
    }
    files
}

#[test]
fn no_later_version_of_bazel_refuses_what_buildifier_knows() {
    let rules = workspace_root().join("bazel");
    for (kind, ending, least) in [
        ("-type=bzl", ".bzl", 30),
        ("-type=build", "BUILD.bazel", 4),
        ("-type=build", ".BUILD.tpl", 2),
        ("-type=module", "MODULE.bazel", 1),
    ] {
        let files = files(&rules, ending);
        assert!(files.len() >= least, "{ending}: {files:?}");
        let outcome = buildifier(kind, &files);
        assert_eq!(outcome.code, Some(0), "{}{}", outcome.stdout, outcome.stderr);
    }
}

#[test]
fn buildifier_finds_what_is_gone() {
    let folder = TempDir::with_prefix("weft-buildifier-");
    let folder = folder.unwrap_or_else(|error| panic!("cannot make a folder: {error}"));
    let file = folder.path().join("old.bzl");
    let text = r#""""Rules of the past."""

ATTRIBUTE = attr.label(cfg = "host")

def library(name):
    """Makes a library.

    Args:
      name: its name
    """
    native.cc_library(name = name, deps = [str(CcInfo)])
"#;
    std::fs::write(&file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let outcome = buildifier("-type=bzl", &[file]);
    assert_eq!(outcome.code, Some(4), "{}{}", outcome.stdout, outcome.stderr);
    for warning in ["attr-cfg", "native-cc-library", "native-cc-info"] {
        let found = outcome.stderr.contains(warning);
        assert!(found, "{warning} is not in {}{}", outcome.stdout, outcome.stderr);
    }
}
