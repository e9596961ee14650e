//! How many of the items before an item are of some kind, in a bit and a half for each.

/// The counts of one kind.
pub(super) struct Ranks {
    /// A bit for each item, by 64: whether it is of the kind.
    words: Vec<u64>,
    /// How many are before each word.
    before: Vec<u32>,
}

impl Ranks {
    /// The counts of those of `items` for which `counts` holds: fewer than 2^32.
    pub(super) fn new<T>(items: &[T], counts: impl Fn(&T) -> bool) -> Self {
        let word = |items: &[T]| {
            let bits = items.iter().zip(0..);
            bits.fold(0, |word, (item, bit)| word | u64::from(counts(item)) << bit)
        };
        let words: Vec<u64> = items.chunks(64).map(word).chain([0]).collect();
        let mut next = 0;
        let before = words.iter().map(|word| {
            let before = next;
            next += word.count_ones();
            before
        });
        Self { before: before.collect(), words }
    }

    /// How many are before the item at `position`, which may be the end.
    pub(super) fn of(&self, position: usize) -> u32 {
        let lower = (1_u64 << (position % 64)) - 1;
        self.before[position / 64] + (self.words[position / 64] & lower).count_ones()
    }
}

#[cfg(test)]
mod tests {
    use super::Ranks;

    #[test]
    fn ranks_count_what_is_before() {
        let items: Vec<u32> = (0..200).collect();
        let ranks = Ranks::new(&items, |it| it % 3 == 0);
        for position in 0..=200 {
            assert_eq!(ranks.of(position) as usize, position.div_ceil(3), "{position}");
        }
        assert_eq!(Ranks::new(&[] as &[u32], |_| true).of(0), 0);
    }
}
