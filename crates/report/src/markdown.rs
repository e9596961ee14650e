//! The short form of a report in Markdown, for the page of a change under review.
//!
//! Names are code spans and other texts are escaped, so nothing that a name holds can become a
//! link, a mention or a tag.

use std::fmt::Write as _;

use crate::data::{BuildReport, Image, Kernel, KernelValues};
use crate::gate::Breach;
use crate::names::printable;
use crate::shown::{bytes, count, counted, difference, percent};
use crate::values::Value;

/// Maximum number of rows of a table. Comments on review pages have a limit, and a reader, too.
const ROWS: usize = 25;

/// Returns the short form. `breaches` are the limits that the build passed.
pub fn markdown(report: &BuildReport, breaches: &[Breach]) -> String {
    let mut text = String::new();
    let title = if report.title.is_empty() { "program" } else { &report.title };
    // Writing to a String cannot fail.
    let _ = writeln!(text, "### Device code of {}\n", escaped(title));
    let sections = [
        limits(breaches),
        totals(report),
        changed(report),
        if report.against.is_none() { lowest(report) } else { String::new() },
        removed(report),
        warnings(report),
    ];
    let sections: Vec<_> = sections.into_iter().filter(|text| !text.is_empty()).collect();
    text + &sections.join("\n")
}

fn limits(breaches: &[Breach]) -> String {
    let mut text = String::new();
    for Breach { gate, lines } in breaches {
        let passed = counted(lines.len() as u64, "time");
        let _ = writeln!(text, "- limit {} passed {passed}:", code(gate));
        for line in lines.iter().take(ROWS) {
            let _ = writeln!(text, "  - {}", code(line));
        }
        text += &and_more("  - ", lines.len());
    }
    text
}

/// Returns the sizes of the whole program.
fn totals(report: &BuildReport) -> String {
    let mut text = String::new();
    if let Some(against) = &report.against {
        let _ = writeln!(
            text,
            "Against {}: {} worse, {} mixed, {} better, {} new, {} gone, {} like before.\n",
            escaped(&against.title),
            against.worse,
            against.mixed,
            against.better,
            against.new,
            against.gone.len(),
            against.same
        );
        if !against.note.is_empty() {
            let _ = writeln!(text, "{}.\n", escaped(&against.note));
        }
    }
    let spills =
        report.kernels.iter().filter(|kernel| KernelValues::of(kernel).spills.unwrap_or(0) > 0);
    let calls = report.kernels.iter().filter(|kernel| KernelValues::of(kernel).calls > 0);
    let _ = writeln!(
        text,
        "{} in {}, {} with spills, {} with calls.",
        counted(report.kernels.len() as u64, "kernel"),
        counted(report.modules.len() as u64, "unit"),
        count(spills.count() as u64),
        count(calls.count() as u64)
    );
    let has_linked = report.images.iter().any(|image| image.image_bytes.is_some());
    let sizes = |image: &Image| {
        let cubins = (Some(image.cubin_bytes), image.cubin_bytes_before);
        let linked = (image.image_bytes, image.image_bytes_before);
        if has_linked { vec![cubins, linked] } else { vec![cubins] }
    };
    if !report.images.is_empty() {
        let titles = if has_linked {
            &["architecture", "cubins", "image"][..]
        } else {
            &["architecture", "cubins"]
        };
        text += "\n";
        text += &head(titles, &[]);
    }
    for image in &report.images {
        let link = report.links.get(image.link as usize);
        let architecture = escaped(link.map_or("", |link| &link.architecture));
        let columns = sizes(image).into_iter().map(size);
        let columns: Vec<_> = std::iter::once(architecture).chain(columns).collect();
        let _ = writeln!(text, "| {} |", columns.join(" | "));
    }
    text
}

/// Returns a size, and how it changed.
fn size((now, before): (Option<u64>, Option<u64>)) -> String {
    match (before, now) {
        (Some(before), Some(now)) if before != now => {
            format!("{} → {} ({})", bytes(before), bytes(now), percent(before, now))
        }
        (_, Some(now)) => bytes(now),
        (_, None) => "?".to_owned(),
    }
}

/// Returns the kernels that changed, what is worst first, with the values in which one of them
/// differs.
fn changed(report: &BuildReport) -> String {
    let Some(against) = &report.against else { return String::new() };
    let order = ["worse", "mixed", "better", "new"];
    let of =
        |change: &'static str| report.kernels.iter().filter(move |kernel| kernel.change == change);
    let kernels: Vec<&Kernel> = order.into_iter().flat_map(of).collect();
    let mut text = String::new();
    if !kernels.is_empty() {
        let differs = |kernel: &&Kernel, value: Value| {
            let now = value.of(&KernelValues::of(kernel));
            kernel.before.as_ref().is_some_and(|before| value.of(before) != now)
        };
        let has_new = kernels.iter().any(|kernel| kernel.before.is_none());
        let is_shown = |value: &Value| {
            let always = has_new && matches!(value, Value::Occupancy | Value::Registers);
            always || kernels.iter().any(|kernel| differs(kernel, *value))
        };
        let values: Vec<Value> = Value::ALL.into_iter().filter(is_shown).collect();
        text += &head(&["", "kernel"], &values);
        for kernel in kernels.iter().take(ROWS) {
            let cells = values.iter().map(|value| cell(kernel, *value));
            let cells: Vec<_> = cells.collect();
            let _ = writeln!(
                text,
                "| {} | {} | {} |",
                kernel.change,
                kernel_name(report, kernel),
                cells.join(" | ")
            );
        }
        text += &and_more("\n", kernels.len());
    }
    for (what, modules) in [("plan", "another plan"), ("code", "other code")] {
        let changed = against.modules.iter().filter(|module| module.change == what).count();
        if changed > 0 {
            let _ = writeln!(text, "\n{} with {modules}.", counted(changed as u64, "unit"));
        }
    }
    if !against.gone.is_empty() {
        let names = against.gone.iter().take(ROWS);
        let names = names.map(|gone| code(report.names.short(gone.name)));
        let _ = writeln!(text, "\nGone: {}.", names.collect::<Vec<_>>().join(", "));
        text += &and_more("\n", against.gone.len());
    }
    text
}

/// Returns the kernels with the lowest occupancy.
fn lowest(report: &BuildReport) -> String {
    if report.kernels.is_empty() {
        return String::new();
    }
    let values = [
        Value::Occupancy,
        Value::Registers,
        Value::Spills,
        Value::Stack,
        Value::Shared,
        Value::Calls,
    ];
    let mut text = head(&["kernel"], &values);
    for kernel in report.kernels.iter().take(ROWS) {
        let cells: Vec<_> = values.iter().map(|value| cell(kernel, *value)).collect();
        let _ = writeln!(text, "| {} | {} |", kernel_name(report, kernel), cells.join(" | "));
    }
    text + &and_more("\n", report.kernels.len())
}

fn removed(report: &BuildReport) -> String {
    let count = report.links.iter().map(|link| link.removed.len()).sum::<usize>();
    if count == 0 {
        return String::new();
    }
    format!("Removed, as nothing refers to them: {}.\n", counted(count as u64, "symbol"))
}

fn warnings(report: &BuildReport) -> String {
    let mut text = String::new();
    for warning in report.links.iter().flat_map(|link| &link.warnings).take(ROWS) {
        let _ = writeln!(text, "- warning: {}", escaped(warning));
    }
    text
}

/// Returns the head of a table: words, and then values, whose columns are aligned as numbers.
fn head(words: &[&str], values: &[Value]) -> String {
    let titles = values.iter().map(|value| value.title());
    let titles: Vec<_> = words.iter().copied().chain(titles).collect();
    let rules = words.iter().map(|_| "---").chain(values.iter().map(|_| "--:"));
    let rules: Vec<_> = rules.collect();
    format!("| {} |\n| {} |\n", titles.join(" | "), rules.join(" | "))
}

/// Returns a value of a kernel, and how it changed.
fn cell(kernel: &Kernel, value: Value) -> String {
    let Some(now) = value.of(&KernelValues::of(kernel)) else { return "?".to_owned() };
    let before = kernel.before.as_ref().and_then(|before| value.of(before));
    match before {
        Some(before) if before != now => {
            format!("{} → {} ({})", count(before), count(now), difference(before, now))
        }
        _ => count(now),
    }
}

/// Returns a kernel's name, with its architecture if there are several.
fn kernel_name(report: &BuildReport, kernel: &Kernel) -> String {
    let name = code(report.names.short(kernel.name));
    let module = report.modules.get(kernel.module as usize);
    let link = module.and_then(|module| report.links.get(module.link as usize));
    match link {
        Some(link) if report.links.len() > 1 => format!("{name} {}", escaped(&link.architecture)),
        _ => name,
    }
}

/// Returns the line about rows that a table leaves out.
fn and_more(start: &str, rows: usize) -> String {
    match rows.saturating_sub(ROWS) {
        0 => String::new(),
        more => format!("{start}and {} more\n", count(more as u64)),
    }
}

/// Returns `text` as a code span that is fit for a table.
fn code(text: &str) -> String {
    let text = printable(text);
    // A span ends at as many backticks as it starts with.
    let mut longest = 0;
    let mut run = 0;
    for letter in text.chars() {
        run = if letter == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    let pad = if longest > 0 || text.is_empty() { " " } else { "" };
    // Tables are divided before code spans are looked for.
    format!("{fence}{pad}{}{pad}{fence}", text.replace('|', "\\|"))
}

/// Returns `text` with a backslash in front of all that Markdown could take for markup.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in printable(text).chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            // Without these nothing is a mention or an address.
            '@' => escaped.push_str("&#64;"),
            ':' => escaped.push_str("&#58;"),
            '.' | '-' | '/' | ',' | '(' | ')' => escaped.push(letter),
            _ if letter.is_ascii_punctuation() => escaped.extend(['\\', letter]),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
