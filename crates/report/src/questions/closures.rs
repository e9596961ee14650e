//! Whether a kernel's module holds all that the kernel reaches, and if not, why.

use super::{Answers, detail, line, with_but};
use crate::data::{Closure, EXITS, filled, sentence};

/// Number of the reason that a closure is too large. Such a closure was not followed to its end.
const TOO_LARGE: u8 = 0;

impl Answers<'_> {
    /// Describes, for each live kernel among the definitions, the functions that it reaches, and a
    /// call that leaves the module, if there is one. `wanted` says which answer the question takes
    /// for granted; the true one is given either way.
    pub(super) fn why_closed(
        &self,
        definitions: &[u32],
        symbol: &str,
        wanted: bool,
    ) -> Result<String, String> {
        let mut text = String::new();
        let closures = self.facts.modules.iter().flat_map(|module| &module.closures);
        for closure in closures.filter(|closure| definitions.contains(&closure.kernel)) {
            let Closure { kernel, functions, instructions, exit, .. } = closure;
            let kernel = self.definition(*kernel);
            let key = if exit.is_none() { "closed" } else { "open" };
            let words = sentence(key, &[("definition", &kernel)]);
            line(&mut text, &with_but(words, exit.is_none() == wanted));
            let number = |count: &u32| match exit {
                Some(TOO_LARGE) => sentence("at_least", &[("number", &count.to_string())]),
                _ => count.to_string(),
            };
            detail(&mut text, "reaches", &[("number", &number(functions))]);
            detail(&mut text, "with_itself", &[("number", &number(instructions))]);
            if let Some(exit) = exit {
                detail(&mut text, "why", &[("exit", &self.leaving(*exit, closure))]);
            }
        }
        if text.is_empty() {
            return Err(format!(
                "'{symbol}' is no live kernel, or the link was made without closed modules"
            ));
        }
        Ok(text)
    }

    /// Describes the call that leaves the module, and why it does.
    fn leaving(&self, exit: u8, closure: &Closure) -> String {
        let from = closure.caller.map_or_else(String::new, |caller| self.definition(caller));
        let to = closure.callee.map_or_else(|| "a function".to_owned(), |name| self.name(name));
        let (_, words) = EXITS[usize::from(exit).min(EXITS.len() - 1)];
        filled(words, &[("caller", &from), ("callee", &to)])
    }
}
