//! The list of the files that a phase read, for Ninja and Make.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Returns the Makefile rule that `output` depends on `read`.
pub(crate) fn rule(output: &Path, read: &[PathBuf]) -> String {
    let mut rule = format!("{}:", escape(output));
    for path in read {
        // Writing to a String cannot fail.
        let _ = write!(rule, " \\\n  {}", escape(path));
    }
    rule.push('\n');
    rule
}

/// Escapes spaces and the characters with a meaning in Makefiles, as GCC and Ninja understand them.
fn escape(path: &Path) -> String {
    path.display().to_string().replace(' ', "\\ ").replace('#', "\\#").replace('$', "$$")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_meaning_are_escaped_in_depfiles() {
        let rule = rule(Path::new("out put.bc"), &["a$b".into(), "c#d".into()]);
        assert_eq!(rule, "out\\ put.bc: \\\n  a$$b \\\n  c\\#d\n");
    }
}
