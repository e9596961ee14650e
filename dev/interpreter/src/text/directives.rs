//! Declarations outside of bodies.

use std::collections::BTreeMap;

use super::body::body;
use super::cursor::Cursor;
use super::syntax::{Function, Linkage, Module, Parameter, Variable};
use super::tokens::tokens;
use super::variables::{declaration, variable};
use crate::fault::Result;

/// Statements that end with a semicolon and that do not matter here.
const SKIPPED: [&str; 2] = [".pragma", ".address_size"];

/// Reads a PTX file. `file` is its name in messages.
pub(crate) fn module(file: &str, text: &str) -> Result<Module> {
    let mut module = Module { file: file.to_owned(), ..Module::empty() };
    let read = || -> Result<Module> {
        let tokens = tokens(text)?;
        let mut cursor = Cursor::new(&tokens);
        while !cursor.is_at_end() {
            statement(&mut cursor, &mut module)?;
        }
        Ok(module)
    };
    read().map_err(|fault| fault.located(file, 0))
}

fn statement(cursor: &mut Cursor<'_>, module: &mut Module) -> Result<()> {
    let mut linkage = Linkage::Local;
    loop {
        match cursor.peek() {
            ".visible" => linkage = Linkage::Visible,
            ".extern" => linkage = Linkage::Extern,
            ".weak" | ".common" => linkage = Linkage::Weak,
            _ => break,
        }
        cursor.next()?;
    }
    match cursor.peek() {
        ".version" | ".address_size" => {
            cursor.next()?;
            cursor.next()?;
        }
        ".target" => {
            cursor.next()?;
            cursor.next()?;
            while cursor.take(",") {
                cursor.next()?;
            }
        }
        ".file" => {
            cursor.next()?;
            cursor.next()?;
            cursor.next()?;
            while cursor.take(",") {
                cursor.next()?;
            }
        }
        ".section" => cursor.skip_past("}")?,
        ".alias" => {
            let line = cursor.line();
            cursor.next()?;
            let alias = cursor.next()?.to_owned();
            cursor.expect(",")?;
            module.aliases.push((alias, cursor.next()?.to_owned(), line));
            cursor.expect(";")?;
        }
        ".func" | ".entry" => function(cursor, linkage, module)?,
        word if SKIPPED.contains(&word) => cursor.skip_past(";")?,
        _ => declaration(cursor, linkage, module)?,
    }
    Ok(())
}

fn function(cursor: &mut Cursor<'_>, linkage: Linkage, module: &mut Module) -> Result<()> {
    let is_kernel = cursor.next()? == ".entry";
    while cursor.take(".noreturn") {}
    let mut end = 0;
    let results = parameters(cursor, &mut end)?;
    let line = cursor.line();
    let name = cursor.next()?.to_owned();
    // A kernel's arguments are numbered from the start.
    let parameters = parameters(cursor, &mut end)?;
    let mut function = Function {
        name,
        line,
        linkage,
        is_kernel,
        results,
        parameters,
        parameter_bytes: end,
        local_bytes: 0,
        registers: 0,
        body: None,
        targets: BTreeMap::new(),
    };
    // Launch bounds and attributes change nothing here.
    loop {
        if cursor.take(";") {
            break;
        }
        if cursor.take("{") {
            body(cursor, &mut function, module)?;
            break;
        }
        cursor.next()?;
    }
    module.functions.push(function);
    Ok(())
}

/// Reads a list of parameters, if there is one, and gives each a place behind `end`.
fn parameters(cursor: &mut Cursor<'_>, end: &mut u64) -> Result<Vec<Parameter>> {
    let mut list = Vec::new();
    if !cursor.take("(") {
        return Ok(list);
    }
    while !cursor.take(")") {
        let mut read = Module::empty();
        variable(cursor, Linkage::Local, &mut read)?;
        for Variable { name, alignment, of, count, .. } in read.variables {
            let offset = end.next_multiple_of(alignment);
            let bytes = of.bytes() * count;
            *end = offset + bytes;
            list.push(Parameter { name, offset, bytes });
        }
        cursor.take(",");
    }
    Ok(list)
}
