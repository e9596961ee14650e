//! One lookup of an action in the local cache, and the keeping of the result that it lacked.

use std::io;
use std::time::Duration;

use crate::action::{Action, Outcome};
use crate::clock::microseconds;
use crate::key::{Field, Key};
use crate::store::Store;
use crate::store::entry::Entry;

/// A lookup of an action in the cache.
pub(crate) struct Lookup<'session> {
    pub(crate) store: &'session Store,
    pub(crate) fields: Vec<Field>,
    pub(crate) key: Key,
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
