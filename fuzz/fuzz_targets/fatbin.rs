//! Feeds the reader of NVIDIA's fat binaries. The start of a container is put in front of the
//! input, so that most inputs are read beyond it.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = weft_container::fatbin_entries(data);
    let mut framed = vec![0x50, 0xED, 0x55, 0xBA, 1, 0, 16, 0];
    framed.extend((data.len() as u64).to_le_bytes());
    framed.extend(data);
    // Entries are decompressed and their symbols read.
    let _ = weft_container::device_code(&framed, None);
});
