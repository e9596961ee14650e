//! Flags that share a byte, as most facts of a symbol do.

/// Returns the flag `mask` if it is set, to be joined with others.
#[inline]
pub(crate) fn bit(mask: u8, is_set: bool) -> u8 {
    if is_set { mask } else { 0 }
}
