//! `weft.toml`: settings for a whole project or machine.
//!
//! It is read where `--config` or `WEFT_CONFIG` names it, and nowhere else is looked for it: a step
//! of a build that read files it was not told of would not be hermetic, and which one it found would
//! hang on the folder it happens to start in. A build system, which knows where its project's top is,
//! names it; the CMake package does.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::{Blame as _, Fault};

/// The whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SettingsFile {
    /// The local cache.
    #[serde(default)]
    pub(crate) cache: CacheSection,
}

/// `[cache]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CacheSection {
    /// `off`, `on` or `all`.
    pub(crate) mode: Option<String>,
    /// The folder; relative to the file's.
    pub(crate) dir: Option<PathBuf>,
    /// The most that it may hold.
    pub(crate) size: Option<String>,
}

/// Reads the file at `path`.
pub(crate) fn read(path: &Path) -> anyhow::Result<SettingsFile> {
    let text = std::fs::read_to_string(path)
        .blame(Fault::Environment, || format!("cannot read the settings in {}", path.display()))?;
    let mut file: SettingsFile =
        toml::from_str(&text).blame(Fault::Usage, || path.display().to_string())?;
    let folder = path.parent().unwrap_or(Path::new(""));
    file.cache.dir = file.cache.dir.map(|it| folder.join(it));
    Ok(file)
}
