//! The record of the reasons for which each definition stays or is removed.
//!
//! Cost: each definition once, and each edge of removed definitions, in parallel by module.

use std::io::{self, Seek, Write};

use rayon::prelude::*;
use weft_artifact::{
    ClosureDecision, ClosureExit, Decisions, ExitReason, ModuleDecisions, RootReason,
    SymbolDecision, SymbolFate,
};

use crate::analyses::liveness::Liveness;
use crate::closing::{Closing, End, KernelClosure};
use crate::imports::Imports;
use crate::model::ids::{ModuleRange, NodeId, OptionalNode, PerModule, PerNode};
use crate::model::index::Index;

/// Number of modules whose records are in memory at a time.
const AT_A_TIME: u32 = 256;

/// Number of consecutive modules that a thread writes.
const PIECE: u32 = 16;

/// Writes the file of decisions.
pub(crate) fn write(
    index: &Index<'_>,
    liveness: &Liveness,
    closing: &Closing,
    imports: &PerModule<Imports>,
    file: &mut (impl Write + Seek),
) -> io::Result<()> {
    let referrers = DeadReferrers::new(index, liveness);
    let piece = |modules: ModuleRange| {
        let (mut room, mut piece) = (Vec::new(), Vec::new());
        for module in modules {
            let first = i64::from(index.number(index.own_nodes(module).start()));
            let step = |node: NodeId| i64::from(index.number(node)) - first;
            let own = index.own_nodes(module);
            let symbols = own.clone().filter(|&node| index.is_definition(node));
            let symbols = symbols.map(|node| SymbolDecision {
                name: index.name(node),
                fate: fate(index, liveness, closing, &referrers, node, step),
            });
            let compiled_in = index.module_of(module);
            let (id, imports) = (index.module_id(module), &imports[compiled_in].recorded);
            // A bundle's imports count for each member, and its kernels for their own modules.
            let kernels = closing.kernels(compiled_in).iter();
            let kernels = kernels.filter(|closure| own.contains(closure.kernel));
            let closures = kernels.map(|kernel| closure(index, kernel));
            ModuleDecisions::write(id, symbols, imports, closures, &mut room, &mut piece);
        }
        piece
    };
    let pieces = index.modules().chunks(AT_A_TIME).flat_map(|modules| {
        let pieces: Vec<ModuleRange> = modules.chunks(PIECE).collect();
        pieces.into_par_iter().map(piece).collect::<Vec<_>>()
    });
    Decisions::write_file(index.units.len(), pieces, file)
}

/// Returns the record of one kernel.
fn closure(index: &Index<'_>, closure: &KernelClosure) -> ClosureDecision {
    let exit = closure.end.map(|end| {
        let (reason, from, to) = match end {
            End::TooLarge => (ExitReason::TooLarge, closure.kernel, None),
            End::Fixed { caller, callee } => (ExitReason::NotCopyable, caller, Some(callee)),
            End::Shared { caller, callee } => (ExitReason::Shared, caller, Some(callee)),
            End::Undefined { caller, callee } => (ExitReason::Undefined, caller, Some(callee)),
            End::Indirect { caller } => (ExitReason::Indirect, caller, None),
            End::OverCopyLimit { caller, callee } => {
                (ExitReason::OverCopyLimit, caller, Some(callee))
            }
            End::CutOff => (ExitReason::CutOff, closure.kernel, None),
        };
        let callee = to.map(|node| index.name(node).to_owned());
        ClosureExit { reason, caller: index.number(from), callee }
    });
    let KernelClosure { kernel, functions, instructions, end: _ } = *closure;
    ClosureDecision { kernel: index.number(kernel), functions, instructions, exit }
}

fn fate(
    index: &Index<'_>,
    liveness: &Liveness,
    closing: &Closing,
    referrers: &DeadReferrers,
    node: NodeId,
    step: impl Fn(NodeId) -> i64,
) -> SymbolFate {
    if !liveness.live[node] {
        return match referrers.of(index, node) {
            None => SymbolFate::Unreferenced,
            Some(referrer) => SymbolFate::DeadWith(step(referrer)),
        };
    }
    if let Some(provider) = index.provider(node).filter(|&provider| provider != node) {
        return SymbolFate::CopyOf(step(provider));
    }
    if !closing.stays(node) {
        return SymbolFate::OnlyCopied;
    }
    if let Some(reason) = liveness.reasons[node] {
        return SymbolFate::Root(reason);
    }
    match liveness.parents[node].get() {
        // Nothing reached it, so it is live because everything is.
        None => SymbolFate::Root(RootReason::NothingRemoved),
        Some(parent) => SymbolFate::Through(step(parent)),
    }
}

/// For each definition that is removed, another one that refers to it: the first.
struct DeadReferrers {
    /// For each name, at its leader, the first two definitions that refer to it, as one of them may
    /// have that name itself.
    of_leaders: PerNode<[OptionalNode; 2]>,
}

impl DeadReferrers {
    fn new(index: &Index<'_>, liveness: &Liveness) -> Self {
        let mut dead = index.all_nodes().filter(|&node| !liveness.live[node]).peekable();
        if dead.peek().is_none() {
            return Self { of_leaders: Vec::new().into() };
        }
        let mut of_leaders = PerNode::filled([OptionalNode::NONE; 2], index.len());
        for node in dead {
            let referrer = OptionalNode::from(node);
            index.for_each_edge(node, |edge| match &mut of_leaders[index.leader(edge)] {
                [first, _] if *first == OptionalNode::NONE => *first = referrer,
                [first, second] if *second == OptionalNode::NONE && *first != referrer => {
                    *second = referrer;
                }
                _ => {}
            });
        }
        Self { of_leaders }
    }

    fn of(&self, index: &Index<'_>, node: NodeId) -> Option<NodeId> {
        match self.of_leaders[index.leader(node)] {
            [first, second] if first == node.into() => second.get(),
            [first, _] => first.get(),
        }
    }
}
