//! Calls between the functions of a cubin, as ptxas lists them for the linker.
//!
//! Section `.nv.callgraph` holds pairs of symbol indices: a caller, and a function that it calls.
//! Pairs whose second number is negative are marks for the linker.

use std::collections::BTreeSet;

use crate::bytes::read_u32;

/// Name of the section that holds the calls.
pub(crate) const SECTION: &[u8] = b".nv.callgraph";

/// Pairs of caller and callee, sorted.
pub(crate) struct Calls(BTreeSet<(u32, u32)>);

impl Calls {
    /// Reads the calls in the section's `content`. A damaged rest ends the list.
    pub(crate) fn read(content: &[u8]) -> Self {
        let pairs = (0..content.len() / 8).filter_map(|pair| {
            let caller = read_u32(content, 8 * pair)?;
            let function = read_u32(content, 8 * pair + 4)?;
            i32::try_from(function).is_ok().then_some((caller, function))
        });
        Self(pairs.collect())
    }

    /// Finds the functions that `start` reaches by calls. `start` is among them only if it is
    /// recursive.
    pub(crate) fn reached(&self, start: u32) -> BTreeSet<u32> {
        let mut reached = BTreeSet::new();
        let mut open = vec![start];
        while let Some(caller) = open.pop() {
            let calls = self.0.range((caller, 0)..=(caller, u32::MAX));
            open.extend(calls.map(|(_, callee)| *callee).filter(|callee| reached.insert(*callee)));
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(pairs: &[[u32; 2]]) -> Calls {
        let content: Vec<u8> =
            pairs.iter().flatten().flat_map(|index| index.to_le_bytes()).collect();
        Calls::read(&content)
    }

    #[test]
    fn reached_functions_are_found_over_several_calls_and_cycles() {
        let calls = calls(&[[1, 2], [2, 3], [3, 2], [4, 5]]);
        assert_eq!(calls.reached(1), BTreeSet::from([2, 3]));
        assert_eq!(calls.reached(3), BTreeSet::from([2, 3]));
        assert_eq!(calls.reached(5), BTreeSet::new());
    }

    #[test]
    fn marks_of_the_linker_are_no_calls() {
        let calls = calls(&[[0, u32::MAX], [0, u32::MAX - 1], [1, 2]]);
        assert_eq!(calls.reached(0), BTreeSet::new());
        assert_eq!(calls.reached(1), BTreeSet::from([2]));
    }

    #[test]
    fn a_damaged_rest_ends_the_list() {
        let mut content = [1_u32, 2].map(u32::to_le_bytes).concat();
        content.extend([2, 0, 0]);
        assert_eq!(Calls::read(&content).reached(1), BTreeSet::from([2]));
    }
}
