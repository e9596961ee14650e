//! Tests that rows name must exist.

use std::fs;
use std::path::Path;

use crate::knobs::{Knob, command};
use crate::table::{Proof, Trial};

/// Returns the faults of the tests that the rows of `knobs` name, in the checkout at `root`: an
/// option without a test, a test that does not exist, and one that does not turn the option.
pub fn missing_tests(root: &Path, knobs: &[Knob<'_>]) -> Vec<String> {
    let mut faults = Vec::new();
    for knob in knobs {
        let name = &knob.row.name;
        let head = knob.definitions.first().map(|first| command(first)).unwrap_or_default();
        if knob.row.proofs.is_empty() {
            faults.push(format!("{head} {name}: no test"));
        }
        for proof in &knob.row.proofs {
            if let Some(fault) = fault_of(root, name, proof) {
                faults.push(format!("{head} {name}: {fault}"));
            }
        }
    }
    faults
}

fn fault_of(root: &Path, name: &str, proof: &Proof) -> Option<String> {
    match proof {
        Proof::Try(trial, _) | Proof::Refused(trial, _) => {
            (!turns(trial, name)).then(|| "a line whose arguments do not have it".to_owned())
        }
        Proof::Scenario(scenario) => {
            let path = format!("thinlink/tests/rules/{scenario}.txt");
            let text = fs::read_to_string(root.join(&path)).unwrap_or_default();
            let is_turned = |line: &str| line.starts_with('$') && line.contains(name);
            (!text.lines().any(is_turned)).then(|| format!("{path} does not turn it"))
        }
        Proof::Test(file, test) => {
            let source = fs::read_to_string(root.join(file)).unwrap_or_default();
            let is_there = source.contains(&format!("fn {test}("));
            (!is_there).then(|| format!("there is no test {test} in {file}"))
        }
    }
}

/// Whether the arguments have the option. A short option may have its value attached.
fn turns(trial: &Trial, name: &str) -> bool {
    let is_short = !name.starts_with("--");
    trial.arguments.iter().any(|word| {
        let word_name = word.split_once('=').map_or(word.as_str(), |(word_name, _)| word_name);
        word_name == name || (is_short && word.starts_with(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_must_have_the_option() {
        let trial = |text: &str| Trial {
            command: Vec::new(),
            arguments: text.split(' ').map(str::to_owned).collect(),
        };
        assert!(turns(&trial("-x --limit=3"), "--limit"));
        assert!(turns(&trial("-O3"), "-O"));
        assert!(!turns(&trial("--limits=3 --limit3"), "--limit"));
        assert!(!turns(&trial("--O"), "-O"));
    }
}
