//! Reads little-endian numbers and ranges; the result is `None` beyond the end of the data.

pub(crate) fn slice(data: &[u8], start: usize, size: usize) -> Option<&[u8]> {
    data.get(start..start.checked_add(size)?)
}

pub(crate) fn read_u16(data: &[u8], position: usize) -> Option<u16> {
    Some(u16::from_le_bytes(slice(data, position, 2)?.try_into().ok()?))
}

pub(crate) fn read_u32(data: &[u8], position: usize) -> Option<u32> {
    Some(u32::from_le_bytes(slice(data, position, 4)?.try_into().ok()?))
}

pub(crate) fn read_u64(data: &[u8], position: usize) -> Option<u64> {
    Some(u64::from_le_bytes(slice(data, position, 8)?.try_into().ok()?))
}

/// Reads a `u64` that is a size or an offset.
pub(crate) fn read_size(data: &[u8], position: usize) -> Option<usize> {
    usize::try_from(read_u64(data, position)?).ok()
}
