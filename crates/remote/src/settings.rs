//! Servers and options that users can set.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::digest::DigestFunction;
use crate::endpoint::{Endpoint, Protocol};
use crate::error::RemoteError;
use crate::notes::Notes;
use crate::random;

/// A credential helper: takes a request of Bazel's protocol for such programs, and returns the
/// answer, or the reason why there is none.
pub type CredentialHelper = Arc<dyn Fn(&str) -> Result<Vec<u8>, String> + Send + Sync>;

/// The part of a server in a build. One server may have both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Cache,
    Executor,
}

/// Servers and the options of the calls to them. `Debug` shows neither headers nor credentials.
#[derive(Clone)]
pub struct Settings {
    /// Address of the cluster that runs actions; its caches serve too, unless `cache` is given.
    pub executor: Option<String>,
    /// Address of the cache: `grpc://`, `grpcs://`, `http://` or `https://`.
    pub cache: Option<String>,
    /// Name of the instance, where a cluster has several.
    pub instance: String,
    /// Names and values of headers for every call.
    pub headers: Vec<(String, String)>,
    /// Names and values of headers for calls to the cache alone.
    pub cache_headers: Vec<(String, String)>,
    /// Names and values of headers for calls to the executor alone.
    pub executor_headers: Vec<(String, String)>,
    /// File with a header `NAME=VALUE` in each line, which is read again when a server refuses the
    /// credentials.
    pub header_file: Option<PathBuf>,
    /// Program that knows headers for servers, asked again when they expire or are refused.
    pub credential_helper: Option<CredentialHelper>,
    /// File with the users and passwords of hosts, for HTTP caches.
    pub netrc: Option<PathBuf>,
    /// Longest silence of a server in one call.
    pub timeout: Duration,
    /// Longest time until a server's first answer, with all attempts to connect.
    pub connect_timeout: Duration,
    /// Longest time for an execution, including its time in the cluster's queue.
    pub deadline: Option<Duration>,
    /// Importance of executions and results, in the cluster's numbers: executions of lower ones run
    /// sooner, and results stay longer.
    pub priority: i32,
    /// Whether results go to the cache.
    pub upload: bool,
    /// Function that names content; the server's own if `None`.
    pub digest_function: Option<DigestFunction>,
    /// The build that this process is a part of.
    pub invocation: Invocation,
    /// Whether transfers are compressed where the server supports it.
    pub compress: bool,
    /// PEM file with the certificates to trust, instead of the system's.
    pub ca: Option<PathBuf>,
    /// PEM file with this client's certificate.
    pub cert: Option<PathBuf>,
    /// PEM file with the key of `cert`.
    pub key: Option<PathBuf>,
    /// Folder that only this user can write to, in which processes leave notes about servers for
    /// each other. Without one each process learns for itself.
    pub notes: Option<PathBuf>,
    /// Whether a server that is noted as down is not tried.
    pub passes_over_down_servers: bool,
    /// Maximum number of executions that are in the cluster at a time.
    pub jobs: usize,
    /// Number of times that a failed call is repeated.
    pub retries: u32,
}

/// A build, by which a cluster's pages show all its calls together.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// Name of the build.
    pub id: String,
    /// Whether the name identifies a whole build, rather than the process that started this one.
    pub is_build: bool,
}

/// A build of one process, with a random name.
impl Default for Invocation {
    fn default() -> Self {
        Self { id: random::uuid(), is_build: false }
    }
}

impl Settings {
    /// Checks the addresses, without a connection.
    pub fn check(&self) -> Result<(), RemoteError> {
        self.endpoints().map(drop)
    }

    /// Returns the address of the cache, and that of the executor if there is one. The executor is
    /// the cache, too, if no other is set.
    pub(crate) fn endpoints(&self) -> Result<(Endpoint, Option<Endpoint>), RemoteError> {
        let parse = |address: &Option<String>| address.as_deref().map(Endpoint::parse).transpose();
        let executor = parse(&self.executor)?;
        let wrong = |text: &str| Err(RemoteError::Settings(text.to_owned()));
        if executor.as_ref().is_some_and(|executor| executor.protocol == Protocol::Http) {
            return wrong("an executor must be at grpc:// or grpcs://");
        }
        let cache = parse(&self.cache)?;
        if self.digest_function == Some(DigestFunction::Blake3)
            && cache.as_ref().is_some_and(|cache| cache.protocol == Protocol::Http)
        {
            return wrong("an HTTP cache names content by SHA-256 alone");
        }
        match (cache, executor) {
            (None, None) => wrong("neither a remote executor nor a remote cache is set"),
            (None, Some(executor)) => Ok((executor.clone(), Some(executor))),
            (Some(cache), Some(_)) if cache.protocol == Protocol::Http => {
                wrong("an executor reads its inputs from its own cache: leave out the HTTP cache")
            }
            (Some(cache), executor) => Ok((cache, executor)),
        }
    }

    /// Whether the caller should report `error`. Within a build, only the errors that a server is
    /// down or full are not repeated after the first report.
    pub fn is_news(&self, error: &RemoteError) -> bool {
        let Some(subject) = error.subject_of_build() else { return true };
        let Invocation { id, is_build } = &self.invocation;
        Notes::new(self.notes.as_deref()).is_news(&subject, id, *is_build)
    }

    /// Returns names and values of the headers that calls to `endpoint` have from the start.
    pub(crate) fn headers_for(&self, endpoint: &Endpoint, part: Part) -> Vec<(String, String)> {
        let own = endpoint.authorization.clone().map(|value| ("authorization".to_owned(), value));
        let of_part = match part {
            Part::Cache => &self.cache_headers,
            Part::Executor => &self.executor_headers,
        };
        own.into_iter().chain(self.headers.iter().chain(of_part).cloned()).collect()
    }

    /// Whether calls to `endpoint` may hold what others must not see.
    pub(crate) fn has_credentials_for(&self, endpoint: &Endpoint) -> bool {
        endpoint.authorization.is_some()
            || [&self.headers, &self.cache_headers, &self.executor_headers]
                .into_iter()
                .any(|headers| !headers.is_empty())
            || self.header_file.is_some()
            || self.credential_helper.is_some()
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            executor: None,
            cache: None,
            instance: String::new(),
            headers: Vec::new(),
            cache_headers: Vec::new(),
            executor_headers: Vec::new(),
            header_file: None,
            credential_helper: None,
            netrc: None,
            timeout: Duration::from_mins(1),
            connect_timeout: Duration::from_secs(3),
            deadline: None,
            priority: 0,
            upload: true,
            digest_function: None,
            invocation: Invocation::default(),
            compress: true,
            ca: None,
            cert: None,
            key: None,
            notes: None,
            passes_over_down_servers: false,
            jobs: 200,
            retries: 5,
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let without_credentials = |address: &Option<String>| {
            let parsed = address.as_deref().map(Endpoint::parse)?;
            Some(parsed.map_or_else(|_| "(not an address)".to_owned(), |parsed| parsed.to_string()))
        };
        let names = |headers: &[(String, String)]| -> Vec<String> {
            headers.iter().map(|(name, _)| name.clone()).collect()
        };
        formatter
            .debug_struct("Settings")
            .field("executor", &without_credentials(&self.executor))
            .field("cache", &without_credentials(&self.cache))
            .field("instance", &self.instance)
            .field("headers", &names(&self.headers))
            .field("cache_headers", &names(&self.cache_headers))
            .field("executor_headers", &names(&self.executor_headers))
            .field("header_file", &self.header_file)
            .field("credential_helper", &self.credential_helper.is_some())
            .field("netrc", &self.netrc)
            .field("timeout", &self.timeout)
            .field("connect_timeout", &self.connect_timeout)
            .field("deadline", &self.deadline)
            .field("priority", &self.priority)
            .field("upload", &self.upload)
            .field("digest_function", &self.digest_function)
            .field("invocation", &self.invocation.id)
            .field("compress", &self.compress)
            .field("ca", &self.ca)
            .field("cert", &self.cert)
            .field("key", &self.key)
            .field("notes", &self.notes)
            .field("passes_over_down_servers", &self.passes_over_down_servers)
            .field("jobs", &self.jobs)
            .field("retries", &self.retries)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_holds_no_credentials() {
        let settings = Settings {
            executor: Some("grpcs://user:hunter2@host".to_owned()),
            cache: Some("nonsense://hunter2".to_owned()),
            headers: vec![("x-key".to_owned(), "hunter2".to_owned())],
            cache_headers: vec![("x-cache".to_owned(), "hunter2".to_owned())],
            executor_headers: vec![("x-executor".to_owned(), "hunter2".to_owned())],
            ..Settings::default()
        };
        let text = format!("{settings:?}");
        assert!(text.contains("x-key") && text.contains("host:443"), "{text}");
        assert!(!text.contains("hunter2") && !text.contains("user"), "{text}");
    }
}
