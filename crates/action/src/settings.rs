//! Settings that say where results come from. None of them can change a result.

use std::path::PathBuf;
use std::str::FromStr;

use crate::action::Phase;
use crate::platforms::Platforms;
use crate::size::Size;

/// Settings of a [`Session`](crate::Session), resolved from the command line, the environment and
/// the settings file.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Phases that the cache is used for.
    pub mode: CacheMode,
    /// The cache's folder. Without one there is no cache.
    pub folder: Option<PathBuf>,
    /// Maximum size of the cache.
    pub size: Size,
    /// Whether to print the sources of results at the end.
    pub stats: bool,
    /// Whether to print, for every miss, the differences from an earlier run.
    pub explain_misses: bool,
    /// Whether to run every phase as a process in a folder with only its inputs, as a cluster
    /// would.
    pub isolated: bool,
    /// Whether messages about caches and servers go to standard output. A program that stores this
    /// one's messages about its input must not store them.
    pub notices_on_stdout: bool,
    /// A cheap phase whose results the cache keeps because other programs of the build need them.
    pub shared: Option<Phase>,
    /// Other machines that have results or make them.
    pub remote: Option<RemoteSettings>,
}

/// Other machines that have results or make them.
#[derive(Clone, Debug, Default)]
pub struct RemoteSettings {
    /// Servers and the options of the calls to them.
    pub client: weft_remote::Settings,
    /// Properties that workers must have.
    pub platforms: Platforms,
    /// Whether results are neither taken from servers nor left there.
    pub do_not_cache: bool,
    /// Text that distinguishes the keys of actions on servers from others.
    pub salt: String,
    /// Whether to run here the actions that the cluster fails to run.
    pub fallback: bool,
    /// Whether a cluster serves as a cache alone, and every action runs here.
    pub is_cache_only: bool,
}

impl RemoteSettings {
    /// Asks the servers what they offer, ignoring notes about them. Returns the answer in words,
    /// with the server's name.
    pub fn ask(&self) -> Result<String, weft_remote::RemoteError> {
        let client = weft_remote::Settings {
            notes: None,
            passes_over_down_servers: false,
            ..self.client.clone()
        };
        let remote = weft_remote::Remote::connect(&client)?;
        Ok(format!("{}: {}", remote.server(), remote.offer()))
    }
}

/// Phases that the local cache is used for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheMode {
    /// No phase.
    Off,
    /// The phases that take long.
    #[default]
    On,
    /// Every phase.
    All,
}

impl FromStr for CacheMode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "off" => Ok(Self::Off),
            "on" => Ok(Self::On),
            "all" => Ok(Self::All),
            _ => Err(format!("'{text}' is none of off, on and all")),
        }
    }
}
