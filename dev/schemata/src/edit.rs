//! Changes of a text that nest as its expressions do.

use std::ops::Range;

/// A part of the changed text that one mutant alone brings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Brought {
    pub(crate) mutant: usize,
    /// Bytes of the changed text.
    pub(crate) range: Range<usize>,
}

/// The part of the changed text that a switch makes of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Switched {
    pub(crate) mutants: Vec<usize>,
    pub(crate) range: Range<usize>,
}

/// The place of an edit among those at the same byte: ends of expressions come before beginnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    /// The innermost first, which is the latest.
    Close(isize),
    Replace,
    /// The outermost first, which is the earliest.
    Open(isize),
}

#[derive(Debug)]
struct Edit {
    range: Range<usize>,
    order: Order,
    text: Vec<(Option<usize>, String)>,
    /// The switch that begins or ends here.
    switch: Option<usize>,
}

/// Edits of one text, which are collected from the outside in.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    edits: Vec<Edit>,
    switches: Vec<Vec<usize>>,
}

/// The changed text, with what each mutant and each switch brought.
#[derive(Debug, Default)]
pub(crate) struct Changed {
    pub(crate) text: String,
    pub(crate) brought: Vec<Brought>,
    pub(crate) switched: Vec<Switched>,
}

/// A text before an expression, in parts, with the mutant that brings each part.
pub(crate) type Parts = Vec<(Option<usize>, String)>;

impl Edits {
    /// Puts `before` and `after` around the bytes `range`, a switch of `mutants`.
    pub(crate) fn wrap(
        &mut self,
        range: Range<usize>,
        mutants: Vec<usize>,
        before: Parts,
        after: &str,
    ) {
        let switch = self.switches.len();
        self.switches.push(mutants);
        let place = isize::try_from(switch).unwrap_or(isize::MAX);
        let after = vec![(None, after.to_owned())];
        for (at, order, text) in
            [(range.start, Order::Open(place), before), (range.end, Order::Close(-place), after)]
        {
            self.edits.push(Edit { range: at..at, order, text, switch: Some(switch) });
        }
    }

    /// Removes the bytes `range`, in which no expression is.
    pub(crate) fn remove(&mut self, range: Range<usize>) {
        self.edits.push(Edit { range, order: Order::Replace, text: Vec::new(), switch: None });
    }

    /// Returns the text with all edits.
    pub(crate) fn apply(mut self, text: &str) -> Changed {
        self.edits.sort_by_key(|edit| (edit.range.start, edit.order));
        let mut changed = Changed::default();
        let mut starts = vec![0; self.switches.len()];
        let mut at = 0;
        for edit in self.edits {
            changed.text += text.get(at..edit.range.start).unwrap_or_default();
            at = edit.range.end.max(at);
            if let (Some(switch), Order::Open(_)) = (edit.switch, edit.order) {
                starts[switch] = changed.text.len();
            }
            for (mutant, part) in edit.text {
                let start = changed.text.len();
                changed.text += &part;
                if let Some(mutant) = mutant {
                    changed.brought.push(Brought { mutant, range: start..changed.text.len() });
                }
            }
            if let (Some(switch), Order::Close(_)) = (edit.switch, edit.order) {
                let range = starts[switch]..changed.text.len();
                let mutants = self.switches[switch].clone();
                changed.switched.push(Switched { mutants, range });
            }
        }
        changed.text += text.get(at..).unwrap_or_default();
        changed
    }
}
