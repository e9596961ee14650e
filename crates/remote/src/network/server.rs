//! The name of a server, and errors about it that hold no secret.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tonic::Code;

use crate::endpoint::Endpoint;
use crate::error::RemoteError;
use crate::network::retry::Failure;

/// The part of a server's description that errors may show.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    /// Address without credentials.
    pub(crate) name: String,
    /// Words of all headers that were ever sent.
    secrets: Arc<Mutex<BTreeSet<String>>>,
}

impl Server {
    /// Describes the server at `endpoint`.
    pub(crate) fn new(endpoint: &Endpoint) -> Self {
        Self { name: endpoint.to_string(), secrets: Arc::default() }
    }

    /// Makes errors leave out the words of `value`, a header that is sent to the server.
    pub(crate) fn hide(&self, value: &str) {
        // Short words are no secrets, and messages without them would be unreadable.
        let words = value.split(' ').filter(|word| word.len() >= 6).map(str::to_owned);
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner).extend(words);
    }

    /// Returns the error that tells users about `failure`. A server may repeat the headers that it
    /// was sent, so secrets are replaced in its message.
    pub(crate) fn error(&self, call: &str, failure: &Failure, timeout: Duration) -> RemoteError {
        let server = self.name.clone();
        if failure.is_connection {
            return RemoteError::Unreachable { server, reason: self.cleaned(&failure.message) };
        }
        let call = call.to_owned();
        if failure.code == Code::DeadlineExceeded {
            return RemoteError::Timeout { server, call, seconds: timeout.as_secs_f64() };
        }
        RemoteError::Call { server, call, reason: self.cleaned(&failure.reason()) }
    }

    /// Returns `text` without secrets.
    pub(crate) fn cleaned(&self, text: &str) -> String {
        let secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, "***"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_repeats_of_our_secrets_is_not_shown() {
        let endpoint = Endpoint::parse("grpcs://me:sesame@host").unwrap();
        let server = Server::new(&endpoint);
        server.hide("Bearer tok-123456");
        server.hide(endpoint.authorization.as_deref().unwrap());
        let words = format!("{} tok-123456", endpoint.authorization.unwrap());
        let failure = Failure::new(Code::Unauthenticated, words);
        let text = server.error("GetActionResult", &failure, Duration::ZERO).to_string();
        assert!(text.contains("grpcs://host:443") && text.contains("GetActionResult"), "{text}");
        assert!(!text.contains("tok-123456") && !text.contains("bWU6c2VzYW1l"), "{text}");
    }
}
