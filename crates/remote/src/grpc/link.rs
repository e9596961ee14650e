//! A gRPC connection to one server.

use std::time::Duration;

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use prost::Message;
use tokio::sync::Semaphore;
use tonic::metadata::{BinaryMetadataValue, MetadataMap, MetadataValue};
use tonic::transport::{Channel, Endpoint as ChannelEndpoint};
use tonic::{Request, Response, Status};

use crate::credentials::{Credentials, Pass};
use crate::endpoint::Endpoint;
use crate::error::RemoteError;
use crate::network::meter::Meter;
use crate::network::random;
use crate::network::retry::{Failure, Policy, retry};
use crate::network::server::Server;
use crate::network::tls::Certificates;
use crate::settings::{Part, Settings};

/// Maximum number of calls that wait for an answer at a time. More would wait inside the
/// connection, where their time limit runs already.
const CALLS_AT_A_TIME: usize = 64;
/// Header that tells a cluster's users which tool made a call.
const METADATA_HEADER: &str = "build.bazel.remote.execution.v2.requestmetadata-bin";

/// A connection that is opened at its first use, and again after it broke.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) server: Server,
    pub(crate) policy: Policy,
    pub(crate) credentials: Credentials,
    channel: Channel,
    tool: BinaryMetadataValue,
    slots: Semaphore,
}

impl Link {
    /// Prepares a connection to `endpoint`, which is this part of the build, as the settings say.
    pub(crate) fn new(
        endpoint: &Endpoint,
        part: Part,
        settings: &Settings,
        certificates: &Certificates,
    ) -> Result<Self, RemoteError> {
        let server = Server::new(endpoint);
        let refused = |error: &dyn std::error::Error| {
            let reason = error.source().map_or_else(|| error.to_string(), ToString::to_string);
            RemoteError::Settings(format!("{}: {reason}", server.name))
        };
        let channel = ChannelEndpoint::from_shared(endpoint.http_url())
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
            credentials: Credentials::new(endpoint, part, settings, &server)?,
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
    pub(crate) fn request<T>(&self, pass: &Pass, message: T) -> Request<T> {
        let mut request = Request::new(message);
        *request.metadata_mut() = MetadataMap::from_headers(pass.headers.clone());
        request.metadata_mut().insert_bin(METADATA_HEADER, self.tool.clone());
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
        let attempt = async |pass: &Pass| {
            let mut request = self.request(pass, message.clone());
            request.set_timeout(self.policy.timeout);
            meter.call(message.encoded_len());
            let answer = send(self.channel(), request).await?.into_inner();
            meter.received(answer.encoded_len());
            Ok(answer)
        };
        retry(self.policy, async || self.credentials.authorize(&attempt).await).await
    }

    /// Returns the error that tells users about a failure of `call`.
    pub(crate) fn error(&self, call: &str, failure: &Failure) -> RemoteError {
        self.server.error(call, failure, self.policy.timeout)
    }
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
