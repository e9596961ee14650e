//! Weights of the instructions of a function by the loops around them.
//!
//! A loop is the range from the target of a backward branch to that branch, if control can go from
//! the target to the branch inside of the range. Without that condition, a rare block that ptxas
//! puts after the end of the function, and that branches back to its origin, would turn everything
//! in between into a loop. Branches back to the same target form one loop, up to the last of them.
//! A branch to itself is padding after the end, not a loop.
//!
//! Each loop around an instruction counts as [`TURNS`] turns. SASS does not show a loop's trip
//! count: an unrolled loop counts as many turns as any other, so weights are comparable if both
//! sides are unrolled alike, or in the mean of many kernels.

use std::collections::BTreeMap;

/// Number of times that the instructions in a loop are taken to run for each entry of the loop.
pub const TURNS: u64 = 8;

/// Control flow after an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Control goes to the next instruction, maybe after a call.
    Next,
    /// Control goes to one of some instructions or, unless the branch is always taken, to the next
    /// one.
    Branch {
        /// Positions of the instructions.
        to: Vec<usize>,
        /// Whether control never goes to the next instruction.
        is_always: bool,
    },
    /// Control leaves the function, or goes to an address in a register.
    End,
}

/// Returns the weight of each instruction of a function.
pub fn loop_weights(flows: &[Flow]) -> Vec<u64> {
    let mut weights = vec![1_u64; flows.len()];
    for (begin, end) in loops(flows) {
        for weight in &mut weights[begin..=end] {
            *weight = weight.saturating_mul(TURNS);
        }
    }
    weights
}

/// Returns the last instruction of each loop by its first.
fn loops(flows: &[Flow]) -> BTreeMap<usize, usize> {
    let mut loops: BTreeMap<usize, usize> = BTreeMap::new();
    for at in 0..flows.len() {
        for to in targets(&flows[at]).filter(|to| *to < at) {
            if reaches(flows, to, at) {
                // Later branches end farther behind.
                loops.insert(to, at);
            }
        }
    }
    loops
}

fn targets(flow: &Flow) -> impl Iterator<Item = usize> {
    let to = match flow {
        Flow::Branch { to, .. } => to.as_slice(),
        Flow::Next | Flow::End => &[],
    };
    to.iter().copied()
}

/// Returns whether control can go from the first instruction of a range to its last one inside of
/// it.
fn reaches(flows: &[Flow], begin: usize, end: usize) -> bool {
    let mut seen = vec![false; end - begin + 1];
    let mut open = vec![begin];
    while let Some(at) = open.pop() {
        if at < begin || at > end || std::mem::replace(&mut seen[at - begin], true) {
            continue;
        }
        if at == end {
            return true;
        }
        let goes_on = match &flows[at] {
            Flow::Next => true,
            Flow::Branch { is_always, .. } => !is_always,
            Flow::End => false,
        };
        open.extend(goes_on.then_some(at + 1));
        open.extend(targets(&flows[at]));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the weights in a text: `a:` is a label, `>a` a branch to it, `>a,b` a branch to one
    /// of two, `?a` a conditional branch, `x` an end, and `.` any other instruction.
    fn weights(text: &str) -> Vec<u64> {
        let mut labels = BTreeMap::new();
        let mut words = Vec::new();
        for word in text.split_whitespace() {
            match word.strip_suffix(':') {
                Some(label) => drop(labels.insert(label, words.len())),
                None => words.push(word),
            }
        }
        let branch = |to: &str, is_always| Flow::Branch {
            to: to.split(',').map(|label| labels[label]).collect(),
            is_always,
        };
        let flow = |word: &&str| match word.split_at(1) {
            (">", to) => branch(to, true),
            ("?", to) => branch(to, false),
            ("x", _) => Flow::End,
            _ => Flow::Next,
        };
        loop_weights(&words.iter().map(flow).collect::<Vec<_>>())
    }

    #[test]
    fn each_loop_around_an_instruction_multiplies() {
        assert_eq!(weights(". a: . b: . ?b ?a . x"), [1, 8, 64, 64, 8, 1, 1]);
    }

    #[test]
    fn branches_to_one_target_are_one_loop() {
        assert_eq!(weights("a: . ?a . ?a x"), [8, 8, 8, 8, 1]);
    }

    #[test]
    fn a_loop_may_go_on_through_a_table_of_labels() {
        let weights = weights("top: . >one,two one: . >last two: . last: ?top x");
        assert_eq!(weights, [8, 8, 8, 8, 8, 8, 1]);
    }

    #[test]
    fn what_fills_up_and_what_comes_back_from_behind_are_no_loops() {
        assert_eq!(weights(". x a: >a"), [1, 1, 1]);
        assert_eq!(weights("?cold back: . . x cold: . >back"), [1; 6]);
        // The rare block of a loop that lies behind it is not part of the range of the loop.
        assert_eq!(weights("top: ?cold back: . ?top x cold: . >back"), [8, 8, 8, 1, 1, 1]);
    }
}
