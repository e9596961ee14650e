//! Comparisons and selections.

use std::cmp::Ordering;

use super::float::{Real, flushed, with_real};
use super::operation::Operation;
use super::words::Words;
use crate::types::{Kind, Type};

/// Names of comparisons.
const NAMES: [&str; 18] = [
    "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu",
    "geu", "num", "nan",
];

/// Way to combine the result of a comparison with a predicate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Combination {
    None,
    And,
    Or,
    Xor,
}

/// A comparison of two values of a type.
pub(crate) struct Comparison {
    /// Type of the operands.
    pub(crate) of: Type,
    /// Whether a predicate is an operand.
    pub(crate) is_combined: bool,
    combination: Combination,
    test: Box<dyn Fn(u64, u64) -> bool + Send + Sync>,
}

impl Comparison {
    /// Returns the result, and the result for the opposite comparison.
    pub(crate) fn results(&self, a: u64, b: u64, predicate: bool) -> (bool, bool) {
        let is_so = (self.test)(a, b);
        let combine = |value: bool| match self.combination {
            Combination::None => value,
            Combination::And => value && predicate,
            Combination::Or => value || predicate,
            Combination::Xor => value ^ predicate,
        };
        (combine(is_so), combine(!is_so))
    }
}

/// Reads the comparison of `setp` and `set`, whose type is the last one.
pub(crate) fn comparison(words: &mut Words<'_>) -> Option<Comparison> {
    let name = words.one_of(&NAMES)?;
    let combination = match words.one_of(&["and", "or", "xor"]) {
        None => Combination::None,
        Some("and") => Combination::And,
        Some("or") => Combination::Or,
        Some(_) => Combination::Xor,
    };
    let flush = words.take("ftz");
    let of = words.of()?;
    let test: Box<dyn Fn(u64, u64) -> bool + Send + Sync> = if of.is_float() {
        let accepts = float_test(name)?;
        Box::new(move |a, b| accepts(with_real!(of, order(a, b, flush))))
    } else if of.is_whole() {
        let (of, accepts) = whole_test(name, of)?;
        Box::new(move |a, b| accepts(of.number(a).cmp(&of.number(b))))
    } else {
        return None;
    };
    let is_combined = combination != Combination::None;
    Some(Comparison { of, is_combined, combination, test })
}

fn order<F: Real>(a: u64, b: u64, flush: bool) -> Option<Ordering> {
    flushed(F::of_bits(a), flush).partial_cmp(&flushed(F::of_bits(b), flush))
}

/// `None` means unordered: an operand is NaN.
fn float_test(name: &str) -> Option<fn(Option<Ordering>) -> bool> {
    Some(match name {
        "eq" => |order| order == Some(Ordering::Equal),
        "ne" => |order| order.is_some_and(Ordering::is_ne),
        "lt" => |order| order.is_some_and(Ordering::is_lt),
        "le" => |order| order.is_some_and(Ordering::is_le),
        "gt" => |order| order.is_some_and(Ordering::is_gt),
        "ge" => |order| order.is_some_and(Ordering::is_ge),
        "equ" => |order| order.is_none_or(Ordering::is_eq),
        "neu" => |order| order != Some(Ordering::Equal),
        "ltu" => |order| order.is_none_or(Ordering::is_lt),
        "leu" => |order| order.is_none_or(Ordering::is_le),
        "gtu" => |order| order.is_none_or(Ordering::is_gt),
        "geu" => |order| order.is_none_or(Ordering::is_ge),
        "num" => |order| order.is_some(),
        "nan" => |order| order.is_none(),
        _ => return None,
    })
}

/// A condition that an order fulfills or not.
type OrderTest = fn(Ordering) -> bool;

/// Returns the type by which numbers are compared, and the condition.
fn whole_test(name: &str, of: Type) -> Option<(Type, OrderTest)> {
    let unsigned = Type { kind: Kind::Unsigned, ..of };
    Some(match name {
        "eq" => (of, Ordering::is_eq),
        "ne" => (of, Ordering::is_ne),
        "lt" => (of, Ordering::is_lt),
        "le" => (of, Ordering::is_le),
        "gt" => (of, Ordering::is_gt),
        "ge" => (of, Ordering::is_ge),
        "lo" => (unsigned, Ordering::is_lt),
        "ls" => (unsigned, Ordering::is_le),
        "hi" => (unsigned, Ordering::is_gt),
        "hs" => (unsigned, Ordering::is_ge),
        _ => return None,
    })
}

/// `selp`: the third operand is a predicate.
pub(super) fn select(words: &mut Words<'_>) -> Option<Operation> {
    let of = words.of()?;
    Some(Operation::new(of, 3, move |[a, b, predicate, _]| {
        of.truncated(if predicate & 1 == 1 { *a } else { *b })
    }))
}

/// `slct`: the sign of the third operand chooses.
pub(super) fn select_by_sign(words: &mut Words<'_>) -> Option<Operation> {
    let flush = words.take("ftz");
    let (of, by) = (words.of()?, words.of()?);
    if by.bits != 32 {
        return None;
    }
    Some(Operation::new(of, 3, move |[a, b, c, _]| {
        let is_first = if by.is_float() {
            let order = order::<rustc_apfloat::ieee::Single>(*c, 0, flush);
            order.is_some_and(Ordering::is_ge)
        } else {
            by.number(*c) >= 0
        };
        of.truncated(if is_first { *a } else { *b })
    }))
}

/// `set`: all ones, or the float one, for true.
pub(super) fn set(words: &mut Words<'_>) -> Option<Operation> {
    // The type of the result comes first.
    let to = words.of()?;
    let comparison = comparison(words)?;
    let yes = match (to.kind, to.bits) {
        (Kind::Float, 32) => u64::from(1.0_f32.to_bits()),
        (Kind::Float, 16) => 0x3C00,
        (Kind::BrainFloat, 16) => 0x3F80,
        _ => to.truncated(u64::MAX),
    };
    let operands = if comparison.is_combined { 3 } else { 2 };
    Some(Operation::new(comparison.of, operands, move |[a, b, predicate, _]| {
        if comparison.results(*a, *b, predicate & 1 == 1).0 { yes } else { 0 }
    }))
}
