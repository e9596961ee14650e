//! Numbers that look random and are the same everywhere for the same seed: `SplitMix64`.

/// A sequence that its seed determines.
#[derive(Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is not zero.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        let number = self.next() % u64::from(bound);
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
