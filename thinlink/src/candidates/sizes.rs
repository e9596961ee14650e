//! Sizes of functions after inlining.
//!
//! An inliner that sees the whole program works from the leaves up: a callee goes into its caller
//! if it is small *after* its own callees were inlined. So the size of the function alone is not
//! what counts for an import. By that size, a tree of tiny functions would be imported level after
//! level, each of them far below the limit, into callers that never inline the whole; and each
//! import makes the importer depend on an edit of the function. With inlined sizes, all bodies that
//! one call brings in are, together, not larger than the limit.
//!
//! The size of a function is its instructions, and for each call of a function that may be inlined
//! and is not too large, the callee's size, less the call itself. Calls along a cycle count as
//! calls. The cycles depend on the graph alone, and so does the result.
//!
//! Cost: each symbol and each edge once.

use super::call_cost;
use crate::analyses::components::{self, Vertex};
use crate::model::ids::{NodeId, PerNode};
use crate::model::index::Index;

/// Size up to which a callee counts as inlined: the growth of a kernel that the backend job allows.
/// It is independent of the import limit, so a higher limit never makes a function more expensive.
const INLINED: u32 = 32_000;

/// Sizes of all functions of a program.
pub(super) struct Sizes {
    sizes: PerNode<u32>,
}

impl Sizes {
    /// Returns the sizes of all functions.
    pub(super) fn new(index: &Index<'_>) -> Self {
        let vertex = |node: NodeId| {
            if index.is_function(node) { Vertex::unvisited(0) } else { Vertex::outside(0) }
        };
        let callees = |node: NodeId, _: &PerNode<Vertex<u32>>, callees: &mut Vec<NodeId>| {
            let calls = index.function(node).map_or(&[][..], |function| function.calls());
            let called = calls.iter().filter_map(|call| callee(index, call.callee()));
            callees.extend(called);
        };
        let solve = |members: &[NodeId], vertices: &mut PerNode<Vertex<u32>>| {
            for &member in members {
                vertices[member].fact = size(index, vertices, member);
            }
        };
        let vertices = index.all_nodes().map(vertex).collect();
        let vertices = components::bottom_up(index.all_nodes(), vertices, callees, solve);
        Self { sizes: vertices.into_iter().map(|vertex| vertex.fact).collect() }
    }

    /// Returns the size of the function at `node`, in instructions.
    pub(super) fn of(&self, node: NodeId) -> u32 {
        self.sizes[node]
    }
}

/// Returns the function that a call of `edge` binds to.
fn callee(index: &Index<'_>, edge: NodeId) -> Option<NodeId> {
    index.provider(edge).filter(|&node| index.is_function(node))
}

/// Returns the size of a function all of whose callees, but those in its own component, have
/// theirs.
fn size(index: &Index<'_>, vertices: &PerNode<Vertex<u32>>, node: NodeId) -> u32 {
    let Some(function) = index.function(node) else { return 0 };
    function.calls().iter().fold(function.instruction_count(), |size, call| {
        let callee = callee(index, call.callee());
        let inlined = callee.filter(|&callee| vertices[callee].is_finished()).and_then(|callee| {
            let facts = index.function(callee)?;
            let size = vertices[callee].fact.saturating_sub(call_cost::of_call(call));
            let fits = size <= INLINED || facts.flags().always_inline;
            let may_be_inlined = !facts.flags().no_inline
                && !facts.flags().kernel
                && !index.linkage(callee).is_interposable();
            (fits && may_be_inlined).then_some(size)
        });
        size.saturating_add(inlined.unwrap_or(0).saturating_mul(call.count()))
    })
}
