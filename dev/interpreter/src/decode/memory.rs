//! Loads, stores, atomic instructions and conversions of addresses.

use super::operands::Reader;
use crate::arithmetic::Words;
use crate::code::{Action, Atomic, Source};
use crate::fault::Result;
use crate::text::{Operand, Space};
use crate::types::{Kind, Type};

/// Modifiers that concern caches and the order of accesses. Threads run one after the other here,
/// so every access is seen by all.
const IGNORED: [&str; 18] = [
    "nc", "ca", "cg", "cs", "lu", "cv", "wb", "wt", "volatile", "weak", "relaxed", "acquire",
    "release", "acq_rel", "sys", "gpu", "cta", "noftz",
];

/// Returns the action of an instruction of this file's kind.
pub(super) fn action(reader: &Reader<'_>) -> Result<Option<Action>> {
    let mut words = Words::new(&reader.statement.name);
    match words.name {
        "ld" | "ldu" => load(reader, &mut words),
        "st" => store(reader, &mut words),
        "tex" => fetch(reader),
        "atom" | "red" => atomic(reader, &mut words),
        "cvta" => {
            let is_to_space = words.take("to");
            let space = words.first(Space::named).unwrap_or(Space::Generic);
            let Some(of) = words.of() else { return Ok(None) };
            if space == Space::Generic || !words.are_all_read() {
                return Ok(None);
            }
            let (target, source) = (reader.target(0)?, reader.source(1, of)?);
            Ok(Some(Action::ConvertAddress { target, source, space, is_to_space }))
        }
        "isspacep" => {
            let Some(space) = words.first(Space::named) else { return Ok(None) };
            let (target, source) = (reader.target(0)?, reader.source(1, Type::U64)?);
            Ok(words.are_all_read().then_some(Action::IsInSpace { target, source, space }))
        }
        "membar" | "fence" | "prefetch" | "prefetchu" | "nanosleep" | "discard"
        | "applypriority" => Ok(Some(Action::Nothing)),
        _ => Ok(None),
    }
}

/// Reads the space, drops what is ignored, and returns the space, the type and the number of
/// elements.
fn access(words: &mut Words<'_>) -> Option<(Space, Type, usize)> {
    let space = words.first(Space::named).unwrap_or(Space::Generic);
    while words.one_of(&IGNORED).is_some() {}
    while words
        .first(|word| (word.starts_with("L1::") || word.starts_with("L2::")).then_some(()))
        .is_some()
    {}
    let count = words.one_of(&["v2", "v4", "v8"]).map_or(1, |word| match word {
        "v2" => 2,
        "v4" => 4,
        _ => 8,
    });
    let of = words.of()?;
    words.are_all_read().then_some((space, of, count))
}

fn load(reader: &Reader<'_>, words: &mut Words<'_>) -> Result<Option<Action>> {
    let Some((space, of, count)) = access(words) else { return Ok(None) };
    let targets = match reader.operand(0)? {
        Operand::List(list) => {
            list.iter().map(|operand| reader.register(operand)).collect::<Result<Vec<_>>>()?
        }
        _ => vec![reader.target(0)?],
    };
    let place = reader.place(1, space)?;
    Ok((targets.len() == count).then_some(Action::Load { place, of, targets }))
}

/// The handle of a texture is the address of its memory. Only the kind of texture in the example is
/// supported.
fn fetch(reader: &Reader<'_>) -> Result<Option<Action>> {
    let is_known = reader.statement.name == "tex.1d.v4.f32.s32";
    let (Operand::List(list), Operand::Texture(texture, place)) =
        (reader.operand(0)?, reader.operand(1)?)
    else {
        return Ok(None);
    };
    let element = match &**place {
        Operand::List(list) if list.len() == 1 => &list[0],
        other => other,
    };
    let targets = list.iter().map(|operand| reader.register(operand)).collect::<Result<_>>()?;
    let texture = reader.value(texture, Type::U64)?;
    let element = reader.value(element, Type::U32)?;
    Ok(is_known.then_some(Action::Fetch { targets, texture, element }))
}

fn store(reader: &Reader<'_>, words: &mut Words<'_>) -> Result<Option<Action>> {
    let Some((space, of, count)) = access(words) else { return Ok(None) };
    let sources = match reader.operand(1)? {
        Operand::List(list) => {
            list.iter().map(|operand| reader.value(operand, of)).collect::<Result<Vec<_>>>()?
        }
        _ => vec![reader.source(1, of)?],
    };
    let place = reader.place(0, space)?;
    Ok((sources.len() == count).then_some(Action::Store { place, of, sources }))
}

fn atomic(reader: &Reader<'_>, words: &mut Words<'_>) -> Result<Option<Action>> {
    let is_reduction = words.name == "red";
    let Some(operation) = operation(words) else { return Ok(None) };
    let Some((space, of, 1)) = access(words) else { return Ok(None) };
    let is_swap = operation == Atomic::CompareAndSwap;
    let is_known = match of.kind {
        Kind::Float | Kind::BrainFloat | Kind::FloatPair | Kind::BrainFloatPair => {
            operation == Atomic::Add
        }
        Kind::Bits => !matches!(operation, Atomic::Add | Atomic::Min | Atomic::Max),
        _ => true,
    };
    let first = usize::from(!is_reduction);
    if !is_known || (is_swap && is_reduction) || reader.count() != first + 2 + usize::from(is_swap)
    {
        return Ok(None);
    }
    let target = if is_reduction { None } else { reader.target(0)? };
    let place = reader.place(first, space)?;
    let second = if is_swap { reader.source(first + 2, of)? } else { Source::Constant(0) };
    let operands = [reader.source(first + 1, of)?, second];
    Ok(Some(Action::Atomic { place, of, target, operation, operands }))
}

/// Reads the operation of an atomic instruction.
pub(super) fn operation(words: &mut Words<'_>) -> Option<Atomic> {
    words.first(|word| {
        Some(match word {
            "add" => Atomic::Add,
            "min" => Atomic::Min,
            "max" => Atomic::Max,
            "and" => Atomic::And,
            "or" => Atomic::Or,
            "xor" => Atomic::Xor,
            "exch" => Atomic::Exchange,
            "cas" => Atomic::CompareAndSwap,
            "inc" => Atomic::Increment,
            "dec" => Atomic::Decrement,
            _ => return None,
        })
    })
}
