//! Random numbers for the names of uploads and for the spread of retries. Neither reaches an
//! artifact and neither is a secret, so the seeds that the standard library gives its hash tables
//! suffice.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Returns a random number.
pub(crate) fn number() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Returns a UUID of version 4.
pub(crate) fn uuid() -> String {
    let high = (number() & !0xf000) | 0x4000;
    let low = (number() & (u64::MAX >> 2)) | (1 << 63);
    let (high, low) = (format!("{high:016x}"), format!("{low:016x}"));
    format!("{}-{}-{}-{}-{}", &high[..8], &high[8..12], &high[12..], &low[..4], &low[4..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uuid_has_its_form_and_differs() {
        let (one, other) = (uuid(), uuid());
        assert_ne!(one, other);
        for text in [one, other] {
            let lengths: Vec<_> = text.split('-').map(str::len).collect();
            assert_eq!(lengths, [8, 4, 4, 4, 12]);
            assert_eq!(text.as_bytes()[14], b'4');
            assert!("89ab".contains(char::from(text.as_bytes()[19])));
        }
    }
}
