//! Calls and returns.

use super::shared::Shared;
use super::thread::{Frame, ResultPlace, State, Thread, UNWRITTEN};
use crate::code::{Callee, Code, Passed, Source};
use crate::fault::{Fault, Result};
use crate::link::Program;
use crate::memory::{function_at, slice, slice_mut};
use crate::text::Parameter;

/// Number of calls of a thread that have not returned.
const DEPTH_LIMIT: usize = 20_000;
/// Alignment of frames and of their parameters.
const FRAME_ALIGNMENT: u64 = 128;

/// Starts a function.
pub(super) fn enter(
    thread: &mut Thread,
    shared: &Shared<'_>,
    callee: &Callee,
    results: &[Passed],
    arguments: &[Passed],
) -> Result<()> {
    let function = match callee {
        Callee::Function(function) => *function,
        Callee::Address(source) => {
            let address = thread.value(*source, shared);
            let found = function_at(address);
            found
                .filter(|function| *function < shared.program.functions.len())
                .ok_or_else(|| Fault::new(format!("no function is at {address:#x}")))?
        }
        Callee::Builtin(_) => return Err(Fault::new("a builtin function has no code")),
    };
    let code = &shared.program.functions[function];
    if thread.frames.len() >= DEPTH_LIMIT {
        return Err(Fault::new("calls are too deep"));
    }
    let parameters = grow(&mut thread.local, code.parameter_bytes);
    let local = grow(&mut thread.local, code.local_bytes);
    pass(thread, shared, code, parameters, arguments)?;
    let results = result_places(code, results)?;
    thread.advance();
    thread.frames.push(Frame {
        function,
        position: 0,
        registers: vec![0; code.registers],
        parameters,
        local,
        results,
    });
    Ok(())
}

/// Appends memory of a frame, and returns its start.
pub(super) fn grow(memory: &mut Vec<u8>, bytes: u64) -> u64 {
    let start = (memory.len() as u64).next_multiple_of(FRAME_ALIGNMENT);
    memory.resize(usize::try_from(start + bytes).unwrap_or(usize::MAX), UNWRITTEN);
    start
}

/// Copies the arguments of a call into the parameters of the callee.
fn pass(
    thread: &mut Thread,
    shared: &Shared<'_>,
    code: &Code,
    start: u64,
    arguments: &[Passed],
) -> Result<()> {
    if arguments.len() != code.parameters.len() {
        return Err(Fault::new(format!(
            "{} has {} parameters and gets {}",
            code.name,
            code.parameters.len(),
            arguments.len()
        )));
    }
    for (parameter, argument) in code.parameters.iter().zip(arguments) {
        let to = start + parameter.offset;
        match argument {
            Passed::Memory { offset, bytes } => {
                check_size(code, parameter, *bytes)?;
                let from = thread.frames.last().map_or(0, |frame| frame.parameters) + offset;
                copy(&mut thread.local, from, to, *bytes)?;
            }
            Passed::Value(source) => {
                let value = thread.value(*source, shared).to_le_bytes();
                let place = slice_mut(&mut thread.local, to, parameter.bytes.min(8));
                let place = place.ok_or_else(|| Fault::new("a parameter is too large"))?;
                let length = place.len();
                place.copy_from_slice(&value[..length]);
            }
        }
    }
    Ok(())
}

fn check_size(code: &Code, parameter: &Parameter, bytes: u64) -> Result<()> {
    if parameter.bytes == bytes {
        return Ok(());
    }
    Err(Fault::new(format!(
        "{} has {} bytes of {}, and a caller passes {bytes}",
        parameter.name, parameter.bytes, code.name
    )))
}

fn result_places(code: &Code, results: &[Passed]) -> Result<Vec<ResultPlace>> {
    if results.len() != code.results.len() {
        return Err(Fault::new(format!("{} returns other values than a caller wants", code.name)));
    }
    let place = |(result, passed): (&Parameter, &Passed)| match passed {
        Passed::Memory { offset, bytes } => {
            check_size(code, result, *bytes)?;
            Ok(ResultPlace::Memory(*offset))
        }
        Passed::Value(Source::Register(register)) => Ok(ResultPlace::Register(*register)),
        Passed::Value(_) => Err(Fault::new("a call's result is no register")),
    };
    code.results.iter().zip(results).map(place).collect()
}

/// Returns from a function, or ends the thread.
pub(super) fn leave(thread: &mut Thread, program: &Program) -> Result<()> {
    let Some(frame) = thread.frames.pop() else { return Ok(()) };
    let code = &program.functions[frame.function];
    let Some(caller) = thread.frames.last_mut() else {
        thread.frames.push(frame);
        thread.state = State::Ended;
        return Ok(());
    };
    for (result, place) in code.results.iter().zip(&frame.results) {
        let from = frame.parameters + result.offset;
        match place {
            ResultPlace::Memory(offset) => {
                let to = caller.parameters + offset;
                copy(&mut thread.local, from, to, result.bytes)?;
            }
            ResultPlace::Register(register) => {
                let bytes = slice(&thread.local, from, result.bytes.min(8));
                let bytes = bytes.ok_or_else(|| Fault::new("a result is missing"))?;
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                caller.registers[*register] = u64::from_le_bytes(word);
            }
        }
    }
    thread.local.truncate(usize::try_from(frame.parameters).unwrap_or(usize::MAX));
    Ok(())
}

fn copy(memory: &mut [u8], from: u64, to: u64, bytes: u64) -> Result<()> {
    let outside = || Fault::new("a parameter is outside of its frame");
    let source = slice(memory, from, bytes).ok_or_else(outside)?.to_vec();
    slice_mut(memory, to, bytes).ok_or_else(outside)?.copy_from_slice(&source);
    Ok(())
}
