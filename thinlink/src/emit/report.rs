//! Messages of the thin link. They reach no output file.

use super::decided::{Decided, Tally};
use crate::model::text::line;

/// The texts for both streams.
pub(crate) struct Report {
    /// Text for standard error: warnings, and the lines that `--trace` and `--verbose` ask for.
    pub(crate) messages: String,
    /// Text for standard output: the lines that `--print-imports` and `--print-import-failures` ask
    /// for.
    pub(crate) imports: String,
}

/// Parts of the report that the user asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// Kernels and variables that are removed.
    pub(crate) trace: bool,
    /// Decisions about the whole program, and the table of modules.
    pub(crate) verbose: bool,
}

/// Describes the decisions, as far as they are `wanted`, and the numbers of each module's
/// definitions.
pub(crate) fn report(decided: &Decided<'_>, tallies: &[Tally], wanted: Wanted) -> Report {
    let mut messages = String::new();
    for warning in &decided.warnings {
        line(&mut messages, format_args!("thinlink: warning: {warning}"));
    }
    for note in &decided.notes {
        line(&mut messages, format_args!("thinlink: note: {note}"));
    }
    if wanted.trace {
        for name in &decided.removed_kernels {
            line(&mut messages, format_args!("no reference to kernel {name}"));
        }
        for name in &decided.removed_variables {
            line(&mut messages, format_args!("no reference to variable {name}"));
        }
    }
    if wanted.verbose {
        for entry in &decided.log {
            line(&mut messages, format_args!("{entry}"));
        }
        table(&mut messages, decided, tallies);
    }
    let imports = decided.import_lines();
    Report { messages, imports }
}

fn table(text: &mut String, decided: &Decided<'_>, tallies: &[Tally]) {
    let names = || (decided.index.modules()).map(|module| decided.index.module_id(module).as_str());
    let width = names().chain(["module", "total"]).map(|name| name.chars().count()).max();
    let width = width.unwrap_or_default();
    line(
        text,
        format_args!(
            "{:width$}  imports   copied     kept  removed  internalized  promoted",
            "module"
        ),
    );
    let mut total = Tally::default();
    for (name, tally) in names().zip(tallies) {
        row(text, name, width, tally);
        total.imports += tally.imports;
        total.copied += tally.copied;
        total.kept += tally.kept;
        total.removed += tally.removed;
        total.internalized += tally.internalized;
        total.promoted += tally.promoted;
    }
    row(text, "total", width, &total);
}

fn row(text: &mut String, name: &str, width: usize, tally: &Tally) {
    let Tally { imports, copied, kept, removed, internalized, promoted } = tally;
    line(
        text,
        format_args!(
            "{name:width$}  {imports:7}  {copied:7}  {kept:7}  {removed:7}  {internalized:12}  \
             {promoted:8}"
        ),
    );
}
