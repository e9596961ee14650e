//! Starlark of the Bazel rules that later versions of Bazel refuse.
//!
//! The tests run the rules with the one version that is there, and buildifier's warnings tell of
//! names that other versions removed. What it does not know is listed here, each with a thread that
//! tells of it. What that one version lacks is listed, too, with the file that asks for the version
//! before it uses the name.

use crate::checkout::File;
use crate::violation::Violation;

/// The rules that users load; the stand-ins of tests may use what Bazel 4 has built in.
const RULES: &str = "bazel/";
const QUOTES: &str = "\"\"\"";

/// A name that a version of Bazel took away, unless the file loads it from another repository.
struct Builtin {
    name: &'static str,
    source: &'static str,
}

const BUILTINS: &[Builtin] = &[
    Builtin { name: "CcInfo", source: "https://github.com/bazelbuild/intellij/pull/8002" },
    Builtin { name: "cc_common", source: "https://github.com/tweag/rules_nixpkgs/pull/741" },
    Builtin { name: "native.cc_", source: "https://github.com/dtolnay/cxx/issues/1694" },
];

/// A name that Bazel 4 lacks. A file that uses it is not loaded there, or fails when it is called.
struct Newer {
    name: &'static str,
    since: &'static str,
    /// The file that may use the name, as only later versions reach that use.
    file: Option<&'static str>,
    source: &'static str,
}

const EXTENSIONS: &str = "bazel/extensions.bzl";
const COVERAGE: &str = "bazel/private/rules/coverage.bzl";

const NEWER: &[Newer] = &[
    Newer {
        name: "resource_set",
        since: "5.3",
        file: Some(RUN),
        source: "https://github.com/bazelbuild/bazel/pull/15968",
    },
    Newer {
        name: "exec_group(",
        since: "5",
        file: Some(RUN),
        source: "https://github.com/bazelbuild/bazel/issues/11250",
    },
    Newer {
        name: "module_extension(",
        since: "5",
        file: Some(EXTENSIONS),
        source: "https://github.com/bazel-contrib/buildtools/pull/1036",
    },
    Newer {
        name: "tag_class(",
        since: "5",
        file: Some(EXTENSIONS),
        source: "https://github.com/bazel-contrib/buildtools/pull/1036",
    },
    Newer {
        name: "RunEnvironmentInfo",
        since: "5.3",
        file: None,
        source: "https://github.com/bazelbuild/bazel/pull/15766",
    },
    Newer {
        name: "configuration_field(",
        since: "6",
        file: Some(COVERAGE),
        source: "https://github.com/bazelbuild/bazel/issues/8736",
    },
    Newer {
        name: "metadata_files",
        since: "6.3",
        file: Some(COVERAGE),
        source: "https://github.com/bazelbuild/bazel/pull/18838",
    },
];

/// The file whose function declares all actions, as each has to name its toolchain from Bazel 7 on.
const RUN: &str = "bazel/private/actions/run.bzl";
const TOOLCHAINS: &str = "https://github.com/bazelbuild/bazel-skylib/pull/455";
const FIND_TOOLCHAIN: &str = "https://github.com/bazelbuild/bazel/issues/7260";
const STRUCT_METHODS: &str = "https://github.com/bazelbuild/bazel/pull/24830";
/// The files whose functions make arguments of actions.
const ACTIONS: &str = "bazel/private/actions/";
const PATH_MAPPING: &str = "https://github.com/bazelbuild/bazel/pull/15542";
const EMPTY_GLOBS: &str = "https://github.com/bazel-contrib/SIG-rules-authors/issues/37";

/// Finds what later versions of Bazel refuse in one file.
pub(crate) fn violations(file: &File) -> Vec<Violation> {
    if !file.path.starts_with(RULES) || !["bzl", "bazel", "tpl"].contains(&file.extension()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (number, line) in (1..).zip(code_lines(&file.text)) {
        for Builtin { name, source } in BUILTINS {
            let loaded = file.text.contains(&format!("\"{name}\""));
            if line.contains(name) && !line.contains(&format!("_{name}")) && !loaded {
                let message = format!("Bazel 9 has no {name} built in: load it ({source})");
                found.push(Violation::new(file, number, message));
            }
        }
        for Newer { name, since, file: place, source } in NEWER {
            if line.contains(name) && *place != Some(file.path.as_str()) {
                let place = place.unwrap_or("no file");
                let message =
                    format!("Bazel 4 has no {name}, {since} has: {place} may use it ({source})");
                found.push(Violation::new(file, number, message));
            }
        }
        if line.contains("actions.run") && file.path != RUN {
            let message = format!("Bazel 7 wants a toolchain of actions: use {RUN} ({TOOLCHAINS})");
            found.push(Violation::new(file, number, message));
        }
        if [".to_json(", ".to_proto("].iter().any(|method| line.contains(method)) {
            let message = format!("Bazel 8 has no methods of structs ({STRUCT_METHODS})");
            found.push(Violation::new(file, number, message));
        }
        if line.contains("glob(") && !file.text.contains("allow_empty") {
            let message = format!("Bazel 8 refuses an empty glob: say allow_empty ({EMPTY_GLOBS})");
            found.push(Violation::new(file, number, message));
        }
    }
    for (number, line) in (1..).zip(file.text.lines()) {
        if line.contains("tools/cpp:toolchain_utils.bzl") {
            let message =
                format!("it moved to @rules_cc//cc:find_cc_toolchain.bzl ({FIND_TOOLCHAIN})");
            found.push(Violation::new(file, number, message));
        }
    }
    found.extend(early_paths(file));
    found
}

/// Finds paths that become strings while Bazel analyzes. Bazel maps the paths of the files that it
/// adds to arguments itself, and those in functions that it calls for each element.
fn early_paths(file: &File) -> Vec<Violation> {
    if !file.path.starts_with(ACTIONS) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut is_called_late = false;
    for (number, line) in (1..).zip(code_lines(&file.text)) {
        if let Some(name) = line.strip_prefix("def ").and_then(|rest| rest.split('(').next()) {
            let mapped = file.text.contains(&format!("map_each = {name}"));
            is_called_late = mapped || name.starts_with("path_of_");
        }
        let has_path = [".path", ".dirname"].iter().any(|field| {
            line.match_indices(field).any(|(at, _)| {
                !line[at + field.len()..]
                    .starts_with(|next: char| next.is_alphanumeric() || next == '_')
            })
        });
        if has_path && !is_called_late {
            let message = format!("no path of a string is mapped: use map_each ({PATH_MAPPING})");
            found.push(Violation::new(file, number, message));
        }
    }
    found
}

/// Returns each line without its strings and comments; strings of several lines are documentation.
fn code_lines(text: &str) -> Vec<String> {
    let mut is_documentation = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        let marks = line.matches(QUOTES).count();
        if is_documentation || marks > 0 {
            lines.push(String::new());
            is_documentation ^= marks % 2 == 1;
            continue;
        }
        let code = line.split('"').step_by(2).collect::<String>();
        lines.push(code.split('#').next().unwrap_or_default().to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::violation::lines;

    const PATH: &str = "bazel/private/rules/a.bzl";

    #[test]
    fn builtins_that_are_gone_have_to_be_loaded() {
        let used = "\"\"\"About CcInfo.\"\"\"\n\ndef f(dep):\n    return dep[CcInfo]\n";
        assert_eq!(lines(violations, PATH, used), [4]);
        let loaded = format!("load(\":cc.bzl\", \"CcInfo\")\n{used}");
        assert!(lines(violations, PATH, &loaded).is_empty());
        assert!(lines(violations, "tests/bazel/stubs/a.bzl", used).is_empty());
        assert_eq!(lines(violations, PATH, "native.cc_library()\n"), [1]);
        let words = "\"\"\"\ncc_common\n\"\"\"\nx = \"cc_common\" # cc_common\n";
        assert!(lines(violations, PATH, words).is_empty());
        assert_eq!(lines(violations, PATH, "cc_common.link()\n"), [1]);
    }

    #[test]
    fn what_bazel_4_lacks_is_used_where_the_version_is_known() {
        let text = "x = configuration_field(name = 1)\nf(resource_set = f)\nreturn [\n    \
            RunEnvironmentInfo(),\n]\n";
        assert_eq!(lines(violations, PATH, text), [1, 2, 4]);
        assert_eq!(lines(violations, RUN, text), [1, 4]);
        assert_eq!(lines(violations, COVERAGE, text), [2, 4]);
        assert!(lines(violations, PATH, "# RunEnvironmentInfo\n").is_empty());
    }

    #[test]
    fn actions_are_declared_in_one_place() {
        let text = "ctx.actions.run_shell()\n";
        assert_eq!(lines(violations, PATH, text), [1]);
        assert!(lines(violations, RUN, text).is_empty());
    }

    #[test]
    fn what_moved_or_went_is_found() {
        assert_eq!(lines(violations, PATH, "x = struct(a = 1).to_json()\n"), [1]);
        let load =
            "load(\"@bazel_tools//tools/cpp:toolchain_utils.bzl\", \"find_cpp_toolchain\")\n";
        assert_eq!(lines(violations, PATH, load), [1]);
    }

    #[test]
    fn paths_are_mapped_where_bazel_calls_late() {
        const ACTION: &str = "bazel/private/actions/a.bzl";
        let early = "def f(args, file):\n    args.add(file.path)\n    args.add(file.dirname)\n";
        assert_eq!(lines(violations, ACTION, early), [2, 3]);
        assert!(lines(violations, PATH, early).is_empty());
        let late = "def f(args, files):\n    args.add_all(files, map_each = _line)\n\n\
            def _line(file):\n    return file.path\n";
        assert!(lines(violations, ACTION, late).is_empty());
        assert!(lines(violations, ACTION, "x = struct(path_of = 1)\ny = x.path_of\n").is_empty());
    }

    #[test]
    fn globs_say_whether_they_may_be_empty() {
        assert_eq!(lines(violations, PATH, "x = glob([])\n"), [1]);
        assert!(lines(violations, PATH, "x = glob([], allow_empty = True)\n").is_empty());
    }
}
