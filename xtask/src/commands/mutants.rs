//! `cargo xtask mutants`: changes the product in one place at a time, and counts the changes that
//! no test notices.
//!
//! [cargo-mutants](https://mutants.rs) lists the changes: a function returns something else, a
//! comparison or an operator is another one, a part of a condition or a match is missing.
//! `dev-schemata` tries them, all in one build, with the tests of the packages, without the slow
//! programs of extreme shapes, and with the quicker end-to-end tests. `dev-mutation` breaks rules
//! by hand and looks whether tests notice.

use std::fs;
use std::path::Path;

use super::random_programs::numbers;
use dev_process::{Error, Process, Result, remove, while_trying};
use dev_toolchain::cargo_tools;

/// The line in the table of commands.
pub(crate) const HELP: &str =
    "change the product in one place at a time; --parts N with --part K for the K-th of N parts";

/// Folder of builds and results, relative to the root of the workspace.
const FOLDER: &str = "target/mutants";

/// Packages that are changed. Those with LLVM take too long to build again.
const PACKAGES: [&str; 4] = ["thinlink", "weft-artifact", "weft-action", "weft-container"];

/// End-to-end tests of what those packages do, which take seconds.
const END_TO_END: &[&str] = &[
    "assembly",
    "bad_input",
    "cache",
    "cache_keys",
    "child_processes",
    "container_facts",
    "distribute",
    "doctor",
    "error_messages",
    "host_side",
    "hostile_containers",
    "kept_messages",
    "opaque_code",
    "poisoned_results",
    "ptxas_modes",
    "remote",
    "remote_build",
    "reports",
    "scenarios",
    "shared_cache",
    "stage",
    "whole_program",
];

/// Part of the changes to make: every `parts`-th of them, from number `part` on.
#[derive(Debug, PartialEq, Eq)]
struct Part {
    /// From 0 to `parts` - 1.
    part: u64,
    parts: u64,
}

/// Makes the changes. The fate of each is a line of `target/mutants/results.txt`; `dev-schemata`
/// prints the metrics. Fates that are there already are kept, also when sources or tests have
/// changed since: without the file, all changes are tried.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    change(root, &parse(arguments)?, "results.txt", END_TO_END)
}

/// Makes one change in 50, for the packages' own tests and those of the readers of containers.
/// These need NVIDIA's tools, so few of them are in the package.
pub(crate) fn short_form(root: &Path) -> Result<()> {
    let results = "short-form.txt";
    remove(&root.join(FOLDER).join(results))?;
    change(root, &Part { part: 0, parts: 50 }, results, &["container_facts"])
}

fn change(root: &Path, part: &Part, results: &str, end_to_end: &[&str]) -> Result<()> {
    let Part { part, parts } = part;
    let folder = root.join(FOLDER);
    fs::create_dir_all(&folder).map_err(while_trying("create", &folder))?;
    let packages = PACKAGES.iter().flat_map(|name| ["-p", name]);
    let listed = cargo_tools::command(root, "mutants")?
        .args(packages)
        .args(["--list", "--json", "--no-shuffle", "--sharding=round-robin"])
        .args(["--shard".to_owned(), format!("{part}/{parts}")])
        .directory(root)
        .capture()?;
    let list = folder.join("list.json");
    fs::write(&list, listed).map_err(while_trying("write", &list))?;
    Process::new("cargo")
        .args(["run", "--quiet", "--locked", "--package=dev-schemata", "--"])
        .args([root, &list, &folder.join(results)])
        .args(end_to_end.iter().copied())
        .directory(root)
        .run()
}

fn parse(arguments: &[String]) -> Result<Part> {
    let [part, parts] = numbers("mutants", [("--part", 0), ("--parts", 1)], arguments)?;
    if part >= parts {
        return Err(Error::usage(format!("parts are numbered from 0, so --part is below {parts}")));
    }
    Ok(Part { part, parts })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_one_of_the_parts() {
        let parse = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            parse(&words)
        };
        assert_eq!(parse("").unwrap(), Part { part: 0, parts: 1 });
        assert_eq!(parse("--parts 9 --part 3").unwrap(), Part { part: 3, parts: 9 });
        for wrong in ["--part", "--part 1", "--parts 3 --part 3", "--parts 0", "--count 1"] {
            assert_eq!(parse(wrong).unwrap_err().exit_code(), 2, "{wrong}");
        }
    }
}
