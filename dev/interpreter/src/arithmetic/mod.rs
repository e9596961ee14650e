//! Instructions that compute a value from values, without memory and other threads.
//!
//! The PTX manual leaves some values open. They are chosen here:
//! - `.approx` instructions and `div.full` compute in double precision and round the result to the
//!   nearest number, so they are at least as exact as a GPU.
//! - A result that is not a number is `0x7fffffff` in single and `0x7fff` in half precision, as on
//!   a GPU, and the quiet positive one without payload in double precision.
//! - A whole number divided by zero is all ones, and the remainder is the dividend.

mod approximate;
mod bits;
mod compare;
mod convert;
mod float;
mod integers;
mod operation;
mod reals;
mod words;

#[cfg(test)]
mod tests;

pub(crate) use compare::{Comparison, comparison};
pub(crate) use float::{f32_sum, f64_sum, half_sum};
pub(crate) use operation::{Operation, Pure};
pub(crate) use words::Words;

use crate::types::{Kind, Type};

/// Returns what the instruction of this name computes, or nothing if it is unknown.
pub(crate) fn operation(text: &str) -> Option<Operation> {
    let mut words = Words::new(text);
    let name = words.name;
    let found = match name {
        "cvt" => convert::conversion(&mut words)?,
        "selp" => compare::select(&mut words)?,
        "slct" => compare::select_by_sign(&mut words)?,
        "set" => compare::set(&mut words)?,
        "mov" => {
            let of = words.of()?;
            Operation::new(of, 1, move |[a, ..]| of.truncated(*a))
        }
        _ => {
            let of = words.last_type()?;
            match of.kind {
                Kind::Float | Kind::BrainFloat => reals::operation(&mut words, of)?,
                Kind::FloatPair | Kind::BrainFloatPair => pair(&mut words, of)?,
                _ => integers::operation(&mut Words::new(text))
                    .or_else(|| bits::operation(&mut words))?,
            }
        }
    };
    // A modifier that was ignored would change the meaning unnoticed.
    let is_checked_elsewhere = !matches!(name, "cvt" | "selp" | "slct" | "set" | "mov");
    (is_checked_elsewhere || words.are_all_read()).then_some(found)
}

/// Returns the operation on each half of the operands.
fn pair(words: &mut Words<'_>, of: Type) -> Option<Operation> {
    let (half, name) = match of.kind {
        Kind::FloatPair => (Type { kind: Kind::Float, bits: 16 }, "f16"),
        _ => (Type { kind: Kind::BrainFloat, bits: 16 }, "bf16"),
    };
    let text = words.text.replace("bf16x2", name).replace("f16x2", name);
    let of_half = reals::operation(&mut Words::new(&text), half)?;
    let (operands, compute) = (of_half.operands, of_half.compute);
    Some(Operation::new(of, operands, move |values| {
        let low = compute(&values.map(|value| value & 0xFFFF));
        let high = compute(&values.map(|value| value >> 16 & 0xFFFF));
        low | high << 16
    }))
}
