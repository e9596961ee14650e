//! Tries mutants of Weft's sources: with each, some test must fail.
//!
//! Tests that can notice a change of the mutant's file run, the cheapest first, until one fails. A
//! test that fails without any mutant would show nothing, so each group of tests runs once without
//! a mutant before it is first needed.

mod mutants;

use std::collections::BTreeSet;
use std::path::Path;

use dev_checkout::copy::Checkout;
use dev_checkout::executables;
use dev_process::{Error, Process, Result, Stopwatch};
use dev_toolchain::Toolchain;

use mutants::Mutant;

/// Tests that run together.
struct Group {
    /// Folders whose mutants are tried with these tests.
    sources: &'static [&'static str],
    /// Executables that the tests start, besides those of their packages.
    executables: &'static [&'static str],
    test: &'static [&'static str],
}

/// Sources that the tests of the thin link check without LLVM.
const THIN_LINK: &[&str] = &["thinlink/", "crates/artifact/"];
/// Sources that read and write bitcode.
const BITCODE: &[&str] = &["summarize/", "backend-job/", "crates/device-ir/"];
/// Sources that read containers of device code, and PTX.
const CONTAINERS: &[&str] = &["crates/container/"];
/// All sources.
const ALL: &[&str] = &[""];

/// All groups, the cheapest first.
const GROUPS: &[Group] = &[
    Group {
        sources: THIN_LINK,
        executables: &["weft"],
        test: &["--package", "thinlink", "--package", "weft-artifact", "--lib", "--tests"],
    },
    Group {
        sources: BITCODE,
        executables: &[],
        test: &[
            "--package",
            "summarize",
            "--package",
            "backend-job",
            "--package",
            "weft-device-ir",
            "--lib",
        ],
    },
    Group {
        sources: CONTAINERS,
        executables: &[],
        test: &["--package", "weft-container", "--lib"],
    },
    Group {
        sources: BITCODE,
        executables: executables::PACKAGES,
        test: &[
            "--package",
            "weft-tests",
            "--test",
            "programs",
            "--test",
            "optimizer",
            "--",
            "scenarios::",
            "device_passes::",
        ],
    },
    Group {
        sources: ALL,
        executables: executables::PACKAGES,
        test: &[
            "--package",
            "weft-tests",
            "--test",
            "programs",
            "--test",
            "objects",
            "--test",
            "optimizer",
            "--test",
            "ptxas",
            "--",
            "scenarios::",
            "host_side::",
            "summary_fields::",
            "guard_symbols::",
            "opaque_code::",
            "whole_program::",
            "modes::",
        ],
    },
    Group {
        sources: ALL,
        executables: executables::PACKAGES,
        test: &["--package", "weft-tests", "--test", "programs", "meaning::"],
    },
    Group {
        sources: ALL,
        executables: executables::PACKAGES,
        test: &["--package", "weft-tests", "--test", "programs", "oracle::"],
    },
];

impl Group {
    /// Returns whether a mutant of `file`, a path from the root, is tried with these tests.
    fn is_for(&self, file: &str) -> bool {
        self.sources.iter().any(|folder| file.starts_with(folder))
    }
}

/// Tests to try a mutant with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Trial {
    /// Executables that the tests start, besides those of their packages.
    executables: &'static [&'static str],
    /// Arguments of `cargo test`.
    arguments: Vec<String>,
}

impl Trial {
    /// Returns all trials of a mutant, the cheapest first.
    fn all_of(mutant: &Mutant) -> Vec<Self> {
        let named = mutant.test.split_first().map(|(program, words)| {
            let program =
                ["--package", "weft-tests", "--test", program.as_str()].map(str::to_owned);
            Self { executables: executables::PACKAGES, arguments: [&program[..], words].concat() }
        });
        let groups = GROUPS.iter().filter(|group| group.is_for(&mutant.file)).map(|group| Self {
            executables: group.executables,
            arguments: group.test.iter().map(|&argument| argument.to_owned()).collect(),
        });
        named.into_iter().chain(groups).collect()
    }
}

/// Variables with numbers of random programs that are enough to notice a broken rule.
const SETTINGS: [(&str, &str); 2] = [("WEFT_PROGRAMS", "60"), ("WEFT_ORACLE_PROGRAMS", "30")];

/// Compiler of the C++ for its build script, which compiles all files when one has changed: without
/// a cache that takes minutes for each mutant.
const COMPILER: &str = "ccache c++";

/// Outcome of all mutants.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Number of mutants that compile.
    pub tried: u64,
    /// Number of mutants with which a test failed.
    pub caught: u64,
}

/// Outcome of one mutant.
enum Fate {
    /// This test failed.
    CaughtBy(String),
    /// The compiler refused the mutant with this message, which shows nothing about the tests.
    DoesNotCompile(String),
    Survived,
}

/// Tries at most `count` of the mutants whose names contain `only`.
pub fn run(root: &Path, toolchain: &Toolchain, only: &str, count: usize) -> Result<Tally> {
    let mutants = mutants::read(root)?;
    let wanted: Vec<_> =
        mutants.iter().filter(|mutant| mutant.name.contains(only)).take(count).collect();
    let mut tally = Tally::default();
    if wanted.is_empty() {
        return Ok(tally);
    }
    let folder = executables::target_folder(root)?.join("bench/oracle");
    let checkout = Checkout::update(root, &folder)?;
    let mut lab = Lab { checkout, toolchain, checked: BTreeSet::new() };
    for mutant in wanted {
        let watch = Stopwatch::start();
        let fate = lab.try_out(mutant)?;
        let seconds = watch.seconds();
        let name = &mutant.name;
        match fate {
            Fate::CaughtBy(test) => {
                tally.caught += 1;
                tally.tried += 1;
                println!("{name}: caught by {test} ({seconds:.0} s)");
            }
            Fate::Survived => {
                tally.tried += 1;
                println!(
                    "{name}: SURVIVED ({seconds:.0} s): no test notices that this no longer \
                          holds: {}",
                    mutant.rule
                );
            }
            Fate::DoesNotCompile(_) => println!("{name}: DOES NOT COMPILE, and does not count"),
        }
    }
    Ok(tally)
}

struct Lab<'a> {
    checkout: Checkout,
    toolchain: &'a Toolchain,
    /// Trials that passed without a mutant.
    checked: BTreeSet<Trial>,
}

impl Lab<'_> {
    fn try_out(&mut self, mutant: &Mutant) -> Result<Fate> {
        let original = self.checkout.read(&mutant.file)?;
        let mutated = mutant.apply(&original)?;
        for trial in Trial::all_of(mutant) {
            if !self.checked.contains(&trial) {
                if let Some(fate) = self.fate(&trial)? {
                    return Err(without_mutants(&fate));
                }
                self.checked.insert(trial.clone());
            }
            self.checkout.write(&mutant.file, &mutated)?;
            let fate = self.fate(&trial);
            self.checkout.write(&mutant.file, &original)?;
            if let Some(fate) = fate? {
                return Ok(fate);
            }
        }
        Ok(Fate::Survived)
    }

    /// Returns the mutant's fate in a trial, or `None` if the tests do not notice it.
    fn fate(&self, trial: &Trial) -> Result<Option<Fate>> {
        if let Some(message) = self.compiler_error(trial)? {
            return Ok(Some(Fate::DoesNotCompile(message)));
        }
        Ok(self.failing(trial)?.map(Fate::CaughtBy))
    }

    /// Returns the compiler's message if the executables that the trial's tests start do not
    /// compile, or else the tests themselves.
    fn compiler_error(&self, trial: &Trial) -> Result<Option<String>> {
        let error = |build: Process| -> Result<Option<String>> {
            let outcome = build.outcome()?;
            Ok((!outcome.success).then_some(outcome.stderr))
        };
        if !trial.executables.is_empty()
            && let Some(message) = error(self.cargo(&["build", "--bins"], trial.executables))?
        {
            return Ok(Some(message));
        }
        // Mutants are in the executables where tests start all of them.
        if trial.executables == executables::PACKAGES {
            return Ok(None);
        }
        error(self.cargo(&["test", "--no-run"], &[]).args(trial.arguments.iter()))
    }

    /// Returns the first test of the trial that fails.
    fn failing(&self, trial: &Trial) -> Result<Option<String>> {
        let mut tests = self.cargo(&["test", "--quiet"], &[]).args(trial.arguments.iter());
        for (name, value) in SETTINGS {
            tests = tests.variable(name, value);
        }
        let outcome = tests.outcome()?;
        if outcome.success {
            return Ok(None);
        }
        let named = outcome.stdout.lines().find_map(failed_test);
        // A test program that crashed or took too long prints no heading.
        let failed = named.or_else(|| outcome.stderr.lines().find_map(failed_program));
        failed.map(Some).ok_or_else(|| {
            Error::new(format!("the tests do not run:\n{}{}", outcome.stdout, outcome.stderr))
        })
    }

    fn cargo(&self, arguments: &[&str], packages: &[&str]) -> Process {
        let packages = packages.iter().flat_map(|package| ["--package", package]);
        let process = self.checkout.cargo(arguments).arg("--locked").args(packages).quietly();
        process.variables(self.toolchain.environment()).variable("CXX", COMPILER)
    }
}

/// Returns the error for sources that have this fate without a mutant, so that mutants would show
/// nothing.
fn without_mutants(fate: &Fate) -> Error {
    let what = match fate {
        Fate::CaughtBy(test) => format!("{test} fails"),
        Fate::DoesNotCompile(message) => {
            format!("{message}\nthe copy of the workspace does not compile")
        }
        Fate::Survived => "a test cannot run".to_owned(),
    };
    Error::new(format!("{what} without any mutant, so nothing can be said of mutants"))
}

/// Reads the name of a failed test from libtest's heading of its output.
fn failed_test(line: &str) -> Option<String> {
    let name = line.strip_prefix("---- ")?.strip_suffix(" stdout ----")?;
    Some(name.to_owned())
}

/// Returns the line in which cargo reports a test program that ended before its tests did, or in
/// which `timeout` reports cargo.
fn failed_program(line: &str) -> Option<String> {
    let is_failure = line.starts_with("error: test failed") || line.starts_with("timeout: sending");
    is_failure.then(|| line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns all sources of a kind of tests.
    fn sources_of(folder: &Path) -> String {
        let mut text = String::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                text.push_str(&sources_of(&path));
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                text.push_str(&std::fs::read_to_string(&path).unwrap());
            }
        }
        text
    }

    #[test]
    fn every_mutant_is_tried_with_cheap_tests_of_its_package_first() {
        let first = |file: &str| GROUPS.iter().find(|group| group.is_for(file)).unwrap().test;
        assert!(first("crates/device-ir/src/link.rs").contains(&"weft-device-ir"));
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        for mutant in mutants::read(root).unwrap() {
            let test = first(&mutant.file);
            let has_test = !mutant.test.is_empty() || !test.contains(&"weft-tests");
            assert!(has_test, "{} has no tests but {test:?}", mutant.name);
            let [kind, words @ ..] = &mutant.test[..] else { continue };
            assert!(Trial::all_of(&mutant)[0].arguments.contains(kind), "{}", mutant.name);
            let sources = sources_of(&root.join("tests/tests").join(kind));
            for word in words {
                let name = word.trim_end_matches(':').rsplit("::").next().unwrap();
                let is_there = sources.contains(&format!("fn {name}"))
                    || sources.contains(&format!("mod {name};"));
                assert!(is_there, "{}: no test is named {word}", mutant.name);
            }
        }
    }

    #[test]
    fn the_failed_test_is_named() {
        let line = "---- rules::what_is_live stdout ----";
        assert_eq!(failed_test(line).as_deref(), Some("rules::what_is_live"));
        assert_eq!(failed_test("test rules::what_is_live ... ok"), None);
        let crashed = "error: test failed, to rerun pass `-p thinlink --lib`";
        assert_eq!(failed_program(crashed).as_deref(), Some(crashed));
        assert_eq!(failed_program("error: could not compile `thinlink`"), None);
    }
}
