//! The result of the assemble phase.

use weft_job::SearchReport;

/// A cubin, and the messages of the ptxas that made it. The cubin of a module without any code is
/// an empty file.
#[derive(Default)]
pub(crate) struct Assembled {
    pub(crate) cubin: Vec<u8>,
    pub(crate) messages: String,
    /// Trials, if the best of several results was wanted.
    pub(crate) search: Option<SearchReport>,
}
