//! Arithmetic of whole numbers.

use super::operation::Operation;
use super::words::Words;
use crate::types::{Kind, Type};

/// The part of a product that counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Low,
    High,
    Wide,
}

impl Part {
    fn read(words: &mut Words<'_>) -> Option<Self> {
        Some(match words.one_of(&["lo", "hi", "wide"])? {
            "lo" => Self::Low,
            "hi" => Self::High,
            _ => Self::Wide,
        })
    }

    /// Returns the part of the product of two numbers of type `of`.
    fn product(self, of: Type, a: u64, b: u64) -> i128 {
        let product = if of.is_signed() {
            of.number(a) * of.number(b)
        } else {
            let product = u128::from(of.truncated(a)) * u128::from(of.truncated(b));
            product.cast_signed()
        };
        if self != Self::High {
            return product;
        }
        // The shift of an unsigned product must not bring in signs.
        if of.is_signed() {
            product >> of.bits
        } else {
            (product.cast_unsigned() >> of.bits).cast_signed()
        }
    }

    fn result(self, of: Type) -> Type {
        if self == Self::Wide { Type { kind: of.kind, bits: of.bits * 2 } } else { of }
    }
}

/// Returns what an instruction on whole numbers computes.
pub(super) fn operation(words: &mut Words<'_>) -> Option<Operation> {
    let name = words.name;
    let found = match name {
        "add" | "sub" => {
            let (saturates, of) = (words.take("sat"), words.of()?);
            let is_sum = name == "add";
            let exact = move |a, b| {
                let (a, b) = (of.number(a), of.number(b));
                if is_sum { a + b } else { a - b }
            };
            if saturates && of != (Type { kind: Kind::Signed, bits: 32 }) {
                return None;
            }
            Operation::new(of, 2, move |[a, b, ..]| {
                let exact = exact(*a, *b);
                if saturates { of.saturated(exact) } else { of.wrapped(exact) }
            })
        }
        "mul" => {
            let (part, of) = (Part::read(words)?, words.of()?);
            let to = part.result(of);
            Operation::new(of, 2, move |[a, b, ..]| to.wrapped(part.product(of, *a, *b)))
        }
        "mad" => {
            let (part, saturates, of) = (Part::read(words)?, words.take("sat"), words.of()?);
            let to = part.result(of);
            if saturates && (part != Part::High || !of.is_signed() || of.bits != 32) {
                return None;
            }
            Operation::new(of, 3, move |[a, b, c, _]| {
                let exact = part.product(of, *a, *b).wrapping_add(to.number(*c));
                if saturates { to.saturated(exact) } else { to.wrapped(exact) }
            })
        }
        "mul24" | "mad24" => product_of_24_bits(words)?,
        "sad" => {
            let of = words.of()?;
            Operation::new(of, 3, move |[a, b, c, _]| {
                of.wrapped((of.number(*a) - of.number(*b)).abs() + of.number(*c))
            })
        }
        "div" => {
            let of = words.of()?;
            Operation::new(of, 2, move |[a, b, ..]| match of.number(*b) {
                0 => of.truncated(u64::MAX),
                divisor => of.wrapped(of.number(*a) / divisor),
            })
        }
        "rem" => {
            let of = words.of()?;
            Operation::new(of, 2, move |[a, b, ..]| match of.number(*b) {
                0 => of.truncated(*a),
                divisor => of.wrapped(of.number(*a) % divisor),
            })
        }
        "abs" => {
            let of = words.of()?;
            Operation::new(of, 1, move |[a, ..]| of.wrapped(of.number(*a).abs()))
        }
        "neg" => {
            let of = words.of()?;
            Operation::new(of, 1, move |[a, ..]| of.wrapped(-of.number(*a)))
        }
        "min" | "max" => {
            let (is_least, relu, of) = (name == "min", words.take("relu"), words.of()?);
            Operation::new(of, 2, move |[a, b, ..]| {
                let (a, b) = (of.number(*a), of.number(*b));
                let chosen = if is_least { a.min(b) } else { a.max(b) };
                of.wrapped(if relu { chosen.max(0) } else { chosen })
            })
        }
        "dp4a" => product_of_vectors(words, 8, 0)?,
        "dp2a" => {
            let first = if words.one_of(&["lo", "hi"])? == "lo" { 0 } else { 2 };
            product_of_vectors(words, 16, first)?
        }
        _ => return None,
    };
    (words.are_all_read() && found.of.is_whole()).then_some(found)
}

/// Returns the sum of the third operand and the products of the parts of the first one, of `bits`
/// bits each, with as many bytes of the second one, of which the byte `first` is the first.
fn product_of_vectors(words: &mut Words<'_>, bits: u32, first: u32) -> Option<Operation> {
    let (of_parts, of_bytes) = (words.of()?, words.of()?);
    if of_parts.bits != 32 || of_bytes.bits != 32 {
        return None;
    }
    let (part, byte) = (Type { bits, ..of_parts }, Type { bits: 8, ..of_bytes });
    Some(Operation::new(Type::U32, 3, move |[a, b, c, _]| {
        let product = |k| part.number(*a >> (bits * k)) * byte.number(*b >> (8 * (first + k)));
        Type::U32.wrapped((0..32 / bits).map(product).sum::<i128>() + Type::U32.number(*c))
    }))
}

fn product_of_24_bits(words: &mut Words<'_>) -> Option<Operation> {
    let has_sum = words.name == "mad24";
    let (part, of) = (Part::read(words)?, words.of()?);
    if of.bits != 32 || part == Part::Wide {
        return None;
    }
    let low = Type { bits: 24, ..of };
    Some(Operation::new(of, if has_sum { 3 } else { 2 }, move |[a, b, c, _]| {
        let product = low.number(*a) * low.number(*b);
        let part = if part == Part::High { product >> 16 } else { product };
        of.wrapped(part + if has_sum { of.number(*c) } else { 0 })
    }))
}
