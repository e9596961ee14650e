//! From statements to instructions that can run.

mod calls;
mod memory;
mod operands;
mod symbol;
mod values;
mod warps;

use crate::code::{Action, Code, Instruction};
use crate::fault::{Fault, Result};
use crate::text::{Function, Statement};

pub(crate) use symbol::{Symbol, Symbols};

/// Decodes a function's body.
pub(crate) fn function(file: &str, function: &Function, symbols: Symbols<'_>) -> Result<Code> {
    let decode = |statement: &Statement| {
        let reader = operands::Reader { statement, function, symbols };
        let action = action(&reader).map_err(|fault| fault.located(file, statement.line))?;
        Ok(Instruction { line: statement.line, guard: statement.guard, action })
    };
    let body = function.body.as_deref().unwrap_or_default();
    Ok(Code {
        name: function.name.clone(),
        file: file.to_owned(),
        results: function.results.clone(),
        parameters: function.parameters.clone(),
        parameter_bytes: function.parameter_bytes,
        local_bytes: function.local_bytes,
        registers: function.registers,
        instructions: body.iter().map(decode).collect::<Result<_>>()?,
    })
}

fn action(reader: &operands::Reader<'_>) -> Result<Action> {
    let name = reader.statement.name.as_str();
    let found = match memory::action(reader)? {
        Some(action) => Some(action),
        None => match calls::action(reader)? {
            Some(action) => Some(action),
            None => match warps::action(reader)? {
                Some(action) => Some(action),
                None => values::action(reader)?,
            },
        },
    };
    found.ok_or_else(|| Fault::new(format!("the instruction {name} is unknown")))
}
