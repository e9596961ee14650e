//! Progress of the steps that run at the same time.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::run::Step;

/// Steps of which some have ended.
pub(super) struct Progress {
    state: Mutex<State>,
    start: Instant,
}

#[derive(Clone, Copy)]
struct State {
    steps: usize,
    ended: usize,
    /// Estimated work of all steps.
    work: u64,
    /// Estimated work of those that have ended.
    done: u64,
}

impl Progress {
    /// Begins with none of the steps, of which `work` is the estimated work.
    #[expect(clippy::disallowed_methods, reason = "told to people, never an output")]
    pub(super) fn new(work: impl ExactSizeIterator<Item = u64>) -> Self {
        let state = State { steps: work.len(), ended: 0, work: work.sum(), done: 0 };
        Self { state: Mutex::new(state), start: Instant::now() }
    }

    /// Notes that a step has ended, and returns words for people.
    pub(super) fn ended(&self, step: &Step) -> String {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.ended += 1;
        state.done += step.work;
        state.words(&step.what, self.start.elapsed())
    }
}

impl State {
    fn words(self, last: &str, elapsed: Duration) -> String {
        let left = u128::from(self.work.saturating_sub(self.done));
        let seconds = left * elapsed.as_millis() / u128::from(self.done.max(1)) / 1000;
        format!("{} of {} steps, about {seconds} s left, {last}", self.ended, self.steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_that_is_left_follows_from_the_work_that_is_done() {
        let state = State { steps: 8, ended: 3, work: 100, done: 25 };
        let words = state.words("the job of a.o", Duration::from_secs(10));
        assert_eq!(words, "3 of 8 steps, about 30 s left, the job of a.o");
        let start = State { ended: 0, done: 0, ..state };
        assert!(start.words("a", Duration::ZERO).contains("about 0 s left"));
    }
}
