//! Approximate functions.

use rustc_apfloat::Round;

use super::float::{Real, double_of, flushed, saturated, with_real};
use super::operation::Operation;
use super::words::Words;
use crate::types::Type;

/// Returns whether the instruction is an approximate one, and reads the modifier.
pub(super) fn is_approximate(words: &mut Words<'_>) -> bool {
    words.take("approx") || words.take("full") || matches!(words.name, "ex2" | "tanh")
}

/// Returns what an approximate instruction computes: in double precision, and then rounded.
pub(super) fn operation(words: &mut Words<'_>, of: Type) -> Option<Operation> {
    let (flush, saturates) = (words.take("ftz"), words.take("sat"));
    words.of()?;
    let is_division = words.name == "div";
    let compute: fn(f64, f64) -> f64 = match words.name {
        "div" => |a, b| a / b,
        "rcp" => |a, _| 1.0 / a,
        "sqrt" => |a, _| a.sqrt(),
        "rsqrt" => |a, _| 1.0 / a.sqrt(),
        "sin" => |a, _| a.sin(),
        "cos" => |a, _| a.cos(),
        "lg2" => |a, _| a.log2(),
        "ex2" => |a, _| a.exp2(),
        "tanh" => |a, _| a.tanh(),
        _ => return None,
    };
    if !words.are_all_read() {
        return None;
    }
    Some(Operation::new(of, if is_division { 2 } else { 1 }, move |[a, b, ..]| {
        let value = compute(operand(of, flush, *a), operand(of, flush, *b));
        with_real!(of, result(value, flush, saturates))
    }))
}

fn operand(of: Type, flush: bool, bits: u64) -> f64 {
    fn read<F: Real>(bits: u64, flush: bool) -> u64 {
        flushed(F::of_bits(bits), flush).raw_bits()
    }
    double_of(of, with_real!(of, read(bits, flush)))
}

fn result<F: Real>(value: f64, flush: bool, saturates: bool) -> u64 {
    let value = flushed(F::of_double(value, Round::NearestTiesToEven), flush);
    if saturates { saturated(value).bits() } else { value.bits() }
}
