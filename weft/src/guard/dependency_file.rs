//! The list of files that a linker of host code read, as a rule of Make.
//!
//! GNU ld, lld and mold write it alike: the output, a colon, and the files, one to a line that ends
//! in a backslash. GNU ld adds an empty rule for each file. In a name a space or `#` has a
//! backslash before it, the backslashes before that are doubled, and `$` is `$$`. GNU ld 2.40
//! writes a space as it is, so only the ends of lines divide names.

use std::path::{Path, PathBuf};

use weft_cli::{Blame as _, Fault, failure, files};

/// Returns the files that the first rules of the files in `paths` list. Paths that do not exist are
/// skipped, but at least one must exist.
pub(super) fn inputs(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let there: Vec<_> = paths.iter().filter(|path| path.exists()).collect();
    if let (Some(path), true) = (paths.first(), there.is_empty()) {
        let message = format!("cannot read {}: the host linker did not write it", path.display());
        return Err(failure(Fault::Environment, message));
    }
    let mut inputs = Vec::new();
    for path in there {
        let text = String::from_utf8(files::read(path)?)
            .blame(Fault::Input, || path.display().to_string())?;
        let names = prerequisites(&text)
            .ok_or_else(|| failure(Fault::Input, format!("{}: no rule of Make", path.display())))?;
        inputs.extend(names.iter().map(|name| Path::new(name).to_owned()));
    }
    Ok(inputs)
}

/// Returns the prerequisites of the first rule, which are the names after its colon.
fn prerequisites(text: &str) -> Option<Vec<String>> {
    let (mut names, mut name) = (Vec::new(), String::new());
    let mut characters = text.chars().peekable();
    let mut backslashes = 0;
    while let Some(character) = characters.next() {
        if character == '\\' {
            backslashes += 1;
            continue;
        }
        let ends = match character {
            // The last backslash before the line's end continues the rule.
            '\n' if backslashes > 0 => Some(false),
            '\n' => Some(true),
            ' ' | '\t' if backslashes == 0 && name.is_empty() => continue,
            _ => None,
        };
        let kept = match character {
            ' ' | '\t' | '#' => backslashes / 2,
            '\n' => backslashes - backslashes.min(1),
            _ => backslashes,
        };
        name.extend(std::iter::repeat_n('\\', kept));
        backslashes = 0;
        match ends {
            None => {
                if character == '$' && characters.peek() == Some(&'$') {
                    characters.next();
                }
                name.push(character);
            }
            Some(is_last) => {
                // Before the backslash that ends a line is a space.
                name.truncate(name.trim_end_matches([' ', '\t']).len());
                if !name.is_empty() {
                    names.push(std::mem::take(&mut name));
                }
                if is_last {
                    break;
                }
            }
        }
    }
    names.extend((!name.is_empty()).then_some(name));
    let colon = names.iter().position(|name| name.ends_with(':'))?;
    Some(names.split_off(colon + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_rule_is_read_with_names_of_any_kind() {
        let text = "out\\ put: \\\n  a.o \\\n  with\\ space.o \\\n  cash$$.o \\\n  back\\slash.o \
                    \\\n  \
                    odd\\\\\\ one.o\n\na.o:\n\nb.o:\n";
        let names = ["a.o", "with space.o", "cash$.o", "back\\slash.o", "odd\\ one.o"];
        assert_eq!(prerequisites(text), Some(names.map(str::to_owned).to_vec()));
        assert_eq!(prerequisites("p: \\\n  a.o"), Some(vec!["a.o".to_owned()]));
        let unescaped = "p: \\\n  a folder/a.o \\\n  b.o\n";
        let names = ["a folder/a.o", "b.o"].map(str::to_owned).to_vec();
        assert_eq!(prerequisites(unescaped), Some(names));
        assert_eq!(prerequisites("p:\n"), Some(Vec::new()));
        assert_eq!(prerequisites("text"), None);
    }
}
