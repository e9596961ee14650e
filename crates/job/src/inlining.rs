//! Decisions of the inliner about a module, in little space.
//!
//! The optimizer's result is kept with its PTX, in a cache, too, so that a report can say of any
//! code what was inlined into it. A program has many thousand calls, so names and texts are there
//! once, and a decision is a row of numbers.

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
