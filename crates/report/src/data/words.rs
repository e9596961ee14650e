//! The words of answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The phrases for answers to questions, shared by the page and the command.
///
/// Braces mark placeholders: `{other}`, `{definition}` and `{caller}` are replaced by `definition`
/// of `sentences`, which holds `{symbol}` and `{module}`; the others are replaced by the values
/// that they name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    /// Fates of definitions: a key, and the line that says it.
    pub fates: Vec<(String, String)>,
    /// Reasons why a candidate is not imported: a key, and the words.
    pub refusals: Vec<(String, String)>,
    /// Hotness of calls.
    pub classes: Vec<String>,
    /// Passes of the import engine.
    pub passes: Vec<String>,
    /// Reasons why a call leaves the module of a kernel: a key, and the line that says it.
    pub exits: Vec<(String, String)>,
    /// All other sentences, by key.
    pub sentences: BTreeMap<String, String>,
}

/// Fates of definitions. The position is the number of the fate.
pub(crate) const FATES: [(&str, &str); 15] = [
    ("used", "the code marks it as used, or assembly names it"),
    ("kept", "the command line keeps it"),
    ("host", "host code refers to it, or may, as the host symbol is local"),
    ("named", "host code that goes by names, opaque device code or a list names it"),
    ("runtime", "the runtime walks it"),
    ("unregistered", "nothing registers it with the host, so nobody can say who uses it"),
    ("registered", "it is registered with the host, and such symbols are kept"),
    ("listed_by_host", "host code of a unit lists it as used"),
    ("visible", "it is visible, and not all that could refer to it is known"),
    ("nothing_removed", "nothing is removed: --compute-dead=false"),
    ("through", "referred to by {other}"),
    ("copy_of", "a copy; the program's is {other}"),
    ("dead_with", "referred to by nothing that stays, but by {other}"),
    ("unreferenced", "nothing refers to it"),
    ("only_copied", "every module that calls it has a copy of its own"),
];

/// Number of the first fate of a definition that is removed.
pub(crate) const FIRST_DEAD: u8 = 12;

/// Reasons why a candidate is not imported. The position is the number of the reason.
pub(crate) const REFUSALS: [(&str, &str); 13] = [
    ("too_large", "it is too large"),
    ("not_worth_it", "calls of its class are not worth an import"),
    ("kernel", "it is a kernel"),
    ("no_inline", "it is noinline"),
    ("not_importable", "its body cannot be copied"),
    ("replaceable", "another definition may replace it"),
    ("names_pinned_local", "it names a local that must keep its name"),
    ("cut_off", "the number of imports was used up"),
    ("alias", "it is an alias"),
    ("not_constant", "it is no constant in global or constant memory"),
    ("constant_with_references", "it is a constant that names symbols"),
    ("budget_spent", "its callers' budgets for inlining are spent on other callees"),
    ("over_copy_limit", "it is larger than --copy-limit"),
];

pub(crate) const CLASSES: [&str; 4] = ["default", "cold", "hot", "critical"];
pub(crate) const PASSES: [&str; 3] = ["direct", "transitive", "speculative"];

/// Reasons why a call leaves the module of a kernel. The position is the number of the reason.
pub(crate) const EXITS: [(&str, &str); 7] = [
    ("too_large", "it reaches more than --closure-limit, so nothing was copied for it"),
    ("not_copyable", "{caller} calls {callee}, which cannot be copied"),
    (
        "shared",
        "{caller} calls {callee}, which stays shared, as copies would exceed --closure-growth",
    ),
    ("undefined", "{caller} calls {callee}, which no module defines"),
    ("indirect", "{caller} calls through a pointer"),
    ("cut_off", "its module has as many functions of others as --import-cutoff allows"),
    ("over_copy_limit", "{caller} calls {callee}, which is larger than --copy-limit"),
];

const SENTENCES: [(&str, &str); 23] = [
    ("definition", "{symbol} of {module}"),
    ("stays", "{definition} stays:"),
    ("goes", "{definition} goes:"),
    ("stays_ask", "{definition} stays: ask why-live"),
    ("goes_ask", "{definition} goes: ask why-dead"),
    ("circle", "which is a circle"),
    ("but", "But {sentence}"),
    ("imports", "{module} imports {symbol} from {source}"),
    ("does_not_import", "{module} does not import {symbol} from {source}"),
    ("no_candidate", "{module} does not import {symbol}: it was not among the candidates"),
    ("reason", "reason: {reason}"),
    ("cost", "cost: {number} instructions"),
    ("threshold", "threshold: {number} instructions"),
    ("class", "class: {class}"),
    ("level", "level: {number}"),
    ("pass", "pass: {pass}"),
    ("caller", "caller: {definition}"),
    ("closed", "{definition} is closed:"),
    ("open", "{definition} is open:"),
    ("reaches", "reaches within its module: {number} functions"),
    ("with_itself", "with itself: {number} IR instructions"),
    ("at_least", "at least {number}"),
    ("why", "why: {exit}"),
];

impl Words {
    /// Whether a fate of this number means that the definition is removed.
    pub fn is_removal(fate: u8) -> bool {
        fate >= FIRST_DEAD
    }

    /// Returns the words of this version.
    pub fn standard() -> Self {
        let pair = |(key, words): (&str, &str)| (key.to_owned(), words.to_owned());
        Self {
            fates: FATES.map(pair).into(),
            refusals: REFUSALS.map(pair).into(),
            classes: CLASSES.map(str::to_owned).into(),
            passes: PASSES.map(str::to_owned).into(),
            exits: EXITS.map(pair).into(),
            sentences: SENTENCES.map(pair).into(),
        }
    }
}

/// Returns the sentence `key` with its places filled.
pub(crate) fn sentence(key: &str, places: &[(&str, &str)]) -> String {
    let known = SENTENCES.iter().find(|(known, _)| *known == key);
    filled(known.map_or("", |(_, words)| words), places)
}

/// Fills the placeholders of `template`. Braces in the values are literal.
pub(crate) fn filled(template: &str, places: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        let value = places.iter().find(|(place, _)| *place == name);
        text.push_str(value.map_or("", |(_, value)| value));
        rest = after;
    }
    text.push_str(rest);
    text
}
