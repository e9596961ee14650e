//! Plans of modules that no longer exist.
//!
//! A leftover plan could be mistaken for the plan of a module. Only files that the manifest of the
//! previous link names are removed: the folder may hold other files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use weft_artifact::ModuleId;
use weft_cli::{Blame as _, Fault};

use super::files::MANIFEST;

/// The part of a manifest that names plans. The rest, which may be large, is skipped.
#[derive(Deserialize)]
struct Before {
    modules: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    module_id: String,
    plan: String,
}

/// Finds the plans that the manifest in `folder` names and that are not among the `outputs`. A
/// manifest that cannot be read names none: it is about to be replaced.
pub(crate) fn find(folder: &Path, outputs: &[String]) -> Vec<PathBuf> {
    let manifest = folder.join(MANIFEST);
    // A pipe instead of the manifest is for this link's output, and reading it would wait forever.
    let before = manifest.is_file().then(|| std::fs::read(manifest).ok()).flatten();
    let before = before.and_then(|content| serde_json::from_slice::<Before>(&content).ok());
    let now: BTreeSet<&str> = outputs.iter().map(String::as_str).collect();
    let named = before.into_iter().flat_map(|manifest| manifest.modules);
    // A module id is a path that stays below the folder.
    let plans = named.filter(|module| {
        ModuleId::new(module.module_id.as_str()).is_ok()
            && module.plan == format!("{}.plan", module.module_id)
    });
    plans
        .map(|module| module.plan)
        .filter(|plan| !now.contains(plan.as_str()))
        .map(PathBuf::from)
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
