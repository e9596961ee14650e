//! Host symbols that the host linker hides.

use std::collections::BTreeSet;
use std::path::Path;

use weft_artifact::Guid;

use crate::model::lines;

/// Names of host symbols that the host linker hides, as by a version script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HiddenSymbols(BTreeSet<String>);

impl HiddenSymbols {
    /// Reads a file with one name per line. Empty lines are ignored.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        Ok(Self(lines::read(path)?.into_iter().collect()))
    }

    /// Returns the text of a file with these names, in one form however the original was written.
    pub(crate) fn text(&self) -> String {
        self.0.iter().flat_map(|name| [name, "\n"]).collect()
    }

    pub(crate) fn guids(&self) -> impl Iterator<Item = Guid> {
        self.0.iter().map(|name| Guid::of_global(name))
    }
}
