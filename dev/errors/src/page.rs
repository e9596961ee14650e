//! The page.

use std::fmt::Write as _;

use crate::proof::Row;
use crate::table::{Origin, Table};

const HEAD: &str = "\
# Errors

`cargo xtask errors --write` makes this page from the code, and `cargo xtask check` fails when it
is behind. It lists the types of errors, and the files that give an error its exit code. A reader
that is not listed states its reasons under one of these.

| exit code | meaning |
|---|---|
| 2 | the command line is wrong, or a variable or settings file that stands for it |
| 3 | an input has a wrong content |
| 4 | the machine lacks something: a file, a tool, room, a server |
| 5 | a program that Weft started failed |
| 6 | all is done, and a limit of `--fail-if` is passed |
| 70 | a defect in Weft |

An error names its file first, and errors about the machine end with what the system said. The
named test holds a part of the message. An error that no input can reach has the reason instead of
a test.
";

/// Renders the page.
pub(crate) fn page(table: &Table, rows: &[Row]) -> String {
    let mut text = HEAD.to_owned();
    for origin in &table.origins {
        let of: Vec<&Row> = rows.iter().filter(|row| row.message.origin == origin.name).collect();
        section(&mut text, origin, &of);
    }
    text
}

fn section(text: &mut String, origin: &Origin, rows: &[&Row]) {
    let Origin { name, cause, remedy, .. } = origin;
    let path = rows.first().map(|row| row.message.path.as_str()).unwrap_or_default();
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "\n## {name}\n\n{cause}\n\n{remedy} Source: [{path}](../{path}).\n\n\
         | message | exit code | test |\n|---|---|---|\n"
    );
    for row in rows {
        let code = row.message.code.map(|code| code.to_string()).or_else(|| origin.code.clone());
        let proof = row.test.as_ref().map(|(file, test)| {
            let name = if test.is_empty() { file.rsplit('/').next().unwrap_or(file) } else { test };
            format!("[{name}](../{file})")
        });
        let proof = proof.or_else(|| {
            let reason = origin.why_unreachable(&row.message.text);
            reason.map(|reason| format!("unreachable: {reason}"))
        });
        let _ = writeln!(
            text,
            "| {} | {} | {} |",
            quoted(&row.message.text),
            code.unwrap_or_default(),
            proof.unwrap_or_default()
        );
    }
}

/// Returns a text as code in a table.
fn quoted(text: &str) -> String {
    let text = text.replace('\n', " ").replace('|', "\\|");
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_stay_in_their_cells() {
        assert_eq!(quoted("a|b\nc"), "`a\\|b c`");
        assert_eq!(quoted("run `x`"), "`` run `x` ``");
    }
}
