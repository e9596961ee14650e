//! The cost of a call, in instructions.
//!
//! Arguments and results go through `.param` space: a store and a load for each word, on top of the
//! branch and of registers that are saved around it. An argument whose type differs from its
//! parameter's is taken apart and put together again. In a loop all of that is paid in each
//! iteration, so such a callee may be larger for the same gain; the weight grows with the logarithm
//! of the frequency, since the code exists once no matter how often it runs.

use crate::model::program::Call;

/// The branch, the return, and registers saved around them.
const BRANCH: u32 = 8;

/// Instructions that move one word in and out of `.param` space.
const WORD: u32 = 2;

/// Instructions that take one argument apart and put it together.
const COERCION: u32 = 2;

/// Instructions that one execution of a call takes beside its callee.
pub(crate) fn of_call(call: &Call) -> u32 {
    let words = call.parameter_bytes().div_ceil(4);
    BRANCH + WORD * words + COERCION * call.coerced_arguments()
}

/// Returns the gain of inlining a call, weighted by how often the call is executed: 1 for once, 6
/// in a loop that runs 32 times.
pub(crate) fn gain(call: &Call) -> u32 {
    let executions = call.frequency / 256 / call.count().max(1);
    let weight = 1 + executions.max(1).ilog2();
    of_call(call).saturating_mul(weight)
}

#[cfg(test)]
mod tests {
    use weft_artifact::SymbolIndex;

    use super::*;

    #[test]
    fn bytes_coercions_and_frequency_count() {
        let mut call = weft_artifact::Call::once(SymbolIndex(0));
        assert_eq!(gain(&Call::of(&call)), 8);
        call.cost.parameter_bytes = 12;
        call.cost.return_bytes = 5;
        assert_eq!(gain(&Call::of(&call)), 8 + 2 * 5);
        call.cost.coerced_arguments = 3;
        assert_eq!(gain(&Call::of(&call)), 8 + 2 * 5 + 2 * 3);
        call.frequency = 32 * 256;
        assert_eq!(gain(&Call::of(&call)), 6 * 24);
        call.count = 2;
        assert_eq!(gain(&Call::of(&call)), 5 * 24, "16 times each");
        call.frequency = 0;
        assert_eq!(gain(&Call::of(&call)), 24);
    }
}
