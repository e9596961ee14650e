//! Hashes of names, where equal names have to be found among millions.
//!
//! The hash needs no secret: a collision costs time and nothing else.

/// Hashes a name, eight bytes at a time, as rustc's tables do.
pub(crate) fn hash(name: &str) -> u64 {
    const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(MULTIPLIER);
    let (words, rest) = name.as_bytes().as_chunks::<8>();
    let hash =
        words.iter().fold(name.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let hash = mix(hash, u64::from_le_bytes(last));
    hash ^ hash >> 29
}

/// A Bloom filter: a set of names with false positives but no false negatives. It saves the look-up
/// in a tree of names for nearly every symbol that is not in the tree.
pub(crate) struct Filter {
    bits: Vec<u64>,
}

impl Filter {
    /// Returns the set of `names`. About one name in eight that is not in it seems to be.
    pub(crate) fn new<'name>(names: impl Iterator<Item = &'name str>) -> Self {
        let hashes: Vec<u64> = names.map(hash).collect();
        let words = (hashes.len() / 8 + 1).next_power_of_two();
        let mut filter = Self { bits: vec![0; words] };
        for hash in hashes {
            let (word, bit) = filter.place(hash);
            filter.bits[word] |= bit;
        }
        filter
    }

    /// Whether `name` may be in the set.
    pub(crate) fn may_hold(&self, name: &str) -> bool {
        let (word, bit) = self.place(hash(name));
        self.bits[word] & bit != 0
    }

    fn place(&self, hash: u64) -> (usize, u64) {
        let word = usize::try_from(hash >> 6).unwrap_or_default() & (self.bits.len() - 1);
        (word, 1 << (hash & 63))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_alike_have_different_hashes() {
        let mut hashes: Vec<u64> = (0..10_000)
            .flat_map(|number| [format!("_ZN4unit{number:05}8evaluateEf"), format!("_Z{number}")])
            .chain((0..99).map(|length| "a".repeat(length)))
            .map(|name| hash(&name))
            .collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 20_099);
    }

    #[test]
    fn a_filter_holds_what_is_in_it_and_little_else() {
        let names: Vec<String> = (0..5000).map(|number| format!("kernel{number}")).collect();
        let filter = Filter::new(names.iter().map(String::as_str));
        assert!(names.iter().all(|name| filter.may_hold(name)));
        let wrong = (0..5000).filter(|number| filter.may_hold(&format!("other{number}"))).count();
        assert!(wrong < 1000, "{wrong} of 5000");
        assert!(!Filter::new(std::iter::empty()).may_hold("any"));
    }
}
