//! The code in the pages for users, for tests that do what a page says.

use std::fs;

use crate::workspace_root;

/// The first block of code of that language, such as `cmake`, in a page of the checkout that holds
/// `text`, without what the page indents it by.
///
/// # Panics
///
/// If there is no such page or block.
pub fn block(page: &str, language: &str, text: &str) -> String {
    let content = fs::read_to_string(workspace_root().join(page))
        .unwrap_or_else(|error| panic!("{page}: {error}"));
    // Every second part is between fences.
    let mut parts = content.split("```");
    while let (Some(before), Some(code)) = (parts.next(), parts.next()) {
        let indent = before.rsplit('\n').next().unwrap_or_default();
        if let Some(code) = code.strip_prefix(&format!("{language}\n"))
            && code.contains(text)
        {
            let lines = code.lines().map(|line| line.strip_prefix(indent).unwrap_or(line));
            return lines.collect::<Vec<_>>().join("\n") + "\n";
        }
    }
    panic!("{page} has no block of {language} with {text:?}");
}
