//! Rules about code: what may stand where.

use crate::blank::{blank, is_name_character};
use crate::checkout::File;
use crate::violation::Violation;

/// Extensions of the languages of clang.
const C_FAMILY: &[&str] = &["c", "cc", "cpp", "cu", "cuh", "cxx", "h", "hh", "hpp"];
/// The only places of these languages: everything else is Rust. The build rules include the headers
/// in front of each unit.
const C_FAMILY_FOLDERS: &[&str] = &[
    "crates/device-ir/",
    "weft/src/registration.c",
    "crates/older-glibc/",
    "dev/programs/",
    "examples/",
    "tests/",
    "cmake/private/weft_reference.h",
    "bazel/private/actions/weft_reference.h",
];
/// The only places with `unsafe` code: calls of LLVM, and one line that takes make's jobserver.
const UNSAFE_PLACES: &[&str] = &["crates/device-ir/", "crates/workers/src/inherited.rs"];
/// The only places that start processes. A build script cannot use a crate of the workspace that
/// needs that very script, so each may.
const PROCESS_PLACES: &[&str] =
    &["crates/action/", "tests/", "thinlink/tests/", "dev/process/src/"];
const BUILD_SCRIPT: &str = "build.rs";

/// Finds everything against these rules in one file.
pub(crate) fn violations(file: &File) -> Vec<Violation> {
    let mut found: Vec<Violation> = language(file).into_iter().collect();
    if file.extension() == "rs" {
        let code = blank(&file.text);
        found.extend(unreasoned_lint_levels(file, &code));
        found.extend(unfinished(file, &code));
        found.extend(unsafe_code(file, &code));
        found.extend(processes(file, &code));
    }
    found
}

fn language(file: &File) -> Option<Violation> {
    let allowed = file.is_below(C_FAMILY_FOLDERS) || !C_FAMILY.contains(&file.extension());
    let message = || format!("C, C++ and CUDA belong in {}", C_FAMILY_FOLDERS.join(", "));
    (!allowed).then(|| Violation::new(file, 0, message()))
}

/// Finds `#[allow(...)]` and `#[expect(...)]`, outer or inner, that state no reason.
fn unreasoned_lint_levels(file: &File, code: &str) -> Vec<Violation> {
    ["allow", "expect"]
        .into_iter()
        .flat_map(|level| attributes(code, level))
        .filter(|(_, attribute)| words(attribute, "reason").next().is_none())
        .map(|(at, _)| violation(file, code, at, "a lint is turned off without a `reason`"))
        .collect()
}

fn unfinished(file: &File, code: &str) -> Vec<Violation> {
    let ignored = attributes(code, "ignore").into_iter().map(|(at, _)| at);
    let ignored = ignored.map(|at| violation(file, code, at, "a test that does not run"));
    let macros = ["todo", "unimplemented"].into_iter().flat_map(|name| {
        let calls = words(code, name).filter(|at| code[at + name.len()..].starts_with('!'));
        calls.map(|at| violation(file, code, at, "code that is not written yet"))
    });
    ignored.chain(macros).collect()
}

fn unsafe_code(file: &File, code: &str) -> Vec<Violation> {
    if file.is_below(UNSAFE_PLACES) {
        return Vec::new();
    }
    let message = format!("unsafe code belongs in {}", UNSAFE_PLACES.join(", "));
    words(code, "unsafe").map(|at| violation(file, code, at, &message)).collect()
}

fn processes(file: &File, code: &str) -> Vec<Violation> {
    let is_build_script = file.name() == BUILD_SCRIPT;
    // Other types are called so too, like clap's, but not in a file that never says `process`.
    let speaks_of_processes = words(code, "process").next().is_some();
    if is_build_script || file.is_below(PROCESS_PLACES) || !speaks_of_processes {
        return Vec::new();
    }
    let message = format!("processes are started in {} only", PROCESS_PLACES.join(", "));
    let starts = words(code, "Command")
        .filter(|at| code[*at..].starts_with("Command::new") && !code[..*at].ends_with("clap::"));
    starts.map(|at| violation(file, code, at, &message)).collect()
}

fn violation(file: &File, code: &str, at: usize, message: &str) -> Violation {
    Violation::new(file, code[..at].matches('\n').count() + 1, message)
}

/// Finds the places where `word` stands alone.
fn words<'code>(code: &'code str, word: &str) -> impl Iterator<Item = usize> + use<'code> {
    let length = word.len();
    let starts: Vec<usize> = code.match_indices(word).map(|(at, _)| at).collect();
    starts.into_iter().filter(move |at| {
        !code[..*at].ends_with(is_name_character)
            && !code[at + length..].starts_with(is_name_character)
    })
}

/// Finds the attributes of this name, each with its start and its text.
fn attributes<'code>(code: &'code str, name: &str) -> Vec<(usize, &'code str)> {
    let with_bracket = |at: usize| {
        let before = code[..at].trim_end();
        let inner = before.strip_suffix('[')?.trim_end();
        let start = inner.strip_suffix('!').unwrap_or(inner).trim_end().strip_suffix('#')?.len();
        Some((start, attribute_text(&code[start..])))
    };
    words(code, name).filter_map(with_bracket).collect()
}

/// Returns the code from `#` to the bracket that closes the attribute.
fn attribute_text(code: &str) -> &str {
    let mut depth = 0_u32;
    for (at, c) in code.char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth == 1 => return &code[..=at],
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::violations;
    use crate::violation::lines;

    const CRATE: &str = "thinlink/src/lib.rs";

    #[test]
    fn c_and_cuda_are_found_outside_of_their_folders() {
        assert_eq!(lines(violations, "thinlink/src/x.cpp", ""), [0]);
        assert!(lines(violations, "crates/device-ir/src/x.cpp", "").is_empty());
        assert!(lines(violations, "examples/x/a.cu", "").is_empty());
        assert!(lines(violations, CRATE, "").is_empty());
    }

    #[test]
    fn lint_levels_without_a_reason_are_found() {
        let text = "#![allow(x)]\n#[expect(\n    clippy::y,\n)]\nfn a() {}\n";
        assert_eq!(lines(violations, CRATE, text), [1, 2]);
        let text = "#![allow(x, reason = \"because\")]\n// #[allow(x)]\n#[expect(\n    x,\n    \
                    reason = \"a ] b\"\n)]\nfn a() { b.expect(c) }\n";
        assert!(lines(violations, CRATE, text).is_empty());
    }

    #[test]
    fn tests_that_do_not_run_and_unwritten_code_are_found() {
        let text =
            "#[ignore]\nfn a() { todo!() }\n#[ignore = \"x\"]\nfn b() { unimplemented!(\"\") }\n";
        let mut found = lines(violations, CRATE, text);
        found.sort_unstable();
        assert_eq!(found, [1, 2, 3, 4]);
        assert!(lines(violations, CRATE, "fn ignore(todo: u8) { \"todo!()\"; }\n").is_empty());
    }

    #[test]
    fn unsafe_code_is_found_outside_of_device_ir() {
        let text = "fn a() {\n    unsafe { b() }\n}\n";
        assert_eq!(lines(violations, CRATE, text), [2]);
        assert!(lines(violations, "crates/device-ir/src/lib.rs", text).is_empty());
        assert!(lines(violations, CRATE, "#![forbid(unsafe_code)] // unsafe\n").is_empty());
    }

    #[test]
    fn starting_a_process_is_found_outside_of_its_places() {
        let text = "use std::process;\nfn a() { process::Command::new(\"x\"); }\n";
        assert_eq!(lines(violations, CRATE, text), [2]);
        for path in
            ["crates/action/src/lib.rs", "dev/process/src/process.rs", "tests/x.rs", "a/build.rs"]
        {
            assert!(lines(violations, path, text).is_empty(), "{path}");
        }
        assert!(
            lines(violations, CRATE, "use clap::Command;\nfn a() { Command::new(1); }\n")
                .is_empty()
        );
    }
}
