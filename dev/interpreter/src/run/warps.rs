//! Instructions that threads of a warp run together.

use super::atomics::updated;
use super::shared::Shared;
use super::thread::{State, Thread};
use crate::code::{Action, VoteKind, Warp, WarpKind};
use crate::fault::{Fault, Result};

/// Lets the threads of the first complete group run their instruction. Returns whether there was
/// one.
///
/// A group with a mask is complete when all its threads that have not ended wait at the same
/// instruction, or, at a barrier, at any one. A thread without a mask, which asks for the active
/// threads, waits until no group with a mask is complete; its group is all threads of the warp at
/// the same instruction. So threads of one branch run together, as far as they can.
pub(super) fn resolve(threads: &mut [Thread], shared: &Shared<'_>) -> Result<bool> {
    for has_mask in [true, false] {
        for first in 0..threads.len() {
            let Some(warp) = waiting(&threads[first], shared) else { continue };
            if warp.mask.is_some() != has_mask {
                continue;
            }
            if let Some(members) = group(threads, shared, first, warp)? {
                run(threads, shared, &members, warp);
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Returns the instruction at which a thread waits for others of its warp.
fn waiting<'run>(thread: &Thread, shared: &Shared<'run>) -> Option<&'run Warp> {
    if thread.state != State::AtWarp {
        return None;
    }
    let (function, position) = thread.place();
    match &shared.program.functions[function].instructions[position].action {
        Action::Warp(warp) => Some(warp),
        _ => None,
    }
}

/// Returns the threads that run the instruction with thread `first`, or nothing if one is missing.
fn group(
    threads: &[Thread],
    shared: &Shared<'_>,
    first: usize,
    warp: &Warp,
) -> Result<Option<Vec<usize>>> {
    let of_warp = (0..threads.len()).filter(|other| {
        threads[*other].warp() == threads[first].warp() && threads[*other].state != State::Ended
    });
    let place = threads[first].place();
    let Some(mask) = warp.mask.map(|mask| threads[first].value(mask, shared)) else {
        return Ok(Some(of_warp.filter(|other| threads[*other].place() == place).collect()));
    };
    if mask >> threads[first].lane() & 1 == 0 {
        let (function, position) = place;
        let code = &shared.program.functions[function];
        let fault = Fault::new(format!("the mask {mask:#x} lacks the thread that uses it"));
        return Err(fault.located(&code.file, code.instructions[position].line));
    }
    let members: Vec<usize> =
        of_warp.filter(|other| mask >> threads[*other].lane() & 1 == 1).collect();
    let is_complete = members.iter().all(|member| {
        let other = waiting(&threads[*member], shared);
        other.is_some_and(|other| {
            let is_same = other.mask.map(|mask| threads[*member].value(mask, shared)) == Some(mask);
            let is_barrier = warp.kind == WarpKind::Barrier && other.kind == WarpKind::Barrier;
            is_same && (is_barrier || threads[*member].place() == place)
        })
    });
    Ok(is_complete.then_some(members))
}

fn run(threads: &mut [Thread], shared: &Shared<'_>, members: &[usize], warp: &Warp) {
    let operands: Vec<[u64; 3]> = members
        .iter()
        .map(|member| warp.operands.map(|operand| threads[*member].value(operand, shared)))
        .collect();
    let lanes: Vec<u32> = members.iter().map(|member| threads[*member].lane()).collect();
    for (number, member) in members.iter().enumerate() {
        let (value, predicate) = result(warp.kind, &lanes, &operands, number);
        let thread = &mut threads[*member];
        thread.set(warp.target, value);
        thread.set(warp.predicate, u64::from(predicate));
        thread.advance();
        thread.state = State::Ready;
    }
}

/// Returns the result for one thread of a group, and its predicate.
fn result(kind: WarpKind, lanes: &[u32], operands: &[[u64; 3]], number: usize) -> (u64, bool) {
    let [own, ..] = operands[number];
    let lanes_where = |is_in: &dyn Fn(&[u64; 3]) -> bool| {
        let all = lanes.iter().zip(operands).filter(|(_, operands)| is_in(operands));
        all.fold(0_u64, |mask, (lane, _)| mask | 1 << lane)
    };
    let all = lanes_where(&|_| true);
    match kind {
        WarpKind::Barrier => (0, false),
        WarpKind::ActiveMask => (all, false),
        WarpKind::Elect => {
            let leader = lanes.iter().copied().min().unwrap_or_default();
            (u64::from(leader), lanes[number] == leader)
        }
        WarpKind::Vote(kind) => {
            let is_for = lanes_where(&|[predicate, ..]| predicate & 1 == 1);
            let value = match kind {
                VoteKind::All => u64::from(is_for == all),
                VoteKind::Any => u64::from(is_for != 0),
                VoteKind::Uniform => u64::from(is_for == all || is_for == 0),
                VoteKind::Ballot => is_for,
                VoteKind::Count => u64::from(is_for.count_ones()),
            };
            (value, false)
        }
        WarpKind::MatchAny(of) => {
            (lanes_where(&|[value, ..]| of.truncated(*value) == of.truncated(own)), false)
        }
        WarpKind::MatchAll(of) => {
            let same = lanes_where(&|[value, ..]| of.truncated(*value) == of.truncated(own));
            if same == all { (all, true) } else { (0, false) }
        }
        WarpKind::Reduce(operation, of) => {
            let values = operands.iter().map(|[value, ..]| of.truncated(*value));
            let reduced = values.reduce(|whole, value| updated(operation, of, whole, value, 0));
            (reduced.unwrap_or_default(), false)
        }
        _ => shuffle(kind, lanes, operands, number),
    }
}

/// Returns the value of another lane, and whether the lane is in range. The third operand holds the
/// last lane of a segment and a mask of the lanes' bits that name the segment.
fn shuffle(kind: WarpKind, lanes: &[u32], operands: &[[u64; 3]], number: usize) -> (u64, bool) {
    let [own, distance, control] = operands[number];
    let lane = i64::from(lanes[number]);
    let distance = (distance & 31).cast_signed();
    let clamp = (control & 31).cast_signed();
    let segment = (control >> 8 & 31).cast_signed();
    let last = (lane & segment) | (clamp & !segment);
    let first = lane & segment;
    let (source, is_in_range) = match kind {
        WarpKind::ShuffleUp => (lane - distance, lane - distance >= last),
        WarpKind::ShuffleDown => (lane + distance, lane + distance <= last),
        WarpKind::ShuffleButterfly => (lane ^ distance, (lane ^ distance) <= last),
        _ => {
            let source = first | (distance & !segment);
            (source, source <= last)
        }
    };
    let source = if is_in_range { source } else { lane };
    let other = lanes.iter().position(|lane| i64::from(*lane) == source);
    // The value of a lane that does not take part is undefined: the thread keeps its own.
    let value = other.map_or(own, |other| operands[other][0]);
    (value & 0xFFFF_FFFF, is_in_range)
}
