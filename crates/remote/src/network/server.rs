//! The name of a server, and errors about it that hold no secret.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tonic::Code;

use crate::endpoint::Endpoint;
use crate::error::RemoteError;
use crate::network::retry::{Failure, is_about_no_tls};

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
            let hint = hint_at_scheme(&server, &failure.message);
            let reason = format!("{}{hint}", self.cleaned(&failure.message));
            let is_final = failure.is_final || !hint.is_empty();
            return RemoteError::Unreachable { server, reason, is_final };
        }
        let call = call.to_owned();
        if failure.code == Code::DeadlineExceeded {
            return RemoteError::Timeout { server, call, seconds: timeout.as_secs_f64() };
        }
        let hint = hint_at_service(&call, failure.code);
        let reason = format!("{}{hint}", self.cleaned(&failure.reason()));
        if failure.code == Code::Unavailable {
            return RemoteError::Unavailable { server, call, reason };
        }
        RemoteError::Call { server, call, reason }
    }

    /// Returns the error about a failure of `call`, which sends content.
    pub(crate) fn error_of_sending(
        &self,
        call: &str,
        failure: &Failure,
        timeout: Duration,
    ) -> RemoteError {
        if failure.is_about_room() {
            let reason = self.cleaned(&format!("{call}: {}", failure.reason()));
            return RemoteError::Full { server: self.name.clone(), reason };
        }
        self.error(call, failure, timeout)
    }

    /// Returns `text` without secrets.
    pub(crate) fn cleaned(&self, text: &str) -> String {
        let secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, "***"))
    }
}

/// Returns what to try where TLS was spoken to a server that does not speak it.
fn hint_at_scheme(server: &str, message: &str) -> String {
    let Some((scheme @ ("grpcs" | "https"), _)) = server.split_once("://") else {
        return String::new();
    };
    if !is_about_no_tls(message) {
        return String::new();
    }
    let plain = scheme.trim_end_matches('s');
    format!("; the server may speak no TLS: its address would start with {plain}://")
}

/// Returns what to try where a server has no service with the call.
fn hint_at_service(call: &str, code: Code) -> &'static str {
    match (call, code) {
        (_, code) if code != Code::Unimplemented => "",
        ("GetCapabilities", _) => {
            "; no server of the Remote Execution API is at this port: check --remote-executor and \
             --remote-cache"
        }
        ("Execute" | "WaitExecution", _) => {
            "; this server runs nothing: name one that does by --remote-executor"
        }
        _ => "; this server has no store: name the one that has it by --remote-cache",
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
