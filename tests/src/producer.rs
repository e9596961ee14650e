//! Bitcode that claims to be written by another version of LLVM.

/// Returns the bitcode `bytes` of LLVM 22 as if the LLVM called `producer`, such as `LLVM19.`, had
/// written it.
///
/// The producer's name is stored in LLVM's six-bit characters and may start at any bit.
pub fn with_producer(mut bytes: Vec<u8>, producer: &str) -> Vec<u8> {
    let bits = |text: &str| -> Vec<bool> {
        text.bytes().flat_map(|byte| (0..6).map(move |bit| char6(byte) >> bit & 1 == 1)).collect()
    };
    let (old, new) = (bits("LLVM22."), bits(producer));
    assert_eq!(old.len(), new.len(), "{producer} is of another length");
    let get = |bytes: &[u8], at: usize| bytes[at / 8] >> (at % 8) & 1 == 1;
    let start = (0..bytes.len() * 8 - old.len())
        .find(|start| old.iter().enumerate().all(|(at, &bit)| get(&bytes, start + at) == bit));
    assert!(start.is_some(), "the bitcode names its producer");
    let start = start.unwrap_or_default();
    for (at, bit) in new.into_iter().enumerate() {
        let mask = 1 << ((start + at) % 8);
        let byte = &mut bytes[(start + at) / 8];
        *byte = if bit { *byte | mask } else { *byte & !mask };
    }
    bytes
}

/// Encodes a character in LLVM's six-bit code: a to z, A to Z, 0 to 9, then '.' and '_'.
fn char6(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' => byte - b'a',
        b'A'..=b'Z' => byte - b'A' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'.' => 62,
        _ => 63,
    }
}
