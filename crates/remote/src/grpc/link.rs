//! A gRPC connection to one server.

use std::time::Duration;

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use prost::Message;
use tokio::sync::Semaphore;
use tonic::metadata::{Ascii, BinaryMetadataValue, MetadataKey, MetadataValue};
use tonic::transport::Channel;
use tonic::{Request, Response, Status};

use crate::endpoint::Endpoint;
use crate::error::RemoteError;
use crate::network::meter::Meter;
use crate::network::random;
use crate::network::retry::{Failure, Policy, retry};
use crate::network::server::Server;
use crate::network::tls::Certificates;
use crate::settings::Settings;

/// Maximum number of calls that wait for an answer at a time. More would wait inside the
/// connection, where their time limit runs already.
const CALLS_AT_A_TIME: usize = 64;
/// Header that tells a cluster's users which tool made a call.
const METADATA_HEADER: &str = "build.bazel.remote.execution.v2.requestmetadata-bin";

type Headers = Vec<(MetadataKey<Ascii>, MetadataValue<Ascii>)>;

/// A connection that is opened at its first use, and again after it broke.
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
    /// Prepares a connection to `endpoint`, as the settings say.
    pub(crate) fn new(
        endpoint: &Endpoint,
        settings: &Settings,
        certificates: &Certificates,
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
            channel.tls_config(certificates.for_grpc()).map_err(|error| refused(&error))?
        } else {
            channel
        };
        Ok(Self {
            policy: Policy::new(settings),
            channel: channel.connect_lazy(),
            headers: headers(endpoint, settings)?,
            tool: tool(),
            slots: Semaphore::new(CALLS_AT_A_TIME),
            server,
        })
    }

    /// Returns the connection, for the clients of the services.
    pub(crate) fn channel(&self) -> Channel {
        self.channel.clone()
    }

    /// Returns a request that holds `message` and the headers.
    pub(crate) fn request<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        let metadata = request.metadata_mut();
        for (name, value) in &self.headers {
            metadata.append(name.clone(), value.clone());
        }
        metadata.insert_bin(METADATA_HEADER, self.tool.clone());
        request
    }

    /// Makes a call of one message and one answer, and repeats it as the policy allows.
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

    /// Returns the error that tells users about a failure of `call`.
    pub(crate) fn error(&self, call: &str, failure: &Failure) -> RemoteError {
        self.server.error(call, failure, self.policy.timeout)
    }
}

fn headers(endpoint: &Endpoint, settings: &Settings) -> Result<Headers, RemoteError> {
    settings
        .headers_for(endpoint)
        .map(|(name, value)| {
            let refused = || RemoteError::Settings(format!("{name:?} is not a possible header"));
            let key = name.to_ascii_lowercase().parse().map_err(|_| refused())?;
            let mut value: MetadataValue<Ascii> = value.parse().map_err(|_| refused())?;
            value.set_sensitive(true);
            Ok((key, value))
        })
        .collect()
}

/// Returns the value of [`METADATA_HEADER`].
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
