//! The record of why each definition stays or goes, for people who ask later.
//!
//! Cost: each definition once, and each edge of what goes, in parallel by module.

use std::io::{self, Seek, Write};
use std::ops::Range;

use rayon::prelude::*;
use weft_artifact::{
    ClosureDecision, ClosureExit, Decisions, ExitReason, ModuleDecisions, RootReason,
    SymbolDecision, Verdict,
};

use crate::analyses::liveness::Liveness;
use crate::closing::{Closing, End, KernelClosure};
use crate::imports::Imports;
use crate::model::index::{Index, Module, Node, position};

/// No node.
const NOBODY: u32 = u32::MAX;

/// Modules of which the records are in memory at a time.
const AT_A_TIME: usize = 256;

/// Modules that a thread writes in a row.
const PIECE: usize = 16;

/// Writes the file of what was decided.
pub(crate) fn write(
    index: &Index<'_>,
    liveness: &Liveness,
    closing: &Closing,
    imports: &[Imports],
    file: &mut (impl Write + Seek),
) -> io::Result<()> {
    let referrers = DeadReferrers::new(index, liveness);
    let piece = |modules: Range<Module>| {
        let (mut room, mut piece) = (Vec::new(), Vec::new());
        for module in modules {
            let first = i64::from(index.number(index.nodes(module).start));
            let step = |node: Node| i64::from(index.number(node)) - first;
            let symbols = index.nodes(module).filter(|&node| index.is_definition(node));
            let symbols = symbols.map(|node| SymbolDecision {
                name: index.name(node),
                verdict: verdict(index, liveness, closing, &referrers, node, step),
            });
            let (id, imports) = (index.module_id(module), &imports[module].recorded);
            let closures = closing.kernels(module).iter().map(|it| closure(index, it));
            ModuleDecisions::write(id, symbols, imports, closures, &mut room, &mut piece);
        }
        piece
    };
    let count = index.units.len();
    let pieces = (0..count).step_by(AT_A_TIME).flat_map(|start| {
        let some = start..count.min(start + AT_A_TIME);
        let pieces = some.clone().into_par_iter().step_by(PIECE);
        pieces.map(|start| piece(start..some.end.min(start + PIECE))).collect::<Vec<_>>()
    });
    Decisions::write_file(count, pieces, file)
}

/// What became of one kernel, for people who ask.
fn closure(index: &Index<'_>, closure: &KernelClosure) -> ClosureDecision {
    let exit = closure.end.map(|end| {
        let (reason, from, to) = match end {
            End::TooLarge => (ExitReason::TooLarge, closure.kernel, None),
            End::Fixed { caller, callee } => (ExitReason::NotCopyable, caller, Some(callee)),
            End::Shared { caller, callee } => (ExitReason::Shared, caller, Some(callee)),
            End::Undefined { caller, callee } => (ExitReason::Undefined, caller, Some(callee)),
            End::Indirect { caller } => (ExitReason::Indirect, caller, None),
        };
        let callee = to.map(|node| index.name(node).to_owned());
        ClosureExit { reason, caller: index.number(from), callee }
    });
    let KernelClosure { kernel, functions, instructions, end: _ } = *closure;
    ClosureDecision { kernel: index.number(kernel), functions, instructions, exit }
}

fn verdict(
    index: &Index<'_>,
    liveness: &Liveness,
    closing: &Closing,
    referrers: &DeadReferrers,
    node: Node,
    step: impl Fn(Node) -> i64,
) -> Verdict {
    if !liveness.live[node] {
        return match referrers.of(index, node) {
            NOBODY => Verdict::Unreferenced,
            referrer => Verdict::DeadWith(step(referrer as Node)),
        };
    }
    if let Some(provider) = index.provider(node).filter(|&provider| provider != node) {
        return Verdict::CopyOf(step(provider));
    }
    if !closing.stays(node) {
        return Verdict::OnlyCopied;
    }
    if let Some(reason) = liveness.reasons[node] {
        return Verdict::Root(reason);
    }
    match liveness.parents[node] {
        // Nothing reached it, so it is live because everything is.
        NOBODY => Verdict::Root(RootReason::NothingRemoved),
        parent => Verdict::Through(step(parent as Node)),
    }
}

/// For each definition that goes, one that refers to it: the first that is not itself.
struct DeadReferrers {
    /// Of each name, at its leader: the first two that refer to it, as one of them may be of that name
    /// itself.
    of_leaders: Vec<[u32; 2]>,
}

impl DeadReferrers {
    fn new(index: &Index<'_>, liveness: &Liveness) -> Self {
        let mut dead = (0..index.len()).filter(|&node| !liveness.live[node]).peekable();
        if dead.peek().is_none() {
            return Self { of_leaders: Vec::new() };
        }
        let mut of_leaders = vec![[NOBODY; 2]; index.len()];
        for node in dead {
            let referrer = position(node);
            index.for_each_edge(node, |edge| match &mut of_leaders[index.leader(edge)] {
                [first, _] if *first == NOBODY => *first = referrer,
                [first, second] if *second == NOBODY && *first != referrer => *second = referrer,
                _ => {}
            });
        }
        Self { of_leaders }
    }

    fn of(&self, index: &Index<'_>, node: Node) -> u32 {
        match self.of_leaders[index.leader(node)] {
            [first, second] if first as usize == node => second,
            [first, _] => first,
        }
    }
}
