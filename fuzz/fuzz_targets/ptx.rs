//! Symbols of PTX, with its first directive in front so that most inputs get behind it.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = weft_container::ptx_facts(data);
    let _ = weft_container::ptx_facts(&[b".version 9.0\n", data].concat());
});
