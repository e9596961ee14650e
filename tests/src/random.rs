//! Pseudo-random choices that are the same on every machine.

use dev_random::SplitMix64;

/// A sequence of choices that its seed determines.
#[derive(Clone, Debug)]
pub struct Random(SplitMix64);

impl Random {
    /// Starts the sequence of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// Returns a number below `bound`, which must be at least one.
    pub fn below(&mut self, bound: usize) -> usize {
        let high = self.bits() >> 33;
        usize::try_from(high).unwrap_or_default() % bound
    }

    /// Returns true once in `bound` times on average.
    pub fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    /// Returns an element of `list`, which must not be empty.
    pub fn pick<'list, T>(&mut self, list: &'list [T]) -> &'list T {
        &list[self.below(list.len())]
    }

    /// Returns an element of `list`; `None` if it is empty.
    pub fn choose<'list, T>(&mut self, list: &'list [T]) -> Option<&'list T> {
        if list.is_empty() { None } else { Some(self.pick(list)) }
    }
}
