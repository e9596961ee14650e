//! The doctor's findings, as a table for people and as JSON for programs.

use serde::Serialize;

/// Columns of a line of text.
const COLUMNS: usize = 80;
/// Columns before the text of a finding: its name and its state.
const MARGIN: usize = 27;

/// Meaning of a finding for a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    /// The thing is as it should be.
    Ok,
    /// A build works without it, or not as well as it could.
    Note,
    /// A build fails.
    Fails,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    /// Name of the thing.
    pub(crate) name: &'static str,
    pub(crate) state: State,
    /// Description of the thing, or of its fault.
    pub(crate) found: String,
    /// The remedy; empty where nothing has to be done.
    pub(crate) what_to_do: String,
}

impl Finding {
    pub(crate) fn ok(name: &'static str, found: impl Into<String>) -> Self {
        Self { name, state: State::Ok, found: found.into(), what_to_do: String::new() }
    }

    pub(crate) fn note(
        name: &'static str,
        found: impl Into<String>,
        what_to_do: impl Into<String>,
    ) -> Self {
        Self { name, state: State::Note, found: found.into(), what_to_do: what_to_do.into() }
    }

    pub(crate) fn fails(
        name: &'static str,
        found: impl Into<String>,
        what_to_do: impl Into<String>,
    ) -> Self {
        Self { name, state: State::Fails, found: found.into(), what_to_do: what_to_do.into() }
    }

    /// Returns the lines of the finding.
    fn text(&self) -> String {
        let state = match self.state {
            State::Ok => "ok",
            State::Note => "note",
            State::Fails => "FAILS",
        };
        let mut text = format!("{:<20} {state:<5} ", self.name);
        text.push_str(&wrapped(&self.found));
        if !self.what_to_do.is_empty() {
            text.push_str(&" ".repeat(MARGIN));
            text.push_str(&wrapped(&format!("what to do: {}", self.what_to_do)));
        }
        text
    }
}

/// Breaks text at spaces, with the margin before all lines but the first. A word that is too long
/// for a line, such as a path, stays whole.
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut column = MARGIN;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > MARGIN && column + 1 + length > COLUMNS {
            lines.push('\n');
            lines.push_str(&" ".repeat(MARGIN));
            column = MARGIN;
        } else if column > MARGIN {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += length;
    }
    lines.push('\n');
    lines
}

/// Returns the names of the findings that make a build fail.
pub(crate) fn failing(findings: &[Finding]) -> Vec<&'static str> {
    let fails = findings.iter().filter(|finding| finding.state == State::Fails);
    fails.map(|finding| finding.name).collect()
}

/// Returns the table.
pub(crate) fn table(findings: &[Finding]) -> String {
    let mut text: String = findings.iter().map(Finding::text).collect();
    let works = failing(findings).is_empty();
    text.push_str(if works { "\nA build would work.\n" } else { "\nA build would fail.\n" });
    text
}

/// Returns the findings as JSON.
pub(crate) fn json(findings: &[Finding]) -> anyhow::Result<String> {
    #[derive(Serialize)]
    struct Answer<'findings> {
        works: bool,
        findings: &'findings [Finding],
    }
    let answer = Answer { works: failing(findings).is_empty(), findings };
    Ok(serde_json::to_string_pretty(&answer)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_and_long_words_stay_whole() {
        let path = "/a".repeat(50);
        let finding = Finding::fails("ptxas", format!("not in {path}"), "say it ".repeat(30));
        let text = table(&[finding]);
        for line in text.lines() {
            assert!(line.len() <= COLUMNS || line.trim_start() == path, "{line}");
        }
        assert!(text.starts_with("ptxas                FAILS not in\n"), "{text}");
        assert!(text.ends_with("\nA build would fail.\n"), "{text}");
    }
}
