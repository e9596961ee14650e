//! Labels in the Bazel rules: each names a repository that the module depends on, and a file that
//! is there.
//!
//! From Bazel 7 on, a file of the rules and a repository that their extension makes see only the
//! repositories of `MODULE.bazel`. The tests run Bazel 4, whose workspaces see everything.

use std::collections::BTreeSet;

use crate::checkout::File;
use crate::violation::Violation;

/// The module, with its dependencies.
const MODULE: &str = "bazel/MODULE.bazel";
const RULES: &str = "bazel/";
/// The module itself, and what Bazel brings along.
const OWN: &[&str] = &["weft", "bazel_tools"];
const SOURCE: &str = "https://bazel.build/external/migration#repository-visibility";

/// Finds labels of files below `bazel` that some version of Bazel cannot resolve.
pub(crate) fn violations(files: &[File]) -> Vec<Violation> {
    let Some(module) = files.iter().find(|file| file.path == MODULE) else { return Vec::new() };
    let mut known: BTreeSet<&str> = OWN.iter().copied().collect();
    for rest in module.text.split("bazel_dep(").skip(1) {
        known.extend(rest.split_once("name = \"").and_then(|(_, name)| name.split('"').next()));
    }
    let paths: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let kinds = ["bzl", "bazel", "tpl"];
    let rules = files.iter().filter(|file| {
        file.path.starts_with(RULES) && file.path != MODULE && kinds.contains(&file.extension())
    });
    rules.flat_map(|file| of_file(file, &known, &paths)).collect()
}

fn of_file(file: &File, known: &BTreeSet<&str>, paths: &BTreeSet<&str>) -> Vec<Violation> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(file.text.lines()) {
        let line = line.split(" #").next().unwrap_or_default();
        for text in line.split('"').skip(1).step_by(2) {
            let repository = text.strip_prefix('@').and_then(|rest| rest.split_once("//"));
            if let Some((name, _)) = repository
                && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
                && !known.contains(name)
            {
                let message = format!("{MODULE} has no bazel_dep of @{name} ({SOURCE})");
                found.push(Violation::new(file, number, message));
            }
            let is_local = text.starts_with("//") && !text.starts_with("//visibility:");
            if file.extension() == "tpl" && is_local {
                let message = format!("{text} would be looked for in the repository that is made");
                found.push(Violation::new(file, number, message));
            }
            if file.extension() != "tpl"
                && let Some(path) = path_of(&file.path, text)
                && !paths.contains(path.as_str())
            {
                let message = format!("there is no {path}");
                found.push(Violation::new(file, number, message));
            }
        }
    }
    found
}

/// Returns the path of a Starlark file that a label names, if it is one of the rules.
fn path_of(from: &str, label: &str) -> Option<String> {
    label.strip_suffix(".bzl")?;
    if let Some(name) = label.strip_prefix(':') {
        let (folder, _) = from.rsplit_once('/')?;
        return Some(format!("{folder}/{name}"));
    }
    let (package, name) = label.strip_prefix("//")?.split_once(':')?;
    let folder = if package.is_empty() { String::new() } else { format!("{package}/") };
    Some(format!("{RULES}{folder}{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        found_in("bazel/private/a.tpl", text)
    }

    fn found_in(path: &str, text: &str) -> Vec<String> {
        let module = "module(name = \"weft\")\nbazel_dep(name = \"rules_cc\", version = \"1\")\n";
        let files = [(MODULE, module), ("bazel/private/b.bzl", "x = 1\n"), (path, text)]
            .map(|(path, text)| File { path: path.to_owned(), text: text.to_owned() });
        violations(&files).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn repositories_are_those_of_the_module() {
        assert!(
            found("x = [\"@rules_cc//cc:defs.bzl\", \"@bazel_tools//a\", \"a@//b\"]\n").is_empty()
        );
        let missing = found("x = \"@platforms//os:linux\"\n");
        assert!(missing.len() == 1 && missing[0].contains("@platforms"), "{missing:?}");
        assert!(found("x = 1 # \"@platforms//os:linux\"\n").is_empty());
    }

    #[test]
    fn labels_name_files_that_are_there() {
        let load = |label: &str| found_in("bazel/private/c.bzl", &format!("load(\"{label}\")\n"));
        for label in [":b.bzl", "//private:b.bzl"] {
            assert!(load(label).is_empty(), "{label}");
        }
        for label in [":d.bzl", "//:b.bzl", "//private/b:b.bzl"] {
            assert_eq!(load(label).len(), 1, "{label}");
        }
        assert_eq!(found("x = \"//:defs.bzl\"\n").len(), 1);
    }
}
