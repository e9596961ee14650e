//! Rules about code: what may stand where. clippy refuses the same without a reason, and these hold
//! with one, too.

use crate::checkout::File;
use crate::tokens::words;
use crate::violation::Violation;

/// The only places with `unsafe` code: calls of LLVM, and one line that takes make's jobserver.
const UNSAFE_PLACES: &[&str] = &["crates/device-ir/", "crates/workers/src/inherited.rs"];
/// The only places that start processes. A build script cannot use a crate of the workspace that
/// needs that very script, so each may.
const PROCESS_PLACES: &[&str] =
    &["crates/action/", "tests/", "thinlink/tests/", "dev/process/src/"];
const BUILD_SCRIPT: &str = "build.rs";
/// The start of a process, by its words.
const START: [&str; 4] = ["Command", ":", ":", "new"];

/// Finds everything against these rules in one file.
pub(crate) fn violations(file: &File) -> Vec<Violation> {
    if file.extension() != "rs" {
        return Vec::new();
    }
    let words = words(&file.text);
    let texts: Vec<&str> = words.iter().map(|(text, _)| text.as_str()).collect();
    let may_be_unsafe = file.is_below(UNSAFE_PLACES);
    // Other types are called so too, like clap's, but not in a file that never says `process`.
    let may_start =
        file.name() == BUILD_SCRIPT || file.is_below(PROCESS_PLACES) || !texts.contains(&"process");
    let mut found = Vec::new();
    for (at, (text, line)) in words.iter().enumerate() {
        let (before, after) = texts.split_at(at);
        let message = if text == "ignore" && before.ends_with(&["["]) {
            "a test that does not run".to_owned()
        } else if text == "unsafe" && !may_be_unsafe {
            format!("unsafe code belongs in {}", UNSAFE_PLACES.join(", "))
        } else if after.starts_with(&START) && !before.ends_with(&["clap", ":", ":"]) && !may_start
        {
            format!("processes are started in {} only", PROCESS_PLACES.join(", "))
        } else {
            continue;
        };
        found.push(Violation::new(file, *line, message));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::violations;
    use crate::violation::lines;

    const CRATE: &str = "thinlink/src/lib.rs";

    #[test]
    fn tests_that_do_not_run_are_found() {
        let text = "#[ignore]\nfn a() {}\n#[ignore = \"x\"]\nfn b() {}\n";
        assert_eq!(lines(violations, CRATE, text), [1, 3]);
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
