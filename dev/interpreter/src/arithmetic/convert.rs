//! Conversions between types.

use rustc_apfloat::Round;

use super::float::{Real, flushed, saturated, with_real};
use super::operation::Operation;
use super::words::Words;
use crate::types::{Kind, Type};

/// `cvt`.
pub(super) fn conversion(words: &mut Words<'_>) -> Option<Operation> {
    let whole = words.one_of(&["rni", "rzi", "rmi", "rpi"]);
    let round = words.one_of(&["rn", "rz", "rm", "rp"]);
    let round = match whole.or(round) {
        Some("rzi" | "rz") => Round::TowardZero,
        Some("rmi" | "rm") => Round::TowardNegative,
        Some("rpi" | "rp") => Round::TowardPositive,
        _ => Round::NearestTiesToEven,
    };
    let (flush, saturates) = (words.take("ftz"), words.take("sat"));
    let relu = words.take("relu");
    let (to, from) = (words.of()?, words.of()?);
    if relu && !matches!(to.kind, Kind::FloatPair | Kind::BrainFloatPair) {
        return None;
    }
    Some(match (from.kind, to.kind) {
        (Kind::Float, Kind::FloatPair | Kind::BrainFloatPair) => {
            let kind = if to.kind == Kind::FloatPair { Kind::Float } else { Kind::BrainFloat };
            let half = Type { kind, bits: 16 };
            // The first operand becomes the upper half.
            Operation::new(from, 2, move |[a, b, ..]| {
                let convert = |bits: u64| {
                    let result = real_to_real(from, half, bits, round, false, flush, saturates);
                    let is_negative = relu && result & 0x8000 != 0;
                    if is_negative { 0 } else { result }
                };
                convert(*a) << 16 | convert(*b)
            })
        }
        _ if from.is_whole() && to.is_whole() => Operation::new(from, 1, move |[a, ..]| {
            let number = from.number(*a);
            if saturates { to.saturated(number) } else { to.wrapped(number) }
        }),
        _ if from.is_whole() && to.is_float() => Operation::new(from, 1, move |[a, ..]| {
            with_real!(to, of_whole(from.number(*a), round, saturates))
        }),
        _ if from.is_float() && to.is_whole() => Operation::new(from, 1, move |[a, ..]| {
            with_real!(from, to_whole(from, to, *a, round, flush))
        }),
        _ if from.is_float() && to.is_float() => Operation::new(from, 1, move |[a, ..]| {
            real_to_real(from, to, *a, round, whole.is_some(), flush, saturates)
        }),
        _ => return None,
    })
}

fn of_whole<F: Real>(number: i128, round: Round, saturates: bool) -> u64 {
    let value = F::from_i128_r(number, round).value;
    if saturates { saturated(value).bits() } else { value.bits() }
}

/// Numbers beyond the type's limits become the limits.
fn to_whole<F: Real>(from: Type, to: Type, bits: u64, round: Round, flush: bool) -> u64 {
    let value = flushed(F::of_bits(bits), flush);
    if value.is_nan() {
        let is_wide = from.bits == 64 || to.bits == 64;
        return if is_wide { 1 << (to.bits - 1) } else { 0 };
    }
    let (low, high) = to.limits();
    let mut is_exact = false;
    // Numbers that do not fit into 128 bits become their limits, which are clamped again.
    let number = value.to_i128_r(127, round, &mut is_exact).value;
    to.wrapped(number.clamp(low, high))
}

fn real_to_real(
    from: Type,
    to: Type,
    bits: u64,
    round: Round,
    to_whole: bool,
    flush: bool,
    saturates: bool,
) -> u64 {
    let value = with_real!(from, widened(bits, round, to_whole, flush && from.bits == 32));
    with_real!(to, narrowed(value, round, flush && to.bits == 32, saturates))
}

/// Returns the value in double precision, which is exact, and rounded to a whole number on demand.
fn widened<F: Real>(bits: u64, round: Round, to_whole: bool, flush: bool) -> f64 {
    let value = flushed(F::of_bits(bits), flush);
    if to_whole { value.round_to_integral(round).value.double() } else { value.double() }
}

fn narrowed<F: Real>(value: f64, round: Round, flush: bool, saturates: bool) -> u64 {
    let value = flushed(F::of_double(value, round), flush);
    if saturates { saturated(value).bits() } else { value.bits() }
}
