//! Numbers of LLVM's cost model that LLVM keeps in variables of the process.
//!
//! LLVM takes its thresholds with each query about a call, but not the cost of an instruction. A
//! process is one job with one command line, so the numbers are set from that before a second
//! thread exists, and never again. Rewriting LLVM's cost model with these numbers as arguments was
//! rejected: it is 2,000 lines that change with each version.

use crate::environment::weft_is_single_threaded;
use crate::text::Bytes;

unsafe extern "C" {
    /// Gives LLVM's option `name` a value, as its command line would. Returns whether LLVM knows
    /// the option and takes the value. No other thread may exist.
    fn weft_set_option(name: Bytes<'_>, value: Bytes<'_>) -> bool;
}

/// Numbers of LLVM's cost model. `None` keeps LLVM's own number. They count for
/// [`InlineModel::Llvm`](crate::InlineModel::Llvm) and must not be set for another model, whose
/// units follow from LLVM's own numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LlvmNumbers {
    /// Cost of an instruction.
    pub instruction: Option<u32>,
    /// Cost of a call in the callee's body, and what a call saves that is inlined.
    pub call: Option<u32>,
    /// Further cost of a load or store.
    pub memory_access: Option<u32>,
    /// Whether a profile's counts decide about calls that are often reached.
    pub weighs_benefit: Option<bool>,
    /// Factor of the cycles saved, for a call that is inlined because of them.
    pub savings: Option<u32>,
    /// Factor of the cycles saved, below which a call is not inlined.
    pub profitable_savings: Option<u32>,
    /// Cost of a callee that needs no savings.
    pub free_size: Option<u32>,
    /// Factor of the cost of a call that inlining brought in from a cycle of calls.
    pub recursion: Option<u32>,
}

impl LlvmNumbers {
    /// Sets the numbers for the whole process. It is called once, first in `main`: with a second
    /// thread running it does nothing and returns `false`.
    pub fn set_for_process(&self) -> bool {
        let Self {
            instruction,
            call,
            memory_access,
            weighs_benefit,
            savings,
            profitable_savings,
            free_size,
            recursion,
        } = self;
        let number = |value: &Option<u32>| value.map(|value| value.to_string());
        let values = [
            ("inline-instr-cost", number(instruction)),
            ("inline-call-penalty", number(call)),
            ("inline-memaccess-cost", number(memory_access)),
            ("inline-enable-cost-benefit-analysis", weighs_benefit.map(|value| value.to_string())),
            ("inline-savings-multiplier", number(savings)),
            ("inline-savings-profitable-multiplier", number(profitable_savings)),
            ("inline-size-allowance", number(free_size)),
            ("intra-scc-cost-multiplier", number(recursion)),
        ];
        let values = values.iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
        let mut values = values.peekable();
        if values.peek().is_some() && !weft_is_single_threaded() {
            return false;
        }
        // SAFETY: no other thread exists that could read LLVM's variables meanwhile.
        values.all(|(name, value)| unsafe { weft_set_option(Bytes::of(name), Bytes::of(value)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_set_beside_another_thread() {
        std::thread::scope(|scope| {
            let set = scope.spawn(|| {
                let numbers = LlvmNumbers { instruction: Some(7), ..LlvmNumbers::default() };
                (numbers.set_for_process(), LlvmNumbers::default().set_for_process())
            });
            assert_eq!(set.join().ok(), Some((false, true)));
        });
    }
}
