//! Options of `cargo xtask bench oracle`.

use std::path::Path;

use super::arguments::{self, Given, Known, SEED, only};
use dev_bench::oracle::{self, Request};
use dev_process::Result;

pub(super) const OPTIONS: &[Known] = &[
    Known {
        name: "--random",
        value: "N",
        help: "compare N random programs; none at all leaves out the corpus, too",
    },
    SEED,
    Known { name: "--mutants", value: "N", help: "try at most N mutants" },
    only("TEXT", "try the mutants that have TEXT in their names"),
];

pub(super) fn run(root: &Path, given: &[Given]) -> Result<()> {
    oracle::run(root, &request(given)?)
}

fn request(given: &[Given]) -> Result<Request> {
    let mut request = Request { random: 300, seed: 1, mutants: usize::MAX, only: String::new() };
    for (name, value) in given.iter().cloned() {
        match name {
            "--random" => request.random = arguments::number(name, &value)?,
            "--seed" => request.seed = arguments::number(name, &value)?,
            "--only" => request.only = value,
            _ => {
                let count = arguments::number(name, &value)?;
                request.mutants = usize::try_from(count).unwrap_or(usize::MAX);
            }
        }
    }
    Ok(request)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Request> {
        request(&arguments::parse_line(OPTIONS, line)?)
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
