//! Digests of definitions that several units may hold.
//!
//! Equal source gives equal PTX except for the numbers of labels, literals and prototypes, and for
//! the names of local symbols, which contain the unit's. So the former are numbered by first
//! occurrence, and a local symbol counts by its content. A local function that calls itself through
//! others counts by its name, which no other unit has: equal definitions may then look different,
//! which costs at most an optimization.

use std::collections::BTreeMap;
use std::ops::Range;

use weft_artifact::{Linkage, Symbol, digest};
use weft_container::{PtxToken, ptx_tokens};

use super::statements::{LINE, without_lines};

/// Depth from which on local symbols count by their names.
const DEEPEST: usize = 64;
/// Beginnings of names that hold numbers of the module.
const NUMBERED: [&str; 3] = ["$L_", "prototype_", "__local_depot"];

/// The definitions of a module.
pub(super) struct Contents<'module> {
    text: &'module str,
    symbols: &'module [Symbol],
    /// For each symbol, the bytes of its definition in the text.
    places: &'module [Option<Range<usize>>],
    /// Digests of local symbols, by their indices.
    locals: BTreeMap<usize, u64>,
}

impl<'module> Contents<'module> {
    pub(super) fn new(
        text: &'module str,
        symbols: &'module [Symbol],
        places: &'module [Option<Range<usize>>],
    ) -> Self {
        Self { text, symbols, places, locals: BTreeMap::new() }
    }

    /// Returns the digest of the definition of the symbol at `index`; `None` if it has none, or is
    /// not `wanted`.
    pub(super) fn digest_of(
        &mut self,
        index: usize,
        wanted: impl Fn(&Symbol) -> bool,
    ) -> Option<u64> {
        self.symbols.get(index).filter(|symbol| wanted(symbol))?;
        self.digest_within(index, &mut Vec::new())
    }

    /// [`Self::digest_of`], while the digests of the symbols `open` are being computed.
    fn digest_within(&mut self, index: usize, open: &mut Vec<usize>) -> Option<u64> {
        let range = self.places.get(index)?.clone()?;
        let own_name = self.symbols.get(index)?.name.as_str();
        open.push(index);
        let mut content = Vec::new();
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        let tokens: Vec<_> = ptx_tokens(self.text, range).map(|(token, _)| token).collect();
        let mut rest = tokens.as_slice();
        while let Some((token, behind)) = rest.split_first() {
            if *token == LINE {
                rest = without_lines(rest);
                continue;
            }
            rest = behind;
            match *token {
                PtxToken::Symbol(symbol) => content.extend(symbol.to_string().bytes()),
                PtxToken::String(text) => content.extend(text.bytes()),
                PtxToken::Word(word) if NUMBERED.iter().any(|start| word.starts_with(start)) => {
                    let next = numbers.len();
                    let number = *numbers.entry(word).or_insert(next);
                    content.extend(format!("${number}").bytes());
                }
                PtxToken::Word(word) => match word.strip_prefix(own_name) {
                    // The function itself, and its parameters, which have its name.
                    Some(end) if end.is_empty() || end.starts_with("_param_") => {
                        content.extend(format!("${end}").bytes());
                    }
                    _ => content.extend(self.word(word, open).bytes()),
                },
            }
            content.push(b' ');
        }
        open.pop();
        let [first, second, third, fourth, fifth, sixth, seventh, eighth, ..] =
            *digest(&content).as_bytes();
        Some(u64::from_le_bytes([first, second, third, fourth, fifth, sixth, seventh, eighth]))
    }

    /// Returns the text that represents a word: the digest of a local symbol, or the word.
    fn word(&mut self, word: &str, open: &mut Vec<usize>) -> String {
        let local = self.symbols.binary_search_by(|symbol| symbol.name.as_str().cmp(word)).ok();
        let is_local = |&index: &usize| {
            let linkage = self.symbols.get(index).map(|symbol| symbol.linkage);
            linkage.is_some_and(Linkage::is_local)
        };
        let Some(index) = local.filter(is_local) else { return word.to_owned() };
        if !self.locals.contains_key(&index) {
            if open.len() > DEEPEST || open.contains(&index) {
                return word.to_owned();
            }
            let Some(digest) = self.digest_within(index, open) else { return word.to_owned() };
            self.locals.insert(index, digest);
        }
        format!("${:x}", self.locals.get(&index).copied().unwrap_or_default())
    }
}
