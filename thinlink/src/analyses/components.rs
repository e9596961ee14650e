//! Strongly connected components of a call graph, callees first, by Tarjan's algorithm.
//!
//! Facts that depend on callees are computed as the components are found: all callees of a
//! component are either in it or have their facts already. The path is a list on the heap, so long
//! chains of calls need no stack. A component depends on the graph alone, not on the order of
//! callees.
//!
//! Cost: each vertex and edge once. A vertex is stored together with its fact, as each edge leads
//! to another vertex.

use crate::model::ids::{NodeId, NodeRange, PerNode};

/// A node of the graph and the fact about it.
#[derive(Clone, Copy)]
pub(crate) struct Vertex<Fact> {
    /// Number of the visit, from 1, while the component of the vertex is being found; otherwise one
    /// of the constants below.
    order: u32,
    /// Fact about the vertex, final once it is finished.
    pub(crate) fact: Fact,
}

/// Order of a vertex that was not visited yet.
const UNVISITED: u32 = 0;
/// Order of a vertex whose component has its facts.
const FINISHED: u32 = u32::MAX;
/// Order of a node that is not a vertex of the graph.
const OUTSIDE: u32 = u32::MAX - 1;

impl<Fact> Vertex<Fact> {
    /// Returns a vertex that is to be visited.
    pub(crate) fn unvisited(fact: Fact) -> Self {
        Self { order: UNVISITED, fact }
    }

    /// Returns a vertex whose fact is final without a visit.
    pub(crate) fn finished(fact: Fact) -> Self {
        Self { order: FINISHED, fact }
    }

    /// Returns a node that is not a vertex: calls of it are not followed.
    pub(crate) fn outside(fact: Fact) -> Self {
        Self { order: OUTSIDE, fact }
    }

    /// Whether the fact is final.
    #[inline]
    pub(crate) fn is_finished(&self) -> bool {
        self.order == FINISHED
    }

    /// Whether the node is not a vertex of the graph.
    #[inline]
    pub(crate) fn is_outside(&self) -> bool {
        self.order == OUTSIDE
    }

    /// Whether an edge to the vertex can matter to the search.
    #[inline]
    pub(crate) fn is_to_be_followed(&self) -> bool {
        self.order < OUTSIDE
    }
}

/// Facts about all vertices of a graph.
pub(crate) struct Search<Fact> {
    vertices: PerNode<Vertex<Fact>>,
    next_order: u32,
    /// Visited vertices whose components are not complete.
    open: Vec<NodeId>,
    path: Vec<Step>,
    /// Callees of the vertices on the path that are still to be followed, those of the last vertex
    /// at the end.
    callees: Vec<NodeId>,
}

/// A vertex on the path to the current one.
struct Step {
    node: NodeId,
    /// Order of the earliest vertex that is known to be reachable from it.
    lowest: u32,
    /// Position at which its callees start.
    first_callee: usize,
}

/// Computes the facts about all `nodes`, whose `vertices` are given. `callees` appends the callees
/// of a vertex that are to be followed to a list, and `solve` sets the facts of the members of one
/// component.
pub(crate) fn bottom_up<Fact>(
    nodes: NodeRange,
    vertices: PerNode<Vertex<Fact>>,
    mut callees: impl FnMut(NodeId, &PerNode<Vertex<Fact>>, &mut Vec<NodeId>),
    mut solve: impl FnMut(&[NodeId], &mut PerNode<Vertex<Fact>>),
) -> PerNode<Vertex<Fact>> {
    let mut search =
        Search { vertices, next_order: 1, open: vec![], path: vec![], callees: vec![] };
    for start in nodes {
        if search.vertices[start].order == UNVISITED {
            search.follow(start, &mut callees, &mut solve);
        }
    }
    search.vertices
}

impl<Fact> Search<Fact> {
    /// Finds all components that `start` reaches and that were not found before.
    fn follow(
        &mut self,
        start: NodeId,
        callees: &mut impl FnMut(NodeId, &PerNode<Vertex<Fact>>, &mut Vec<NodeId>),
        solve: &mut impl FnMut(&[NodeId], &mut PerNode<Vertex<Fact>>),
    ) {
        self.enter(start, callees);
        while let Some(step) = self.path.last_mut() {
            if self.callees.len() == step.first_callee {
                self.leave(solve);
            } else if let Some(callee) = self.callees.pop() {
                match self.vertices[callee].order {
                    UNVISITED => self.enter(callee, callees),
                    FINISHED | OUTSIDE => {}
                    order => step.lowest = step.lowest.min(order),
                }
            }
        }
    }

    fn enter(
        &mut self,
        node: NodeId,
        callees: &mut impl FnMut(NodeId, &PerNode<Vertex<Fact>>, &mut Vec<NodeId>),
    ) {
        let order = self.next_order;
        self.next_order += 1;
        self.vertices[node].order = order;
        self.open.push(node);
        self.path.push(Step { node, lowest: order, first_callee: self.callees.len() });
        callees(node, &self.vertices, &mut self.callees);
    }

    fn leave(&mut self, solve: &mut impl FnMut(&[NodeId], &mut PerNode<Vertex<Fact>>)) {
        let Some(Step { node, lowest, .. }) = self.path.pop() else { return };
        if lowest == self.vertices[node].order {
            let start = self.open.iter().rposition(|&member| member == node).unwrap_or_default();
            solve(&self.open[start..], &mut self.vertices);
            for member in self.open.drain(start..) {
                self.vertices[member].order = FINISHED;
            }
        } else if let Some(parent) = self.path.last_mut() {
            parent.lowest = parent.lowest.min(lowest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Vertex, bottom_up};
    use crate::model::ids::{Id as _, NodeId, NodeRange, PerNode};

    #[test]
    fn components_come_after_those_that_they_call() {
        // 0 calls 1, which is on a cycle with 2; 2 calls 3, and 4 calls itself.
        let edges: [&[u32]; 5] = [&[1], &[2], &[1, 3], &[], &[4]];
        let mut components = Vec::new();
        bottom_up(
            NodeRange::new(0, 5),
            PerNode::filled(Vertex::unvisited(()), 5),
            |node, _, callees| callees.extend(edges[node.index()].iter().copied().map(NodeId::new)),
            |members, _| {
                let mut members: Vec<u32> = members.iter().map(|member| member.number()).collect();
                members.sort_unstable();
                components.push(members);
            },
        );
        assert_eq!(components, [vec![3], vec![1, 2], vec![0], vec![4]]);
    }
}
