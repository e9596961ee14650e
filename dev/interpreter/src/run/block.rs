//! The threads of a block, run in turns.
//!
//! The threads run in the order of their numbers, each until it ends, waits for others, or has had
//! its turn. When no thread can run, the threads that wait for each other go on: first those of a
//! warp's mask, then those that ask which threads are active, and then those at a barrier.

use super::shared::{Shared, position};
use super::thread::{Frame, State, Thread};
use super::{calls, step, warps};
use crate::code::{Action, VoteKind};
use crate::fault::{Fault, Result};

/// Instructions of a turn. A thread that spins lets the others run after these.
const TURN: u64 = 100_000;

/// Runs a block of a kernel to its end.
pub(super) fn run(
    shared: &mut Shared<'_>,
    kernel: usize,
    arguments: &[u8],
    only: Option<u32>,
) -> Result<()> {
    let count: u32 = shared.threads.iter().product();
    let numbers = (0..count).filter(|number| only.is_none_or(|only| only == *number));
    let code = &shared.program.functions[kernel];
    let mut memory = arguments.to_vec();
    let local = calls::grow(&mut memory, code.local_bytes);
    let mut threads: Vec<Thread> = numbers
        .map(|number| Thread {
            number,
            position: position(u64::from(number), shared.threads),
            frames: vec![Frame {
                function: kernel,
                position: 0,
                registers: vec![0; code.registers],
                parameters: 0,
                local,
                results: Vec::new(),
            }],
            local: memory.clone(),
            carry: false,
            state: State::Ready,
        })
        .collect();
    let mut arrivals = Vec::new();
    loop {
        for thread in &mut threads {
            if thread.state == State::Ready {
                step::run(thread, shared, TURN, &mut arrivals)?;
            }
        }
        if threads.iter().all(|thread| thread.state == State::Ended) {
            return Ok(());
        }
        let goes_on = threads.iter().any(|thread| thread.state == State::Ready)
            || warps::resolve(&mut threads, shared)?
            || release(&mut threads, shared, &mut arrivals);
        if !goes_on {
            return Err(stuck(&threads, shared));
        }
    }
}

/// Lets the threads at a barrier go on for which enough have arrived. `arrivals` holds the barriers
/// at which threads arrived without waiting.
fn release(threads: &mut [Thread], shared: &Shared<'_>, arrivals: &mut Vec<u64>) -> bool {
    let alive = threads.iter().filter(|thread| thread.state != State::Ended).count() as u64;
    let waiting: Vec<(u64, Option<u64>)> = threads
        .iter()
        .filter_map(|thread| match thread.state {
            State::AtBarrier(number, expected) => Some((number, expected)),
            _ => None,
        })
        .collect();
    let complete = waiting.iter().find(|(number, expected)| {
        let arrived = waiting.iter().filter(|(other, _)| other == number).count()
            + arrivals.iter().filter(|other| *other == number).count();
        arrived as u64 >= expected.unwrap_or(alive)
    });
    let Some((number, _)) = complete else { return false };
    arrivals.retain(|arrival| arrival != number);
    let members: Vec<usize> = (0..threads.len())
        .filter(
            |index| matches!(threads[*index].state, State::AtBarrier(other, _) if other == *number),
        )
        .collect();
    let votes: Vec<bool> = members
        .iter()
        .map(|index| vote(&threads[*index], shared).is_some_and(|(_, _, is_for)| is_for))
        .collect();
    let is_for = votes.iter().filter(|is_for| **is_for).count();
    for index in members {
        let thread = &mut threads[index];
        if let Some((kind, target, _)) = vote(thread, shared) {
            let result = match kind {
                VoteKind::Count => is_for as u64,
                VoteKind::All => u64::from(is_for == votes.len()),
                _ => u64::from(is_for > 0),
            };
            thread.set(target, result);
        }
        thread.advance();
        thread.state = State::Ready;
    }
    true
}

/// Returns the vote of a thread that waits at a barrier, if the barrier has one.
fn vote(thread: &Thread, shared: &Shared<'_>) -> Option<(VoteKind, Option<usize>, bool)> {
    let (function, position) = thread.place();
    match &shared.program.functions[function].instructions[position].action {
        Action::Barrier { vote: Some(vote), .. } => {
            let is_for = thread.value(vote.predicate, shared) & 1 == 1;
            Some((vote.kind, vote.target, is_for))
        }
        _ => None,
    }
}

/// Returns the error of threads that wait for each other forever.
fn stuck(threads: &[Thread], shared: &Shared<'_>) -> Fault {
    let waiting = threads.iter().find(|thread| thread.state != State::Ended);
    let Some(thread) = waiting else { return Fault::new("no thread can run") };
    let (function, position) = thread.place();
    let code = &shared.program.functions[function];
    let message = format!("thread {} waits for threads that do not come", thread.number);
    Fault::new(message).located(&code.file, code.instructions[position].line)
}
