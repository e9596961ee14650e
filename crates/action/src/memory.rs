//! The memory that an action may need, which chooses its first worker.

use crate::action::Phase;
use crate::size::Size;

/// Memory that an action of any size needs.
const BASE: u64 = 64 << 20;
/// Memory for each byte of the inputs. Among the measured actions of the bench programs, codegen
/// needed up to 200 bytes for each byte of bitcode, and ptxas up to 160 for each byte of PTX.
const PER_INPUT_BYTE: u64 = 300;

/// Returns an upper limit of the memory for an action of `phase` whose inputs, without its
/// programs, have `input_bytes`. Returns `None` for phases that were not measured; of these, the
/// first three need little.
pub fn memory_for(phase: Phase, input_bytes: u64) -> Option<Size> {
    match phase {
        Phase::Codegen | Phase::Assemble => {
            Some(Size(BASE.saturating_add(input_bytes.saturating_mul(PER_INPUT_BYTE))))
        }
        Phase::Summarize
        | Phase::Thinlink
        | Phase::Import
        | Phase::Compile
        | Phase::Step
        | Phase::Link => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_grows_with_the_inputs_of_the_measured_phases() {
        assert_eq!(memory_for(Phase::Codegen, 0), Some(Size(64 << 20)));
        assert_eq!(memory_for(Phase::Assemble, 1 << 20), Some(Size(364 << 20)));
        assert_eq!(memory_for(Phase::Assemble, u64::MAX), Some(Size(u64::MAX)));
        assert_eq!(memory_for(Phase::Compile, 1 << 30), None);
    }
}
