//! The page that shows all options.

use std::fmt::Write as _;

use crate::knobs::Knob;
use crate::table::{Proof, Source};

/// Path of the page in the checkout.
pub const PAGE: &str = "docs/knobs.md";

const HEAD: &str = "\
# Knobs

Every option of `summarize`, `thinlink`, `backend-job` and `weft`, with its default, the option that
it comes from and that option's default, what it acts on, and the test that fails if it is ignored.
`cargo xtask knobs --write` makes this page from the programs' definitions and from the
[table](../dev/knobs/table), and `cargo xtask check` fails if it is out of date. Positional
arguments are no options; `--help`, `--version`, `--completion` and `--man` write a text and are
left out.

Sources are the documents 000 to 004 about NVIDIA's `cicc` and `nvlink`, and LLVM 22, `ptxas` and
`nvlink` themselves. Options without a source are Weft's own. *Tried* means that the test
[knobs](../tests/tests/knobs.rs) turns the option and sees that the named output changes, *refused*
that the option is an error with a reason.
";

const COLUMNS: &str = "\
| option | default | source, and its default | acts on | test |
|---|---|---|---|---|
";

/// Returns the page.
pub fn page(knobs: &[Knob<'_>]) -> String {
    let mut text = HEAD.to_owned();
    let mut section = "";
    for knob in knobs {
        let title = match knob.row.program.as_str() {
            "all" => "All programs",
            program => program,
        };
        if title != section {
            section = title;
            // Writing to a String cannot fail.
            let _ = write!(text, "\n## {title}\n\n{COLUMNS}");
        }
        let _ = writeln!(text, "{}", line(knob));
    }
    text
}

fn line(knob: &Knob<'_>) -> String {
    let row = knob.row;
    let mut name = format!("`{}`", row.name);
    if !row.subcommands.is_empty() {
        let commands: Vec<_> = row.subcommands.iter().map(|name| name.replace('/', " ")).collect();
        // Writing to a String cannot fail.
        let _ = write!(name, " of {}", commands.join(", "));
    }
    let source = row.source.as_ref().map(source).unwrap_or_default();
    let source = match row.differs.as_str() {
        "" => source,
        reason => format!("{source}; differs: {reason}"),
    };
    let proofs: Vec<_> = row.proofs.iter().map(proof).collect();
    let cells = [name, escaped(knob.default()), source, row.acts.clone(), proofs.join(", ")];
    format!("| {} |", cells.map(|cell| cell.replace('|', "\\|")).join(" | "))
}

fn source(source: &Source) -> String {
    let Source { document, name, default } = source;
    format!("{document} `{name}`, {}", escaped(default))
}

/// Returns a default as code, unless it is a text or nothing.
fn escaped(default: &str) -> String {
    match default {
        "" | "none" => "none".to_owned(),
        text if text.contains(' ') => text.to_owned(),
        value => format!("`{value}`"),
    }
}

fn proof(proof: &Proof) -> String {
    match proof {
        Proof::Try(_, files) => format!("tried: {}", files.join(", ")),
        Proof::Refused(..) => "refused".to_owned(),
        Proof::Scenario(name) => format!("[{name}](../thinlink/tests/rules/{name}.txt)"),
        Proof::Test(file, name) => format!("[{name}](../{file})"),
    }
}
