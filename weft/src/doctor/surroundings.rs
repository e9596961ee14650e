//! The cache, the settings file, servers and processors.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use weft_action::store::Store;
use weft_action::{CacheMode, RemoteSettings, Settings};

use crate::doctor::finding::Finding;

/// Looks at the local cache. A cache that cannot be used fails no build.
pub(crate) fn cache(settings: &Settings) -> Finding {
    const NAME: &str = "cache";
    if settings.mode == CacheMode::Off {
        return Finding::note(NAME, "off", "nothing, if that is meant");
    }
    let Some(folder) = &settings.folder else {
        let remedy = "name a folder: --cache-dir, or WEFT_CACHE_DIR in the environment";
        return Finding::note(NAME, "off: nothing says where it is", remedy);
    };
    let store = Store::new(folder, settings.size);
    let shown = folder.display();
    if let Err(error) = store.check_writable() {
        let found = format!("{shown} cannot be written: {error}; every step runs each time");
        let remedy = "make it writable, or name another folder: --cache-dir, or WEFT_CACHE_DIR \
                      in the environment";
        return Finding::note(NAME, found, remedy);
    }
    match store.census() {
        Ok(census) => {
            let (entries, bytes, limit) = (census.entries, census.bytes, store.limit());
            Finding::ok(NAME, format!("{shown}: {entries} results, {bytes} of {limit}"))
        }
        Err(error) => {
            let remedy = "make it readable, or name another folder with --cache-dir";
            Finding::note(NAME, format!("{shown} cannot be read: {error}"), remedy)
        }
    }
}

/// Says which settings file is in force.
pub(crate) fn settings_file(path: Option<PathBuf>) -> Finding {
    let found = path.map_or_else(
        || "none: it is read only where --config or WEFT_CONFIG names it".to_owned(),
        |path| path.display().to_string(),
    );
    Finding::ok("settings file", found)
}

/// Asks the server what it offers.
pub(crate) fn server(remote: Option<&RemoteSettings>) -> Finding {
    const NAME: &str = "server";
    let Some(remote) = remote else {
        return Finding::ok(NAME, "none is set: all steps run on this machine");
    };
    match remote.ask() {
        Ok(offer) => Finding::ok(NAME, offer),
        Err(error) => {
            let remedy = "start the server or mend its address, or build without it: --no-cache, \
                          or no address in the settings file and in WEFT_REMOTE_EXECUTOR and \
                          WEFT_REMOTE_CACHE";
            // Without a server that only has results, and with --remote-fallback, steps run here.
            if remote.client.executor.is_some() && !remote.fallback {
                Finding::fails(NAME, error.to_string(), remedy)
            } else {
                Finding::note(NAME, format!("{error}; steps run on this machine"), remedy)
            }
        }
    }
}

/// Says how many processors there are, and who shares them out.
pub(crate) fn processors() -> Finding {
    let count = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let sharing = if weft_cli::has_jobserver() {
        "shared out by the jobserver of make"
    } else {
        "no jobserver: each step takes the threads that it is told"
    };
    Finding::ok("processors", format!("{count}, {sharing}"))
}
