//! Eight numbers of which most are zero.

use wincode::SchemaWrite;

use crate::record::error::RecordError;
use crate::record::input::Input;

/// Number of numbers.
pub(super) const COUNT: usize = 8;

/// Eight numbers, of which those that are not zero are written.
#[derive(Clone, Debug, PartialEq, Eq, SchemaWrite)]
pub(crate) struct Sparse {
    /// Mask whose bit `n` is set if number `n` is not zero.
    mask: u8,
    /// Numbers that are not zero, in order.
    numbers: Vec<u32>,
}

impl Sparse {
    pub(super) fn of(all: [u32; COUNT]) -> Self {
        let mut mask = 0_u8;
        for (bit, _) in all.iter().enumerate().filter(|&(_, &number)| number != 0) {
            mask |= 1 << bit;
        }
        let numbers = all.into_iter().filter(|&number| number != 0).collect();
        Self { mask, numbers }
    }
}

/// Reads a record that [`Sparse`] wrote.
#[inline]
pub(super) fn read(input: &mut Input<'_>) -> Result<[u32; COUNT], RecordError> {
    let mut mask = input.byte()?;
    let length = input.length()?;
    if length != u64::from(mask.count_ones()) {
        return Err(wrong_length(length, mask));
    }
    let mut all = [0; COUNT];
    while mask != 0 {
        all[mask.trailing_zeros() as usize] = input.number()?;
        mask &= mask - 1;
    }
    Ok(all)
}

#[cold]
fn wrong_length(length: u64, mask: u8) -> RecordError {
    format!("{length} counts are there, and their mask says {}", mask.count_ones())
}
