//! Any unit.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = weft_container::device_code(data, None);
});
