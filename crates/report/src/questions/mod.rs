//! Answers to questions about a finished link, from its record of decisions.
//!
//! The sentences come from [`Words`](crate::Words), so a page with the same facts gives the same
//! answers.

mod closures;
mod codes;
mod facts;
mod find;
mod imports;
mod symbols;

pub use facts::{Facts, ModuleFacts};

use crate::data::sentence;
use crate::names::{Form, Names};

/// A question about a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question<'text> {
    /// Why does the symbol stay?
    WhyLive,
    /// Why does the symbol go?
    WhyDead,
    /// Why does the module import the symbol?
    WhyImported(&'text str),
    /// Why does the module not import the symbol?
    WhyNotImported(&'text str),
    /// Why do all calls of the kernel stay in its module?
    WhyClosed,
    /// Why does a call of the kernel leave its module?
    WhyNotClosed,
}

/// Answers questions about one link.
#[derive(Clone, Copy, Debug)]
pub struct Answers<'all> {
    /// Decisions of the link.
    pub facts: &'all Facts,
    /// Names of the symbols in `facts`.
    pub names: &'all Names,
    /// Form of the names in answers.
    pub form: Form,
}

impl Answers<'_> {
    /// Returns the answer about the symbol that `symbol` means, a line for each fact. `is_match`
    /// says whether `symbol` is a pattern of a mangled name. An error says that there is no such
    /// symbol, or that there are several.
    pub fn answer(
        &self,
        question: Question<'_>,
        symbol: &str,
        is_match: &dyn Fn(&str) -> bool,
    ) -> Result<String, String> {
        let module = match question {
            Question::WhyImported(module) | Question::WhyNotImported(module) => {
                Some(self.module(module)?)
            }
            _ => None,
        };
        let definitions = &self.facts.definitions;
        let known = definitions.name.iter().copied();
        let found = find::find(self.names, known, symbol, is_match)?;
        let definitions: Vec<u32> = (0..)
            .zip(&definitions.name)
            .filter_map(|(number, name)| found.contains(name).then_some(number))
            .collect();
        match (question, module) {
            (Question::WhyImported(_), Some(module)) => {
                Ok(self.why_imported(module, &definitions, symbol, true))
            }
            (Question::WhyNotImported(_), Some(module)) => {
                Ok(self.why_imported(module, &definitions, symbol, false))
            }
            (Question::WhyLive, _) => Ok(self.why_live(&definitions)),
            (Question::WhyDead, _) => Ok(self.why_dead(&definitions)),
            (Question::WhyClosed, _) => self.why_closed(&definitions, symbol, true),
            _ => self.why_closed(&definitions, symbol, false),
        }
    }

    /// Returns the position of the module that `text` means: its id, or a part of it.
    fn module(&self, text: &str) -> Result<usize, String> {
        let modules = || self.facts.modules.iter().map(|module| module.id.as_str());
        if let Some(position) = modules().position(|id| id == text) {
            return Ok(position);
        }
        let found: Vec<_> = modules().enumerate().filter(|(_, id)| id.contains(text)).collect();
        match found.as_slice() {
            [(position, _)] => Ok(*position),
            [] => Err(format!("there is no module '{text}'")),
            several => {
                let ids = several.iter().map(|(_, id)| format!("\n  {id}")).take(20);
                let ids: String = ids.collect();
                let count = several.len();
                Err(format!("'{text}' is in the ids of {count} modules, so which one is it?{ids}"))
            }
        }
    }

    fn name(&self, name: u32) -> String {
        self.names.in_form(name, self.form).into_owned()
    }

    fn symbol(&self, definition: u32) -> String {
        let name = self.facts.definitions.name.get(definition as usize);
        name.map_or_else(String::new, |name| self.name(*name))
    }

    fn module_of(&self, definition: u32) -> &str {
        let module = self.facts.definitions.module.get(definition as usize);
        let module = module.and_then(|module| self.facts.modules.get(*module as usize));
        module.map_or("", |module| &module.id)
    }

    /// Returns a definition as answers name it: its symbol and its module.
    fn definition(&self, definition: u32) -> String {
        let (symbol, module) = (self.symbol(definition), self.module_of(definition));
        sentence("definition", &[("symbol", &symbol), ("module", module)])
    }
}

/// Appends a line to `text`.
fn line(text: &mut String, words: &str) {
    text.push_str(words);
    text.push('\n');
}

/// Appends a line that says more about the line before.
fn detail(text: &mut String, key: &str, places: &[(&str, &str)]) {
    text.push_str("  ");
    line(text, &sentence(key, places));
}

/// Returns `sentence`, with a start that contradicts if the answer is not what the question takes
/// for granted.
fn with_but(words: String, is_expected: bool) -> String {
    if is_expected { words } else { sentence("but", &[("sentence", &words)]) }
}
