//! Units whose objects are members of static libraries.

use std::collections::BTreeSet;
use std::path::Path;

use weft_artifact::ModuleId;

use crate::model::lines;

/// Module ids of the members of static libraries. The id of an archive denotes its members.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Archives(BTreeSet<String>);

impl Archives {
    /// Reads a file with one module id per line. Empty lines are ignored.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        Ok(Self(lines::read(path)?.into_iter().collect()))
    }

    /// Returns the text of a file with these ids, in one form however the original was written.
    pub(crate) fn text(&self) -> String {
        self.0.iter().flat_map(|id| [id, "\n"]).collect()
    }

    /// Whether a static library holds the object of `unit`.
    pub(crate) fn hold(&self, unit: &ModuleId) -> bool {
        // An object that was joined from several holds several modules.
        let id = unit.as_str();
        let id = id.rsplit_once("~module").map_or(id, |(id, _)| id);
        let folders = id.rmatch_indices('/').map(|(end, _)| &id[..end]);
        std::iter::once(id).chain(folders).any(|id| self.0.contains(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_of_the_file_does_not_matter() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("members.txt");
        let read = |content: &str| -> anyhow::Result<Archives> {
            std::fs::write(&file, content)?;
            Archives::read(&file)
        };
        let archives = read("lib/b.a\n\n  lib/a.a\r\nlib/b.a")?;
        assert_eq!(archives.text(), "lib/a.a\nlib/b.a\n");
        assert_eq!(read(&archives.text())?, archives);
        assert_ne!(read("lib/a.a")?.text(), archives.text());
        Ok(())
    }

    #[test]
    fn an_archive_holds_its_members_and_all_their_modules()
    -> Result<(), weft_artifact::ModuleIdError> {
        let archives = Archives(["lib/a.a".to_owned(), "b.o".to_owned()].into());
        for (id, is_held) in [
            ("lib/a.a/x.o", true),
            ("lib/a.a/deep/y.o~module2", true),
            ("lib/a.a", true),
            ("b.o~module1", true),
            ("lib/a.abc/x.o", false),
            ("lib/c.o", false),
            ("other/lib/a.a", false),
        ] {
            assert_eq!(archives.hold(&ModuleId::new(id)?), is_held, "{id}");
        }
        Ok(())
    }
}
