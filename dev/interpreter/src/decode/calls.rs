//! Branches, calls and the ends of functions.

use super::operands::Reader;
use super::symbol::Symbol;
use crate::code::{Action, Callee, Passed};
use crate::fault::{Fault, Result};
use crate::text::{Item, Operand};
use crate::types::Type;

/// Returns the action of an instruction of this file's kind.
pub(super) fn action(reader: &Reader<'_>) -> Result<Option<Action>> {
    Ok(Some(match reader.statement.name.as_str() {
        "bra" | "bra.uni" => Action::Branch(reader.label(0)?),
        "brx.idx" | "brx.idx.uni" => {
            let Operand::Symbol(list) = reader.operand(1)? else {
                return Err(reader.unexpected(reader.operand(1)?));
            };
            let targets = reader.function.targets.get(list).cloned();
            let targets =
                targets.ok_or_else(|| Fault::new(format!("there is no list of targets {list}")))?;
            Action::BranchByTable { index: reader.source(0, Type::U32)?, targets }
        }
        "call" | "call.uni" => call(reader)?,
        "ret" | "ret.uni" => Action::Return,
        "exit" => Action::Exit,
        "trap" | "brkpt" => Action::Trap,
        _ => return Ok(None),
    }))
}

/// The operands are the results (if any), the function, the arguments (if any), and for an indirect
/// call its prototype.
fn call(reader: &Reader<'_>) -> Result<Action> {
    let mut operands = reader.statement.operands.as_slice();
    let mut results = Vec::new();
    if let [Operand::List(list), rest @ ..] = operands {
        results = passed(reader, list)?;
        operands = rest;
    }
    let [callee, rest @ ..] = operands else {
        return Err(Fault::new("a call names no function"));
    };
    let arguments = match rest {
        [Operand::List(list), ..] => passed(reader, list)?,
        _ => Vec::new(),
    };
    let callee = match callee {
        Operand::Symbol(name) => match reader.symbol(name)? {
            Symbol::Function(number) => Callee::Function(number),
            Symbol::Builtin(builtin) => Callee::Builtin(builtin),
            Symbol::Variable(..) => {
                return Err(Fault::new(format!("the variable {name} is called")));
            }
        },
        other => Callee::Address(reader.value(other, Type::U64)?),
    };
    Ok(Action::Call { callee, results, arguments })
}

fn passed(reader: &Reader<'_>, list: &[Operand]) -> Result<Vec<Passed>> {
    let one = |operand: &Operand| match operand {
        Operand::Item(Item::Parameter(offset, bytes)) => {
            Ok(Passed::Memory { offset: *offset, bytes: *bytes })
        }
        // The type of such an argument is the parameter's.
        other => reader
            .value(other, Type { kind: crate::types::Kind::Bits, bits: 64 })
            .map(Passed::Value),
    };
    list.iter().map(one).collect()
}
