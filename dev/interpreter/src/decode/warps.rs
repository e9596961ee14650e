//! Instructions of several threads: barriers, shuffles, votes, matches and reductions.

use super::memory::operation;
use super::operands::Reader;
use crate::arithmetic::Words;
use crate::code::{Action, Atomic, BlockVote, Source, VoteKind, Warp, WarpKind};
use crate::fault::Result;
use crate::types::{Kind, Type};

const PREDICATE: Type = Type { kind: Kind::Predicate, bits: 1 };
const ZERO: Source = Source::Constant(0);

/// Returns the action of an instruction of this file's kind.
pub(super) fn action(reader: &Reader<'_>) -> Result<Option<Action>> {
    let mut words = Words::new(&reader.statement.name);
    let found = match words.name {
        "bar" | "barrier" if reader.statement.name.contains(".warp.") => (words.take("warp")
            && words.take("sync"))
        .then(|| warp(reader, WarpKind::Barrier, &[], Some(0))),
        "bar" | "barrier" => return barrier(reader, &mut words),
        "shfl" => {
            let kind = words.first(|word| {
                Some(match word {
                    "up" => WarpKind::ShuffleUp,
                    "down" => WarpKind::ShuffleDown,
                    "bfly" => WarpKind::ShuffleButterfly,
                    "idx" => WarpKind::ShuffleIndex,
                    _ => return None,
                })
            });
            let is_known = words.take("sync") && words.take("b32");
            kind.filter(|_| is_known).map(|kind| warp(reader, kind, &[1, 2, 3], Some(4)))
        }
        "vote" => {
            let kind = words.one_of(&["all", "any", "uni", "ballot"]).map(|word| match word {
                "all" => VoteKind::All,
                "any" => VoteKind::Any,
                "uni" => VoteKind::Uniform,
                _ => VoteKind::Ballot,
            });
            let is_known = words.take("sync") && (words.take("pred") || words.take("b32"));
            kind.filter(|_| is_known).map(|kind| warp(reader, WarpKind::Vote(kind), &[1], Some(2)))
        }
        "match" => {
            let is_any = words.take("any");
            let is_known = (is_any || words.take("all")) && words.take("sync");
            words.of().filter(|_| is_known).map(|of| {
                let kind = if is_any { WarpKind::MatchAny(of) } else { WarpKind::MatchAll(of) };
                warp(reader, kind, &[1], Some(2))
            })
        }
        "redux" => {
            let operation = operation(&mut words).filter(|operation| {
                !matches!(operation, Atomic::Exchange | Atomic::CompareAndSwap)
            });
            let of = words.of().filter(|of| of.bits == 32 && of.is_whole());
            let is_known = words.take("sync");
            operation
                .zip(of)
                .filter(|_| is_known)
                .map(|(operation, of)| warp(reader, WarpKind::Reduce(operation, of), &[1], Some(2)))
        }
        "activemask" => words.take("b32").then(|| warp(reader, WarpKind::ActiveMask, &[], None)),
        "elect" => words.take("sync").then(|| warp(reader, WarpKind::Elect, &[], Some(1))),
        _ => None,
    };
    found.filter(|_| words.are_all_read()).transpose()
}

/// Reads an instruction whose operands have these numbers.
fn warp(
    reader: &Reader<'_>,
    kind: WarpKind,
    numbers: &[usize],
    mask: Option<usize>,
) -> Result<Action> {
    let of = match kind {
        WarpKind::Vote(_) => PREDICATE,
        WarpKind::MatchAny(of) | WarpKind::MatchAll(of) => of,
        _ => Type::U32,
    };
    let mut operands = [ZERO; 3];
    for (operand, number) in operands.iter_mut().zip(numbers) {
        *operand = reader.source(*number, of)?;
    }
    let mask = mask.map(|number| reader.source(number, Type::U32)).transpose()?;
    let [target, predicate] =
        if kind == WarpKind::Barrier { [None, None] } else { reader.targets(0)? };
    Ok(Action::Warp(Warp { kind, target, predicate, operands, mask }))
}

fn barrier(reader: &Reader<'_>, words: &mut Words<'_>) -> Result<Option<Action>> {
    words.take("cta");
    words.take("aligned");
    let Some(kind) = words.one_of(&["sync", "arrive", "red"]) else { return Ok(None) };
    if kind == "red" {
        let vote = words.one_of(&["popc", "and", "or"]).map(|word| match word {
            "popc" => VoteKind::Count,
            "and" => VoteKind::All,
            _ => VoteKind::Any,
        });
        let Some(vote) = vote.filter(|_| words.of().is_some() && words.are_all_read()) else {
            return Ok(None);
        };
        let last = reader.count().saturating_sub(1);
        let threads = (last == 3).then(|| reader.source(2, Type::U32)).transpose()?;
        let vote = BlockVote {
            kind: vote,
            target: reader.target(0)?,
            predicate: reader.source(last, PREDICATE)?,
        };
        let number = reader.source(1, Type::U32)?;
        return Ok(Some(Action::Barrier { number, threads, waits: true, vote: Some(vote) }));
    }
    // `barrier.cta.sync.all` would name the threads.
    if !words.are_all_read() {
        return Ok(None);
    }
    let number = reader.source(0, Type::U32)?;
    let threads = (reader.count() > 1).then(|| reader.source(1, Type::U32)).transpose()?;
    Ok(Some(Action::Barrier { number, threads, waits: kind == "sync", vote: None }))
}
