//! Feeds the reader of the symbols of PTX. The first directive is put in front of the input, so
//! that most inputs are read beyond it.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = weft_container::ptx_facts(data);
    let _ = weft_container::ptx_facts(&[b".version 9.0\n", data].concat());
});
