//! Duration of a step, for a person to read.

use std::fmt;
use std::time::Instant;

/// A clock that starts when it is made, and is displayed as the seconds since.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts a stopwatch.
    pub fn start() -> Self {
        #[expect(clippy::disallowed_methods, reason = "tells a person how long a step took")]
        let now = Instant::now();
        Self(now)
    }

    /// Returns the seconds since the start.
    pub fn seconds(self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}

impl fmt::Display for Stopwatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:.1} s", self.seconds())
    }
}
