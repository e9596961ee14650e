//! Plans of modules that are no longer there.
//!
//! A plan that stays behind would be taken for a module's by whoever looks at files. Only what the
//! manifest of the link before names is removed: the folder may hold other files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use weft_artifact::{Manifest, ModuleId};
use weft_cli::{Blame as _, Fault};

use crate::outputs::{MANIFEST, OutputFile};

/// The plans that the manifest in `folder` names and `outputs` lack. A manifest that cannot be read
/// names none: it is about to be replaced.
pub(crate) fn plans(folder: &Path, outputs: &[OutputFile]) -> Vec<PathBuf> {
    let before = std::fs::read(folder.join(MANIFEST)).ok();
    let before = before.and_then(|content| serde_json::from_slice::<Manifest>(&content).ok());
    let now: BTreeSet<&Path> = outputs.iter().map(|file| file.path.as_path()).collect();
    let named = before.into_iter().flat_map(|manifest| manifest.modules);
    // A module id is a path that stays below the folder.
    let plans = named.filter(|module| {
        ModuleId::new(module.module_id.as_str()).is_ok()
            && module.plan == format!("{}.plan", module.module_id)
    });
    plans
        .map(|module| PathBuf::from(module.plan))
        .filter(|it| !now.contains(it.as_path()))
        .collect()
}

/// Removes `plans` from `folder`.
pub(crate) fn remove(folder: &Path, plans: &[PathBuf]) -> anyhow::Result<()> {
    for plan in plans {
        let path = folder.join(plan);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).blame(Fault::Environment, || format!("cannot remove {}", path.display()))
            }
            _ => Ok(()),
        }?;
    }
    Ok(())
}
