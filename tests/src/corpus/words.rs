//! The lines of a description, each of which has a key, a colon and words.

/// A line that is neither empty nor a comment, joined with its continuation lines.
#[derive(Debug)]
pub(super) struct Line<'text> {
    /// Number of the line in the file, from 1.
    pub number: usize,
    pub key: &'text str,
    /// Text after the colon. Continuation lines are joined to it by a space.
    pub value: String,
}

impl Line<'_> {
    /// Returns an error message about this line.
    pub(super) fn error(&self, what: impl std::fmt::Display) -> String {
        format!("line {}: {}: {what}", self.number, self.key)
    }

    /// Returns the words of the value; an error if there are none.
    pub(super) fn words(&self) -> Result<Vec<String>, String> {
        let words: Vec<String> = self.value.split_whitespace().map(str::to_owned).collect();
        if words.is_empty() { Err(self.error("nothing follows")) } else { Ok(words) }
    }
}

/// Returns all lines of a text.
pub(super) fn lines(text: &str) -> Result<Vec<Line<'_>>, String> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let content = line.trim();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        if line.starts_with(' ') {
            let before = lines.last_mut();
            let before = before.ok_or_else(|| format!("line {number} continues nothing"))?;
            before.value.push(' ');
            before.value.push_str(content);
            continue;
        }
        let (key, value) =
            line.split_once(':').ok_or_else(|| format!("line {number} has no colon"))?;
        lines.push(Line { number, key, value: value.trim().to_owned() });
    }
    Ok(lines)
}
