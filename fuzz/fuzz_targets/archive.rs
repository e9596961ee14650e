//! Feeds the reader of archives. Each file that a thin archive names exists and is empty.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if let Ok(members) = weft_container::archive_members(data, |_| Ok(Vec::new())) {
        let total: usize = members.iter().map(|member| member.content.len()).sum();
        assert!(total <= data.len(), "members overlap");
    }
});
