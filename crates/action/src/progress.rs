//! Says that something long is still at it: one line that is kept up to date on a terminal, a line
//! now and then in a log. Short work is silent.

use std::io::{IsTerminal as _, Write as _};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::clock::Stopwatch;

/// The time between two updates of a line on a terminal, and until the first.
const TICK: Duration = Duration::from_secs(1);

/// The time until the first line in a log; each further one takes twice as long.
const FIRST_LINE: Duration = Duration::from_mins(1);

/// Says so until it is dropped.
pub(crate) struct Progress {
    /// Dropping it ends the thread.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
    /// Where it is, for work that says so.
    stage: Arc<Mutex<String>>,
}

impl Progress {
    /// Starts to say that `what` is running.
    pub(crate) fn start(what: String) -> Self {
        let (end, ended) = channel::<()>();
        let is_terminal = std::io::stderr().is_terminal();
        let stage = Arc::new(Mutex::new(String::new()));
        let seen = Arc::clone(&stage);
        let tell = move || {
            let stopwatch = Stopwatch::start();
            let mut wait = if is_terminal { TICK } else { FIRST_LINE };
            let mut shown = 0;
            while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                let stage = seen.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let comma = if stage.is_empty() { "" } else { ", " };
                let line = format!("{what}: {stage}{comma}{} s", stopwatch.elapsed().as_secs());
                // A message that cannot be shown is no reason to stop.
                let mut stderr = std::io::stderr().lock();
                if is_terminal {
                    let _ = write!(stderr, "\r{line:shown$}");
                    shown = line.len();
                } else {
                    let _ = writeln!(stderr, "{line}");
                    wait *= 2;
                }
                let _ = stderr.flush();
            }
            if shown > 0 {
                let _ = write!(std::io::stderr(), "\r{:shown$}\r", "");
            }
        };
        // Without a thread there is no progress to see, and the work goes on.
        let thread = std::thread::Builder::new().name("progress".to_owned()).spawn(tell).ok();
        Self { end: Some(end), thread, stage }
    }

    /// Says where the work is.
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
    }
}
