//! Feeds the reader of units, whatever holds their device code.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = weft_container::device_code(data, None);
});
