//! Every rule of the thin link as a scenario: one file of `thinlink/tests/rules` each.
//!
//! `thinlink/tests/rules/README.md` says how to read them. The executable runs on the summaries
//! that a file describes, and everything from the first `$` on has to be what it says and does.

mod scenario;
mod summaries;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::support::TestResult;
use scenario::Scenario;

/// Number of scenarios that fail until the others do not run.
const SHOWN: usize = 5;

fn files() -> Result<Vec<PathBuf>, std::io::Error> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules");
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut files = entries.collect::<Result<Vec<_>, std::io::Error>>()?;
    files.retain(|path| path.extension().is_some_and(|ending| ending == "txt"));
    files.sort();
    Ok(files)
}

#[test]
#[expect(clippy::disallowed_methods, reason = "updating golden files is asked for by a variable")]
fn every_scenario_is_as_it_is_written_down() -> TestResult {
    let updates = std::env::var_os("WEFT_UPDATE_GOLDEN").is_some_and(|value| value == "1");
    let play = |path: &PathBuf| -> Result<(), String> {
        let name = path.file_name().unwrap_or_default().display();
        let told = |error: &dyn std::fmt::Display| format!("{name}: {error}");
        let expected = fs::read_to_string(path).map_err(|error| told(&error))?;
        let scenario = Scenario::parse(&expected).map_err(|error| told(&error))?;
        let actual = scenario.play().map_err(|error| told(&error))?;
        if updates {
            fs::write(path, actual).map_err(|error| told(&error))?;
        } else if let Some(line) = first_difference(&expected, &actual) {
            return Err(format!("{name}, from line {line} on:\n{}", from(&actual, line)));
        }
        Ok(())
    };
    let files = files()?;
    assert!(files.len() > 40, "only {} scenarios", files.len());
    let failures: Vec<String> =
        files.par_iter().filter_map(|path| play(path).err()).take_any(SHOWN).collect();
    let advice = "If that is right: WEFT_UPDATE_GOLDEN=1 cargo test -p thinlink rules";
    assert!(failures.is_empty(), "{}\n{advice}", failures.join("\n\n"));
    Ok(())
}

#[test]
fn every_scenario_is_explained_and_does_something() -> TestResult {
    let mut explanations = BTreeSet::new();
    for path in files()? {
        let text = fs::read_to_string(&path)?;
        let scenario =
            Scenario::parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        assert!(scenario.prose.trim_end().ends_with('.'), "{} says no rule", path.display());
        assert!(!scenario.commands.is_empty(), "{} runs nothing", path.display());
        assert!(explanations.insert(scenario.prose.clone()), "{} is a copy", path.display());
    }
    Ok(())
}

/// The number of the first line that is not the same in both.
fn first_difference(expected: &str, actual: &str) -> Option<usize> {
    let same = expected.lines().zip(actual.lines()).take_while(|(one, other)| one == other).count();
    (expected != actual).then_some(same + 1)
}

fn from(text: &str, line: usize) -> String {
    let lines = text.lines().skip(line - 1).map(|line| format!("    {line}"));
    lines.collect::<Vec<_>>().join("\n")
}
