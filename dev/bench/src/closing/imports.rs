//! Share of the imported instructions that ends up inlined, from the reports of the codegen phase.
//!
//! The reports count the bodies that are imported for inlining alone. A closed module has no such
//! bodies: it owns local copies of the functions of other modules that it needs.

use std::fs;
use std::iter::Sum;
use std::path::PathBuf;

use crate::figures::share;
use dev_process::{Result, while_trying};

/// Instructions of imported bodies before optimization.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Imports {
    /// Number of instructions of all imported bodies.
    pub(super) instructions: u64,
    /// Number of instructions of the bodies that ended up inlined.
    pub(super) inlined: u64,
}

impl Imports {
    /// Returns the share that ended up inlined; 1 if nothing was imported.
    pub(super) fn used_share(self) -> f64 {
        if self.instructions == 0 { 1.0 } else { share(self.inlined, self.instructions) }
    }
}

impl Sum for Imports {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, imports| Self {
            instructions: sum.instructions + imports.instructions,
            inlined: sum.inlined + imports.inlined,
        })
    }
}

/// Sums the reports of a program's modules; `None` if a version of Weft wrote them that does not
/// count imported instructions.
pub(super) fn read(reports: &[PathBuf]) -> Result<Option<Imports>> {
    let mut imports = Vec::new();
    for path in reports {
        let text = fs::read_to_string(path).map_err(while_trying("read", path))?;
        imports.push(imports_of(&text));
    }
    Ok(imports.into_iter().sum())
}

/// Reads the counts of a report, which is JSON.
fn imports_of(report: &str) -> Option<Imports> {
    let number = |name: &str| {
        let (_, rest) = report.split_once(&format!("\"{name}\":"))?;
        let rest = rest.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..end].parse().ok()
    };
    let [instructions, inlined] =
        ["imported_instructions", "imported_instructions_inlined"].map(number);
    Some(Imports { instructions: instructions?, inlined: inlined? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_found_by_their_whole_names() {
        let report = "{\n  \"imported\": 3,\n  \"imported_instructions_inlined\": 40,\n  \
                      \"imported_instructions\": 100\n}";
        let imports = imports_of(report).unwrap();
        assert_eq!(imports, Imports { instructions: 100, inlined: 40 });
        assert!((imports.used_share() - 0.4).abs() < 1e-9);
        assert_eq!(imports_of("{\"imported_instructions\": 100}"), None);
    }

    #[test]
    fn a_program_without_imports_wastes_none() {
        let none: Imports = [Imports::default(); 2].into_iter().sum();
        assert!((none.used_share() - 1.0).abs() < 1e-9);
    }
}
