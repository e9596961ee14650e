//! `weft.toml`: settings for a whole project or machine.
//!
//! It is read where `--config` or `WEFT_CONFIG` names it, and nowhere else is looked for it: a step
//! of a build that read files it was not told of would not be hermetic, and which one it found would
//! hang on the folder it happens to start in. A build system, which knows where its project's top is,
//! names it; the CMake package does.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::fault::{Blame as _, Fault, failure};

/// The whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SettingsFile {
    /// The local cache.
    #[serde(default)]
    pub(crate) cache: CacheSection,
    /// Other machines.
    #[serde(default)]
    pub(crate) remote: RemoteSection,
}

/// `[remote]`: the options of the same names, without `remote-` before them.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct RemoteSection {
    pub(crate) executor: Option<String>,
    pub(crate) cache: Option<String>,
    pub(crate) instance: Option<String>,
    pub(crate) headers: Vec<String>,
    pub(crate) platform: Vec<String>,
    pub(crate) timeout: Option<u64>,
    pub(crate) deadline: Option<u64>,
    pub(crate) do_not_cache: Option<bool>,
    pub(crate) salt: Option<String>,
    pub(crate) upload: Option<bool>,
    pub(crate) fallback: Option<bool>,
    /// Relative to the file's folder, as the next two.
    pub(crate) tls_ca: Option<PathBuf>,
    pub(crate) tls_cert: Option<PathBuf>,
    pub(crate) tls_key: Option<PathBuf>,
    pub(crate) jobs: Option<u64>,
}

/// Addresses and headers may hold credentials.
impl fmt::Debug for RemoteSection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RemoteSection").finish_non_exhaustive()
    }
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
    let mut file: SettingsFile = toml::from_str(&text).map_err(|error| {
        failure(Fault::Usage, format!("{}:{}", path.display(), told(&text, &error)))
    })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    file.cache.dir = file.cache.dir.map(|it| folder.join(it));
    let remote = &mut file.remote;
    for path in [&mut remote.tls_ca, &mut remote.tls_cert, &mut remote.tls_key] {
        *path = path.take().map(|it| folder.join(it));
    }
    Ok(file)
}

/// The line of an error in `text`, and what is wrong there. A line may hold credentials, so neither it nor
/// a value out of it is shown.
fn told(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = 1 + before.matches('\n').count();
    let message = error.message().replace('\n', ", ");
    // Values come with the name of their type, in quotes with escapes: `string "a=b", expected a list`.
    let (head, rest) = message.split_once(" \"").unwrap_or((&message, ""));
    let tail = rest.rsplit_once('"').map_or("", |(_, tail)| tail);
    format!("{line}: {head}{tail}")
}
