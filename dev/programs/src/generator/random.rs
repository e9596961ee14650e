//! Random choices of the generator.

use dev_random::SplitMix64;

/// A sequence that its seed determines.
#[derive(Debug)]
pub(super) struct Random(SplitMix64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// A number below `bound`, which is not zero.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        let number = self.0.below(bound.into());
        u32::try_from(number).unwrap_or_default()
    }

    /// One of some things, of which there is at least one.
    pub(super) fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        let count = u32::try_from(things.len()).unwrap_or(u32::MAX);
        &things[self.below(count) as usize]
    }

    /// A constant of a program: three digits, so that no two places fold into one by chance.
    pub(super) fn constant(&mut self) -> String {
        format!("{}.{:03}f", self.below(3), 1 + self.below(998))
    }
}
