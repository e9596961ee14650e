//! A compact form of the inliner's decisions about a module.
//!
//! The decisions are kept with the optimizer's PTX, in caches too, so a report can list for any
//! code what was inlined into it. A program has many thousands of calls, so names and texts are
//! stored once, and a decision is a row of numbers.

use serde::{Deserialize, Serialize};

/// The decisions about all calls of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inlining {
    /// Names of callers and callees.
    pub names: Vec<String>,
    /// Reasons and advice.
    pub texts: Vec<String>,
    /// A row for each decision, callees before callers: caller and callee as positions in `names`,
    /// 1 if the call was inlined, the reason's position in `texts`, cost, limit, growth of the
    /// caller in instructions or -1, and the position of the advice or -1.
    pub sites: Vec<[i64; 8]>,
}
