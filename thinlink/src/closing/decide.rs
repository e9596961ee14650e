//! Decides which functions are copied to which modules.

use rayon::prelude::*;

use super::bodies::Bounds;
use super::closure::{Closure, Explorer};
use super::emission::Emission;
use super::program_view::ProgramView;
use super::result::Closing;
use super::sharing;
use crate::analyses::devirtualize::Devirtualized;
use crate::analyses::liveness::Liveness;
use crate::candidates::Candidates;
use crate::model::ids::{NodeId, PerModule, PerNode};
use crate::model::index::Index;
use crate::model::policy::{ImportModel, Policy};

/// Decides which functions are copied, if `policy` wants copies at all.
pub(crate) fn close(
    index: &Index<'_>,
    liveness: &Liveness,
    virtual_calls: &Devirtualized,
    candidates: &Candidates,
    policy: &Policy,
) -> Closing {
    let modules = index.units.len();
    if !is_wanted(policy) {
        return Closing {
            copies: PerModule::filled(Box::default(), modules),
            stays: liveness.live.clone(),
            exposed: PerNode::filled(true, index.len()),
            guests: PerModule::filled(Box::default(), modules),
            kernels: PerModule::filled(Vec::new(), modules),
        };
    }
    let program = ProgramView { index, liveness, virtual_calls, candidates };
    let (limit, cutoff) = (policy.closing.closure_limit, policy.imports.cutoff);
    let starts = starts(&program);
    let mut shared = PerNode::filled(false, index.len());
    let mut closures =
        closures(&program, &Bounds { limit, starts: &starts, shared: &shared, cutoff });
    let costly = sharing::costly(&program, &closures, policy);
    if !costly.is_empty() {
        for node in costly {
            shared[node] = true;
        }
        closures =
            self::closures(&program, &Bounds { limit, starts: &starts, shared: &shared, cutoff });
    }
    let Emission { stays, exposed, copies, guests } = Emission::new(&program, &closures);
    let kernels = closures.into_iter().map(|closure| closure.kernels).collect();
    Closing { copies, stays, exposed, guests, kernels }
}

/// Whether functions are copied at all. LLVM's import model and workload definitions already
/// determine which bodies a module gets.
pub(crate) fn is_wanted(policy: &Policy) -> bool {
    let imports = &policy.imports;
    policy.closing.is_on
        && imports.model == ImportModel::Gpu
        && imports.workload.is_empty()
        && !imports.all_index
}

/// For each node, whether closures begin there: at live kernels, and at functions that stay where
/// they are defined, because live code or a live variable names them other than as a callee or
/// because they cannot be copied.
fn starts(program: &ProgramView<'_, '_>) -> PerNode<bool> {
    let index = program.index;
    let is_live = |node: NodeId| program.liveness.live[node];
    let mut named = PerNode::filled(false, index.len());
    for node in index.all_nodes().filter(|&node| is_live(node) && !index.is_listing(node)) {
        program.for_each_reference(node, |target| {
            if let Some(provider) = index.provider(target) {
                named[provider] = true;
            }
        });
    }
    let is_start = |(node, is_named): (NodeId, bool)| {
        index.is_function(node)
            && is_live(node)
            && index.prevails(node)
            && (is_named || index.is_kernel(node) || !program.candidates.is_code(node))
    };
    index.all_nodes().zip(named).map(is_start).collect()
}

/// Finds the closures of all modules.
fn closures(program: &ProgramView<'_, '_>, bounds: &Bounds<'_>) -> Vec<Closure> {
    let nodes = program.index.len();
    program
        .index
        .modules()
        .into_par()
        .map_init(
            || Explorer::new(nodes),
            |explorer, module| {
                // The linker of LTO IR takes whole units, so there is nothing to copy.
                if program.index.is_lto_ir(module) {
                    return Closure::default();
                }
                explorer.explore(program, bounds, module)
            },
        )
        .collect()
}
