//! How long a step took, for a person to read. No other part of the task runner sees a clock.

use std::fmt;
use std::time::Instant;

/// Started when it is made; displayed as the seconds since.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts now.
    pub fn start() -> Self {
        #[expect(clippy::disallowed_methods, reason = "tells a person how long a step took")]
        let now = Instant::now();
        Self(now)
    }

    /// Seconds since it was started.
    pub fn seconds(self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}

impl fmt::Display for Stopwatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:.1} s", self.seconds())
    }
}
