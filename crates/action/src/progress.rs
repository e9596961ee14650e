//! Tells users that long work goes on: by one line that is kept up to date on a terminal, and by a
//! line now and then in a log. Short work is silent.
//!
//! With several concurrent actions, the one that began first reports for all: the number of others
//! that run, the number of results and their sources, and the network traffic.

use std::collections::BTreeSet;
use std::io::{IsTerminal as _, Write as _};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use weft_remote::Traffic;

use crate::clock::Stopwatch;
use crate::size::Size;
use crate::stats::Totals;

/// Time between two updates of a line on a terminal, and until the first.
const TICK: Duration = Duration::from_secs(1);

/// Time until the first line in a log; each further one takes twice as long.
const FIRST_LINE: Duration = Duration::from_mins(1);

/// Counters that all actions of a session share.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Numbers of the running actions.
    running: Mutex<BTreeSet<u64>>,
    /// Counts of the results so far.
    pub(crate) totals: Mutex<Totals>,
    /// Stage of the work of an action that consists of others.
    pub(crate) stage: Mutex<String>,
}

/// Returns the network traffic so far; `None` where no server is used.
pub(crate) type Network = Arc<dyn Fn() -> Option<Traffic> + Send + Sync>;

/// Reports the progress of one action until it is dropped.
pub(crate) struct Progress {
    /// Sender whose drop ends the thread.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
    /// Stage of the work, if the work reports it.
    stage: Arc<Mutex<String>>,
    tally: Arc<Tally>,
    number: u64,
}

impl Tally {
    fn enter(&self) -> u64 {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let number = running.last().map_or(0, |last| last + 1);
        running.insert(number);
        number
    }

    fn leave(&self, number: u64) {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
    }

    /// Returns the number of other running actions if the action with this number reports for all.
    fn others(&self, number: u64) -> Option<usize> {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        (running.first() == Some(&number)).then(|| running.len() - 1)
    }

    /// Returns the part of the line that follows the action's own time.
    fn rest(&self, others: usize, traffic: Option<Traffic>) -> String {
        let totals = self.totals.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut parts = Vec::new();
        if others > 0 {
            parts.push(format!("{others} more running"));
        }
        parts.extend(totals.in_short());
        let traffic = traffic.filter(|traffic| traffic.bytes_up + traffic.bytes_down > 0);
        parts.extend(traffic.map(|Traffic { bytes_up, bytes_down, .. }| {
            format!("{} sent, {} received", Size(bytes_up), Size(bytes_down))
        }));
        if parts.is_empty() { String::new() } else { format!("; {}", parts.join("; ")) }
    }
}

impl Progress {
    /// Starts to report that `what` is running, if that is to be shown.
    pub(crate) fn start(
        what: String,
        tally: &Arc<Tally>,
        network: Network,
        is_shown: bool,
    ) -> Self {
        let (end, ended) = channel::<()>();
        let is_terminal = std::io::stderr().is_terminal();
        let stage = Arc::new(Mutex::new(String::new()));
        let number = tally.enter();
        let (seen, all) = (Arc::clone(&stage), Arc::clone(tally));
        let tell = move || {
            let stopwatch = Stopwatch::start();
            let mut wait = if is_terminal { TICK } else { FIRST_LINE };
            let mut line_length = 0;
            while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                let Some(others) = all.others(number) else { continue };
                let mut stage = seen.lock().unwrap_or_else(PoisonError::into_inner).clone();
                if stage.is_empty() {
                    stage.clone_from(&all.stage.lock().unwrap_or_else(PoisonError::into_inner));
                }
                let comma = if stage.is_empty() { "" } else { ", " };
                let rest = all.rest(others, network());
                let seconds = stopwatch.elapsed().as_secs();
                let line = format!("{what}: {stage}{comma}{seconds} s{rest}");
                // A message that cannot be printed is no reason to stop.
                let mut stderr = std::io::stderr().lock();
                if is_terminal {
                    let _ = write!(stderr, "\r{line:line_length$}");
                    line_length = line.len();
                } else {
                    let _ = writeln!(stderr, "{line}");
                    wait *= 2;
                }
                let _ = stderr.flush();
            }
            if line_length > 0 {
                let _ = write!(std::io::stderr(), "\r{:line_length$}\r", "");
            }
        };
        // Without a thread there is no progress to see, and the work goes on.
        let builder = std::thread::Builder::new().name("progress".to_owned());
        let thread = is_shown.then(|| builder.spawn(tell).ok()).flatten();
        Self { end: Some(end), thread, stage, tally: Arc::clone(tally), number }
    }

    /// Sets the stage of the work.
    pub(crate) fn set(&self, stage: String) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        self.tally.leave(self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::Phase;
    use crate::stats::{Miss, Source, Sums};

    #[test]
    fn the_first_speaks_for_all_until_it_ends() {
        let tally = Tally::default();
        let [first, second, third] = [(); 3].map(|()| tally.enter());
        assert_eq!((tally.others(first), tally.others(second)), (Some(2), None));
        tally.leave(first);
        assert_eq!((tally.others(second), tally.others(third)), (Some(1), None));
    }

    #[test]
    fn an_action_counts_as_running_until_its_progress_is_dropped() {
        let tally = Arc::new(Tally::default());
        let start = || Progress::start("unit".to_owned(), &tally, Arc::new(|| None), true);
        let (first, second) = (start(), start());
        assert_eq!(tally.others(first.number), Some(1));
        second.set("queued".to_owned());
        assert_eq!(*second.stage.lock().unwrap(), "queued");
        drop(first);
        assert_eq!(tally.others(second.number), Some(0));
    }

    #[test]
    fn the_line_says_what_is_done_and_from_where() {
        let tally = Tally::default();
        assert_eq!(tally.rest(0, Some(Traffic::default())), "");
        let received = Traffic { bytes_down: 7, ..Traffic::default() };
        assert_eq!(tally.rest(0, Some(received)), "; 0 B sent, 7 B received");
        for source in [Source::Cache, Source::RemoteCache, Source::Run(Miss::New)] {
            let sums = Sums { count: 2, ..Sums::default() };
            tally.totals.lock().unwrap().add(Phase::Codegen, source, sums);
        }
        let traffic = Traffic { bytes_up: 2048, bytes_down: 7, calls: 3 };
        let expected = "; 4 more running; 6 done: 2 from the local cache, 2 from a remote cache, \
                        2 run here; 2.0 KiB sent, 7 B received";
        assert_eq!(tally.rest(4, Some(traffic)), expected);
    }
}
