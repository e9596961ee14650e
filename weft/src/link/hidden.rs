//! Host symbols of a shared library that the command hides, whatever their objects say.

use std::collections::BTreeMap;

use weft_cli::{Blame as _, Fault, files};
use weft_container::{exported_host_symbols, is_archive};
use weft_workers::Workers;

use super::host_link::{Hiding, HostInput, HostLink};
use super::inputs::{linked_files, members};
use super::version_script::VersionScript;

/// Returns the names of the kernels' and variables' symbols that the link of a shared library
/// hides, in order, and a note about each version script that cannot be read, which hides nothing.
pub(super) fn hidden_symbols(
    host: &HostLink,
    workers: &Workers,
) -> anyhow::Result<(Vec<String>, Vec<String>)> {
    let Hiding { scripts, archives } = &host.hiding;
    if !host.is_shared || (scripts.is_empty() && archives.is_empty()) {
        return Ok((Vec::new(), Vec::new()));
    }
    let (mut script, mut notes) = (VersionScript::default(), Vec::new());
    for path in scripts {
        let text = std::fs::read_to_string(path).ok();
        match text.and_then(|text| VersionScript::read(&text)) {
            Some(other) => script.join(other),
            None => notes.push(format!(
                "{}: no version script that can be read: the kernels and variables that it hides \
                 stay",
                path.display()
            )),
        }
    }
    // What one script hides another may export.
    let script = if notes.is_empty() { script } else { VersionScript::default() };
    let inputs = linked_files(host);
    let mut symbols: BTreeMap<String, bool> = BTreeMap::new();
    for exported in workers.map(&inputs, |input| exported(input, archives)) {
        let (names, is_excluded) = exported?;
        for name in names {
            // Another input may export the same symbol.
            *symbols.entry(name).or_insert(true) &= is_excluded;
        }
    }
    let is_hidden = |(name, is_excluded): &(String, bool)| *is_excluded || script.hides(name);
    Ok((symbols.into_iter().filter(is_hidden).map(|(name, _)| name).collect(), notes))
}

/// Returns the names of the kernels' and variables' symbols that an input exports, and whether it
/// is one of the `archives` whose symbols are hidden.
fn exported(input: &HostInput, archives: &[String]) -> anyhow::Result<(Vec<String>, bool)> {
    let path = &input.path;
    let content = files::read(path)?;
    let mut names = Vec::new();
    for member in members(path, &content)? {
        let exported = exported_host_symbols(&member.content);
        names.extend(exported.blame(Fault::Input, || path.display().to_string())?);
    }
    let file = path.file_name().unwrap_or_default();
    let is_named = archives.iter().any(|archive| archive == "ALL" || file == archive.as_str());
    Ok((names, is_named && is_archive(&content)))
}
