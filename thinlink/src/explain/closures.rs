//! Whether a kernel's module holds all that the kernel reaches, and if not, why.

use weft_artifact::{ClosureDecision, ClosureExit, ExitReason};
use weft_cli::{Fault, failure};

use super::query::SymbolQuery;
use super::record::Record;
use crate::model::text::line;

/// Describes, for each live kernel of a matching name, the functions that it reaches, and a call
/// that leaves the module, if there is one. `wanted` says which answer the question takes for
/// granted; the true one is given either way.
pub(super) fn why(query: &SymbolQuery, wanted: bool) -> anyhow::Result<String> {
    let record = Record::read(&query.output_dir)?;
    let matching = record.matching(&query.symbol)?;
    let asked = |closure: &&ClosureDecision| {
        let kernel = record.get(closure.kernel as usize);
        matching.iter().any(|entry| std::ptr::eq(*entry, kernel))
    };
    let mut text = String::new();
    for closure in record.closures.iter().filter(asked) {
        let kernel = record.get(closure.kernel as usize);
        let but = if closure.exit.is_none() == wanted { "" } else { "But " };
        let word = if closure.exit.is_none() { "closed" } else { "open" };
        let ClosureDecision { functions, instructions, exit, .. } = closure;
        line(&mut text, format_args!("{but}{} of {} is {word}:", kernel.name, kernel.module));
        // A closure that is too large was not followed to its end.
        let is_whole = exit.as_ref().is_none_or(|exit| exit.reason != ExitReason::TooLarge);
        let at_least = if is_whole { "" } else { "at least " };
        line(
            &mut text,
            format_args!("  reaches within its module: {at_least}{functions} functions"),
        );
        line(&mut text, format_args!("  with itself: {at_least}{instructions} IR instructions"));
        if let Some(exit) = exit {
            line(&mut text, format_args!("  why: {}", leaving(&record, exit)));
        }
    }
    if text.is_empty() {
        let message = format!(
            "'{}' is no live kernel, or the link was made without closed modules",
            query.symbol
        );
        return Err(failure(Fault::Usage, message));
    }
    Ok(text)
}

/// Describes the call that leaves the module, and why it does.
fn leaving(record: &Record, exit: &ClosureExit) -> String {
    let caller = record.get(exit.caller as usize);
    let from = format!("{} of {}", caller.name, caller.module);
    let to = exit.callee.as_deref().unwrap_or("a function");
    match exit.reason {
        ExitReason::TooLarge => {
            "it reaches more than --closure-limit, so nothing was copied for it".to_owned()
        }
        ExitReason::NotCopyable => {
            format!("{from} calls {to}, which cannot be copied")
        }
        ExitReason::Shared => format!(
            "{from} calls {to}, which stays shared, as copies would exceed --closure-growth"
        ),
        ExitReason::Undefined => format!("{from} calls {to}, which no module defines"),
        ExitReason::Indirect => format!("{from} calls through a pointer"),
    }
}
