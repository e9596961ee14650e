//! A short limit for the first answer of a server.
//!
//! A server that is down or silent is noticed at the first call, and a build has a process for each
//! step. So all attempts at the first call together have one short limit. Once the server has
//! answered, it may take its time.

use std::fs::File;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tonic::Code;

use crate::error::RemoteError;
use crate::network::retry::{Failure, Policy};
use crate::notes::{Attempt, Notes};
use crate::settings::Settings;

/// The state of one server in this process.
#[derive(Debug)]
pub(crate) struct FirstAnswer {
    server: String,
    notes: Notes,
    limit: Duration,
    has_come: AtomicBool,
    /// Lock by which this process alone tries a server that was down.
    trying: Mutex<Option<File>>,
}

impl FirstAnswer {
    /// Prepares calls to `server`, unless it is noted as down and such servers are passed over.
    pub(crate) fn expect(server: &str, settings: &Settings) -> Result<Self, RemoteError> {
        let notes = Notes::new(settings.notes.as_deref());
        let trying = if settings.passes_over_down_servers {
            match notes.attempt(server) {
                Attempt::Now(lock) => lock,
                Attempt::Later(reason) => {
                    let server = server.to_owned();
                    return Err(RemoteError::Down { server, reason });
                }
            }
        } else {
            None
        };
        Ok(Self {
            server: server.to_owned(),
            notes,
            limit: settings.connect_timeout,
            has_come: AtomicBool::new(false),
            trying: Mutex::new(trying),
        })
    }

    /// Whether the server has answered.
    pub(crate) fn has_come(&self) -> bool {
        self.has_come.load(Ordering::Relaxed)
    }

    /// Returns the limits of the next call, which has the limits `usual` after the first answer.
    pub(crate) fn policy(&self, usual: Policy) -> Policy {
        if self.has_come() { usual } else { Policy { total: self.limit, ..usual } }
    }

    /// Looks at the end of a call: the first answer removes the note that the server is down.
    pub(crate) fn see<T>(&self, answer: &Result<T, Failure>) {
        let is_answer = answer.as_ref().err().is_none_or(|failure| {
            let is_silence = matches!(failure.code, Code::DeadlineExceeded | Code::Unavailable);
            !failure.is_connection && !is_silence
        });
        if is_answer && !self.has_come.swap(true, Ordering::Relaxed) {
            self.notes.note_up(&self.server);
            self.trying.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
    }
}
