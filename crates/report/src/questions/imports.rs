//! Why a module imports a symbol, and why not.

use super::{Answers, detail, line, with_but};
use crate::data::{CLASSES, Candidate, PASSES, REFUSALS, sentence};

impl Answers<'_> {
    /// Describes the decisions about the definitions in the module. `wanted` says which answer the
    /// question takes for granted; the true one is given either way.
    pub(super) fn why_imported(
        &self,
        module: usize,
        definitions: &[u32],
        symbol: &str,
        wanted: bool,
    ) -> String {
        let Some(module) = self.facts.modules.get(module) else { return String::new() };
        let asked = |candidate: &&Candidate| definitions.contains(&candidate.definition);
        let mut text = String::new();
        for candidate in module.candidates.iter().filter(asked) {
            let is_imported = candidate.refusal.is_none();
            let key = if is_imported { "imports" } else { "does_not_import" };
            let places = [
                ("module", module.id.as_str()),
                ("symbol", &self.symbol(candidate.definition)),
                ("source", self.module_of(candidate.definition)),
            ];
            line(&mut text, &with_but(sentence(key, &places), is_imported == wanted));
            self.describe(&mut text, candidate);
        }
        if text.is_empty() {
            let symbol = definitions.first().map_or(symbol.to_owned(), |first| self.symbol(*first));
            let places = [("module", module.id.as_str()), ("symbol", symbol.as_str())];
            line(&mut text, &with_but(sentence("no_candidate", &places), !wanted));
        }
        text
    }

    fn describe(&self, text: &mut String, candidate: &Candidate) {
        let Candidate { cost, refusal, caller, level, threshold, class, pass, .. } = candidate;
        if let Some((_, reason)) = refusal.and_then(|code| REFUSALS.get(usize::from(code))) {
            detail(text, "reason", &[("reason", reason)]);
        }
        // Variables are not weighed.
        let is_weighed = *cost > 0 || *threshold > 0;
        let number = |text: &mut String, key: &str, number: &u32| {
            detail(text, key, &[("number", &number.to_string())]);
        };
        if is_weighed {
            number(text, "cost", cost);
        }
        let Some(caller) = caller else { return };
        if is_weighed {
            number(text, "threshold", threshold);
            let class = CLASSES.get(usize::from(*class)).copied().unwrap_or_default();
            detail(text, "class", &[("class", class)]);
        }
        number(text, "level", level);
        let pass = PASSES.get(usize::from(*pass)).copied().unwrap_or_default();
        detail(text, "pass", &[("pass", pass)]);
        detail(text, "caller", &[("definition", &self.definition(*caller))]);
    }
}
