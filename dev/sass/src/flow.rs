//! Weights of the instructions of a function by the loops around them.
//!
//! A loop is the range from the target of a backward branch to that branch, if control can go from
//! the target to the branch inside of the range. Without that condition, a rare block that ptxas
//! puts behind the end of the function, and that branches back to its origin, would make everything
//! between a loop. Branches back to one target are one loop, up to the last of them. A branch to
//! itself is padding behind the end, and no loop.
//!
//! Each loop around an instruction counts as [`TURNS`] turns. SASS does not tell how often a loop
//! runs: an unrolled loop counts as often as one that is not, so weights are comparable where both
//! images are unrolled alike, and in the mean of many kernels.

use std::collections::BTreeMap;

/// Number of times that the instructions in a loop are taken to run for each entry of the loop.
pub const TURNS: u64 = 8;

/// Control flow after an instruction.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// Control goes to the next instruction.
    Next,
    /// Control goes into a function, and then to the next instruction.
    Call,
    /// Control goes to one of some labels or, unless the branch is always taken, to the next
    /// instruction.
    Branch { to: Vec<String>, is_always: bool },
    /// Control leaves the function, or goes to an address in a register.
    End,
}

/// The instructions of one function.
#[derive(Debug, Default)]
pub(super) struct Body {
    flows: Vec<Flow>,
    stalls: Vec<u64>,
    /// Labels, and the instructions after them.
    labels: BTreeMap<String, usize>,
}

impl Body {
    /// Takes a label that stands before the next instruction.
    pub(super) fn label(&mut self, name: &str) {
        self.labels.insert(name.to_owned(), self.flows.len());
    }

    /// Takes the next instruction.
    pub(super) fn instruction(&mut self, flow: Flow) {
        self.flows.push(flow);
        self.stalls.push(0);
    }

    /// Takes the stall count of the last instruction.
    pub(super) fn stall(&mut self, cycles: u64) {
        if let Some(last) = self.stalls.last_mut() {
            *last = cycles;
        }
    }

    /// Returns the control flow after the last instruction.
    #[cfg(test)]
    pub(super) fn last(&self) -> Option<&Flow> {
        self.flows.last()
    }

    /// Returns the positions of calls, in their order.
    pub(super) fn calls(&self) -> impl Iterator<Item = usize> {
        let flows = self.flows.iter().enumerate();
        flows.filter(|(_, flow)| **flow == Flow::Call).map(|(at, _)| at)
    }

    /// Returns the weighted sum of the stall counts.
    pub(super) fn cycles(&self, weights: &[u64]) -> u64 {
        let weighted = self.stalls.iter().zip(weights);
        weighted
            .fold(0, |sum: u64, (stall, weight)| sum.saturating_add(stall.saturating_mul(*weight)))
    }

    /// Returns the weight of each instruction.
    pub(super) fn weights(&self) -> Vec<u64> {
        let mut weights = vec![1_u64; self.flows.len()];
        for (begin, end) in self.loops() {
            for weight in &mut weights[begin..=end] {
                *weight = weight.saturating_mul(TURNS);
            }
        }
        weights
    }

    /// Returns the last instruction of each loop by its first.
    fn loops(&self) -> BTreeMap<usize, usize> {
        let mut loops: BTreeMap<usize, usize> = BTreeMap::new();
        for at in 0..self.flows.len() {
            for to in self.targets(at).filter(|to| *to < at) {
                if self.reaches(to, at) {
                    // Later branches end farther behind.
                    loops.insert(to, at);
                }
            }
        }
        loops
    }

    /// Returns the targets of a branch that are in the function.
    fn targets(&self, at: usize) -> impl Iterator<Item = usize> {
        let labels = match &self.flows[at] {
            Flow::Branch { to, .. } => to.as_slice(),
            _ => &[],
        };
        labels.iter().filter_map(|label| self.labels.get(label).copied())
    }

    /// Returns whether control can go from the first instruction of a range to its last one inside
    /// of it.
    fn reaches(&self, begin: usize, end: usize) -> bool {
        let mut seen = vec![false; end - begin + 1];
        let mut open = vec![begin];
        while let Some(at) = open.pop() {
            if at < begin || at > end || std::mem::replace(&mut seen[at - begin], true) {
                continue;
            }
            if at == end {
                return true;
            }
            let goes_on = match &self.flows[at] {
                Flow::Next | Flow::Call => true,
                Flow::Branch { is_always, .. } => !is_always,
                Flow::End => false,
            };
            open.extend(goes_on.then_some(at + 1));
            open.extend(self.targets(at));
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a body of instructions with a stall count of 1 from a text: `a:` is a label, `>a` a
    /// branch to it, `>a,b` a branch to one of two, `?a` a conditional branch, `x` an end, and `.`
    /// any other instruction.
    fn body(text: &str) -> Body {
        let mut body = Body::default();
        for word in text.split_whitespace() {
            let labels = |to: &str| to.split(',').map(str::to_owned).collect();
            let branch = |to: &str, is_always| Flow::Branch { to: labels(to), is_always };
            if let Some(label) = word.strip_suffix(':') {
                body.label(label);
                continue;
            }
            body.instruction(match word.split_at(1) {
                (">", to) => branch(to, true),
                ("?", to) => branch(to, false),
                ("x", _) => Flow::End,
                _ => Flow::Next,
            });
            body.stall(1);
        }
        body
    }

    #[test]
    fn each_loop_around_an_instruction_multiplies() {
        assert_eq!(body(". a: . b: . ?b ?a . x").weights(), [1, 8, 64, 64, 8, 1, 1]);
        assert_eq!(body(". a: . ?a . x").cycles(&[1, 8, 8, 1, 1]), 19);
    }

    #[test]
    fn branches_to_one_target_are_one_loop() {
        assert_eq!(body("a: . ?a . ?a x").weights(), [8, 8, 8, 8, 1]);
    }

    #[test]
    fn a_loop_may_go_on_through_a_table_of_labels() {
        let weights = body("top: . >one,two one: . >last two: . last: ?top x").weights();
        assert_eq!(weights, [8, 8, 8, 8, 8, 8, 1]);
    }

    #[test]
    fn what_fills_up_and_what_comes_back_from_behind_are_no_loops() {
        assert_eq!(body(". x a: >a").weights(), [1, 1, 1]);
        assert_eq!(body("?cold back: . . x cold: . >back").weights(), [1; 6]);
        // The rare block of a loop that lies behind it is not part of the range of the loop.
        let weights = body("top: ?cold back: . ?top x cold: . >back").weights();
        assert_eq!(weights, [8, 8, 8, 1, 1, 1]);
    }
}
