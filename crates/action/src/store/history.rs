//! The last runs of one phase of one subject, with which a miss is compared.

use weft_artifact::Artifact;
use weft_artifact::encoding::{read_whole, write_whole};
use wincode::{SchemaRead, SchemaWrite};

use crate::key::{self, Difference, Field, Key};

/// Number of runs that are kept: enough for two checkouts with a few variants of options each.
const RUNS: usize = 8;

/// Maximum number of bytes of all runs, as a thin link has a field for each summary.
const BYTES: usize = 1 << 20;

/// The last runs, latest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, SchemaRead, SchemaWrite)]
pub struct History {
    /// Fields of each run.
    pub runs: Vec<Vec<Field>>,
}

impl History {
    /// Returns the differences from the nearest earlier run: the latest of those with the fewest
    /// differences. `None` without earlier runs; empty if this very action ran before.
    pub fn nearest(&self, now: &[Field]) -> Option<Vec<Difference>> {
        self.runs.iter().map(|run| key::differences(run, now)).min_by_key(Vec::len)
    }

    /// Returns this history with one more run, and without those that are too old.
    #[must_use]
    pub fn with(self, run: Vec<Field>) -> Self {
        let key: Key = key::key(&run);
        let others = self.runs.into_iter().filter(|known| key::key(known) != key);
        let mut runs = vec![run];
        runs.extend(others.take(RUNS - 1));
        let mut bytes = 0;
        let fits = |run: &&Vec<Field>| {
            bytes += run.iter().map(|field| field.name.len() + field.value.len()).sum::<usize>();
            bytes <= BYTES
        };
        let kept = runs.iter().take_while(fits).count().max(1);
        runs.truncate(kept);
        Self { runs }
    }
}

impl Artifact for History {
    const KIND: &'static str = "cache history";
    const MAGIC: [u8; 8] = *b"WEFTHIST";
    const VERSION: u32 = 1;

    fn write(&self, file: &mut Vec<u8>) -> Result<(), String> {
        write_whole(self, file)
    }

    fn read(record: &[u8]) -> Result<Self, String> {
        read_whole(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::FieldKind;

    fn run(arguments: &[&str]) -> Vec<Field> {
        let field = |value: &&str| Field {
            kind: FieldKind::Argument,
            name: String::new(),
            value: (*value).to_owned(),
        };
        arguments.iter().map(field).collect()
    }

    #[test]
    fn the_nearest_run_has_the_fewest_differences() {
        let history = History::default();
        assert_eq!(history.nearest(&run(&["--a=1"])), None);
        let history = history.with(run(&["--a=1", "--b=1"])).with(run(&["--a=2", "--b=2"]));
        let nearest = history.nearest(&run(&["--a=1", "--b=3"])).unwrap();
        assert_eq!(nearest.len(), 1);
        assert_eq!(nearest[0].to_string(), "option --b (was 1, is 3)");
        assert_eq!(history.nearest(&run(&["--a=1", "--b=1"])), Some(vec![]));
    }

    #[test]
    fn a_history_keeps_the_latest_runs_once_each_and_stays_small() {
        let mut history = History::default();
        for number in 0..20 {
            history = history.with(run(&[&format!("--a={number}")]));
        }
        history = history.with(run(&["--a=15"]));
        let kept: Vec<_> = history.runs.iter().map(|run| run[0].value.as_str()).collect();
        let expected = ["--a=15", "--a=19", "--a=18", "--a=17", "--a=16", "--a=14", "--a=13"];
        assert_eq!(kept, [&expected[..], &["--a=12"]].concat());
        let long = "x".repeat(BYTES - 100);
        assert_eq!(history.with(run(&[&long])).runs.len(), 8);
        let long = "x".repeat(BYTES + 1);
        assert_eq!(History::default().with(run(&["a"])).with(run(&[&long])).runs.len(), 1);
    }
}
