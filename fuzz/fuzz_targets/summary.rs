//! Feeds the reader of summaries: with the input as it is, and with the input as a record behind a
//! valid magic number, version and digest.

#![no_main]

use weft_artifact::{Artifact as _, SummaryFile};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let _ = SummaryFile::decode(data);
    let mut framed = SummaryFile::MAGIC.to_vec();
    framed.extend(SummaryFile::VERSION.to_le_bytes());
    framed.extend(weft_artifact::digest(data).as_bytes());
    framed.extend(data);
    if let Ok(file) = SummaryFile::decode(&framed) {
        let encoded = file.encode().expect("what was decoded can be encoded");
        assert_eq!(SummaryFile::decode(&encoded), Ok(file));
    }
});
