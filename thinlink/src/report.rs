//! What the thin link tells people. Nothing of it reaches an output file.

use std::fmt::Write as _;

use crate::arguments::Request;
use crate::{Link, Tally};

/// Warnings, and what `--trace` and `--verbose` ask for: the text for standard error.
pub(crate) fn messages(link: &Link, request: &Request) -> String {
    let mut text = String::new();
    for warning in &link.warnings {
        line(&mut text, format_args!("thinlink: warning: {warning}"));
    }
    if request.trace {
        for name in &link.removed_kernels {
            line(&mut text, format_args!("no reference to kernel {name}"));
        }
        for name in &link.removed_variables {
            line(&mut text, format_args!("no reference to variable {name}"));
        }
    }
    if request.verbose {
        for entry in &link.log {
            line(&mut text, format_args!("{entry}"));
        }
        table(&mut text, link);
    }
    text
}

/// What `--print-imports` asks for: the text for standard output.
pub(crate) fn imports(link: &Link, request: &Request) -> String {
    let mut text = String::new();
    if request.print_imports {
        for plan in &link.plans {
            for list in &plan.imports {
                for symbol in &list.symbols {
                    let (module, source) = (&plan.module_id, &list.module_id);
                    line(&mut text, format_args!("{module} imports {symbol} from {source}"));
                }
            }
        }
    }
    text
}

fn table(text: &mut String, link: &Link) {
    let names = || link.plans.iter().map(|plan| plan.module_id.as_str());
    let width = names().chain(["module", "total"]).map(|name| name.chars().count()).max();
    let width = width.unwrap_or_default();
    line(
        text,
        format_args!("{:width$}  imports     kept  removed  internalized  promoted", "module"),
    );
    let mut total = Tally::default();
    for (name, tally) in names().zip(&link.tallies) {
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
