//! Text for people, line by line.

use std::fmt::{Arguments, Write as _};

/// Appends a line to `text`.
pub(crate) fn line(text: &mut String, arguments: Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{arguments}");
}
