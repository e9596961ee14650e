//! Headers that identify this client to a server, and their renewal.
//!
//! Some headers stay: those of options and addresses. Others expire in the middle of a build: those
//! of a file, of a credential helper and of `.netrc`. They are obtained before the first call, and
//! again when their time is over or a server answers that it does not know the client. Calls that
//! were made with old headers then count as transient failures, so the usual retries repeat them.
//! Unchanged headers end the retries: the server would refuse them again.
//!
//! Headers are in memory only. No message shows them, as every value is made known to
//! [`Server::hide`] before it is sent.

mod files;
mod helper;
mod moment;

use std::path::PathBuf;
use std::time::SystemTime;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use tokio::sync::Mutex;
use tonic::Code;

use crate::endpoint::{Endpoint, Protocol};
use crate::error::RemoteError;
use crate::network::retry::Failure;
use crate::network::server::Server;
use crate::settings::{CredentialHelper, Part, Settings};

/// The headers for one server.
pub(crate) struct Credentials {
    server: Server,
    fixed: HeaderMap,
    header_file: Option<PathBuf>,
    helper: Option<CredentialHelper>,
    uri: String,
    /// File with passwords, and the host whose password is of interest.
    netrc: Option<(PathBuf, String)>,
    current: Mutex<Option<Pass>>,
}

/// The headers of a call.
#[derive(Clone)]
pub(crate) struct Pass {
    pub(crate) headers: HeaderMap,
    /// Time after which the server will not accept the headers, if that is known.
    expires: Option<SystemTime>,
    /// Number of passes for this server before this one.
    number: u64,
}

impl Credentials {
    /// Prepares the headers that the settings give to the server at `endpoint`. No file is read.
    pub(crate) fn new(
        endpoint: &Endpoint,
        part: Part,
        settings: &Settings,
        server: &Server,
    ) -> Result<Self, RemoteError> {
        let mut fixed = HeaderMap::new();
        for (name, value) in settings.headers_for(endpoint, part) {
            let refused = || RemoteError::Settings(format!("{name:?} is not a possible header"));
            append(&mut fixed, server, &name, &value).ok_or_else(refused)?;
        }
        let netrc = settings.netrc.clone().filter(|_| endpoint.protocol == Protocol::Http);
        Ok(Self {
            server: server.clone(),
            fixed,
            header_file: settings.header_file.clone(),
            helper: settings.credential_helper.clone(),
            uri: endpoint.uri_for_helpers(),
            netrc: netrc.map(|path| (path, endpoint.host().to_owned())),
            current: Mutex::default(),
        })
    }

    /// Returns the headers for a call, which are obtained anew if their time is over.
    pub(crate) async fn pass(&self) -> Result<Pass, Failure> {
        let mut current = self.current.lock().await;
        if let Some(pass) = current.as_ref().filter(|pass| !pass.is_over()) {
            return Ok(pass.clone());
        }
        let number = current.as_ref().map_or(0, |pass| pass.number + 1);
        Ok(current.insert(self.obtain(number).await?).clone())
    }

    /// Makes an attempt at a call. If the server refuses the headers and there are new ones, the
    /// failure counts as temporary.
    pub(crate) async fn authorize<T>(
        &self,
        attempt: impl AsyncFnOnce(&Pass) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let pass = self.pass().await?;
        match attempt(&pass).await {
            Ok(answer) => Ok(answer),
            Err(failure) => Err(self.judge(&pass, failure).await),
        }
    }

    /// Returns a failure of a call that had the headers `pass`. If the server has refused them,
    /// they are renewed, and the failure says whether there are others now.
    pub(crate) async fn judge(&self, pass: &Pass, failure: Failure) -> Failure {
        if failure.code != Code::Unauthenticated {
            return failure;
        }
        let mut current = self.current.lock().await;
        let newest = current.as_ref().filter(|newest| newest.number != pass.number);
        // Another call may have renewed them meanwhile.
        if newest.is_some() {
            return Failure { is_renewed: true, ..failure };
        }
        match self.obtain(pass.number + 1).await {
            Ok(renewed) => {
                let is_renewed = renewed.headers != pass.headers;
                *current = Some(renewed);
                Failure { is_renewed, ..failure }
            }
            Err(failure) => failure,
        }
    }

    async fn obtain(&self, number: u64) -> Result<Pass, Failure> {
        let mut pass = Pass { headers: self.fixed.clone(), expires: None, number };
        let mut pairs = Vec::new();
        if let Some(path) = &self.header_file {
            pairs.extend(files::headers(path).map_err(refused)?);
        }
        if let Some(helper) = self.helper.clone() {
            let request = helper::request(&self.uri);
            // The program may take long, and other calls go on meanwhile.
            let answer = tokio::task::spawn_blocking(move || helper(&request)).await;
            let answer = answer.unwrap_or_else(|_| Err("it was not asked".to_owned()));
            let answer = answer.and_then(|answer| helper::read(&answer));
            let answer =
                answer.map_err(|reason| refused(format!("credential helper: {reason}")))?;
            pairs.extend(answer.headers);
            pass.expires = answer.expires;
        }
        for (name, value) in pairs {
            let impossible = || refused(format!("{name:?} is not a possible header"));
            append(&mut pass.headers, &self.server, &name, &value).ok_or_else(impossible)?;
        }
        if let Some((path, host)) = &self.netrc
            && !pass.headers.contains_key(AUTHORIZATION)
            && let Some(value) = files::password(path, host)
        {
            append(&mut pass.headers, &self.server, AUTHORIZATION.as_str(), &value);
        }
        Ok(pass)
    }
}

impl Pass {
    #[expect(clippy::disallowed_methods, reason = "whether a token is valid is a matter of time")]
    fn is_over(&self) -> bool {
        self.expires.is_some_and(|expires| expires <= SystemTime::now())
    }
}

/// No value of a header is shown.
impl std::fmt::Debug for Credentials {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Credentials").field("uri", &self.uri).finish_non_exhaustive()
    }
}

/// Adds a header; `None` if none of this name and value is possible.
fn append(headers: &mut HeaderMap, server: &Server, name: &str, value: &str) -> Option<()> {
    server.hide(value);
    let name: HeaderName = name.parse().ok()?;
    let mut value = HeaderValue::from_str(value).ok()?;
    value.set_sensitive(true);
    headers.append(name, value);
    Some(())
}

/// Returns the failure for headers that could not be obtained.
fn refused(reason: String) -> Failure {
    Failure { is_final: true, ..Failure::new(Code::Unauthenticated, reason) }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn credentials(settings: &Settings) -> Result<Credentials, RemoteError> {
        let endpoint = Endpoint::parse("grpc://host").unwrap();
        Credentials::new(&endpoint, Part::Cache, settings, &Server::new(&endpoint))
    }

    fn wait<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap()
            .block_on(future)
    }

    #[test]
    fn impossible_headers_are_refused_without_their_value() {
        for (name, value) in [("no name", "secret"), ("name", "sec\nret")] {
            let headers = vec![(name.to_owned(), value.to_owned())];
            let settings = Settings { headers, ..Settings::default() };
            let text = credentials(&settings).unwrap_err().to_string();
            assert!(text.contains(name) && !text.contains("sec"), "{text}");
        }
    }

    #[test]
    fn only_refused_headers_that_change_are_tried_again() {
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        // The third answer is the second one again.
        let helper: CredentialHelper = Arc::new(move |_| {
            let token = count.fetch_add(1, Ordering::SeqCst).min(1);
            Ok(format!("{{\"headers\":{{\"x\":[\"token{token}\"]}}}}").into_bytes())
        });
        let settings = Settings { credential_helper: Some(helper), ..Settings::default() };
        let credentials = credentials(&settings).unwrap();
        let refused = || Failure::new(Code::Unauthenticated, "");
        let first = wait(credentials.pass()).unwrap();
        assert!(wait(credentials.judge(&first, refused())).is_temporary());
        // Another call had the same headers, which are renewed by now.
        assert!(wait(credentials.judge(&first, refused())).is_temporary());
        let second = wait(credentials.pass()).unwrap();
        assert_eq!(second.headers["x"], "token1");
        let other = Failure::new(Code::PermissionDenied, "");
        assert!(!wait(credentials.judge(&second, other)).is_temporary());
        assert_eq!(asked.load(Ordering::SeqCst), 2);
        assert!(!wait(credentials.judge(&second, refused())).is_temporary());
        assert_eq!(asked.load(Ordering::SeqCst), 3);
    }

    #[test]
    fn headers_whose_time_is_over_are_obtained_before_the_call() {
        for (expires, expected) in [("2001-01-01T00:00:00Z", 2), ("9999-01-01T00:00:00Z", 1)] {
            let asked = Arc::new(AtomicUsize::new(0));
            let count = Arc::clone(&asked);
            let helper: CredentialHelper = Arc::new(move |_| {
                count.fetch_add(1, Ordering::SeqCst);
                Ok(format!("{{\"headers\":{{}},\"expires\":\"{expires}\"}}").into_bytes())
            });
            let settings = Settings { credential_helper: Some(helper), ..Settings::default() };
            let credentials = credentials(&settings).unwrap();
            drop((wait(credentials.pass()), wait(credentials.pass())));
            assert_eq!(asked.load(Ordering::SeqCst), expected, "{expires}");
        }
    }
}
