//! What the thin link tells people. Nothing of it reaches an output file.

use std::fmt::Write as _;

use crate::Tally;
use crate::arguments::Request;
use crate::link::Decided;
use crate::outputs::Told;

/// The texts for both streams.
pub(crate) struct Report {
    /// Warnings, and what `--trace` and `--verbose` ask for: for standard error.
    pub(crate) messages: String,
    /// What `--print-imports` and `--print-import-failures` ask for: for standard output.
    pub(crate) imports: String,
}

/// What was decided, as far as `request` asks for it.
pub(crate) fn report(decided: &Decided<'_>, told: &Told<'_>, request: &Request) -> Report {
    let mut messages = String::new();
    for warning in &decided.warnings {
        line(&mut messages, format_args!("thinlink: warning: {warning}"));
    }
    if request.trace {
        for name in &told.manifest.removed_kernels {
            line(&mut messages, format_args!("no reference to kernel {name}"));
        }
        for name in &told.manifest.removed_variables {
            line(&mut messages, format_args!("no reference to variable {name}"));
        }
    }
    if request.verbose {
        for entry in &decided.log {
            line(&mut messages, format_args!("{entry}"));
        }
        table(&mut messages, told);
    }
    let imports = decided.import_lines();
    Report { messages, imports }
}

fn table(text: &mut String, told: &Told) {
    let names = || told.manifest.modules.iter().map(|module| module.module_id.as_str());
    let width = names().chain(["module", "total"]).map(|name| name.chars().count()).max();
    let width = width.unwrap_or_default();
    line(
        text,
        format_args!("{:width$}  imports     kept  removed  internalized  promoted", "module"),
    );
    let mut total = Tally::default();
    for (name, tally) in names().zip(&told.tallies) {
        row(text, name, width, tally);
        total.imports += tally.imports;
        total.kept += tally.kept;
        total.removed += tally.removed;
        total.internalized += tally.internalized;
        total.promoted += tally.promoted;
    }
    row(text, "total", width, &total);
}

fn row(text: &mut String, name: &str, width: usize, tally: &Tally) {
    let Tally { imports, kept, removed, internalized, promoted } = tally;
    line(
        text,
        format_args!(
            "{name:width$}  {imports:7}  {kept:7}  {removed:7}  {internalized:12}  {promoted:8}"
        ),
    );
}

pub(crate) fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{arguments}");
}
