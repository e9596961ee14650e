//! `cargo xtask mutants`: changes the product in one place at a time, and counts the changes that
//! no unit test notices.
//!
//! [cargo-mutants](https://mutants.rs) makes the changes: a function returns something else, a
//! comparison or an operator is another one, a part of a condition or a match is missing. Only
//! tests of the changed package run, without its slow programs of extreme shapes; end-to-end tests
//! would notice more, but take minutes for each change. `dev-mutation` breaks rules by hand and
//! looks whether those tests notice.

use std::fs;
use std::path::Path;

use super::random_programs::numbers;
use dev_process::{Error, Result};
use dev_toolchain::cargo_tools;

/// The line in the table of commands.
pub(crate) const HELP: &str =
    "change the product in one place at a time; --parts N with --part K for the K-th of N parts";

/// Packages that are changed. Those with LLVM take too long to build again.
const PACKAGES: [&str; 4] = ["thinlink", "weft-artifact", "weft-action", "weft-container"];
/// Maximum time of the tests of one change in seconds.
const PATIENCE: &str = "300";

/// Part of the changes to make: every `parts`-th of them, from number `part` on.
#[derive(Debug, PartialEq, Eq)]
struct Part {
    /// From 0 to `parts` - 1.
    part: u64,
    parts: u64,
}

/// Numbers of changes by what became of them.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    /// Noticed by a failure, or by tests that do not end.
    caught: u32,
    /// Not noticed.
    missed: u32,
    /// Refused by the compiler.
    unviable: u32,
}

/// Makes the changes, and prints those that nothing notices and the metrics `strain.mutants`, the
/// number of changes that compile, and `strain.mutants_caught`, how many percent of these are
/// noticed. Fails if that was not to be found out.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let Part { part, parts } = parse(arguments)?;
    let folder = root.join("target/mutants");
    fs::create_dir_all(&folder)
        .map_err(|error| Error::new(format!("cannot create {}: {error}", folder.display())))?;
    let packages = PACKAGES.iter().flat_map(|name| ["-p", name]);
    let outcome = cargo_tools::command(root, "mutants")?
        .args(packages)
        .args(["--no-shuffle", "--sharding=round-robin", "--colors=never", "--timeout", PATIENCE])
        .args(["--shard".to_owned(), format!("{part}/{parts}")])
        .arg("--output")
        .arg(&folder)
        // The second group of arguments is for the programs of tests.
        .args(["--", "--locked", "--", "--skip", "extremes"])
        .directory(root)
        .outcome()?;
    let results = folder.join("mutants.out");
    let list = |name: &str| fs::read_to_string(results.join(name)).unwrap_or_default();
    let missed = list("missed.txt");
    let caught = list("caught.txt") + &list("timeout.txt");
    let found = Found::new(&caught, &missed, &list("unviable.txt"));
    if found.caught == 0 {
        return Err(Error::new(format!("no change was noticed:\n{}", outcome.stdout)));
    }
    print!("{missed}");
    println!("metric strain.mutants {}", found.viable());
    println!("metric strain.mutants_caught {:.1}", found.percent());
    Ok(())
}

impl Found {
    /// Counts lines, one for each change.
    fn new(caught: &str, missed: &str, unviable: &str) -> Self {
        let count = |text: &str| u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
        let [caught, missed, unviable] = [caught, missed, unviable].map(count);
        Self { caught, missed, unviable }
    }

    fn viable(&self) -> u32 {
        self.caught + self.missed
    }

    fn percent(&self) -> f64 {
        100.0 * f64::from(self.caught) / f64::from(self.viable())
    }
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

    #[test]
    fn changes_that_do_not_compile_do_not_count() {
        let found = Found::new("a\nb\nc\n", "d\n", "e\nf\n");
        assert_eq!(found, Found { caught: 3, missed: 1, unviable: 2 });
        assert_eq!((found.viable(), found.percent()), (4, 75.0));
    }
}
