//! Operands of instructions.

use super::cursor::{Cursor, whole};
use super::syntax::{Item, Operand};
use crate::fault::Result;

/// Reads one operand. `lookup` returns the meaning of a name of the body.
pub(super) fn operand(
    cursor: &mut Cursor<'_>,
    lookup: &dyn Fn(&str) -> Option<Item>,
) -> Result<Operand> {
    let first = single(cursor, lookup)?;
    if cursor.take("|") {
        let second = single(cursor, lookup)?;
        return Ok(Operand::Pair(Box::new(first), Box::new(second)));
    }
    Ok(first)
}

fn single(cursor: &mut Cursor<'_>, lookup: &dyn Fn(&str) -> Option<Item>) -> Result<Operand> {
    for (open, close) in [("{", "}"), ("(", ")")] {
        if cursor.take(open) {
            let mut list = Vec::new();
            while !cursor.take(close) {
                list.push(operand(cursor, lookup)?);
                cursor.take(",");
            }
            return Ok(Operand::List(list));
        }
    }
    if cursor.take("[") {
        let inner = sum(cursor, lookup)?;
        if cursor.take(",") {
            let place = single(cursor, lookup)?;
            cursor.expect("]")?;
            return Ok(Operand::Texture(Box::new(inner), Box::new(place)));
        }
        cursor.expect("]")?;
        return Ok(Operand::Address(Box::new(inner)));
    }
    if cursor.take("!") {
        let name = cursor.next()?;
        return match lookup(name) {
            Some(Item::Register(register, _)) => Ok(Operand::Not(register)),
            _ => Err(cursor.fault(format!("{name} is no register"))),
        };
    }
    sum(cursor, lookup)
}

/// Reads an operand and the offset behind it.
fn sum(cursor: &mut Cursor<'_>, lookup: &dyn Fn(&str) -> Option<Item>) -> Result<Operand> {
    let base = atom(cursor, lookup)?;
    let is_negative = match cursor.peek() {
        "+" => false,
        "-" => true,
        _ => return Ok(base),
    };
    cursor.next()?;
    let is_negative = is_negative ^ cursor.take("-");
    let offset = cursor.number()?;
    let offset = if is_negative { offset.wrapping_neg() } else { offset };
    Ok(Operand::Sum(Box::new(base), offset))
}

fn atom(cursor: &mut Cursor<'_>, lookup: &dyn Fn(&str) -> Option<Item>) -> Result<Operand> {
    let is_negative = cursor.take("-");
    let word = cursor.next()?;
    if word.starts_with(|first: char| first.is_ascii_digit()) {
        return number(word, is_negative)
            .ok_or_else(|| cursor.fault(format!("{word:?} is no number")));
    }
    if is_negative {
        return Err(cursor.fault(format!("a number is expected, not {word:?}")));
    }
    if word == "_" {
        return Ok(Operand::Nothing);
    }
    if let Some(item) = lookup(word) {
        return Ok(Operand::Item(item));
    }
    if word == "WARP_SZ" {
        return Ok(Operand::Number(32));
    }
    if word.starts_with('%') {
        return Ok(Operand::Special(word.to_owned()));
    }
    if word.starts_with(|first: char| first.is_ascii_alphabetic() || matches!(first, '_' | '$')) {
        return Ok(Operand::Symbol(word.to_owned()));
    }
    Err(cursor.fault(format!("{word:?} is no operand")))
}

fn number(word: &str, is_negative: bool) -> Option<Operand> {
    let is_float = |mark: &str| word.get(..2).is_some_and(|start| start.eq_ignore_ascii_case(mark));
    if is_float("0f") {
        return Some(Operand::Single(u64::from_str_radix(&word[2..], 16).ok()?));
    }
    if is_float("0d") {
        return Some(Operand::Double(u64::from_str_radix(&word[2..], 16).ok()?));
    }
    if let Some(number) = whole(word) {
        return Some(Operand::Number(if is_negative { number.wrapping_neg() } else { number }));
    }
    let number: f64 = word.parse().ok()?;
    Some(Operand::Double((if is_negative { -number } else { number }).to_bits()))
}
