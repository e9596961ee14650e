//! Numbers of items of some kind before each item, in a byte for each.

/// Number of items in a block, within which counts fit into a byte.
const BLOCK: usize = 256;

/// The counts of one kind.
pub(super) struct Ranks {
    /// Count before each block.
    blocks: Vec<u32>,
    /// Count before each item, and before the end, within its block.
    within: Vec<u8>,
}

impl Ranks {
    /// Counts the items for which `is_counted` holds: fewer than 2^32.
    pub(super) fn new<T>(items: &[T], is_counted: impl Fn(&T) -> bool) -> Self {
        let mut blocks = Vec::with_capacity(items.len() / BLOCK + 1);
        let mut within = Vec::with_capacity(items.len() + 1);
        let (mut before, mut here) = (0, 0_u8);
        let ends = std::iter::once(false);
        for (position, is_counted) in items.iter().map(is_counted).chain(ends).enumerate() {
            if position % BLOCK == 0 {
                blocks.push(before);
                here = 0;
            }
            within.push(here);
            before += u32::from(is_counted);
            // The sum of a whole block is never asked for: the next one begins at none.
            here = here.wrapping_add(u8::from(is_counted));
        }
        Self { blocks, within }
    }

    /// Returns the count before the item at `position`, which may be the end.
    #[inline]
    pub(super) fn of(&self, position: usize) -> u32 {
        self.blocks[position / BLOCK] + u32::from(self.within[position])
    }
}

#[cfg(test)]
mod tests {
    use super::Ranks;

    #[test]
    fn ranks_count_what_is_before() {
        let items: Vec<u32> = (0..1024).collect();
        for step in [1, 3] {
            let ranks = Ranks::new(&items, |item| item % step == 0);
            for position in 0..=1024_u32 {
                assert_eq!(ranks.of(position as usize), position.div_ceil(step), "{position}");
            }
        }
        assert_eq!(Ranks::new(&[] as &[u32], |_| true).of(0), 0);
    }
}
