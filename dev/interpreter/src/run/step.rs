//! The instructions of one thread.

use super::shared::Shared;
use super::thread::{State, Thread};
use super::{access, atomics, builtins, calls};
use crate::code::{Action, Callee, Carry, CarryKind, Instruction};
use crate::fault::{Fault, Result};
use crate::memory::{generic, space_of, specific};
use crate::text::Space;
use crate::types::{Kind, Type};

/// Runs a thread until it waits or ends, and at most for `turn` instructions.
pub(super) fn run(
    thread: &mut Thread,
    shared: &mut Shared<'_>,
    turn: u64,
    arrivals: &mut Vec<u64>,
) -> Result<()> {
    let (program, thread_number) = (shared.program, thread.number);
    for _ in 0..turn {
        if thread.state != State::Ready {
            return Ok(());
        }
        let (function, position) = thread.place();
        let code = &program.functions[function];
        let Some(instruction) = code.instructions.get(position) else {
            // The end of a body is a return.
            calls::leave(thread, program)?;
            continue;
        };
        let locate = |fault: Fault| {
            let message = format!("{} ({}, thread {})", fault.message, code.name, thread_number);
            Fault::new(message).located(&code.file, instruction.line)
        };
        if *shared.steps >= shared.limit {
            return Err(locate(Fault::new("the launch has too many steps")));
        }
        *shared.steps += 1;
        execute(thread, shared, instruction, arrivals).map_err(locate)?;
    }
    Ok(())
}

#[expect(clippy::too_many_lines, reason = "one arm for each action")]
fn execute(
    thread: &mut Thread,
    shared: &mut Shared<'_>,
    instruction: &Instruction,
    arrivals: &mut Vec<u64>,
) -> Result<()> {
    if let (Some(guard), Some(frame)) = (instruction.guard, thread.frames.last())
        && (frame.registers[guard.register] & 1 == 1) == guard.is_negated
    {
        thread.advance();
        return Ok(());
    }
    match &instruction.action {
        Action::Compute { target, operands, compute } => {
            let values = operands.map(|operand| thread.value(operand, shared));
            thread.set(*target, compute(&values));
        }
        Action::Pack { target, parts, bits } => {
            let of = Type { kind: Kind::Bits, bits: *bits };
            let part = |number: usize| of.truncated(thread.value(parts[number], shared));
            let whole = (0..parts.len())
                .rev()
                .fold(0_u64, |whole, part_number| whole.wrapping_shl(*bits) | part(part_number));
            thread.set(*target, whole);
        }
        Action::Unpack { targets, source, bits } => {
            let of = Type { kind: Kind::Bits, bits: *bits };
            let mut whole = thread.value(*source, shared);
            for target in targets {
                thread.set(*target, of.truncated(whole));
                whole = whole.wrapping_shr(*bits);
            }
        }
        Action::Compare { targets, operands, comparison } => {
            let [a, b, predicate] = operands.map(|operand| thread.value(operand, shared));
            let (yes, no) = comparison.results(a, b, predicate & 1 == 1);
            thread.set(targets[0], u64::from(yes));
            thread.set(targets[1], u64::from(no));
        }
        Action::Carry { target, operands, of, carry } => {
            let values = operands.map(|operand| thread.value(operand, shared));
            let (value, is_carried) = carried(*carry, *of, values, thread.carry);
            thread.set(*target, value);
            if carry.writes {
                thread.carry = is_carried;
            }
        }
        Action::Load { place, of, targets } => {
            let size = of.bytes();
            let alignment = size * targets.len() as u64;
            let (space, address) = access::address(thread, shared, *place, alignment)?;
            let mut values = Vec::with_capacity(targets.len());
            for number in 0..targets.len() as u64 {
                let at = (space, address + number * size);
                let value = access::load(thread, shared, at, size)?;
                values.push(Type { bits: 64, ..*of }.wrapped(of.number(value)));
            }
            for (target, value) in targets.iter().zip(values) {
                thread.set(*target, value);
            }
        }
        Action::Fetch { targets, texture, element } => {
            let element = Type::U32.truncated(thread.value(*element, shared));
            let address = thread.value(*texture, shared) + 4 * element;
            let value = access::load(thread, shared, (Space::Global, address), 4)?;
            // The components that such a texture lacks are zero, zero and one.
            let one = u64::from(1.0_f32.to_bits());
            for (target, value) in targets.iter().zip([value, 0, 0, one]) {
                thread.set(*target, value);
            }
        }
        Action::Store { place, of, sources } => {
            let size = of.bytes();
            let alignment = size * sources.len() as u64;
            let (space, address) = access::address(thread, shared, *place, alignment)?;
            for (number, source) in (0..).zip(sources) {
                let value = of.truncated(thread.value(*source, shared));
                access::store(thread, shared, (space, address + number * size), size, value)?;
            }
        }
        Action::Atomic { place, of, target, operation, operands } => {
            let at = access::address(thread, shared, *place, of.bytes())?;
            let old = access::load(thread, shared, at, of.bytes())?;
            let [a, b] = operands.map(|operand| thread.value(operand, shared));
            let new = atomics::updated(*operation, *of, old, a, b);
            access::store(thread, shared, at, of.bytes(), new)?;
            thread.set(*target, old);
        }
        Action::ConvertAddress { target, source, space, is_to_space } => {
            let address = thread.value(*source, shared);
            let convert = if *is_to_space { specific } else { generic };
            thread.set(*target, convert(*space, address));
        }
        Action::IsInSpace { target, source, space } => {
            let (mut found, address) = space_of(thread.value(*source, shared));
            if found == Space::Global && shared.global.is_constant(address) {
                found = Space::Const;
            }
            thread.set(*target, u64::from(found == *space));
        }
        Action::Branch(position) => return jump(thread, *position),
        Action::BranchByTable { index, targets } => {
            let index = Type::U32.truncated(thread.value(*index, shared));
            let position = usize::try_from(index).ok().and_then(|index| targets.get(index));
            let position = position
                .ok_or_else(|| Fault::new(format!("the list of targets has no {index}")))?;
            return jump(thread, *position);
        }
        Action::Call { callee: Callee::Builtin(builtin), results, arguments } => {
            builtins::call(thread, shared, *builtin, results, arguments)?;
        }
        Action::Call { callee, results, arguments } => {
            return calls::enter(thread, shared, callee, results, arguments);
        }
        Action::Return => return calls::leave(thread, shared.program),
        Action::Exit => {
            thread.state = State::Ended;
            return Ok(());
        }
        Action::Trap => return Err(Fault::new("the kernel stops at a trap")),
        Action::Nothing => {}
        Action::Barrier { number, threads, waits, .. } => {
            let number = thread.value(*number, shared);
            let expected = threads.map(|threads| thread.value(threads, shared));
            if *waits {
                thread.state = State::AtBarrier(number, expected);
                return Ok(());
            }
            arrivals.push(number);
        }
        Action::Warp(_) => {
            thread.state = State::AtWarp;
            return Ok(());
        }
    }
    thread.advance();
    Ok(())
}

#[expect(clippy::unnecessary_wraps, reason = "it ends arms whose others can fail")]
fn jump(thread: &mut Thread, position: usize) -> Result<()> {
    if let Some(frame) = thread.frames.last_mut() {
        frame.position = position;
    }
    Ok(())
}

/// Returns the result of arithmetic with the carry flag, and the new flag.
fn carried(carry: Carry, of: Type, [a, b, c]: [u64; 3], flag: bool) -> (u64, bool) {
    let unsigned = Type { kind: Kind::Unsigned, ..of };
    let number = |value: u64| unsigned.number(value);
    let flag = i128::from(flag && carry.reads);
    let exact = match carry.kind {
        CarryKind::Sum => number(a) + number(b) + flag,
        CarryKind::Difference => number(a) - number(b) - flag,
        CarryKind::LowProduct | CarryKind::HighProduct => {
            let signed = of.is_signed() && carry.kind == CarryKind::HighProduct;
            let product = if signed {
                (of.number(a) * of.number(b)) >> of.bits
            } else {
                let product = u128::from(unsigned.truncated(a)) * u128::from(unsigned.truncated(b));
                let shift = if carry.kind == CarryKind::HighProduct { of.bits } else { 0 };
                (product >> shift).cast_signed()
            };
            number(unsigned.wrapped(product)) + number(c) + flag
        }
    };
    (unsigned.wrapped(exact), exact < 0 || exact >> of.bits != 0)
}
