//! Readers whose input is a program.

use std::path::Path;
use std::sync::OnceLock;

use rayon::ThreadPool;
use thinlink::{Policy, outputs, pack_file};
use weft_artifact::{Artifact as _, SummaryFile};

use crate::artifacts::framed;

/// Reads what a linked program registers.
pub fn linked_program(input: &[u8]) -> bool {
    let Ok(Some(program)) = weft_container::linked_program(input) else { return false };
    let _ = weft_container::device_images(program.fatbins);
    true
}

/// Links the units of a file of summaries, whose record the input is, before compression. The thin
/// link must be able to decide about and to write any input that it accepts.
pub fn thin_link(input: &[u8]) -> bool {
    static POOL: OnceLock<Option<ThreadPool>> = OnceLock::new();
    const { assert!(SummaryFile::COMPRESSED, "the record would be the input itself") };
    let record = lz4_flex::block::compress_prepend_size(input);
    let file = framed::<SummaryFile>(&[vec![0; 44], record].concat());
    let pool = POOL.get_or_init(|| rayon::ThreadPoolBuilder::new().num_threads(1).build().ok());
    let link = || {
        let Ok((units, code)) = pack_file(Path::new("input"), &file) else { return false };
        let Ok(decided) = thinlink::link(&units, code, &Policy::default()) else { return false };
        outputs::in_memory(&decided).is_ok()
    };
    pool.as_ref().is_some_and(|pool| pool.install(link))
}
