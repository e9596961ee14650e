//! Changes that atomic instructions make.

use crate::arithmetic::{f32_sum, f64_sum, half_sum};
use crate::code::Atomic;
use crate::types::{Kind, Type};

/// Returns the new value of memory.
pub(super) fn updated(operation: Atomic, of: Type, old: u64, a: u64, b: u64) -> u64 {
    let number = |value: u64| of.number(value);
    of.truncated(match operation {
        Atomic::Add => sum(of, old, a),
        Atomic::Min if number(a) < number(old) => a,
        Atomic::Max if number(a) > number(old) => a,
        Atomic::Min | Atomic::Max => old,
        Atomic::And => old & a,
        Atomic::Or => old | a,
        Atomic::Xor => old ^ a,
        Atomic::Exchange => a,
        Atomic::CompareAndSwap => {
            if of.truncated(old) == of.truncated(a) {
                b
            } else {
                old
            }
        }
        Atomic::Increment => {
            if number(old) >= number(a) {
                0
            } else {
                old + 1
            }
        }
        Atomic::Decrement => {
            if number(old) == 0 || number(old) > number(a) {
                a
            } else {
                old - 1
            }
        }
    })
}

fn sum(of: Type, a: u64, b: u64) -> u64 {
    match (of.kind, of.bits) {
        (Kind::Float, 32) => f32_sum(a, b),
        (Kind::Float, 64) => f64_sum(a, b),
        (Kind::Float | Kind::BrainFloat, _) => half_sum(of.kind, a, b),
        (Kind::FloatPair | Kind::BrainFloatPair, _) => {
            half_sum(of.kind, a, b) | half_sum(of.kind, a >> 16, b >> 16) << 16
        }
        _ => a.wrapping_add(b),
    }
}
