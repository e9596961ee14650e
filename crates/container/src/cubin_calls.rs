//! Calls between the functions of a cubin, as ptxas lists them for the linker.
//!
//! Section `.nv.callgraph` holds pairs of numbers in several lists. A pair whose second number is
//! negative begins the list of that number: -1 that of direct calls, where a pair holds the symbol
//! indices of a caller and of a function that it calls, and -3 that of calls through pointers,
//! where the second number is a prototype's.

use std::collections::BTreeSet;

use crate::bytes::read_u32;

/// Name of the section that holds the calls.
pub(crate) const SECTION: &[u8] = b".nv.callgraph";

/// Number that begins the list of direct calls.
const DIRECT: i32 = -1;
/// Number that begins the list of calls through pointers.
const INDIRECT: i32 = -3;

/// The calls of a cubin, by symbol indices.
pub(crate) struct Calls {
    /// Pairs of caller and callee.
    direct: BTreeSet<(u32, u32)>,
    /// Functions that call through a pointer.
    indirect: BTreeSet<u32>,
}

impl Calls {
    /// Reads the calls in the section's `content`. A damaged rest ends the list.
    pub(crate) fn read(content: &[u8]) -> Self {
        let mut calls = Self { direct: BTreeSet::new(), indirect: BTreeSet::new() };
        let mut list = DIRECT;
        for pair in 0..content.len() / 8 {
            let numbers = read_u32(content, 8 * pair).zip(read_u32(content, 8 * pair + 4));
            let Some((caller, second)) = numbers else { break };
            match second.cast_signed() {
                mark @ ..0 => list = mark,
                _ if list == DIRECT => {
                    calls.direct.insert((caller, second));
                }
                _ if list == INDIRECT => {
                    calls.indirect.insert(caller);
                }
                _ => {}
            }
        }
        calls
    }

    /// Returns the functions that `caller` itself calls.
    pub(crate) fn of(&self, caller: u32) -> impl Iterator<Item = u32> {
        self.direct.range((caller, 0)..=(caller, u32::MAX)).map(|(_, callee)| *callee)
    }

    /// Whether `caller` itself calls through a pointer.
    pub(crate) fn are_indirect(&self, caller: u32) -> bool {
        self.indirect.contains(&caller)
    }

    /// Finds the functions that `start` reaches by calls. `start` is among them only if it is
    /// recursive.
    pub(crate) fn reached(&self, start: u32) -> BTreeSet<u32> {
        let mut reached = BTreeSet::new();
        let mut open = vec![start];
        while let Some(caller) = open.pop() {
            open.extend(self.of(caller).filter(|callee| reached.insert(*callee)));
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
        let calls = calls(&[[0, u32::MAX], [1, 2], [0, u32::MAX - 1], [1, 4], [0, u32::MAX - 2]]);
        assert_eq!(calls.reached(0), BTreeSet::new());
        assert_eq!(calls.reached(1), BTreeSet::from([2]));
        assert!(!calls.are_indirect(1));
    }

    #[test]
    fn a_prototype_is_no_callee() {
        let calls = calls(&[[0, u32::MAX], [1, 2], [0, u32::MAX - 2], [1, 317], [0, u32::MAX - 3]]);
        assert_eq!(calls.reached(1), BTreeSet::from([2]));
        assert!(calls.are_indirect(1) && !calls.are_indirect(2));
    }

    #[test]
    fn a_damaged_rest_ends_the_list() {
        let mut content = [1_u32, 2].map(u32::to_le_bytes).concat();
        content.extend([2, 0, 0]);
        assert_eq!(Calls::read(&content).reached(1), BTreeSet::from([2]));
    }
}
