//! The file to which every process adds a line for each source of results.
//!
//! A line is one write to a file opened for appending, so lines of many processes do not mix. A
//! file that has grown long is replaced by its sums. A process that adds a line holds the lock in
//! common, and one that replaces the file holds it alone, so no line goes to a file that was just
//! replaced.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::PathBuf;

use crate::action::Phase;
use crate::stats::totals::{Miss, Source, Sums, Totals};
use crate::store::Store;
use crate::store::files::{is_refusal, open, read};
use crate::store::lock::{lock, lock_shared};

/// Length in bytes from which the file is replaced by its sums.
const LONG: u64 = 64 << 10;

impl Store {
    /// Adds the counts of a process.
    pub fn log(&self, totals: &Totals) -> io::Result<()> {
        self.shared().prepare()?;
        let guard = self.stats_guard()?;
        lock_shared(&guard)?;
        drop(self.shared().open_common(&self.stats_path())?);
        let mut file = open(&self.stats_path(), OpenOptions::new().append(true))?;
        file.write_all(lines(totals).as_bytes())?;
        if file.metadata()?.len() < LONG {
            return Ok(());
        }
        guard.unlock()?;
        lock(&guard)?;
        match self.replace_stats(lines(&self.totals()?).as_bytes()) {
            // The record is another user's, in a folder where only they can replace it: it grows
            // until they do.
            Err(error) if is_refusal(&error) => Ok(()),
            result => result,
        }
    }

    /// Returns the counts of all processes since the start, or since they were forgotten.
    pub fn totals(&self) -> io::Result<Totals> {
        match read(&self.stats_path()) {
            Ok(content) => Ok(parse(&String::from_utf8_lossy(&content))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Totals::default()),
            Err(error) => Err(error),
        }
    }

    /// Starts counting again.
    pub fn forget_totals(&self) -> io::Result<()> {
        self.shared().prepare()?;
        let guard = self.stats_guard()?;
        lock(&guard)?;
        self.replace_stats(b"")
    }

    /// Replaces the record by a file with `content`, which is open to all as the old one was.
    fn replace_stats(&self, content: &[u8]) -> io::Result<()> {
        let file = self.shared().prepared(&self.shared().root(), content)?;
        self.shared().open_to_all(file.as_file())?;
        file.persist(self.stats_path()).map(drop).map_err(|failed| failed.error)
    }

    fn stats_path(&self) -> PathBuf {
        self.shared().root().join("stats")
    }

    fn stats_guard(&self) -> io::Result<File> {
        self.shared().open_common(&self.shared().root().join("stats.lock"))
    }
}

fn lines(totals: &Totals) -> String {
    let mut text = String::new();
    for ((phase, source), sums) in &totals.0 {
        let (phase, source) = (phase.name(), source_name(*source));
        let Sums { count, bytes, microseconds } = sums;
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{phase} {source} {count} {bytes} {microseconds}");
    }
    text
}

/// Sums up lines. A malformed line, such as one that a full disk cut off, is left out.
fn parse(text: &str) -> Totals {
    let mut totals = Totals::default();
    for (phase, source, sums) in text.lines().filter_map(line) {
        totals.add(phase, source, sums);
    }
    totals
}

fn line(text: &str) -> Option<(Phase, Source, Sums)> {
    let words: Vec<&str> = text.split(' ').collect();
    let [phase, source, count, bytes, microseconds] = words[..] else { return None };
    let phase = Phase::ALL.into_iter().find(|known| known.name() == phase)?;
    let sources = Miss::ALL.into_iter().map(Source::Run).chain([
        Source::Cache,
        Source::RemoteCache,
        Source::RemoteRun,
    ]);
    let source = sources.into_iter().find(|known| source_name(*known) == source)?;
    let number = |text: &str| text.parse().ok();
    let (count, bytes) = (number(count)?, number(bytes)?);
    Some((phase, source, Sums { count, bytes, microseconds: number(microseconds)? }))
}

const fn source_name(source: Source) -> &'static str {
    match source {
        Source::Cache => "hit",
        Source::RemoteCache => "remote-hit",
        Source::RemoteRun => "remote-run",
        Source::Run(miss) => miss.name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::size::Size;

    #[test]
    fn lines_of_many_are_summed_up_and_the_file_stays_short() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::new(folder.path(), Size::DEFAULT);
        let mut once = Totals::default();
        once.add(Phase::Codegen, Source::Cache, Sums { count: 1, bytes: 10, microseconds: 7 });
        once.add(
            Phase::Assemble,
            Source::Run(Miss::Program),
            Sums { count: 1, bytes: 1, microseconds: 2 },
        );
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..700).for_each(|_| store.log(&once).unwrap()));
            }
        });
        let mut expected = Totals::default();
        (0..2800).for_each(|_| {
            for ((phase, source), sums) in &once.0 {
                expected.add(*phase, *source, *sums);
            }
        });
        assert_eq!(store.totals().unwrap(), expected);
        let length = std::fs::metadata(store.stats_path()).unwrap().len();
        assert!(length <= LONG, "{length}");
        store.forget_totals().unwrap();
        assert!(store.totals().unwrap().is_empty());
        std::fs::remove_file(store.stats_path()).unwrap();
        assert!(store.totals().unwrap().is_empty());
        std::fs::create_dir(store.stats_path()).unwrap();
        assert!(store.totals().is_err());
    }

    #[test]
    fn what_is_no_line_is_left_out() {
        let text =
            "codegen hit 1 2 3\ncodegen hit 1 2\nother hit 1 2 3\n\u{fffd}\ncodegen hit 1 2 3";
        let mut expected = Totals::default();
        expected.add(Phase::Codegen, Source::Cache, Sums { count: 2, bytes: 4, microseconds: 6 });
        assert_eq!(parse(text), expected);
    }
}
