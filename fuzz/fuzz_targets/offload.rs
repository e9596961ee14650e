//! Feeds the reader of LLVM's offload binaries.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = weft_container::offload_images(data);
});
