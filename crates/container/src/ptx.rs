//! Symbols of PTX text.
//!
//! Not a parser: only what stands outside braces is looked at, where PTX declares its symbols. A
//! declaration is `[.extern|.visible|.weak|.common] .func|.entry|.global|.const|.shared … name`. What
//! has no linkage directive is local. A function that ends in `;` is a prototype and defines nothing.

use std::fmt;

use thiserror::Error;
use weft_artifact::OpaqueSymbols;

pub(crate) mod assembly;
pub(crate) mod dependence;
mod statements;
mod token;

use statements::{LINKAGES, VARIABLES, is_function};
use token::{Token, Tokens};

/// Text that is no PTX, or not all of it.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub struct PtxError {
    /// Offset in bytes.
    offset: usize,
    fault: &'static str,
}

impl PtxError {
    pub(crate) fn new(offset: usize, fault: &'static str) -> Self {
        Self { offset, fault }
    }
}

impl fmt::Display for PtxError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "malformed PTX at byte {}: {}", self.offset, self.fault)
    }
}

/// Whether `data` starts like PTX: its first directive is `.version`.
pub(crate) fn is_ptx(data: &[u8]) -> bool {
    Tokens::new(data).next() == Some(Ok(Token::Word(b".version")))
}

/// Architecture and symbols of PTX.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PtxFacts {
    /// What `.target` names first, such as `sm_90`; empty if it is not there.
    pub architecture: String,
    /// The symbols that other units can see.
    pub symbols: OpaqueSymbols,
}

/// Reads the PTX `text`.
pub fn ptx_facts(text: &[u8]) -> Result<PtxFacts, PtxError> {
    if !is_ptx(text) {
        return Err(PtxError::new(0, "it does not start with .version"));
    }
    let mut facts = PtxFacts::default();
    statements::each(text, |statement, has_body| facts.take(statement, has_body))?;
    facts.symbols = std::mem::take(&mut facts.symbols).normalized();
    Ok(facts)
}

impl PtxFacts {
    /// Takes in one statement. `body`: braces follow it.
    fn take(&mut self, statement: &[&[u8]], body: bool) {
        let (linkage, rest) = match statement {
            [first, rest @ ..] if LINKAGES.contains(first) => (Some(*first), rest),
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
        let Some((linkage, (directive, rest))) = linkage.zip(rest.split_first()) else { return };
        if is_function(directive) {
            if let Some(name) = function_name(rest) {
                // A prototype that is not defined here is defined elsewhere.
                self.add(name, linkage != b".extern" && body);
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

    fn add(&mut self, name: &[u8], defined: bool) {
        let name = String::from_utf8_lossy(name).into_owned();
        let list = if defined { &mut self.symbols.defines } else { &mut self.symbols.needs };
        list.push(name);
    }
}

/// The name after the return value in parentheses and attributes that start with a dot.
fn function_name<'text>(words: &[&'text [u8]]) -> Option<&'text [u8]> {
    let mut depth = 0_usize;
    for word in words {
        match *word {
            b"(" => depth += 1,
            b")" => depth = depth.saturating_sub(1),
            word if depth == 0 && is_name(word) => return Some(word),
            _ => {}
        }
    }
    None
}

/// The names in a list of variables: one at its start and one after each comma. Numbers of
/// alignments and dimensions are no names, and values follow in braces or as one word after `=`.
fn variable_names<'text>(words: &[&'text [u8]]) -> Vec<&'text [u8]> {
    let mut names = Vec::new();
    let (mut depth, mut expected) = (0_usize, true);
    for word in words {
        match *word {
            b"(" => depth += 1,
            b")" => depth = depth.saturating_sub(1),
            b"," if depth == 0 => expected = true,
            word if expected && depth == 0 && is_name(word) => {
                names.push(word);
                expected = false;
            }
            _ => {}
        }
    }
    names
}

/// The array without a size that a statement declares, with its alignment; `None` if what it declares has
/// a size.
fn unsized_array(words: &[&[u8]]) -> Option<(String, u32)> {
    let number = |word: &&[u8]| std::str::from_utf8(word).ok()?.parse::<u32>().ok();
    let aligned = words.iter().position(|word| *word == b".align").and_then(|it| words.get(it + 1));
    let bracket = words.iter().position(|word| *word == b"[")?;
    let name = words.get(bracket.checked_sub(1)?).filter(|word| is_name(word))?;
    let has_size = words.get(bracket + 1).is_some_and(|word| number(word).is_some());
    let alignment = aligned.and_then(number).unwrap_or(1);
    (!has_size).then(|| (String::from_utf8_lossy(name).into_owned(), alignment))
}

fn is_name(word: &[u8]) -> bool {
    word.first().is_some_and(|first| first.is_ascii_alphabetic() || b"_$%".contains(first))
}

#[cfg(test)]
mod tests;
