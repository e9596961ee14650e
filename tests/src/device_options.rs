//! The options that every build of Weft gives clang for device code: with them a program computes
//! what nvcc's computes, and ptxas unrolls. The packages, the examples and the pages for builds by
//! hand are held to one list.

use std::collections::BTreeSet;

/// The options that follow `-Xarch_device`.
pub const DEVICE_OPTIONS: [&str; 5] = [
    "-fwhole-program-vtables",
    "-fno-strict-aliasing",
    "-mllvm=-unroll-threshold-aggressive=1",
    "-mllvm=-unroll-threshold-default=1",
    "-mllvm=-nvvm-reflect-add=__CUDA_PREC_SQRT=1",
];

/// Fails unless a command, or a text with one, has each of these options for the device side and no
/// others. `place` is for the message.
pub fn check(place: &str, text: &str) {
    let words: Vec<&str> = text.split_whitespace().filter(|word| *word != "\\").collect();
    let given: BTreeSet<&str> = words
        .windows(2)
        .filter(|pair| pair[0] == "-Xarch_device")
        .map(|pair| pair[1].trim_matches(['"', '\'']))
        .collect();
    assert_eq!(given, BTreeSet::from(DEVICE_OPTIONS), "{place}");
}
