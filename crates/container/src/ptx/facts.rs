//! Symbols of PTX text.
//!
//! A declaration is `[.extern|.visible|.weak|.common] .func|.entry|.global|.const|.shared … name`.
//! A symbol without a linkage directive is local. A function that ends in `;` is a prototype and
//! defines nothing.

use weft_artifact::OpaqueSymbols;

use super::declarations::{function_name, unsized_array, variable_names};
use super::error::PtxError;
use super::statements::{self, LINKAGES, VARIABLES, is_function};
use super::token::{Token, Tokens};

/// Whether `data` starts like PTX: its first directive is `.version`.
pub fn is_ptx(data: &[u8]) -> bool {
    Tokens::new(data).next() == Some(Ok(Token::Word(b".version")))
}

/// Architecture and symbols of PTX.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PtxFacts {
    /// Version of the language, such as `9.5`; empty without one.
    pub version: String,
    /// First word after `.target`, such as `sm_90`; empty without that directive.
    pub architecture: String,
    /// Symbols that other units can see.
    pub symbols: OpaqueSymbols,
    /// Kernels and variables of the whole program that other units cannot see, in their order.
    pub local_definitions: Vec<String>,
}

/// Reads the PTX `text`.
pub fn ptx_facts(text: &[u8]) -> Result<PtxFacts, PtxError> {
    if !is_ptx(text) {
        return Err(PtxError::new(0, "it does not start with .version"));
    }
    let mut facts = PtxFacts::default();
    statements::each(text, |statement| {
        facts.take(&statement.words, statement.body.is_some());
    })?;
    facts.symbols = std::mem::take(&mut facts.symbols).normalized();
    Ok(facts)
}

impl PtxFacts {
    /// Adds the facts of one statement. `has_body` says whether braces follow.
    fn take(&mut self, statement: &[&[u8]], has_body: bool) {
        let (linkage, rest) = match statement {
            [first, rest @ ..] if LINKAGES.contains(first) => (Some(*first), rest),
            [first, version, ..] if *first == b".version" => {
                self.version = String::from_utf8_lossy(version).into_owned();
                return;
            }
            [first, name, ..] if *first == b".target" => {
                self.architecture = String::from_utf8_lossy(name).into_owned();
                return;
            }
            // `.alias name, target;`: the name is visible as its declaration says.
            [first, name, ..] if *first == b".alias" => {
                self.symbols.defines.push(String::from_utf8_lossy(name).into_owned());
                return;
            }
            _ => (None, statement),
        };
        let Some((directive, rest)) = rest.split_first() else { return };
        let Some(linkage) = linkage else {
            self.add_local(directive, rest, has_body);
            return;
        };
        if is_function(directive) {
            if let Some(name) = function_name(rest) {
                // A prototype that is not defined here is defined elsewhere.
                self.add(name, linkage != b".extern" && has_body);
            }
        } else if VARIABLES.contains(directive) {
            for name in variable_names(rest) {
                self.add(name, linkage != b".extern");
            }
            if linkage == b".extern" && *directive == b".shared" {
                self.symbols.dynamic_shared.extend(unsized_array(rest));
            }
        }
    }

    fn add_local(&mut self, directive: &[u8], rest: &[&[u8]], has_body: bool) {
        let names = match directive {
            b".entry" if has_body => Vec::from_iter(function_name(rest)),
            b".global" | b".const" => variable_names(rest),
            _ => Vec::new(),
        };
        let names = names.into_iter().map(|name| String::from_utf8_lossy(name).into_owned());
        self.local_definitions.extend(names);
    }

    fn add(&mut self, name: &[u8], defined: bool) {
        let name = String::from_utf8_lossy(name).into_owned();
        let list = if defined { &mut self.symbols.defines } else { &mut self.symbols.needs };
        list.push(name);
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
