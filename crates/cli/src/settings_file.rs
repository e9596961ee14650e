//! `weft.toml`: settings for a whole project or machine.
//!
//! The file is read only where `--config` or `WEFT_CONFIG` names it. A build step that searched for
//! it would not be hermetic, as the file that it found would depend on the folder that it starts
//! in. A build system knows its project's root and names the file, as the CMake package does.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::fault::{Blame as _, Fault, failure};

/// The whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SettingsFile {
    /// Settings of the local cache.
    #[serde(default)]
    pub(crate) cache: CacheSection,
    /// Settings of other machines.
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
    pub(crate) cache_headers: Vec<String>,
    pub(crate) executor_headers: Vec<String>,
    /// Path relative to the settings file's folder.
    pub(crate) header_file: Option<PathBuf>,
    /// Path relative to the settings file's folder, or a name without a folder, which is looked for
    /// on `PATH`.
    pub(crate) credential_helper: Option<PathBuf>,
    pub(crate) platform: Vec<String>,
    pub(crate) memory_classes: Vec<String>,
    pub(crate) timeout: Option<u64>,
    pub(crate) connect_timeout: Option<u64>,
    pub(crate) deadline: Option<u64>,
    pub(crate) priority: Option<i32>,
    pub(crate) do_not_cache: Option<bool>,
    pub(crate) digest_function: Option<String>,
    pub(crate) salt: Option<String>,
    pub(crate) upload: Option<bool>,
    pub(crate) fallback: Option<bool>,
    /// Path relative to the settings file's folder, like the next two.
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
    /// Folder of the cache, relative to the settings file's folder.
    pub(crate) dir: Option<PathBuf>,
    /// Maximum size of the cache.
    pub(crate) size: Option<String>,
}

/// Checks the text of a settings file, and returns the line number and the fault if it has one.
pub fn check_settings(text: &str) -> Result<(), String> {
    parse(text).map(drop)
}

fn parse(text: &str) -> Result<SettingsFile, String> {
    toml::from_str(text).map_err(|error| fault_text(text, &error))
}

/// Reads the file at `path`.
pub(crate) fn read(path: &Path) -> anyhow::Result<SettingsFile> {
    let text = std::fs::read_to_string(path)
        .blame(Fault::Environment, || format!("cannot read the settings in {}", path.display()))?;
    let mut file = parse(&text)
        .map_err(|fault| failure(Fault::Usage, format!("{}:{fault}", path.display())))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    file.cache.dir = file.cache.dir.map(|dir| folder.join(dir));
    let remote = &mut file.remote;
    let own = [&mut remote.tls_ca, &mut remote.tls_cert, &mut remote.tls_key];
    for path in own.into_iter().chain([&mut remote.header_file]) {
        *path = path.take().map(|path| folder.join(path));
    }
    let helper = remote.credential_helper.take();
    remote.credential_helper = helper.map(|path| match path.components().count() {
        1 => path,
        _ => folder.join(path),
    });
    Ok(file)
}

/// Returns the line number of an error in `text`, and the fault. A line may hold credentials, so
/// neither the line nor a value in it is shown.
fn fault_text(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = 1 + before.matches('\n').count();
    let message = error.message().replace('\n', ", ");
    // Values come with the name of their type, in quotes: `string "a=b", expected a list`.
    let (head, rest) = message.split_once(" \"").unwrap_or((&message, ""));
    let tail = rest.rsplit_once('"').map_or("", |(_, tail)| tail);
    format!("{line}: {head}{tail}")
}
