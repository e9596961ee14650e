//! Sixteen numbers of which most are zero.

use wincode::{SchemaRead, SchemaWrite};

use super::Fault;

/// How many numbers there are.
pub(super) const COUNT: usize = 16;

/// Which of sixteen numbers are not zero, and those.
#[derive(Clone, Debug, PartialEq, Eq, SchemaRead, SchemaWrite)]
pub(crate) struct Sparse {
    /// Bit `n % 8` of byte `n / 8` says that number `n` is not zero.
    mask: [u8; 2],
    /// The numbers that are not zero, in order.
    numbers: Vec<u32>,
}

impl Sparse {
    pub(super) fn of(all: [u32; COUNT]) -> Self {
        let mut mask = 0_u16;
        for (bit, _) in all.iter().enumerate().filter(|&(_, &number)| number != 0) {
            mask |= 1 << bit;
        }
        let numbers = all.into_iter().filter(|&number| number != 0).collect();
        Self { mask: mask.to_le_bytes(), numbers }
    }

    pub(super) fn all(&self) -> Result<[u32; COUNT], Fault> {
        let mask = u16::from_le_bytes(self.mask);
        let mut numbers = self.numbers.iter().copied();
        let mut all = [0; COUNT];
        for (bit, number) in all.iter_mut().enumerate() {
            if mask & (1 << bit) != 0 {
                *number = numbers.next().ok_or("a count is missing")?;
            }
        }
        match numbers.next() {
            None => Ok(all),
            Some(_) => Err("there are more counts than their mask says".to_owned()),
        }
    }
}
