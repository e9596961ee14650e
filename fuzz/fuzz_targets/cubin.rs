//! Feeds the reader of the symbols of cubins.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = weft_container::cubin_symbols(data);
});
