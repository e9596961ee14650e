//! Whether Weft links what plain linking links, and whether a broken rule would be noticed.
//!
//! - `oracle.programs`: programs of the corpus whose images were compared with plainly linked ones.
//! - `oracle.random_programs`: random programs, likewise.
//! - `oracle.differences`: differences of all of them; a step that failed counts as one.
//! - `oracle.mutants`: copies of Weft's sources with one rule broken each.
//! - `oracle.mutants_caught`: those of them with which some test failed.
//!
//! Comparing is an example of the tests' package, since the task runner has no dependencies.

mod checkout;
mod mutants;
mod mutation;

use std::path::Path;

use super::{number, print_metric};
use dev_process::{Error, Process, Result};
use dev_toolchain::Toolchain;

pub(super) const HELP: &str = "programs linked plainly and through Weft, and mutants of Weft; --random N, --seed N, \
     --mutants N and --only TEXT take less";

/// The work that the command line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Request {
    /// Number of random programs.
    random: u64,
    /// Seed of the first; the next has the next seed.
    seed: u64,
    /// Maximum number of mutants.
    mutants: usize,
    /// Text that must be in the names of the mutants to try.
    only: String,
}

/// Compares the programs, then tries the mutants.
pub(super) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let request = Request::parse(arguments)?;
    let toolchain = dev_toolchain::ensure(root)?;
    let mut differences = 0;
    if request.random > 0 {
        Process::new("cargo")
            .args(["build", "--workspace", "--bins", "--locked"])
            .variables(toolchain.environment())
            .directory(root)
            .run()?;
        let corpus = compare(root, &toolchain, &["corpus"])?;
        let (first, count) = (request.seed.to_string(), request.random.to_string());
        let random = compare(root, &toolchain, &["random", &first, &count])?;
        print_metric("oracle.programs", number(corpus.programs));
        print_metric("oracle.random_programs", number(random.programs));
        differences = corpus.differences + random.differences;
        print_metric("oracle.differences", number(differences));
    }
    let tally = mutation::run(root, &toolchain, &request.only, request.mutants)?;
    print_metric("oracle.mutants", number(tally.tried));
    print_metric("oracle.mutants_caught", number(tally.caught));
    if differences > 0 {
        println!("the folders of programs that differ are named above");
    }
    Ok(())
}

/// Counts that the example printed.
#[derive(Clone, Copy, Debug, Default)]
struct Compared {
    programs: u64,
    differences: u64,
}

fn compare(root: &Path, toolchain: &Toolchain, arguments: &[&str]) -> Result<Compared> {
    let (mut programs, mut differences) = (None, None);
    Process::new("cargo")
        .args(["run", "--locked", "--package", "weft-tests", "--example", "oracle", "--"])
        .args(arguments.iter().copied())
        .variables(toolchain.environment())
        .directory(root)
        .scan(|line| {
            println!("{line}");
            let count = |name: &str| line.strip_prefix(name)?.parse().ok();
            programs = count("programs ").or(programs);
            differences = count("differences ").or(differences);
        })?;
    let counts = programs.zip(differences);
    let (programs, differences) =
        counts.ok_or_else(|| Error::new("the example 'oracle' has printed no counts"))?;
    Ok(Compared { programs, differences })
}

impl Request {
    fn parse(arguments: &[String]) -> Result<Self> {
        let mut request = Self { random: 300, seed: 1, mutants: usize::MAX, only: String::new() };
        for pair in arguments.chunks(2) {
            let wrong = || {
                let takes = "[--random N] [--seed N] [--mutants N] [--only TEXT]";
                Error::usage(format!("bench oracle takes {takes}, got {pair:?}"))
            };
            let [name, value] = pair else { return Err(wrong()) };
            let number = || value.parse::<u64>().map_err(|_| wrong());
            match name.as_str() {
                "--random" => request.random = number()?,
                "--seed" => request.seed = number()?,
                "--mutants" => request.mutants = value.parse().map_err(|_| wrong())?,
                "--only" => request.only.clone_from(value),
                _ => return Err(wrong()),
            }
        }
        Ok(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Request> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Request::parse(&words)
    }

    #[test]
    fn all_of_it_is_the_default() {
        let all = Request { random: 300, seed: 1, mutants: usize::MAX, only: String::new() };
        assert_eq!(parse("").unwrap(), all);
        let some = Request { random: 0, mutants: 3, only: "import".to_owned(), ..all };
        assert_eq!(parse("--only import --mutants 3 --random 0").unwrap(), some);
        for wrong in ["--seed", "--seed x", "--seeds 1", "5"] {
            assert_eq!(parse(wrong).unwrap_err().exit_code(), 2, "{wrong}");
        }
    }
}
