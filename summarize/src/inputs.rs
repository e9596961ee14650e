//! The units in an input: the input itself, or the members of an archive.

use std::borrow::Cow;
use std::path::Path;

use weft_artifact::ModuleId;
use weft_cli::{Blame as _, Fault};
use weft_container::{ArchiveError, archive_members, is_archive};

/// One unit, with its name in messages.
pub(crate) struct Unit<'data> {
    pub(crate) content: Cow<'data, [u8]>,
    pub(crate) module_id: ModuleId,
    pub(crate) name: String,
}

/// Returns the units in `file`, which is the content of `path`. The paths of a thin archive's
/// members are relative to its folder.
pub(crate) fn units<'data>(
    path: &Path,
    file: &'data [u8],
    module_id: &ModuleId,
) -> anyhow::Result<Vec<Unit<'data>>> {
    let name = path.display();
    if !is_archive(file) {
        let (content, module_id) = (Cow::Borrowed(file), module_id.clone());
        return Ok(vec![Unit { content, module_id, name: name.to_string() }]);
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let members = archive_members(file, |member| std::fs::read(folder.join(member)));
    let fault = match &members {
        Err(ArchiveError::Member { .. }) => Fault::Environment,
        _ => Fault::Input,
    };
    let unit = |member: weft_container::Member<'data>| {
        let name = format!("{name}({})", member.name);
        let module_id = module_id.of_member(&member.name).blame(Fault::Input, || name.clone())?;
        Ok(Unit { content: member.content, module_id, name })
    };
    members.blame(fault, || name.to_string())?.into_iter().map(unit).collect()
}
