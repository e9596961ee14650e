//! Finds functions that stay shared, because copies of them would make the program too large.
//!
//! An inlined copy costs the same with or without closed modules. So only
//! functions that will stay functions count: `noinline` functions, and functions that are too large
//! for the import limit once their callees are inlined. Each costs its instructions once for every
//! module with a copy except the first. The most expensive ones stay shared, until the rest fits.

use std::cmp::Reverse;

use super::closure::Closure;
use super::program_view::ProgramView;
use crate::model::ids::{NodeId, PerNode};
use crate::model::policy::Policy;

/// Returns the leaders of the functions that stay shared, in no order.
pub(super) fn costly(
    program: &ProgramView<'_, '_>,
    closures: &[Closure],
    policy: &Policy,
) -> Vec<NodeId> {
    let index = program.index;
    let size = |node: NodeId| u64::from(program.size(node));
    let mut users = PerNode::filled(0_u32, index.len());
    for &node in closures.iter().flat_map(|closure| &closure.copies) {
        users[node] += 1;
    }
    let stays = |node: NodeId| program.candidates.stays_a_function(node, policy.imports.limit);
    let mut costs: Vec<(u64, NodeId)> = (0..)
        .map(NodeId::new)
        .zip(&*users)
        .filter(|&(node, &users)| users > 1 && stays(node))
        .map(|(node, &users)| (size(node) * u64::from(users - 1), node))
        .collect();
    let mut growth: u64 = costs.iter().map(|(cost, _)| cost).sum();
    let live =
        index.all_nodes().filter(|&node| program.liveness.live[node] && index.prevails(node));
    let live_size: u64 = live.map(size).sum();
    let limit = live_size.saturating_mul(policy.closing.growth_percent.into()) / 100;
    costs.sort_unstable_by_key(|&(cost, node)| (Reverse(cost), node));
    let mut shared = Vec::new();
    for (cost, node) in costs {
        if growth <= limit {
            break;
        }
        growth -= cost;
        shared.push(node);
    }
    shared
}
