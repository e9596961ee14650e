//! Declarations of variables.

use super::cursor::Cursor;
use super::syntax::{Datum, Linkage, Module, Space, Variable};
use crate::fault::Result;
use crate::types::Type;

impl Module {
    pub(super) fn empty() -> Self {
        Self {
            file: String::new(),
            variables: Vec::new(),
            functions: Vec::new(),
            aliases: Vec::new(),
        }
    }
}

/// Reads declarations of variables up to a semicolon.
pub(super) fn declaration(
    cursor: &mut Cursor<'_>,
    linkage: Linkage,
    module: &mut Module,
) -> Result<()> {
    variable(cursor, linkage, module)?;
    cursor.expect(";")
}

/// Reads a type's directive, such as `.b32`.
pub(super) fn directive_type(cursor: &mut Cursor<'_>) -> Result<Type> {
    let word = cursor.peek();
    let of = word.strip_prefix('.').and_then(Type::named);
    let of = of.ok_or_else(|| cursor.fault(format!("a type is expected, not {word:?}")))?;
    cursor.next()?;
    Ok(of)
}

pub(super) fn variable(
    cursor: &mut Cursor<'_>,
    linkage: Linkage,
    module: &mut Module,
) -> Result<()> {
    let line = cursor.line();
    let word = cursor.next()?;
    let space = word.strip_prefix('.').and_then(Space::named);
    let space = space.ok_or_else(|| cursor.fault(format!("the directive {word} is unknown")))?;
    let mut alignment = None;
    loop {
        if cursor.take(".align") {
            alignment = Some(cursor.number()?);
        } else if cursor.take(".attribute") {
            cursor.skip_past(")")?;
        } else {
            break;
        }
    }
    let of = directive_type(cursor)?;
    if cursor.take(".ptr") {
        // The target of a pointer promises what is checked at each access.
        while cursor.peek().starts_with('.') {
            if cursor.next()? == ".align" {
                cursor.number()?;
            }
        }
    }
    let name = cursor.next()?.to_owned();
    let mut count = 1;
    while cursor.take("[") {
        count *= if cursor.peek() == "]" { 0 } else { cursor.number()? };
        cursor.expect("]")?;
    }
    let mut initial = Vec::new();
    if cursor.take("=") {
        data(cursor, &mut initial)?;
    }
    let alignment = alignment.unwrap_or(of.bytes());
    if !alignment.is_power_of_two() {
        return Err(cursor.fault(format!("the alignment of {name} is no power of two")));
    }
    module.variables.push(Variable { name, line, linkage, space, alignment, of, count, initial });
    Ok(())
}

/// Reads an initial value.
fn data(cursor: &mut Cursor<'_>, found: &mut Vec<Datum>) -> Result<()> {
    if !cursor.take("{") {
        found.push(datum(cursor)?);
        return Ok(());
    }
    while !cursor.take("}") {
        data(cursor, found)?;
        cursor.take(",");
    }
    Ok(())
}

fn datum(cursor: &mut Cursor<'_>) -> Result<Datum> {
    let is_negative = cursor.take("-");
    if cursor.peek().starts_with(|first: char| first.is_ascii_digit()) {
        let word = cursor.peek();
        let float = |mark: &str| {
            let digits = word.strip_prefix(mark)?;
            u64::from_str_radix(digits, 16).ok()
        };
        if let Some(bits) = float("0f").or_else(|| float("0d")) {
            cursor.next()?;
            return Ok(Datum::Number(bits));
        }
        let number = cursor.number()?;
        // `0xFF00(symbol)` selects bits of an address.
        if cursor.take("(") {
            let datum = datum(cursor)?;
            cursor.expect(")")?;
            return match datum {
                Datum::Symbol { name, offset, is_generic, .. } => {
                    Ok(Datum::Symbol { name, offset, mask: number, is_generic })
                }
                Datum::Number(_) => Err(cursor.fault("a mask selects bits of a number")),
            };
        }
        return Ok(Datum::Number(if is_negative { number.wrapping_neg() } else { number }));
    }
    let is_generic = cursor.peek() == "generic" && cursor.peek_at(1) == "(";
    if is_generic {
        cursor.next()?;
        cursor.next()?;
    }
    let name = cursor.next()?.to_owned();
    if is_generic {
        cursor.expect(")")?;
    }
    let offset = if cursor.take("+") {
        cursor.number()?
    } else if cursor.take("-") {
        cursor.number()?.wrapping_neg()
    } else {
        0
    };
    Ok(Datum::Symbol { name, offset, mask: u64::MAX, is_generic })
}
