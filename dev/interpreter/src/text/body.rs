//! Bodies of functions: names, labels and instructions.

use std::collections::BTreeMap;

use super::cursor::Cursor;
use super::operands::operand;
use super::syntax::{Function, Guard, Item, Linkage, Module, Operand, Parameter, Space, Statement};
use super::variables::{declaration, directive_type};
use crate::fault::{Fault, Result};
use crate::types::Type;

/// Names between two braces.
#[derive(Default)]
struct Scope {
    outer: Option<usize>,
    items: BTreeMap<String, Item>,
    /// Registers that are declared together, such as `%r<5>`: the first one, the number and the
    /// type.
    ranges: BTreeMap<String, (usize, usize, Type)>,
    labels: BTreeMap<String, usize>,
}

/// A body that is being read.
struct Body<'function> {
    scopes: Vec<Scope>,
    current: usize,
    statements: Vec<Statement>,
    /// Scope of each statement.
    places: Vec<usize>,
    /// Lists of `brx.idx`, with their scopes and lines.
    lists: Vec<(String, Vec<String>, usize, u32)>,
    function: &'function mut Function,
}

/// Reads the body of `function`, whose opening brace was read.
pub(super) fn body(
    cursor: &mut Cursor<'_>,
    function: &mut Function,
    module: &mut Module,
) -> Result<()> {
    let mut outermost = Scope::default();
    for Parameter { name, offset, bytes } in function.results.iter().chain(&function.parameters) {
        outermost.items.insert(name.clone(), Item::Parameter(*offset, *bytes));
    }
    let mut body = Body {
        scopes: vec![outermost],
        current: 0,
        statements: Vec::new(),
        places: Vec::new(),
        lists: Vec::new(),
        function,
    };
    loop {
        if cursor.take("{") {
            body.scopes.push(Scope { outer: Some(body.current), ..Scope::default() });
            body.current = body.scopes.len() - 1;
        } else if cursor.take("}") {
            match body.scopes[body.current].outer {
                Some(outer) => body.current = outer,
                None => break,
            }
        } else {
            body.statement(cursor, module)?;
        }
    }
    body.finish()
}

impl Body<'_> {
    fn statement(&mut self, cursor: &mut Cursor<'_>, module: &mut Module) -> Result<()> {
        if cursor.peek_at(1) == ":" {
            let (name, line) = (cursor.next()?.to_owned(), cursor.line());
            cursor.next()?;
            match cursor.peek() {
                ".branchtargets" => {
                    cursor.next()?;
                    let mut labels = Vec::new();
                    while !cursor.take(";") {
                        labels.push(cursor.next()?.to_owned());
                        cursor.take(",");
                    }
                    self.lists.push((name, labels, self.current, line));
                }
                ".callprototype" => cursor.skip_past(";")?,
                _ => {
                    let position = self.statements.len();
                    self.scopes[self.current].labels.insert(name, position);
                }
            }
            return Ok(());
        }
        match cursor.peek() {
            ".reg" => self.registers(cursor),
            ".param" | ".local" => self.memory(cursor),
            ".shared" | ".global" | ".const" => declaration(cursor, Linkage::Local, module),
            ".loc" => {
                for _ in 0..4 {
                    cursor.next()?;
                }
                // `.loc 1 2 3, function_name label, inlined_at 1 2 3`
                while cursor.take(",") {
                    let words = if cursor.peek() == "inlined_at" { 4 } else { 2 };
                    for _ in 0..words {
                        cursor.next()?;
                    }
                }
                Ok(())
            }
            ".pragma" => cursor.skip_past(";"),
            _ => self.instruction(cursor),
        }
    }

    fn registers(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        cursor.expect(".reg")?;
        let of = directive_type(cursor)?;
        loop {
            let name = cursor.next()?.to_owned();
            let first = self.function.registers;
            let scope = &mut self.scopes[self.current];
            if cursor.take("<") {
                let count = usize::try_from(cursor.number()?).unwrap_or(usize::MAX);
                cursor.expect(">")?;
                self.function.registers += count;
                scope.ranges.insert(name, (first, count, of));
            } else {
                self.function.registers += 1;
                scope.items.insert(name, Item::Register(first, of));
            }
            if !cursor.take(",") {
                return cursor.expect(";");
            }
        }
    }

    fn memory(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        let is_local = cursor.peek() == ".local";
        let mut read = Module::empty();
        declaration(cursor, Linkage::Local, &mut read)?;
        for variable in read.variables {
            let end = if is_local {
                &mut self.function.local_bytes
            } else {
                &mut self.function.parameter_bytes
            };
            let offset = end.next_multiple_of(variable.alignment);
            let bytes = variable.of.bytes() * variable.count;
            *end = offset + bytes;
            let item = match variable.space {
                Space::Local => Item::Local(offset),
                _ => Item::Parameter(offset, bytes),
            };
            self.scopes[self.current].items.insert(variable.name, item);
        }
        Ok(())
    }

    fn instruction(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        let line = cursor.line();
        let mut guard = None;
        if cursor.take("@") {
            let is_negated = cursor.take("!");
            let name = cursor.next()?;
            let Some(Item::Register(register, _)) = self.lookup(name) else {
                return Err(cursor.fault(format!("{name} is no register")));
            };
            guard = Some(Guard { register, is_negated });
        }
        let name = cursor.next()?.to_owned();
        if !name.starts_with(|first: char| first.is_ascii_lowercase()) {
            return Err(Fault::at(line, format!("the statement {name} is unknown")));
        }
        let mut operands = Vec::new();
        while !cursor.take(";") {
            let read = operand(cursor, &|name| self.lookup(name))?;
            operands.push(read);
            if !cursor.take(",") {
                cursor.expect(";")?;
                break;
            }
        }
        self.statements.push(Statement { line, guard, name, operands });
        self.places.push(self.current);
        Ok(())
    }

    fn lookup(&self, name: &str) -> Option<Item> {
        self.chain(self.current).find_map(|scope| {
            if let Some(item) = scope.items.get(name) {
                return Some(item.clone());
            }
            let start = name.trim_end_matches(|last: char| last.is_ascii_digit());
            let (first, count, of) = scope.ranges.get(start)?;
            let number: usize = name[start.len()..].parse().ok()?;
            (number < *count).then(|| Item::Register(first + number, *of))
        })
    }

    fn chain(&self, scope: usize) -> impl Iterator<Item = &Scope> {
        std::iter::successors(Some(&self.scopes[scope]), |scope| {
            scope.outer.map(|outer| &self.scopes[outer])
        })
    }

    fn label(&self, scope: usize, name: &str) -> Option<usize> {
        self.chain(scope).find_map(|scope| scope.labels.get(name).copied())
    }

    /// Replaces the names of labels, which may follow their uses.
    fn finish(mut self) -> Result<()> {
        let mut statements = std::mem::take(&mut self.statements);
        for (statement, scope) in statements.iter_mut().zip(&self.places) {
            for operand in &mut statement.operands {
                if let Operand::Symbol(name) = operand
                    && let Some(position) = self.label(*scope, name)
                {
                    *operand = Operand::Label(position);
                }
            }
        }
        for (name, labels, scope, line) in std::mem::take(&mut self.lists) {
            let targets: Option<Vec<_>> =
                labels.iter().map(|label| self.label(scope, label)).collect();
            let targets = targets
                .ok_or_else(|| Fault::at(line, format!("{name} names a label that is missing")))?;
            self.function.targets.insert(name, targets);
        }
        self.function.body = Some(statements);
        Ok(())
    }
}
