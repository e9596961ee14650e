//! A resource that its users share in equal parts: a link, or the processors of a machine.
//!
//! Each of `n` users gets `capacity / n`, but at most what one user can take. Instead of the rest
//! of each user, the resource counts what any user would have got since the beginning. A user is
//! done when that number has grown by the user's amount, so an event costs one step in a heap.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A number that is not NaN, with an order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Number(pub(crate) f64);

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// A shared resource.
#[derive(Debug)]
pub(crate) struct Fluid {
    /// Amount per second for all users together.
    capacity: f64,
    /// Largest amount per second for one user.
    most: f64,
    /// Amount of a user that has been there from the beginning.
    given: f64,
    /// Time up to which `given` holds.
    time: f64,
    /// Users by the value of `given` at which they are done.
    users: BinaryHeap<Reverse<(Number, usize)>>,
    /// Amount that all users have asked for.
    asked: f64,
}

impl Fluid {
    pub(crate) fn new(capacity: f64, most: f64) -> Self {
        let users = BinaryHeap::new();
        Self { capacity, most, given: 0.0, time: 0.0, users, asked: 0.0 }
    }

    fn rate(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "a number of jobs")]
        let users = self.users.len().max(1) as f64;
        self.most.min(self.capacity / users)
    }

    fn advance(&mut self, now: f64) {
        if !self.users.is_empty() {
            self.given += (now - self.time) * self.rate();
        }
        self.time = now;
    }

    /// Adds a user that needs `amount`.
    pub(crate) fn add(&mut self, now: f64, amount: f64, user: usize) {
        self.advance(now);
        self.asked += amount;
        self.users.push(Reverse((Number(self.given + amount), user)));
    }

    /// Returns the time at which the next user is done if none comes or goes before.
    pub(crate) fn next(&self) -> Option<f64> {
        let Reverse((Number(end), _)) = self.users.peek()?;
        Some(self.time + (end - self.given).max(0.0) / self.rate())
    }

    /// Removes the user that is done at `now`, which [`Fluid::next`] has returned.
    pub(crate) fn finish(&mut self, now: f64) -> Option<usize> {
        self.advance(now);
        let Reverse((Number(end), user)) = self.users.pop()?;
        // What was lost to rounding would delay all others.
        self.given = self.given.max(end);
        Some(user)
    }

    /// Returns the seconds that the resource needs for all that was asked of it.
    pub(crate) fn bound(&self) -> f64 {
        self.asked / self.capacity
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(mut fluid: Fluid) -> Vec<(f64, usize)> {
        let mut ends = Vec::new();
        while let Some(time) = fluid.next() {
            ends.push((time, fluid.finish(time).unwrap()));
        }
        ends
    }

    #[test]
    fn users_share_in_equal_parts() {
        // Both get half of 10 until the first has its 20; the second needs 30 more at 10.
        let mut link = Fluid::new(10.0, 10.0);
        link.add(0.0, 20.0, 1);
        link.add(0.0, 50.0, 2);
        assert_eq!(ends(link), [(4.0, 1), (7.0, 2)]);
    }

    #[test]
    fn a_user_takes_no_more_than_one_can() {
        // Two of two processors work on one job each, whatever the number of jobs.
        let mut processors = Fluid::new(2.0, 1.0);
        processors.add(0.0, 3.0, 1);
        assert_eq!(processors.next(), Some(3.0));
        // Three jobs get two thirds of a processor: the first has 2 left at 1.0, and so on.
        processors.add(1.0, 4.0, 2);
        processors.add(1.0, 4.0, 3);
        assert_eq!(ends(processors), [(4.0, 1), (6.0, 2), (6.0, 3)]);
    }

    #[test]
    fn an_idle_time_gives_nothing_away() {
        let mut link = Fluid::new(1.0, 1.0);
        link.add(0.0, 1.0, 1);
        assert_eq!(link.finish(1.0), Some(1));
        link.add(10.0, 2.0, 2);
        assert_eq!((link.next(), link.bound()), (Some(12.0), 3.0));
    }
}
