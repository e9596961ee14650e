//! What users can set.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::error::RemoteError;

/// Which servers, and how to speak to them. `Debug` shows neither headers nor credentials.
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
    /// The longest silence of a server in one call.
    pub timeout: Duration,
    /// The longest time for an execution, with its time in the cluster's queue.
    pub deadline: Option<Duration>,
    /// Whether results go to the cache.
    pub upload: bool,
    /// Whether transfers are compressed where the server can.
    pub compress: bool,
    /// PEM file with the certificates to trust, in place of the system's.
    pub ca: Option<PathBuf>,
    /// PEM file with this client's certificate.
    pub cert: Option<PathBuf>,
    /// PEM file with the key of `cert`.
    pub key: Option<PathBuf>,
    /// How many executions are in the cluster at a time.
    pub jobs: usize,
    /// How often a call that failed is made again.
    pub retries: u32,
}

impl Settings {
    /// Whether the addresses can be followed, without a connection.
    pub fn check(&self) -> Result<(), RemoteError> {
        crate::remote::endpoints(self).map(drop)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            executor: None,
            cache: None,
            instance: String::new(),
            headers: Vec::new(),
            timeout: Duration::from_mins(1),
            deadline: None,
            upload: true,
            compress: true,
            ca: None,
            cert: None,
            key: None,
            jobs: 200,
            retries: 5,
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |address: &Option<String>| {
            let parsed = address.as_deref().map(crate::endpoint::Endpoint::parse);
            parsed.map(|it| it.map_or_else(|_| "(not an address)".to_owned(), |it| it.to_string()))
        };
        let headers: Vec<&String> = self.headers.iter().map(|(name, _)| name).collect();
        formatter
            .debug_struct("Settings")
            .field("executor", &shown(&self.executor))
            .field("cache", &shown(&self.cache))
            .field("instance", &self.instance)
            .field("headers", &headers)
            .field("timeout", &self.timeout)
            .field("deadline", &self.deadline)
            .field("upload", &self.upload)
            .field("compress", &self.compress)
            .field("ca", &self.ca)
            .field("cert", &self.cert)
            .field("key", &self.key)
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
            ..Settings::default()
        };
        let text = format!("{settings:?}");
        assert!(text.contains("x-key") && text.contains("host:443"), "{text}");
        assert!(!text.contains("hunter2") && !text.contains("user"), "{text}");
    }
}
