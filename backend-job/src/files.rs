//! Reading inputs and writing outputs, with errors that name the file.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use weft_artifact::file;
use weft_cli::{Blame as _, Fault};

pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path).blame(Fault::Environment, || format!("cannot read {}", path.display()))
}

/// Writes an output unless it holds that content already: then its time stays, and a build system
/// that looks at times need not run what depends on it.
pub(crate) fn write(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    file::write_if_different(path, content)
        .map(drop)
        .blame(Fault::Environment, || format!("cannot write {}", path.display()))
}

/// A Makefile rule: `output` depends on `read`.
pub(crate) fn depfile(output: &Path, read: &[PathBuf]) -> String {
    let mut rule = format!("{}:", escape(output));
    for path in read {
        // Writing to a String cannot fail.
        let _ = write!(rule, " \\\n  {}", escape(path));
    }
    rule.push('\n');
    rule
}

/// Spaces and the characters with a meaning in Makefiles, as GCC and Ninja understand them.
fn escape(path: &Path) -> String {
    path.display().to_string().replace(' ', "\\ ").replace('#', "\\#").replace('$', "$$")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_meaning_are_escaped_in_depfiles() {
        let rule = depfile(Path::new("out put.bc"), &["a$b".into(), "c#d".into()]);
        assert_eq!(rule, "out\\ put.bc: \\\n  a$$b \\\n  c\\#d\n");
    }
}
