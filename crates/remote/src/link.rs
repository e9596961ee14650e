//! Calls to one server.

use std::time::Duration;

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use prost::Message;
use tokio::sync::Semaphore;
use tonic::metadata::{Ascii, BinaryMetadataValue, MetadataKey, MetadataValue};
use tonic::transport::Channel;
use tonic::{Code, Request, Response, Status};

use crate::endpoint::Endpoint;
use crate::error::RemoteError;
use crate::meter::Meter;
use crate::random;
use crate::retry::{Failure, Policy, retry};
use crate::settings::Settings;
use crate::tls;

/// Calls that wait for an answer at a time. More would wait in the connection, where their time runs.
const CALLS_AT_A_TIME: usize = 64;
/// The largest message that is read: far above what servers put into one.
pub(crate) const LARGEST_MESSAGE: usize = 64 << 20;
/// The header that tells a cluster's users which tool asked for what.
const METADATA_HEADER: &str = "build.bazel.remote.execution.v2.requestmetadata-bin";

type Headers = Vec<(MetadataKey<Ascii>, MetadataValue<Ascii>)>;

/// What is told of a server.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    /// Its address without credentials.
    pub(crate) name: String,
    secrets: Vec<String>,
}

impl Server {
    /// The server at `endpoint`, to which the headers of the settings are sent.
    pub(crate) fn new(endpoint: &Endpoint, settings: &Settings) -> Self {
        let values = settings.headers.iter().map(|(_, value)| value);
        let words = values.chain(&endpoint.authorization).flat_map(|value| value.split(' '));
        // Short words are no secrets, and to blot them out would make messages unreadable.
        let secrets = words.filter(|word| word.len() >= 6).map(str::to_owned).collect();
        Self { name: endpoint.to_string(), secrets }
    }

    /// What a failure means to the user. A server may repeat what it was sent, so secrets are taken
    /// out of its words.
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

    /// `text` without secrets.
    pub(crate) fn cleaned(&self, text: &str) -> String {
        self.secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, "***"))
    }
}

/// A connection that is made when it is needed, and again when it broke.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) server: Server,
    pub(crate) policy: Policy,
    channel: Channel,
    headers: Headers,
    tool: BinaryMetadataValue,
    slots: Semaphore,
}

impl Link {
    /// To `endpoint`, as the settings say.
    pub(crate) fn new(
        endpoint: &Endpoint,
        settings: &Settings,
        tls: &tls::Files,
    ) -> Result<Self, RemoteError> {
        let server = Server::new(endpoint, settings);
        let refused = |error: &dyn std::error::Error| {
            let reason = error.source().map_or_else(|| error.to_string(), ToString::to_string);
            RemoteError::Settings(format!("{}: {reason}", server.name))
        };
        let channel = Channel::from_shared(endpoint.http_url())
            .map_err(|error| refused(&error))?
            .connect_timeout(settings.timeout.min(Duration::from_secs(20)))
            .tcp_keepalive(Some(Duration::from_mins(1)))
            .initial_stream_window_size(1 << 20)
            .initial_connection_window_size(8 << 20);
        let channel = if endpoint.tls {
            channel.tls_config(tls.for_grpc()).map_err(|error| refused(&error))?
        } else {
            channel
        };
        Ok(Self {
            policy: Policy { retries: settings.retries, timeout: settings.timeout },
            channel: channel.connect_lazy(),
            headers: headers(endpoint, settings)?,
            tool: tool(),
            slots: Semaphore::new(CALLS_AT_A_TIME),
            server,
        })
    }

    /// The connection, for the clients of the services.
    pub(crate) fn channel(&self) -> Channel {
        self.channel.clone()
    }

    /// A request with the headers that belong to it.
    pub(crate) fn request<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        let metadata = request.metadata_mut();
        for (name, value) in &self.headers {
            metadata.append(name.clone(), value.clone());
        }
        metadata.insert_bin(METADATA_HEADER, self.tool.clone());
        request
    }

    /// Makes a call of one message and one answer until it works.
    pub(crate) async fn call<M: Message + Clone, R: Message>(
        &self,
        meter: &Meter,
        message: &M,
        send: impl AsyncFn(Channel, Request<M>) -> Result<Response<R>, Status>,
    ) -> Result<R, Failure> {
        // The semaphore is never closed, so a slot always comes.
        let _slot = self.slots.acquire().await;
        retry(self.policy, async || {
            let mut request = self.request(message.clone());
            request.set_timeout(self.policy.timeout);
            meter.call(message.encoded_len());
            let answer = send(self.channel(), request).await?.into_inner();
            meter.received(answer.encoded_len());
            Ok(answer)
        })
        .await
    }

    /// What a failure of `call` means to the user.
    pub(crate) fn error(&self, call: &str, failure: &Failure) -> RemoteError {
        self.server.error(call, failure, self.policy.timeout)
    }
}

fn headers(endpoint: &Endpoint, settings: &Settings) -> Result<Headers, RemoteError> {
    let own =
        endpoint.authorization.iter().map(|value| ("authorization".to_owned(), value.clone()));
    own.chain(settings.headers.iter().cloned())
        .map(|(name, value)| {
            let refused = || RemoteError::Settings(format!("{name:?} is not a possible header"));
            let key = name.to_ascii_lowercase().parse().map_err(|_| refused())?;
            let mut value: MetadataValue<Ascii> = value.parse().map_err(|_| refused())?;
            value.set_sensitive(true);
            Ok((key, value))
        })
        .collect()
}

fn tool() -> BinaryMetadataValue {
    let message = reapi::RequestMetadata {
        tool_details: Some(reapi::ToolDetails {
            tool_name: "weft".to_owned(),
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        }),
        tool_invocation_id: random::uuid(),
        ..reapi::RequestMetadata::default()
    };
    MetadataValue::from_bytes(&message.encode_to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_repeats_of_our_secrets_is_not_shown() {
        let settings = Settings {
            headers: vec![("authorization".to_owned(), "Bearer tok-123456".to_owned())],
            ..Settings::default()
        };
        let endpoint = Endpoint::parse("grpcs://me:sesame@host").unwrap();
        let server = Server::new(&endpoint, &settings);
        let words = format!("{} tok-123456", endpoint.authorization.unwrap());
        let failure = Failure::new(Code::Unauthenticated, words);
        let text = server.error("GetActionResult", &failure, Duration::ZERO).to_string();
        assert!(text.contains("grpcs://host:443") && text.contains("GetActionResult"), "{text}");
        assert!(!text.contains("tok-123456") && !text.contains("bWU6c2VzYW1l"), "{text}");
    }

    #[test]
    fn impossible_headers_are_refused_without_their_value() {
        let endpoint = Endpoint::parse("grpc://host").unwrap();
        for (name, value) in [("no name", "secret"), ("name", "sec\nret")] {
            let headers = vec![(name.to_owned(), value.to_owned())];
            let settings = Settings { headers, ..Settings::default() };
            let text = super::headers(&endpoint, &settings).unwrap_err().to_string();
            assert!(text.contains(name) && !text.contains("sec"), "{text}");
        }
    }
}
