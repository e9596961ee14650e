//! What functions become when all that would be inlined into them is.
//!
//! An inliner that sees the whole program works from the leaves up: a callee goes into its caller if
//! it is small *after* all that went into it. So the size that counts for an import is not that of
//! the function alone. Going by the latter, a tree of tiny functions is imported level after level,
//! each of them far below the limit, into callers that never inline the whole; every one of them is
//! then an edge along which edits run. With inlined sizes, all that one call brings in is, together,
//! not larger than the limit.
//!
//! The size of a function is its instructions, and for each call of a function that may be inlined
//! and is not too large, the size of that, less the call itself. Calls along a cycle count as
//! calls. What is on a cycle depends on the graph alone, and so does the result: Tarjan's algorithm
//! finds the cycles, callees first.
//!
//! Cost: each symbol and each edge once.

use crate::index::{Index, Node};

/// Size up to which a callee counts as inlined: what a kernel may grow by in the backend job. It does
/// not follow the import limit, so that a higher limit never makes a function dearer.
const INLINED: u32 = 32_000;

/// What the sizes of one program are computed with.
pub(super) struct Sizes {
    sizes: Vec<u32>,
}

/// A body on the path that is being followed, and how many of its calls were.
struct Frame {
    node: Node,
    next_call: usize,
}

/// Tarjan's numbers.
struct Search<'a, 'units> {
    index: &'a Index<'units>,
    /// When each node was entered, from 1; 0 for never.
    entered: Vec<u32>,
    /// The earliest node that is reached from it. `u32::MAX` when its cycle is finished.
    earliest: Vec<u32>,
    clock: u32,
    path: Vec<Frame>,
    open: Vec<Node>,
    sizes: Vec<u32>,
}

impl Sizes {
    /// The sizes of all functions.
    pub(super) fn new(index: &Index<'_>) -> Self {
        let nodes = index.len();
        let mut search = Search {
            index,
            entered: vec![0; nodes],
            earliest: vec![0; nodes],
            clock: 0,
            path: Vec::new(),
            open: Vec::new(),
            sizes: vec![0; nodes],
        };
        for node in 0..nodes {
            if search.entered[node] == 0 && index.is_function(node) {
                search.follow(node);
            }
        }
        Self { sizes: search.sizes }
    }

    /// The size of the function at `node`, in instructions.
    pub(super) fn of(&self, node: Node) -> u32 {
        self.sizes[node]
    }
}

impl Search<'_, '_> {
    fn follow(&mut self, start: Node) {
        self.enter(start);
        while let Some(frame) = self.path.last_mut() {
            let node = frame.node;
            let call = self.index.function(node).and_then(|it| it.calls().get(frame.next_call));
            frame.next_call += 1;
            let Some(call) = call else {
                self.path.pop();
                self.leave(node);
                continue;
            };
            let Some(callee) = self.callee(call.callee()) else {
                continue;
            };
            if self.entered[callee] == 0 {
                self.enter(callee);
            } else if self.earliest[callee] != u32::MAX {
                self.earliest[node] = self.earliest[node].min(self.entered[callee]);
            }
        }
    }

    /// The function that a call binds to.
    fn callee(&self, edge: Node) -> Option<Node> {
        self.index.provider(edge).filter(|&node| self.index.is_function(node))
    }

    fn enter(&mut self, node: Node) {
        self.clock += 1;
        self.entered[node] = self.clock;
        self.earliest[node] = self.clock;
        self.path.push(Frame { node, next_call: 0 });
        self.open.push(node);
    }

    fn leave(&mut self, node: Node) {
        let earliest = self.earliest[node];
        if earliest == self.entered[node] {
            // The cycle is complete, or there is none. Sizes first: none of it counts in another's.
            let start = self.open.iter().rposition(|&it| it == node).unwrap_or_default();
            for position in start..self.open.len() {
                let member = self.open[position];
                self.sizes[member] = self.size(member);
            }
            for member in self.open.drain(start..) {
                self.earliest[member] = u32::MAX;
            }
        } else if let Some(caller) = self.path.last() {
            let known = self.earliest[caller.node];
            self.earliest[caller.node] = known.min(earliest);
        }
    }

    /// The size of a function all of whose callees, but those on its own cycle, have theirs.
    fn size(&self, node: Node) -> u32 {
        let Some(function) = self.index.function(node) else { return 0 };
        function.calls().iter().fold(function.instruction_count(), |size, call| {
            let callee = self.callee(call.callee());
            let inlined = callee.filter(|&it| self.earliest[it] == u32::MAX).and_then(|callee| {
                let facts = self.index.function(callee)?;
                let size = self.sizes[callee].saturating_sub(super::cost::of_call(call));
                let fits = size <= INLINED || facts.flags().always_inline;
                let may = !facts.flags().no_inline
                    && !facts.flags().kernel
                    && !self.index.linkage(callee).is_interposable();
                (fits && may).then_some(size)
            });
            size.saturating_add(inlined.unwrap_or(0).saturating_mul(call.count()))
        })
    }
}
