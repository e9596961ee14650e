//! One lookup of an action, and the keeping of the result that no cache had.

use std::io;
use std::time::Duration;

use weft_remote::RemoteAction;

use crate::action::{Action, Outcome};
use crate::clock::{Start, microseconds};
use crate::key::{Field, Key};
use crate::servers::Servers;
use crate::stats::{Miss, Source};
use crate::store::Store;
use crate::store::entry::Entry;

/// A lookup of an action in the cache.
#[derive(Debug)]
pub(crate) struct Lookup<'session> {
    pub(crate) store: &'session Store,
    pub(crate) fields: Vec<Field>,
    pub(crate) key: Key,
}

/// A result that did not come from the local cache.
pub(crate) struct NewResult {
    pub(crate) outcome: Outcome,
    pub(crate) source: Source,
    /// Number of bytes that were received.
    pub(crate) bytes: u64,
    /// Duration of the action, now or when it ran earlier.
    pub(crate) spent: Duration,
    /// Worker of a cluster that ran the action.
    pub(crate) worker: String,
}

/// An action whose result no cache has.
#[derive(Debug)]
pub struct Missing<'session> {
    pub(crate) start: Start,
    /// The lookup in the local cache, if there is one for the action.
    pub(crate) lookup: Option<Lookup<'session>>,
    pub(crate) miss: Miss,
    /// First difference from the nearest earlier run.
    pub(crate) why: String,
    /// The servers that are still to be used, with the action in their terms.
    pub(crate) server: Option<(&'session Servers, RemoteAction)>,
}

impl Lookup<'_> {
    /// Keeps the result, and its fields for later misses. Returns the size of the result in bytes.
    pub(crate) fn keep(
        self,
        action: &Action<'_>,
        outcome: &Outcome,
        spent: Duration,
    ) -> io::Result<u64> {
        let Self { store, fields, key } = self;
        let Outcome { outputs, stdout, stderr } = outcome.clone();
        let entry = Entry { fields, outputs, stdout, stderr, microseconds: microseconds(spent) };
        let bytes = store.keep(&key, &entry)?;
        // The history is read again, as another process may have added to it meanwhile.
        let history = store.history(action.phase.name(), &action.subject).with(entry.fields);
        store.remember(action.phase.name(), &action.subject, &history)?;
        Ok(bytes)
    }
}
