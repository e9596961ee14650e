//! The definitions that names refer to.

use std::collections::BTreeMap;

use crate::fault::{Fault, Result};
use crate::text::{Linkage, Module};

/// Position of a definition: its module, and its number among the module's own.
pub(super) type Position = (usize, Definition);

/// A definition of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Definition {
    Variable(usize),
    Function(usize),
    Alias(usize),
}

/// The definitions that count.
pub(super) struct Names {
    /// Names that are seen by one module only, for each module.
    pub(super) local: Vec<BTreeMap<String, Definition>>,
    pub(super) global: BTreeMap<String, Position>,
}

/// A definition that may count.
struct Candidate<'text> {
    name: &'text str,
    linkage: Linkage,
    line: u32,
    definition: Definition,
}

impl Names {
    pub(super) fn collect(modules: &[Module]) -> Result<Self> {
        let mut names = Self { local: Vec::new(), global: BTreeMap::new() };
        let mut strong: BTreeMap<String, String> = BTreeMap::new();
        for (number, module) in modules.iter().enumerate() {
            let mut local = BTreeMap::new();
            for Candidate { name, linkage, line, definition } in candidates(module) {
                let twice = |other: &str| {
                    let message = format!("{name} is defined here and in {other}");
                    Fault::new(message).located(&module.file, line)
                };
                let position = (number, definition);
                match linkage {
                    Linkage::Extern => {}
                    Linkage::Local => {
                        if local.insert(name.to_owned(), definition).is_some() {
                            return Err(twice(&module.file));
                        }
                    }
                    Linkage::Weak => {
                        names.global.entry(name.to_owned()).or_insert(position);
                    }
                    Linkage::Visible => {
                        if let Some(other) = strong.insert(name.to_owned(), module.file.clone()) {
                            return Err(twice(&other));
                        }
                        names.global.insert(name.to_owned(), position);
                    }
                }
            }
            names.local.push(local);
        }
        Ok(names)
    }
}

/// Returns the definitions of a module. An alias has the linkage of its declaration as a function.
fn candidates(module: &Module) -> impl Iterator<Item = Candidate<'_>> {
    let variables = module.variables.iter().enumerate().map(|(number, variable)| Candidate {
        name: &variable.name,
        // An array without a size is memory whose size the launch sets.
        linkage: if variable.count == 0 { Linkage::Extern } else { variable.linkage },
        line: variable.line,
        definition: Definition::Variable(number),
    });
    let defined = module.functions.iter().enumerate();
    let functions =
        defined.filter(|(_, function)| function.body.is_some()).map(|(number, function)| {
            Candidate {
                name: &function.name,
                linkage: function.linkage,
                line: function.line,
                definition: Definition::Function(number),
            }
        });
    let aliases = module.aliases.iter().enumerate().map(|(number, (name, _, line))| {
        let declared = module.functions.iter().find(|function| function.name == *name);
        Candidate {
            name,
            linkage: declared.map_or(Linkage::Local, |function| function.linkage),
            line: *line,
            definition: Definition::Alias(number),
        }
    });
    variables.chain(functions).chain(aliases)
}
