//! Operations on bits.

use super::operation::Operation;
use super::words::Words;
use crate::types::Type;

/// Returns what an instruction on bits computes.
pub(super) fn operation(words: &mut Words<'_>) -> Option<Operation> {
    let found = match words.name {
        "and" => two(words, |a, b| a & b)?,
        "or" => two(words, |a, b| a | b)?,
        "xor" => two(words, |a, b| a ^ b)?,
        "not" => {
            let of = words.of()?;
            Operation::new(of, 1, move |[a, ..]| of.truncated(!*a))
        }
        "cnot" => {
            let of = words.of()?;
            Operation::new(of, 1, move |[a, ..]| u64::from(of.truncated(*a) == 0))
        }
        "shl" => {
            let of = words.of()?;
            Operation::new(of, 2, move |[a, b, ..]| {
                let amount = Type::U32.truncated(*b);
                if amount >= u64::from(of.bits) { 0 } else { of.truncated(a << amount) }
            })
        }
        "shr" => {
            let of = words.of()?;
            Operation::new(of, 2, move |[a, b, ..]| {
                let amount = Type::U32.truncated(*b).min(u64::from(of.bits));
                of.wrapped(of.number(*a) >> amount)
            })
        }
        "shf" => funnel(words)?,
        "popc" => {
            let of = words.of()?;
            Operation::new(of, 1, move |[a, ..]| u64::from(of.truncated(*a).count_ones()))
        }
        "clz" => {
            let of = words.of()?;
            Operation::new(of, 1, move |[a, ..]| {
                u64::from(of.truncated(*a).leading_zeros() + of.bits - 64)
            })
        }
        "brev" => {
            let of = words.of()?;
            Operation::new(of, 1, move |[a, ..]| a.reverse_bits() >> (64 - of.bits))
        }
        "bfind" => {
            let (is_shift, of) = (words.take("shiftamt"), words.of()?);
            Operation::new(of, 1, move |[a, ..]| find(of, is_shift, *a))
        }
        "fns" => {
            let of = words.of()?;
            Operation::new(of, 3, |[mask, base, offset, _]| nth_set(*mask, *base, *offset))
        }
        "bfe" => {
            let of = words.of()?;
            Operation::new(of, 3, move |[a, b, c, _]| extract(of, *a, *b, *c))
        }
        "bfi" => {
            let of = words.of()?;
            Operation::new(of, 4, move |[a, b, c, d]| {
                let (start, length) = ((*c & 0xFF).min(64), (*d & 0xFF).min(64));
                let mask = low_bits(length).checked_shl(low_word(start)).unwrap_or(0);
                let field = a.checked_shl(low_word(start)).unwrap_or(0);
                of.truncated((b & !mask) | (field & mask))
            })
        }
        "szext" => {
            let (wraps, of) = (words.one_of(&["wrap", "clamp"])? == "wrap", words.of()?);
            Operation::new(of, 2, move |[a, b, ..]| {
                let width = if wraps { *b & 31 } else { Type::U32.truncated(*b).min(32) };
                if width == 0 {
                    return 0;
                }
                of.wrapped(Type { bits: low_word(width), ..of }.number(*a))
            })
        }
        "bmsk" => {
            let (wraps, of) = (words.one_of(&["wrap", "clamp"])? == "wrap", words.of()?);
            Operation::new(of, 2, move |[a, b, ..]| {
                let bound = |value: u64| {
                    let value = Type::U32.truncated(value);
                    if wraps { value & 31 } else { value.min(32) }
                };
                of.truncated(low_bits(bound(*b)).checked_shl(low_word(bound(*a))).unwrap_or(0))
            })
        }
        "prmt" => permute(words)?,
        "lop3" => {
            let of = words.of()?;
            Operation::new(of, 4, |[a, b, c, table]| {
                let rows = (0..8).filter(|row| table >> row & 1 == 1);
                let row = |row: u32| {
                    let side = |bit: u32, value: u64| {
                        if row >> bit & 1 == 1 { value } else { !value }
                    };
                    side(2, *a) & side(1, *b) & side(0, *c)
                };
                Type::U32.truncated(rows.map(row).fold(0, |all, row| all | row))
            })
        }
        _ => return None,
    };
    words.are_all_read().then_some(found)
}

fn two(words: &mut Words<'_>, compute: fn(u64, u64) -> u64) -> Option<Operation> {
    let of = words.of()?;
    Some(Operation::new(of, 2, move |[a, b, ..]| of.truncated(compute(*a, *b))))
}

fn low_word(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

fn low_bits(count: u64) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// Shifts the 64 bits of two words, and returns the upper or the lower one.
fn funnel(words: &mut Words<'_>) -> Option<Operation> {
    let is_left = words.one_of(&["l", "r"])? == "l";
    let wraps = words.one_of(&["wrap", "clamp"])? == "wrap";
    let of = words.of()?;
    (of.bits == 32).then(|| {
        Operation::new(of, 3, move |[a, b, c, _]| {
            let both = Type::U32.truncated(*b) << 32 | Type::U32.truncated(*a);
            let amount = if wraps { *c & 31 } else { Type::U32.truncated(*c).min(32) };
            if is_left { both << amount >> 32 } else { Type::U32.truncated(both >> amount) }
        })
    })
}

/// Returns the position of the highest bit that is no sign, or all ones.
fn find(of: Type, is_shift: bool, value: u64) -> u64 {
    let number = of.number(value);
    let significant = of.truncated(of.wrapped(if number < 0 { !number } else { number }));
    if significant == 0 {
        return u64::from(u32::MAX);
    }
    let position = u64::from(significant.ilog2());
    if is_shift { u64::from(of.bits - 1) - position } else { position }
}

/// Returns the position of the n-th set bit from `base`, upwards if `offset` is positive.
fn nth_set(mask: u64, base: u64, offset: u64) -> u64 {
    const NONE: u64 = 0xFFFF_FFFF;
    let signed = Type { kind: crate::types::Kind::Signed, bits: 32 };
    let (base, offset) = (signed.number(base), signed.number(offset));
    let is_set = |place: &i128| mask >> *place & 1 == 1;
    if !(0..32).contains(&base) {
        return NONE;
    }
    let mut found: Box<dyn Iterator<Item = i128>> = match offset {
        0 => Box::new(std::iter::once(base).filter(is_set)),
        1.. => Box::new((base..32).filter(is_set)),
        _ => Box::new((0..=base).rev().filter(is_set)),
    };
    let ahead = usize::try_from((offset.abs() - 1).max(0)).unwrap_or(usize::MAX);
    found.nth(ahead).map_or(NONE, |place| signed.wrapped(place))
}

/// Returns a field of bits; of a signed type, the bits above repeat the field's sign.
fn extract(of: Type, value: u64, start: u64, length: u64) -> u64 {
    let (start, length) = (start & 0xFF, length & 0xFF);
    let last = u64::from(of.bits) - 1;
    let bit = |place: u64| of.truncated(value) >> place & 1;
    let is_negative = of.is_signed() && length != 0 && bit((start + length - 1).min(last)) == 1;
    let field = of.truncated(value).checked_shr(low_word(start)).unwrap_or(0);
    // Bits from beyond the value repeat the sign, too.
    let known = length.min(u64::from(of.bits).saturating_sub(start));
    let field = field & low_bits(known);
    of.truncated(if is_negative { field | !low_bits(known) } else { field })
}

fn permute(words: &mut Words<'_>) -> Option<Operation> {
    let mode = words.one_of(&["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"]);
    let of = words.of()?;
    let choose: fn(u64, u64) -> u64 = match mode {
        None => |place, control| control >> (4 * place) & 15,
        Some("f4e") => |place, control| (control & 3) + place,
        Some("b4e") => |place, control| ((control & 3) + 8 - place) & 7,
        Some("rc8") => |_, control| control & 3,
        Some("ecl") => |place, control| place.max(control & 3),
        Some("ecr") => |place, control| place.min(control & 3),
        Some(_) => |place, control| (control & 1) * 2 + (place & 1),
    };
    (of.bits == 32).then(|| {
        Operation::new(of, 3, move |[a, b, c, _]| {
            let both = Type::U32.truncated(*b) << 32 | Type::U32.truncated(*a);
            let byte = |place: u64| {
                let chosen = choose(place, *c);
                let byte = both >> (8 * (chosen & 7)) & 0xFF;
                let repeats_sign = chosen & 8 != 0;
                let sign = if byte & 0x80 == 0 { 0 } else { 0xFF };
                (if repeats_sign { sign } else { byte }) << (8 * place)
            };
            (0..4).map(byte).sum()
        })
    })
}
