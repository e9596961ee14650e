//! The time that programs may take which run one after the other for one purpose.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The time that several programs together may take. Its clones share the time that is spent.
#[derive(Clone, Debug)]
pub struct TimeLimit {
    longest: Duration,
    /// Microseconds that the programs have taken so far.
    spent: Arc<AtomicU64>,
}

impl TimeLimit {
    /// Creates a limit of which nothing is spent.
    pub fn new(longest: Duration) -> Self {
        Self { longest, spent: Arc::default() }
    }

    /// Returns a limit of which as much is spent, for programs that run beside others.
    #[must_use]
    pub fn branch(&self) -> Self {
        let spent = self.spent.load(Ordering::Relaxed);
        Self { longest: self.longest, spent: Arc::new(AtomicU64::new(spent)) }
    }

    /// Returns a limit that is `longest` at most and shares the time that is spent.
    #[must_use]
    pub fn at_most(&self, longest: Duration) -> Self {
        Self { longest: self.longest.min(longest), spent: Arc::clone(&self.spent) }
    }

    /// Returns the whole time.
    pub fn longest(&self) -> Duration {
        self.longest
    }

    /// Returns the time that is left.
    pub(crate) fn left(&self) -> Duration {
        let spent = Duration::from_micros(self.spent.load(Ordering::Relaxed));
        self.longest.saturating_sub(spent)
    }

    /// Takes `time` from what is left.
    pub(crate) fn spend(&self, time: Duration) {
        let time = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.spent.fetch_add(time, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_in_a_row_share_the_time_and_branches_do_not() {
        let seconds = Duration::from_secs;
        let limit = TimeLimit::new(seconds(10));
        limit.at_most(seconds(7)).spend(seconds(4));
        assert_eq!([limit.left(), limit.at_most(seconds(7)).left()], [6, 3].map(seconds));
        let branch = limit.branch();
        branch.spend(seconds(5));
        assert_eq!([limit.left(), branch.left()], [6, 1].map(seconds));
        limit.clone().spend(seconds(9));
        assert_eq!([limit.left(), limit.longest()], [0, 10].map(seconds));
    }
}
