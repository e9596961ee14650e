//! The order in which the build links its units.
//!
//! Linkers keep the first of several definitions that may replace each other, so the meaning of a
//! program that has differing ones depends on its link order. The order of thinlink's arguments is
//! not that order, as it may change by accident. So the build states it, in a file with a module id
//! per line. The id of an archive denotes its members, in the order in which the archive has them.
//! Units that are not listed come after the others, in module-id order.
//!
//! Cost: a look-up per unit and folder of its id, and a sort.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::model::error::LinkError;
use crate::model::lines;
use crate::model::program::PackedUnit;

/// Module ids in link order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkOrder {
    /// The file that the order was read from, for messages.
    path: PathBuf,
    ids: Vec<String>,
}

impl LinkOrder {
    /// Reads a file with one module id per line. Empty lines are ignored.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        Ok(Self { path: path.to_owned(), ids: lines::read(path)? })
    }

    /// Returns the order that `lines` state, which came from `path`.
    pub fn new<'text>(path: &Path, lines: impl IntoIterator<Item = &'text str>) -> Self {
        let ids = lines.into_iter().map(str::trim).filter(|id| !id.is_empty());
        Self { path: path.to_owned(), ids: ids.map(str::to_owned).collect() }
    }

    /// Returns the text of a file with this order, in one form however the original was written.
    pub(crate) fn text(&self) -> String {
        self.ids.iter().flat_map(|id| [id, "\n"]).collect()
    }

    /// Returns the position of each of `units`, which are sorted by module id, in the link. No two
    /// have the same.
    pub(crate) fn places(&self, units: &[&PackedUnit]) -> Result<Vec<u32>, LinkError> {
        let mut lines = BTreeMap::new();
        for (line, id) in self.ids.iter().enumerate() {
            if lines.insert(id.as_str(), (line, false)).is_some() {
                return Err(self.error(id, "is there twice"));
            }
        }
        let mut order: Vec<_> = (units.iter().enumerate())
            .map(|(position, unit)| match Self::line_of(unit, &mut lines) {
                Some((line, member)) => (line, member, position),
                None => (usize::MAX, 0, position),
            })
            .collect();
        let unknown = self.ids.iter().find(|id| lines.get(id.as_str()).is_some_and(|line| !line.1));
        if let Some(id) = unknown {
            return Err(self.error(id, "is the id of no unit"));
        }
        order.sort_unstable();
        let mut places = vec![0; units.len()];
        for (place, (_, _, position)) in (0..).zip(order) {
            places[position] = place;
        }
        Ok(places)
    }

    /// Returns the line that `unit` is in, and its position among the members of an archive. Marks
    /// the line as used.
    fn line_of(
        unit: &PackedUnit,
        lines: &mut BTreeMap<&str, (usize, bool)>,
    ) -> Option<(usize, usize)> {
        let id = unit.module_id.as_str();
        let archives = id.rmatch_indices('/').map(|(end, _)| (&id[..end], unit.member));
        let mut names = std::iter::once((id, 0)).chain(archives);
        let (name, member) = names.find(|(name, _)| lines.contains_key(name))?;
        let line = lines.get_mut(name)?;
        line.1 = true;
        Some((line.0, member))
    }

    fn error(&self, id: &str, reason: &'static str) -> LinkError {
        LinkError::LinkOrder { path: self.path.clone(), id: id.to_owned(), reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_of_the_file_does_not_matter_and_the_order_does() {
        let order = |lines: &str| LinkOrder::new(Path::new("order.txt"), lines.lines()).text();
        assert_eq!(order("b.cu\r\n\n  a.cu"), "b.cu\na.cu\n");
        assert_eq!(order(&order("b.cu\na.cu")), "b.cu\na.cu\n");
        assert_ne!(order("a.cu\nb.cu"), order("b.cu\na.cu"));
    }
}
