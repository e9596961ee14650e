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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::format;

    fn read_back(sparse: &Sparse) -> Result<[u32; COUNT], RecordError> {
        let bytes = wincode::config::serialize(sparse, format()).map_err(|e| e.to_string())?;
        read(&mut Input::new(&bytes))
    }

    #[test]
    fn numbers_are_read_where_the_mask_says() {
        for all in [[0; COUNT], [1, 2, 3, 4, 5, 6, 7, 8], [0, 0, 9, 0, 0, 0, 0, u32::MAX]] {
            assert_eq!(read_back(&Sparse::of(all)), Ok(all));
        }
        let wrong = read_back(&Sparse { mask: 0b101, numbers: vec![7] });
        assert_eq!(wrong.unwrap_err(), "1 counts are there, and their mask says 2");
    }
}
