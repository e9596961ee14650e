//! The list of mutants in `tests/mutants.txt`.
//!
//! A mutant has a name, the rule that it breaks, a file, and two texts: lines with a minus are in
//! the file once, and lines with a plus take their place. It may name a program of the end-to-end
//! tests that notices it, and a part of the names of that program's tests.

use std::fs;
use std::path::Path;

use dev_process::{Error, Result, while_trying};

/// Path of the list from the root of the checkout.
pub(crate) const FILE: &str = "tests/mutants.txt";

/// A change that breaks one rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mutant {
    /// Name of the mutant.
    pub(crate) name: String,
    /// The rule that the mutant breaks.
    pub(crate) rule: String,
    /// Path of the source file from the root.
    pub(crate) file: String,
    /// A program of the end-to-end tests and words in the names of its tests, which are tried
    /// before all others; empty if the mutant names none.
    pub(crate) test: Vec<String>,
    old: Vec<String>,
    new: Vec<String>,
}

impl Mutant {
    /// Returns the content of the file with the change.
    pub(crate) fn apply(&self, content: &str) -> Result<String> {
        let (old, new) = (self.old.join("\n"), self.new.join("\n"));
        match content.matches(&old).count() {
            1 => Ok(content.replacen(&old, &new, 1)),
            count => Err(Error::new(format!(
                "{FILE}: mutant {}: its text is {count} times in {}, expected once:\n{old}",
                self.name, self.file
            ))),
        }
    }

    fn check(&self) -> Result<()> {
        let parts = [&self.name, &self.rule, &self.file];
        let is_whole = parts.iter().all(|part| !part.is_empty())
            && !self.old.is_empty()
            && self.old != self.new;
        let wrong = || format!("{FILE}: mutant {:?} lacks a part or changes nothing", self.name);
        if is_whole { Ok(()) } else { Err(Error::new(wrong())) }
    }
}

/// Reads all mutants of the checkout, in the order of the list.
pub(crate) fn read(root: &Path) -> Result<Vec<Mutant>> {
    let path = root.join(FILE);
    parse(&fs::read_to_string(&path).map_err(while_trying("read", &path))?)
}

fn parse(text: &str) -> Result<Vec<Mutant>> {
    let mut mutants: Vec<Mutant> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(name) = line.strip_prefix("mutant ") {
            if mutants.iter().any(|mutant| mutant.name == name) {
                return Err(Error::new(format!("{FILE}:{number}: there are two mutants {name}")));
            }
            mutants.push(Mutant { name: name.to_owned(), ..Mutant::default() });
            continue;
        }
        let wrong = || Error::new(format!("{FILE}:{number}: unexpected line {line:?}"));
        let mutant = mutants.last_mut().ok_or_else(wrong)?;
        if let Some(rule) = line.strip_prefix("rule ") {
            rule.clone_into(&mut mutant.rule);
        } else if let Some(file) = line.strip_prefix("file ") {
            file.clone_into(&mut mutant.file);
        } else if let Some(test) = line.strip_prefix("test ") {
            mutant.test = test.split(' ').map(str::to_owned).collect();
        } else if let Some(old) = line.strip_prefix('-') {
            mutant.old.push(old.to_owned());
        } else if let Some(new) = line.strip_prefix('+') {
            mutant.new.push(new.to_owned());
        } else {
            return Err(wrong());
        }
    }
    mutants.iter().try_for_each(Mutant::check)?;
    Ok(mutants)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "# Text\n\nmutant one\nrule A rule.\nfile a.rs\n-x\n-  y\n+z\n\n\
                       mutant two\nrule Another.\nfile b.rs\ntest cmake nvcc\n-x\n+\n";

    #[test]
    fn a_text_that_is_there_once_is_replaced() {
        let [one, two] = parse(TWO).unwrap().try_into().unwrap();
        assert_eq!((one.test.len(), two.test.join(" ")), (0, "cmake nvcc".to_owned()));
        assert_eq!(one.apply("ax\n  yb").unwrap(), "azb");
        assert_eq!(two.apply("axb").unwrap(), "ab");
        for content in ["", "x x"] {
            assert!(two.apply(content).unwrap_err().message().contains("expected once"));
        }
    }

    #[test]
    fn wrong_lists_are_refused() {
        for wrong in [
            "-x\n",
            "mutant one\n",
            "mutant one\nrule A rule.\nfile a.rs\n-x\n+x\n",
            &TWO.replace("two", "one"),
            &TWO.replace("rule", "role"),
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_mutant_applies_to_the_sources() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        let mutants = read(root).unwrap();
        assert!(mutants.len() >= 60, "{} mutants", mutants.len());
        for mutant in mutants {
            let content = fs::read_to_string(root.join(&mutant.file)).unwrap();
            assert_ne!(mutant.apply(&content).unwrap(), content);
        }
    }
}
