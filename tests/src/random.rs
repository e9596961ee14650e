//! Pseudo-random choices that are the same on every machine.

use dev_random::SplitMix64;

/// A sequence of choices that its seed determines.
#[derive(Clone, Debug)]
pub struct Random(SplitMix64);

impl Random {
    /// The sequence of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// All 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// A number below `bound`, which is at least one.
    pub fn below(&mut self, bound: usize) -> usize {
        let high = self.bits() >> 33;
        usize::try_from(high).unwrap_or_default() % bound
    }

    /// True once in `bound` times.
    pub fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    /// One of `list`, which is not empty.
    pub fn pick<'list, T>(&mut self, list: &'list [T]) -> &'list T {
        &list[self.below(list.len())]
    }

    /// One of `list`, if it has any.
    pub fn choose<'list, T>(&mut self, list: &'list [T]) -> Option<&'list T> {
        if list.is_empty() { None } else { Some(self.pick(list)) }
    }
}
