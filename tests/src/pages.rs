//! The code blocks of the pages for users, for tests that follow the pages.

use std::fs;

use crate::workspace_root;

/// Returns the first block of code in `language`, such as `cmake`, that holds `text` in a page of
/// the checkout. The page's indentation of the block is removed.
///
/// # Panics
///
/// Panics if there is no such page or block.
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
            // The last line is the indentation of the fence.
            return lines.collect::<Vec<_>>().join("\n").trim_end().to_owned() + "\n";
        }
    }
    panic!("{page} has no block of {language} with {text:?}");
}
