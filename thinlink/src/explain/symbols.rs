//! Explains why a symbol stays or is removed.

use weft_artifact::{RootReason, SymbolFate};

use super::query::SymbolQuery;
use super::record::{Entry, Record};
use crate::model::text::line;

/// Describes, for each definition of the symbol, the path from it to a root, or says that it is
/// removed.
pub(super) fn why_live(query: &SymbolQuery) -> anyhow::Result<String> {
    let record = Record::read(&query.output_dir)?;
    let mut text = String::new();
    for entry in record.matching(&query.symbol)? {
        if is_dead(entry) {
            line(&mut text, format_args!("{} goes: ask why-dead", title(entry)));
        } else {
            line(&mut text, format_args!("{} stays:", title(entry)));
            chain(&mut text, &record, entry);
        }
    }
    Ok(text)
}

/// Describes, for each definition of the symbol, the removed definitions that refer to it, or says
/// that it stays.
pub(super) fn why_dead(query: &SymbolQuery) -> anyhow::Result<String> {
    let record = Record::read(&query.output_dir)?;
    let mut text = String::new();
    for entry in record.matching(&query.symbol)? {
        if is_dead(entry) {
            line(&mut text, format_args!("{} goes:", title(entry)));
            chain(&mut text, &record, entry);
        } else {
            line(&mut text, format_args!("{} stays: ask why-live", title(entry)));
        }
    }
    Ok(text)
}

fn is_dead(entry: &Entry) -> bool {
    matches!(
        entry.fate,
        SymbolFate::DeadWith(_) | SymbolFate::Unreferenced | SymbolFate::OnlyCopied
    )
}

fn title(entry: &Entry) -> String {
    format!("{} of {}", entry.name, entry.module)
}

/// A line for each step from `entry` to the end.
fn chain(text: &mut String, record: &Record, entry: &Entry) {
    let mut at = entry;
    let mut seen: Vec<*const Entry> = Vec::new();
    loop {
        seen.push(std::ptr::from_ref(at));
        let (words, next) = match at.fate {
            SymbolFate::Root(reason) => {
                line(text, format_args!("  {}", root(reason)));
                return;
            }
            SymbolFate::Unreferenced => {
                line(text, format_args!("  nothing refers to it"));
                return;
            }
            SymbolFate::OnlyCopied => {
                line(text, format_args!("  every module that calls it has a copy of its own"));
                return;
            }
            SymbolFate::Through(step) => ("referred to by", record.step(at, step)),
            SymbolFate::DeadWith(step) => {
                ("referred to by nothing that stays, but by", record.step(at, step))
            }
            SymbolFate::CopyOf(step) => ("a copy; the program's is", record.step(at, step)),
        };
        line(text, format_args!("  {words} {}", title(next)));
        if seen.contains(&std::ptr::from_ref(next)) {
            line(text, format_args!("  which is a circle"));
            return;
        }
        at = next;
    }
}

fn root(reason: RootReason) -> &'static str {
    match reason {
        RootReason::Used => "the code marks it as used, or assembly names it",
        RootReason::Kept => "the command line keeps it",
        RootReason::Host => "host code refers to it, or may, as the host symbol is local",
        RootReason::Named => "host code that goes by names, opaque device code or a list names it",
        RootReason::Runtime => "the runtime walks it",
        RootReason::Unregistered => {
            "nothing registers it with the host, so nobody can say who uses it"
        }
        RootReason::Registered => "it is registered with the host, and such symbols are kept",
        RootReason::ListedByHost => "host code of a unit lists it as used",
        RootReason::Visible => "it is visible, and not all that could refer to it is known",
        RootReason::NothingRemoved => "nothing is removed: --compute-dead=false",
    }
}
