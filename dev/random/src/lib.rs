//! Numbers that look random, follow from a seed and are the same on every machine.

/// Steele, Lea and Flood's `SplitMix64`: every seed, also zero and its neighbors, is a good one.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Starts the sequence of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns all 64 bits of the next number.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `bound`, which is not zero.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.bits() % bound
    }

    /// Returns one of `list`, which is not empty.
    pub fn pick<'list, T>(&mut self, list: &'list [T]) -> &'list T {
        let position = self.below(list.len() as u64);
        &list[usize::try_from(position).unwrap_or_default()]
    }
}

/// Random choices for programs that tests generate, from the upper bits of [`SplitMix64`].
#[derive(Clone, Debug)]
pub struct Choices(SplitMix64);

impl Choices {
    /// Starts the sequence of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// Returns all 64 bits of the next number.
    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// Returns a number below `bound`, which is at least one.
    pub fn below(&mut self, bound: usize) -> usize {
        let high = self.bits() >> 33;
        usize::try_from(high).unwrap_or_default() % bound
    }

    /// Returns true once in `bound` times.
    pub fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    /// Returns one of `list`, which is not empty.
    pub fn pick<'list, T>(&mut self, list: &'list [T]) -> &'list T {
        &list[self.below(list.len())]
    }

    /// Returns one of `list`, or nothing if `list` is empty.
    pub fn choose<'list, T>(&mut self, list: &'list [T]) -> Option<&'list T> {
        if list.is_empty() { None } else { Some(self.pick(list)) }
    }
}

/// Vigna's xorshift64*, which the call graphs of `dev-graph` are drawn with: the figures of the
/// benches hold for the programs of this sequence.
#[derive(Clone, Debug)]
pub struct Xorshift64Star(u64);

impl Xorshift64Star {
    /// Starts the sequence of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Starts the sequence in a state, which is not zero.
    pub fn of_state(state: u64) -> Self {
        Self(state)
    }

    /// Returns a number below `bound`, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(high).unwrap_or_default() % bound
    }

    /// Returns true once in `bound` times.
    pub fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }
    /// Returns one of `list`, which is not empty.
    pub fn pick<'list, T>(&mut self, list: &'list [T]) -> &'list T {
        &list[self.below(list.len())]
    }

    /// Puts `list` into another order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_are_those_that_programs_were_generated_with() {
        let mut mixed = SplitMix64::new(0);
        assert_eq!([mixed.bits(), mixed.bits()], [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4]);
        let mut shifted = Xorshift64Star::new(1);
        let drawn: Vec<usize> = (0..4).map(|_| shifted.below(1000)).collect();
        assert_eq!(drawn, [127, 752, 294, 143]);
    }
}
