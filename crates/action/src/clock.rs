//! The clock, for messages, for reports and for the age of cache entries. No artifact depends on
//! it.

use std::time::{Duration, Instant, SystemTime};

/// Returns the current time, to compare with the times of files.
#[expect(clippy::disallowed_methods, reason = "the age of files in the cache, never an output")]
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}

/// Measures how long something took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch(Instant);

/// A point in time from which on a duration is measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    /// Microseconds since 1970, in UTC.
    pub(crate) microseconds: u64,
    pub(crate) stopwatch: Stopwatch,
}

impl Start {
    pub(crate) fn now() -> Self {
        let since = now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Self { microseconds: microseconds(since), stopwatch: Stopwatch::start() }
    }
}

impl Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "told to people, never an output")]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

/// Returns a duration as reports and entries of the cache hold it.
pub(crate) fn microseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
