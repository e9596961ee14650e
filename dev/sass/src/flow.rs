//! The instructions of a function with labels, weighted by the loops around them.

use std::collections::BTreeMap;

use weft_container::loop_weights;

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
    /// Takes a label of the next instruction.
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
        let position = |label: &String| self.labels.get(label).copied();
        let flow = |flow: &Flow| match flow {
            Flow::Next | Flow::Call => weft_container::Flow::Next,
            Flow::Branch { to, is_always } => weft_container::Flow::Branch {
                to: to.iter().filter_map(position).collect(),
                is_always: *is_always,
            },
            Flow::End => weft_container::Flow::End,
        };
        loop_weights(&self.flows.iter().map(flow).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_positions_and_stalls_are_weighted() {
        let mut body = Body::default();
        body.instruction(Flow::Next);
        body.label("top");
        for flow in [Flow::Call, Flow::Branch { to: vec!["top".to_owned()], is_always: false }] {
            body.instruction(flow);
            body.stall(2);
        }
        body.instruction(Flow::End);
        let weights = body.weights();
        assert_eq!(weights, [1, 8, 8, 1]);
        assert_eq!(body.cycles(&weights), 32);
        assert_eq!(body.calls().collect::<Vec<_>>(), [1]);
    }
}
