//! A gRPC connection to one server.

use std::time::Duration;

use prost::Message;
use tokio::sync::Semaphore;
use tonic::metadata::MetadataMap;
use tonic::transport::Endpoint as ChannelEndpoint;
use tonic::{Request, Response};

use crate::credentials::{Credentials, Pass};
use crate::endpoint::Endpoint;
use crate::error::RemoteError;
use crate::grpc::ingress::{Connection, connection};
use crate::grpc::tunnel;
use crate::network::first_answer::FirstAnswer;
use crate::network::labels;
use crate::network::meter::Meter;
use crate::network::retry::{Failure, Policy, retry};
use crate::network::server::Server;
use crate::network::tls::Certificates;
use crate::settings::{Part, Settings};

/// Maximum number of calls that wait for an answer at a time. More would wait inside the
/// connection, where their time limit runs already.
const CALLS_AT_A_TIME: usize = 64;

/// Time by which the limit that the server is told exceeds the one that is kept here. The
/// connection keeps the former, too, and calls its end a broken connection.
const LENIENCE: Duration = Duration::from_secs(1);

/// A connection that is opened at its first use, and again after it broke.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) server: Server,
    pub(crate) policy: Policy,
    pub(crate) credentials: Credentials,
    pub(crate) first_answer: FirstAnswer,
    connection: Connection,
    invocation: String,
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
            .connect_timeout(settings.timeout.min(settings.connect_timeout))
            .tcp_keepalive(Some(Duration::from_mins(1)))
            .initial_stream_window_size(1 << 20)
            .initial_connection_window_size(8 << 20);
        let channel = if endpoint.tls {
            channel.tls_config(certificates.for_grpc()).map_err(|error| refused(&error))?
        } else {
            channel
        };
        // No proxy knows the way to this machine.
        let channel = if endpoint.is_this_machine {
            channel.connect_lazy()
        } else {
            tunnel::connect_lazily(&channel)
                .map_err(|reason| RemoteError::Settings(format!("{}: {reason}", server.name)))?
        };
        Ok(Self {
            policy: Policy::new(settings),
            first_answer: FirstAnswer::expect(&server.name, settings)?,
            connection: connection(channel),
            credentials: Credentials::new(endpoint, part, settings, &server)?,
            invocation: settings.invocation.id.clone(),
            slots: Semaphore::new(CALLS_AT_A_TIME),
            server,
        })
    }

    /// Returns the connection, for the clients of the services.
    pub(crate) fn connection(&self) -> Connection {
        self.connection.clone()
    }

    /// Returns a request that holds `message`, the headers and the labels of `meter`.
    pub(crate) fn request<T>(&self, pass: &Pass, meter: &Meter, message: T) -> Request<T> {
        let mut request = Request::new(message);
        *request.metadata_mut() = MetadataMap::from_headers(pass.headers.clone());
        let labels = meter.labels.header(&self.invocation);
        request.metadata_mut().insert_bin(labels::HEADER, labels);
        request
    }

    /// Makes a call of one message and one answer, and repeats it as the policy allows.
    pub(crate) async fn call<M: Message + Clone, R: Message, E: Into<Failure>>(
        &self,
        meter: &Meter,
        message: &M,
        send: impl AsyncFn(Connection, Request<M>) -> Result<Response<R>, E>,
    ) -> Result<R, Failure> {
        // The semaphore is never closed, so a slot always comes.
        let _slot = self.slots.acquire().await;
        let attempt = async |pass: &Pass| {
            let mut request = self.request(pass, meter, message.clone());
            request.set_timeout(self.policy.timeout + LENIENCE);
            meter.call(message.encoded_len());
            let answer = send(self.connection(), request).await.map_err(Into::into)?.into_inner();
            meter.received(answer.encoded_len());
            Ok(answer)
        };
        let policy = self.first_answer.policy(self.policy);
        let answer = retry(policy, async || self.credentials.authorize(&attempt).await).await;
        self.first_answer.see(&answer);
        answer
    }

    /// Returns the error that tells users about a failure of `call`.
    pub(crate) fn error(&self, call: &str, failure: &Failure) -> RemoteError {
        let policy = self.first_answer.policy(self.policy);
        self.server.error(call, failure, policy.timeout.min(policy.total))
    }

    /// Returns that error for a call that sends content.
    pub(crate) fn error_of_sending(&self, call: &str, failure: &Failure) -> RemoteError {
        let policy = self.first_answer.policy(self.policy);
        self.server.error_of_sending(call, failure, policy.timeout.min(policy.total))
    }
}
