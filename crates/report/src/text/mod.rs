//! The report as a text, for terminals and files.
//!
//! The text depends on the data, the form of names and the width alone. With mangled names, which
//! are for scripts, no name is cut, so lines can be longer than the width.

mod change;
mod kernels;
mod program;
mod table;

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::data::BuildReport;
use crate::names::{Form, printable};
use crate::shown::{bytes, counted, cut_in_the_middle};

/// Width of a text that is not for a terminal.
pub const DEFAULT_WIDTH: usize = 100;
/// Minimum width: below that, tables would hold nothing but ellipses.
const LEAST_WIDTH: usize = 60;

/// The form of a text.
#[derive(Clone, Copy, Debug)]
pub struct TextOptions {
    /// Form of names.
    pub form: Form,
    /// Number of characters of a line.
    pub width: usize,
}

/// Returns the report as a text.
pub fn text(report: &BuildReport, options: TextOptions) -> String {
    let width = options.width.max(LEAST_WIDTH);
    let writer = Writer { report, form: options.form, width };
    [
        writer.head(),
        writer.kernels(),
        writer.change(),
        writer.units(),
        writer.opaque(),
        writer.removed(),
        writer.options(),
        writer.warnings(),
        writer.messages(),
        writer.times(),
    ]
    .into_iter()
    .filter(|section| !section.is_empty())
    .collect::<Vec<_>>()
    .join("\n")
}

/// Writes the sections of a text.
struct Writer<'all> {
    report: &'all BuildReport,
    form: Form,
    width: usize,
}

impl Writer<'_> {
    /// Returns the first lines: the name of the program, and what there is of it.
    fn head(&self) -> String {
        let report = self.report;
        let count = |number: usize, noun: &str| counted(number as u64, noun);
        let mut parts = vec![count(report.kernels.len(), "kernel")];
        if !report.modules.is_empty() {
            parts.push(count(report.modules.len(), "unit"));
        }
        let architectures: Vec<_> = report.links.iter().map(|link| &*link.architecture).collect();
        if !architectures.is_empty() {
            parts.push(architectures.join(" and "));
        }
        let cubins = report.images.iter().map(|image| image.cubin_bytes).sum();
        if cubins > 0 {
            parts.push(format!("{} of cubins", bytes(cubins)));
        }
        let linked = report.images.iter().filter_map(|image| image.image_bytes).sum();
        if linked > 0 {
            parts.push(format!("{} linked", bytes(linked)));
        }
        let title = if report.title.is_empty() { "" } else { &format!("{}: ", report.title) };
        self.paragraph("", &format!("{title}{}", parts.join(", ")))
    }

    /// Returns a section, which is left out if it has no rows.
    fn section(&self, head: &str, rows: &str) -> String {
        if rows.is_empty() { String::new() } else { format!("{}{rows}", self.paragraph("", head)) }
    }

    /// Returns `words` in lines that start with `indent` and, where a word allows it, fit.
    fn paragraph(&self, indent: &str, words: &str) -> String {
        let mut text = String::new();
        let mut line = String::new();
        for word in words.split_whitespace() {
            let word = printable(word);
            let used = line.chars().count();
            if used > 0 && indent.len() + used + 1 + word.chars().count() > self.width {
                // Writing to a String cannot fail.
                let _ = writeln!(text, "{indent}{line}");
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&word);
        }
        text + &format!("{indent}{line}\n")
    }

    /// Returns a name, cut to `most` characters unless names are for scripts.
    fn name(&self, name: u32, most: usize) -> String {
        self.cut(&self.whole_name(name), most).into_owned()
    }

    /// Returns a name as tables hold it. The usual name of an unnamed namespace is so long that it
    /// would leave no room for what tells kernels apart.
    fn whole_name(&self, name: u32) -> String {
        let name = self.report.names.in_form(name, self.form);
        name.replace("(anonymous namespace)", "(anon)")
    }

    fn cut<'text>(&self, text: &'text str, most: usize) -> Cow<'text, str> {
        if self.form == Form::Mangled { Cow::Borrowed(text) } else { cut_in_the_middle(text, most) }
    }

    /// Returns the id of a module, with the architecture if there are several.
    fn unit(&self, module: u32) -> String {
        let report = self.report;
        let Some(module) = report.modules.get(module as usize) else { return String::new() };
        format!("{}{}", printable(&module.id), self.of_link(module.link))
    }

    /// Returns the architecture in parentheses if there are several.
    fn of_link(&self, link: u32) -> String {
        let links = &self.report.links;
        match links.get(link as usize) {
            Some(link) if links.len() > 1 => format!(" ({})", link.architecture),
            _ => String::new(),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests;
