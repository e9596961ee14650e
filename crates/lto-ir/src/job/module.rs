//! PTX as symbols, each with its parts in their normal form.

use std::collections::{BTreeMap, BTreeSet};

use weft_container::{PtxError, PtxItem, PtxItemKind, PtxLinkage, PtxSpace, ptx_items, ptx_words};

use super::body::{Names, demoted, normal, rewritten};

/// A function, kernel or variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Symbol {
    /// Kind: function, kernel or variable.
    pub(super) kind: PtxItemKind,
    /// Linkage.
    pub(super) linkage: PtxLinkage,
    /// Declaration without its linkage, to the name and what follows it.
    pub(super) head: String,
    /// A body, or the value of a variable.
    pub(super) value: Option<String>,
    /// Whether this defines the symbol.
    pub(super) is_definition: bool,
}

/// A text of PTX.
#[derive(Clone, Debug)]
pub(super) struct Module {
    /// Directives at the start, and files of line information.
    pub(super) header: Vec<String>,
    /// All symbols by their names. A definition counts for its prototypes.
    pub(super) symbols: BTreeMap<String, Symbol>,
    /// All else, in order: aliases, and sections of debug information.
    pub(super) rest: Vec<String>,
}

impl Symbol {
    /// Whether this is a function that is no kernel.
    pub(super) fn is_function(&self) -> bool {
        self.kind == PtxItemKind::Function
    }

    /// Whether this is a variable.
    pub(super) fn is_variable(&self) -> bool {
        matches!(self.kind, PtxItemKind::Variable(_))
    }

    /// Whether this is a function or kernel with a body.
    pub(super) fn has_body(&self) -> bool {
        !self.is_variable() && self.value.is_some()
    }

    /// Returns the alignment that is declared; 0 if none is.
    pub(super) fn alignment(&self) -> u32 {
        let mut words = ptx_words(&self.head, 0..self.head.len()).map(|(word, _)| word);
        let declared = words.find(|word| *word == ".align").and_then(|_| words.next());
        declared.and_then(|number| number.parse().ok()).unwrap_or(0)
    }

    /// Gives a variable that is declared with an alignment another one.
    pub(super) fn align(&mut self, bytes: u32) {
        let number = bytes.to_string();
        let mut was_align = false;
        self.head = rewritten(&self.head, 0..self.head.len(), |word| {
            let is_number = std::mem::replace(&mut was_align, word == ".align");
            is_number.then_some(number.as_str())
        });
    }

    /// Makes this the declaration of what another job defines.
    pub(super) fn make_external(&mut self) {
        (self.linkage, self.value, self.is_definition) = (PtxLinkage::Extern, None, false);
    }
}

impl Module {
    /// Reads PTX.
    pub(super) fn read(text: &str) -> Result<Self, PtxError> {
        let mut module = Self { header: Vec::new(), symbols: BTreeMap::new(), rest: Vec::new() };
        for item in ptx_items(text)? {
            let unchanged = |_: &str| None;
            match item.kind {
                PtxItemKind::Version
                | PtxItemKind::Target
                | PtxItemKind::AddressSize
                | PtxItemKind::File => {
                    module.header.push(rewritten(text, item.range.clone(), unchanged));
                }
                PtxItemKind::Function | PtxItemKind::Kernel | PtxItemKind::Variable(_) => {
                    module.add(text, item);
                }
                // Labels in sections are their own.
                PtxItemKind::Section => module.rest.push(text[item.range.clone()].to_owned()),
                PtxItemKind::Alias | PtxItemKind::Other => {
                    module.rest.push(rewritten(text, item.range.clone(), unchanged));
                }
            }
        }
        Ok(module)
    }

    fn add(&mut self, text: &str, item: PtxItem) {
        let is_definition = item.is_definition();
        if !is_definition && self.symbols.contains_key(&item.name) {
            return;
        }
        let linkage = match item.linkage {
            PtxLinkage::None => 0,
            PtxLinkage::Extern => ".extern".len(),
            PtxLinkage::Visible => ".visible".len(),
            PtxLinkage::Weak => ".weak".len(),
            PtxLinkage::Common => ".common".len(),
        };
        let head = rewritten(text, item.head.start + linkage..item.head.end, |_| None);
        let value = match (item.body, item.initializer) {
            (Some(body), _) => Some(normal(text, body)),
            (None, Some(value)) => Some(rewritten(text, value, |_| None)),
            (None, None) => None,
        };
        let (kind, linkage) = (item.kind, item.linkage);
        self.symbols.insert(item.name, Symbol { kind, linkage, head, value, is_definition });
    }

    /// Returns the symbols that `symbol` names in its body or value.
    pub(super) fn names(&self, symbol: &Symbol) -> Names {
        let text = symbol.value.as_deref().unwrap_or_default();
        Names::of(text, !symbol.is_variable(), |word| self.symbols.contains_key(word))
    }

    /// Returns all names whose address is taken somewhere.
    pub(super) fn addressed(&self) -> BTreeSet<String> {
        let names = self.symbols.values().map(|symbol| self.names(symbol));
        names.flat_map(|names| names.addressed).collect()
    }

    /// Returns the names of the shared variables that bodies declare.
    pub(super) fn demoted(&self) -> BTreeSet<String> {
        let bodies = self.symbols.values().filter(|symbol| symbol.has_body());
        let texts = bodies.filter_map(|symbol| symbol.value.as_deref());
        texts.flat_map(demoted).map(|(name, _)| name).collect()
    }

    /// Moves the shared variables that bodies declare out of these, as far as `is_wanted` says.
    pub(super) fn hoist(&mut self, is_wanted: impl Fn(&str) -> bool) {
        let mut hoisted = Vec::new();
        for symbol in self.symbols.values_mut().filter(|symbol| symbol.has_body()) {
            let Some(body) = &mut symbol.value else { continue };
            for (name, place) in demoted(body).into_iter().rev() {
                if is_wanted(&name) {
                    let head = body[place.clone()].trim_end_matches(';').to_owned();
                    let after = body[place.end..].trim_start().to_owned();
                    body.replace_range(place.start.., &after);
                    hoisted.push((name, head));
                }
            }
        }
        for (name, head) in hoisted {
            let kind = PtxItemKind::Variable(PtxSpace::Shared);
            let (linkage, value) = (PtxLinkage::None, None);
            self.symbols.entry(name).or_insert(Symbol {
                kind,
                linkage,
                head,
                value,
                is_definition: true,
            });
        }
    }

    /// Gives symbols other names wherever they are named.
    pub(super) fn rename(&mut self, names: &BTreeMap<String, String>) {
        if names.is_empty() {
            return;
        }
        let renamed =
            |text: &str| rewritten(text, 0..text.len(), |word| names.get(word).map(String::as_str));
        let symbols = std::mem::take(&mut self.symbols);
        for (name, mut symbol) in symbols {
            symbol.head = renamed(&symbol.head);
            symbol.value = symbol.value.map(|value| renamed(&value));
            self.symbols.insert(names.get(&name).cloned().unwrap_or(name), symbol);
        }
        for text in self.rest.iter_mut().filter(|text| text.starts_with(".alias")) {
            *text = renamed(text);
        }
    }
}
