//! Pseudo-random choices that are the same on every machine.

/// Steele, Lea and Flood's `SplitMix64`: every seed, also zero and its neighbours, is a good one.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// All 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
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
