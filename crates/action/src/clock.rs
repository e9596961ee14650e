//! The clock, for messages and for the age of cache entries. No artifact depends on it.

use std::time::{Duration, Instant, SystemTime};

/// Returns the current time, to compare with the times of files.
#[expect(clippy::disallowed_methods, reason = "the age of files in the cache, never an output")]
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}

/// Measures how long something took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "told to people, never an output")]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}
