//! Counts of results by phase and by source.

use std::collections::BTreeMap;
use std::fmt;

use crate::action::Phase;
use crate::size::Size;

/// Source of the result of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// The local cache.
    Cache,
    /// A remote cache.
    RemoteCache,
    /// A cluster that ran the action.
    RemoteRun,
    /// A run on this machine, because the cache had no result.
    Run(Miss),
}

/// Reason why the cache had no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Miss {
    /// No earlier run of the phase of this subject is known.
    New,
    /// An input differs.
    Inputs,
    /// An option differs.
    Options,
    /// The program or one of its tools differs.
    Program,
    /// The result had to make room for others.
    Dropped,
    /// The file of the result was damaged, or cannot be read.
    Damaged,
}

impl Miss {
    pub(super) const ALL: [Self; 6] =
        [Self::New, Self::Inputs, Self::Options, Self::Program, Self::Dropped, Self::Damaged];

    /// Returns the reason in one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Inputs => "inputs",
            Self::Options => "options",
            Self::Program => "program",
            Self::Dropped => "dropped",
            Self::Damaged => "damaged",
        }
    }
}

/// Sums over actions whose results have one source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Number of actions.
    pub count: u64,
    /// Number of bytes that the cache gave or took.
    pub bytes: u64,
    /// Time that the actions took or, where results came from a cache, had taken; in microseconds.
    pub microseconds: u64,
}

impl Sums {
    fn plus(self, other: Self) -> Self {
        Self {
            count: self.count.saturating_add(other.count),
            bytes: self.bytes.saturating_add(other.bytes),
            microseconds: self.microseconds.saturating_add(other.microseconds),
        }
    }
}

/// Sums by phase and source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals(pub(super) BTreeMap<(Phase, Source), Sums>);

impl Totals {
    /// Adds actions.
    pub fn add(&mut self, phase: Phase, source: Source, sums: Sums) {
        let total = self.0.entry((phase, source)).or_default();
        *total = total.plus(sums);
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the numbers of results from the local cache, from a remote one, run remotely, run
    /// here.
    fn by_origin(&self) -> [u64; 4] {
        let count = |wanted: &dyn Fn(Source) -> bool| self.sum(|_, source| wanted(source)).count;
        [
            count(&|source| source == Source::Cache),
            count(&|source| source == Source::RemoteCache),
            count(&|source| source == Source::RemoteRun),
            count(&|source| matches!(source, Source::Run(_))),
        ]
    }

    /// Returns the number of results and their sources as a text; `None` without results.
    pub(crate) fn in_short(&self) -> Option<String> {
        let counts = self.by_origin();
        let origins = ["from the local cache", "from a remote cache", "run remotely", "run here"];
        let parts: Vec<String> = counts
            .iter()
            .zip(origins)
            .filter(|(count, _)| **count > 0)
            .map(|(count, origin)| format!("{count} {origin}"))
            .collect();
        let done: u64 = counts.iter().sum();
        (done > 0).then(|| format!("{done} done: {}", parts.join(", ")))
    }

    fn sum(&self, wanted: impl Fn(Phase, Source) -> bool) -> Sums {
        let chosen = self.0.iter().filter(|((phase, source), _)| wanted(*phase, *source));
        chosen.fold(Sums::default(), |sum, (_, sums)| sum.plus(*sums))
    }
}

impl fmt::Display for Totals {
    /// Prints a table of the phases, and the misses by reason.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |name: &str, hits: Sums, misses: Sums| {
            let (saved, spent) = (seconds(hits.microseconds), seconds(misses.microseconds));
            let [read, written] = [hits, misses].map(|sums| Size(sums.bytes).to_string());
            let (hits, misses) = (hits.count, misses.count);
            format!("{name:10}{hits:>8}{misses:>8}{read:>12}{written:>12}{saved:>11}{spent:>11}")
        };
        write!(
            formatter,
            "{:10}{:>8}{:>8}{:>12}{:>12}",
            "phase", "hits", "misses", "read", "kept"
        )?;
        write!(formatter, "{:>11}{:>11}", "saved", "spent")?;
        let is_hit = |source| matches!(source, Source::Cache | Source::RemoteCache);
        for phase in Phase::ALL {
            let hits = self.sum(|known, source| known == phase && is_hit(source));
            let misses = self.sum(|known, source| known == phase && !is_hit(source));
            if hits.count + misses.count > 0 {
                write!(formatter, "\n{}", of(phase.name(), hits, misses))?;
            }
        }
        let reasons: Vec<String> = Miss::ALL
            .into_iter()
            .map(|miss| (miss, self.sum(|_, source| source == Source::Run(miss)).count))
            .filter(|(_, count)| *count > 0)
            .map(|(miss, count)| format!("{} {count}", miss.name()))
            .collect();
        if !reasons.is_empty() {
            write!(formatter, "\nmisses: {}", reasons.join(", "))?;
        }
        let [kept, found, ran, here] = self.by_origin();
        if found + ran > 0 {
            write!(
                formatter,
                "\nresults: {kept} from the local cache, {found} from a remote cache, \
                 {ran} run remotely, {here} run here"
            )?;
        }
        Ok(())
    }
}

fn seconds(microseconds: u64) -> String {
    let hundredths = microseconds / 10_000;
    format!("{}.{:02} s", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_sums_up() {
        let mut totals = Totals::default();
        let sums = Sums { count: 1, bytes: 2048, microseconds: 1_230_000 };
        totals.add(Phase::Codegen, Source::Cache, sums);
        totals.add(Phase::Codegen, Source::Cache, sums);
        totals.add(Phase::Assemble, Source::Run(Miss::New), sums);
        totals.add(Phase::Assemble, Source::Run(Miss::Inputs), sums);
        let expected = "\
phase         hits  misses        read        kept      saved      spent
codegen          2       0     4.0 KiB         0 B     2.46 s     0.00 s
assemble         0       2         0 B     4.0 KiB     0.00 s     2.46 s
misses: new 1, inputs 1";
        assert_eq!(totals.to_string(), expected);
        totals.add(Phase::Codegen, Source::RemoteCache, sums);
        let text = totals.to_string();
        assert!(
            text.contains("codegen          3       0     6.0 KiB         0 B     3.69 s"),
            "{text}"
        );
        let last =
            "results: 2 from the local cache, 1 from a remote cache, 0 run remotely, 2 run here";
        assert!(text.ends_with(last), "{text}");
        let mut on_a_cluster = Totals::default();
        on_a_cluster.add(Phase::Codegen, Source::RemoteRun, sums);
        let text = on_a_cluster.to_string();
        let last =
            "results: 0 from the local cache, 0 from a remote cache, 1 run remotely, 0 run here";
        assert!(text.ends_with(last), "{text}");
        assert!(Totals::default().is_empty() && !on_a_cluster.is_empty());
    }
}
