//! Instructions on registers.

use super::operands::Reader;
use crate::arithmetic::{Words, comparison, operation};
use crate::code::{Action, Carry, CarryKind, Source};
use crate::fault::Result;
use crate::text::Operand;
use crate::types::{Kind, Type};

const PREDICATE: Type = Type { kind: Kind::Predicate, bits: 1 };

/// Returns the action of an instruction of this file's kind.
pub(super) fn action(reader: &Reader<'_>) -> Result<Option<Action>> {
    let name = reader.statement.name.as_str();
    let mut words = Words::new(name);
    match words.name {
        "setp" => return compare(reader, &mut words),
        "mov" if matches!(reader.operand(0)?, Operand::List(_)) => {
            return unpack(reader, &mut words);
        }
        "mov" if matches!(reader.operand(1)?, Operand::List(_)) => return pack(reader, &mut words),
        "addc" | "subc" | "madc" => return carry(reader, &mut words),
        "add" | "sub" | "mad" if name.contains(".cc.") => return carry(reader, &mut words),
        _ => {}
    }
    let Some(operation) = operation(name) else { return Ok(None) };
    if reader.count() != operation.operands + 1 {
        return Ok(None);
    }
    let mut operands = [Source::Constant(0); 4];
    for (number, operand) in operands.iter_mut().enumerate().take(operation.operands) {
        *operand = reader.source(number + 1, type_of(name, number, operation.of))?;
    }
    // `testp` and some others write registers of other types, which is all the same here.
    let target = reader.target(0)?;
    Ok(Some(Action::Compute { target, operands, compute: operation.compute }))
}

/// Returns the type of an operand. Shift amounts and positions have 32 bits, regardless of the type
/// that is shifted, and a wide product is added to a number of twice the width.
fn type_of(name: &str, number: usize, of: Type) -> Type {
    let start = name.split('.').next().unwrap_or_default();
    match (start, number) {
        ("shl" | "shr", 1) | ("bfe", 1 | 2) | ("bfi", 2 | 3) => Type::U32,
        ("mad", 2) if name.contains(".wide") => Type { bits: of.bits * 2, ..of },
        _ => of,
    }
}

fn compare(reader: &Reader<'_>, words: &mut Words<'_>) -> Result<Option<Action>> {
    let Some(comparison) = comparison(words) else { return Ok(None) };
    let count = if comparison.is_combined { 4 } else { 3 };
    if !words.are_all_read() || reader.count() != count {
        return Ok(None);
    }
    let predicate =
        if comparison.is_combined { reader.source(3, PREDICATE)? } else { Source::Constant(0) };
    let operands = [reader.source(1, comparison.of)?, reader.source(2, comparison.of)?, predicate];
    Ok(Some(Action::Compare { targets: reader.targets(0)?, operands, comparison }))
}

fn unpack(reader: &Reader<'_>, words: &mut Words<'_>) -> Result<Option<Action>> {
    let (Some(of), Operand::List(list)) = (words.of(), reader.operand(0)?) else {
        return Ok(None);
    };
    let targets =
        list.iter().map(|operand| reader.register(operand)).collect::<Result<Vec<_>>>()?;
    let bits = part(of, list.len());
    Ok(bits
        .map(|bits| reader.source(1, of).map(|source| (bits, source)))
        .transpose()?
        .map(|(bits, source)| Action::Unpack { targets, source, bits }))
}

fn pack(reader: &Reader<'_>, words: &mut Words<'_>) -> Result<Option<Action>> {
    let (Some(of), Operand::List(list)) = (words.of(), reader.operand(1)?) else {
        return Ok(None);
    };
    let Some(bits) = part(of, list.len()) else { return Ok(None) };
    let of_part = Type { kind: Kind::Bits, bits };
    let parts =
        list.iter().map(|operand| reader.value(operand, of_part)).collect::<Result<Vec<_>>>()?;
    Ok(Some(Action::Pack { target: reader.target(0)?, parts, bits }))
}

/// Returns the width of each of `count` parts.
fn part(of: Type, count: usize) -> Option<u32> {
    let count = u32::try_from(count).ok()?;
    matches!(count, 2 | 4 | 8).then(|| of.bits / count)
}

fn carry(reader: &Reader<'_>, words: &mut Words<'_>) -> Result<Option<Action>> {
    let writes = words.take("cc");
    let reads = words.name.ends_with('c');
    let kind = match words.name {
        "add" | "addc" => CarryKind::Sum,
        "sub" | "subc" => CarryKind::Difference,
        _ => match words.one_of(&["lo", "hi"]) {
            Some("lo") => CarryKind::LowProduct,
            Some(_) => CarryKind::HighProduct,
            None => return Ok(None),
        },
    };
    let Some(of) = words.of() else { return Ok(None) };
    let has_product = matches!(kind, CarryKind::LowProduct | CarryKind::HighProduct);
    if !words.are_all_read() || reader.count() != if has_product { 4 } else { 3 } {
        return Ok(None);
    }
    let third = if has_product { reader.source(3, of)? } else { Source::Constant(0) };
    let operands = [reader.source(1, of)?, reader.source(2, of)?, third];
    let carry = Carry { kind, reads, writes };
    Ok(Some(Action::Carry { target: reader.target(0)?, operands, of, carry }))
}
