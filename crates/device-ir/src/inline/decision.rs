//! A decision of the inliner, as a report shows it.

use std::fmt::Write as _;

use super::verdict::InlineReason;

/// One decision of the inliner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineDecision {
    /// Name of the function that holds the call.
    pub caller: String,
    /// Name of the function that is called.
    pub callee: String,
    /// Whether the callee's body comes from another module.
    pub imported: bool,
    /// Whether the caller is a kernel.
    pub is_in_kernel: bool,
    /// Whether the call was inlined.
    pub inlined: bool,
    /// Reason for the decision.
    pub reason: InlineReason,
    /// Cost by the model; zero where no cost was asked for.
    pub cost: i64,
    /// Limit that the cost was held against; zero where no cost was asked for.
    pub limit: i64,
    /// Bytes through `.param` space, stored, loaded and returned.
    pub parameter_bytes: u64,
    /// Growth of the caller in LLVM's estimate, 5 for each instruction.
    pub growth: Option<i64>,
}

impl InlineDecision {
    /// Returns the reason, with the cost where there is one.
    pub(super) fn outcome(&self) -> String {
        let Self { reason, cost, limit, .. } = self;
        let mut text = reason.to_string();
        if *limit != 0 {
            // Writing to a String cannot fail.
            let _ = write!(text, "; cost {cost} of {limit}");
        }
        text
    }
}
