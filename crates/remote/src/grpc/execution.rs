//! Runs an action on the cluster, across broken streams and lost blobs.

use std::cell::RefCell;
use std::sync::Arc;

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::google::longrunning as operations;
use operations::operations_client::OperationsClient;
use prost::Message;
use reapi::execution_client::ExecutionClient;
use tonic::{Code, Streaming};

use crate::action::Progress;
use crate::credentials::Pass;
use crate::digest::Digest;
use crate::error::RemoteError;
use crate::grpc::cas::Cas;
use crate::grpc::link::Link;
use crate::messages::Messages;
use crate::network::LARGEST_MESSAGE;
use crate::network::meter::Meter;
use crate::network::retry::Failure;

/// Number of times that blobs which the server has lost are sent again.
const REPAIRS: u32 = 3;

/// One action to run on the cluster.
pub(crate) struct Execution<'call> {
    pub(crate) link: &'call Link,
    pub(crate) cas: &'call Cas,
    pub(crate) messages: &'call Messages,
    pub(crate) meter: &'call Arc<Meter>,
    pub(crate) progress: &'call dyn Fn(Progress),
    /// The server's name for the execution while it runs, by which a caller can end it.
    pub(crate) running: &'call RefCell<String>,
}

/// The end of an execution, as the server reports it.
pub(crate) enum Ending {
    Done(Box<reapi::ExecuteResponse>),
    Failed(Failure),
}

/// The failure that broke a stream.
struct Break {
    failure: Failure,
    /// Whether a message had come in the stream.
    was_heard: bool,
}

impl Execution<'_> {
    /// Runs the action, with `skip_cache` even if the cluster has a result. Returns the result and
    /// whether it came from the cluster's cache.
    pub(crate) async fn run(
        &self,
        skip_cache: bool,
    ) -> Result<(reapi::ActionResult, bool), RemoteError> {
        let (mut executions, mut repairs) = (0, 0);
        loop {
            self.ensure_inputs().await?;
            (self.progress)(Progress::LookingUp);
            let failure = match self.until_its_end(skip_cache).await? {
                Ending::Done(response) => match self.read_response(*response)? {
                    Ok(result) => return Ok(result),
                    Err(failure) => failure,
                },
                Ending::Failed(failure) => failure,
            };
            // Servers report in different ways that they lack a blob of the action.
            if matches!(failure.code, Code::FailedPrecondition | Code::NotFound) {
                repairs += 1;
                if repairs > REPAIRS {
                    return Err(self.impossible(&failure));
                }
                self.forget(&failure);
            } else if failure.is_temporary() && executions < self.link.policy.retries {
                executions += 1;
            } else if failure.is_connection || failure.code == Code::DeadlineExceeded {
                return Err(self.link.error("Execute", &failure));
            } else {
                return Err(self.impossible(&failure));
            }
            self.retry_later(&failure, executions.max(repairs)).await;
        }
    }

    async fn ensure_inputs(&self) -> Result<(), RemoteError> {
        let on_upload = |bytes| (self.progress)(Progress::Uploading { bytes });
        self.cas.ensure(&self.messages.blobs, self.meter, &on_upload).await
    }

    fn forget(&self, failure: &Failure) {
        let named: Vec<Digest> = failure.missing.iter().filter_map(|name| blob_of(name)).collect();
        if named.is_empty() {
            self.cas.forget(self.messages.blobs.keys());
        } else {
            self.cas.forget(&named);
        }
    }

    /// Starts an execution and follows it to its end, through new streams if one breaks.
    async fn until_its_end(&self, skip_cache: bool) -> Result<Ending, RemoteError> {
        let mut name = String::new();
        let mut breaks = 0;
        loop {
            let is_new = name.is_empty();
            let pass = match self.link.credentials.pass().await {
                Ok(pass) => pass,
                Err(failure) => return Ok(Ending::Failed(failure)),
            };
            let broken = match self.follow(&pass, &mut name, skip_cache).await {
                Ok(ending) => return Ok(ending),
                Err(broken) => broken,
            };
            if broken.was_heard {
                breaks = 0;
            }
            let failure = self.link.credentials.judge(&pass, broken.failure).await;
            let is_unknown = matches!(failure.code, Code::NotFound | Code::Unimplemented);
            if !is_new && is_unknown {
                // The server no longer knows the execution, or keeps no names of executions.
                return Ok(Ending::Failed(Failure::new(Code::Aborted, failure.message)));
            }
            breaks += 1;
            if is_new && name.is_empty()
                || !failure.is_temporary()
                || breaks > self.link.policy.retries
            {
                return Ok(Ending::Failed(failure));
            }
            // A server that fell silent in a stream may have no news, so it is asked again at once.
            if failure.code != Code::DeadlineExceeded || !broken.was_heard {
                self.retry_later(&failure, breaks).await;
            }
        }
    }

    /// Reads one stream of a new execution, or of the one called `name`.
    async fn follow(
        &self,
        pass: &Pass,
        name: &mut String,
        skip_cache: bool,
    ) -> Result<Ending, Break> {
        let silence = |was_heard| Break { failure: Failure::timeout(), was_heard };
        let broke = |failure, was_heard| Break { failure, was_heard };
        let timeout = self.link.policy.timeout;
        let stream = tokio::time::timeout(timeout, self.open(pass, name, skip_cache)).await;
        let stream = stream.unwrap_or_else(|_| Err(Failure::timeout()));
        let mut stream = stream.map_err(|failure| broke(failure, false))?;
        let mut was_heard = false;
        loop {
            let message = tokio::time::timeout(timeout, stream.message()).await;
            let operation = match message.map_err(|_| silence(was_heard))? {
                Err(status) => return Err(broke(Failure::from(status), was_heard)),
                Ok(None) => {
                    let failure = Failure::new(Code::Unavailable, "the stream ended too early");
                    return Err(broke(failure, was_heard));
                }
                Ok(Some(operation)) => operation,
            };
            was_heard = true;
            self.meter.received(operation.encoded_len());
            name.clone_from(&operation.name);
            self.running.replace(operation.name.clone());
            self.report(&operation);
            if operation.done {
                self.running.take();
                return Ok(ending(operation));
            }
        }
    }

    async fn open(
        &self,
        pass: &Pass,
        name: &str,
        skip_cache: bool,
    ) -> Result<Streaming<operations::Operation>, Failure> {
        let mut client =
            ExecutionClient::new(self.link.connection()).max_decoding_message_size(LARGEST_MESSAGE);
        let answer = if name.is_empty() {
            let request = reapi::ExecuteRequest {
                instance_name: self.cas.store.instance.clone(),
                skip_cache_lookup: skip_cache,
                action_digest: Some(self.messages.action.to_wire()),
                digest_function: self.cas.store.terms.dialect.digest_function.wire(),
                inline_stdout: true,
                inline_stderr: true,
                execution_policy: self.cas.store.execution_policy(),
                results_cache_policy: self.cas.store.results_policy(),
                ..reapi::ExecuteRequest::default()
            };
            self.meter.call(request.encoded_len());
            client.execute(self.link.request(pass, self.meter, request)).await
        } else {
            let request = reapi::WaitExecutionRequest { name: name.to_owned() };
            self.meter.call(request.encoded_len());
            client.wait_execution(self.link.request(pass, self.meter, request)).await
        };
        Ok(answer?.into_inner())
    }

    fn report(&self, operation: &operations::Operation) {
        if let Some(progress) = stage(operation) {
            (self.progress)(progress);
        }
    }

    /// Returns the result in a response. The inner error is a failure that another execution may
    /// mend.
    fn read_response(
        &self,
        response: reapi::ExecuteResponse,
    ) -> Result<Result<(reapi::ActionResult, bool), Failure>, RemoteError> {
        let failure = Failure::of_message(&response.status.unwrap_or_default());
        match (failure.code, response.result) {
            (Code::Ok, Some(result)) => Ok(Ok((result, response.cached_result))),
            (Code::Ok, None) => {
                Ok(Err(Failure::new(Code::Internal, "the response holds no result")))
            }
            // The time limit is the action's, which would run as long the next time.
            (Code::DeadlineExceeded, _) => {
                let reason = "it ran longer than its time limit".to_owned();
                Err(RemoteError::Execution { server: self.link.server.name.clone(), reason })
            }
            _ => Ok(Err(failure)),
        }
    }

    fn impossible(&self, failure: &Failure) -> RemoteError {
        let server = self.link.server.name.clone();
        let reason = self.link.server.cleaned(&failure.reason());
        match failure.code {
            Code::ResourceExhausted => RemoteError::Exhausted { server, reason },
            _ => RemoteError::Execution { server, reason },
        }
    }

    async fn retry_later(&self, failure: &Failure, attempt: u32) {
        let reason = self.link.server.cleaned(&failure.reason());
        (self.progress)(Progress::Retrying { reason });
        tokio::time::sleep(failure.delay(attempt)).await;
    }
}

/// Tells the cluster that this client no longer waits for an execution. Clusters need not support
/// the call, and another client may wait for the same execution, so the answer is ignored.
pub(crate) async fn cancel(link: &Link, name: &str, meter: &Meter) {
    let request = operations::CancelOperationRequest { name: name.to_owned() };
    let Ok(pass) = link.credentials.pass().await else { return };
    let mut client = OperationsClient::new(link.connection());
    drop(client.cancel_operation(link.request(&pass, meter, request)).await);
}

/// Returns the stage of a running execution, if the server states one.
pub(crate) fn stage(operation: &operations::Operation) -> Option<Progress> {
    use reapi::execution_stage::Value as Stage;
    let metadata = operation.metadata.as_ref()?.value.as_slice();
    match reapi::ExecuteOperationMetadata::decode(metadata).ok()?.stage() {
        Stage::CacheCheck => Some(Progress::LookingUp),
        Stage::Queued => Some(Progress::Queued),
        Stage::Executing => Some(Progress::Executing),
        Stage::Unknown | Stage::Completed => None,
    }
}

/// Returns the end of an execution that is done.
pub(crate) fn ending(operation: operations::Operation) -> Ending {
    let response = match operation.result {
        Some(operations::operation::Result::Response(response)) => {
            reapi::ExecuteResponse::decode(response.value.as_slice())
        }
        Some(operations::operation::Result::Error(status)) => {
            return Ending::Failed(Failure::of_message(&status));
        }
        None => Ok(reapi::ExecuteResponse::default()),
    };
    match response {
        Ok(response) => Ending::Done(Box::new(response)),
        Err(error) => Ending::Failed(Failure::new(Code::Internal, error.to_string())),
    }
}

/// Returns the digest in the name of a missing blob: `blobs/HASH/SIZE`, or with the function before
/// the hash.
pub(crate) fn blob_of(subject: &str) -> Option<Digest> {
    let mut parts = subject.rsplit('/');
    let size = parts.next()?.parse().ok()?;
    Digest::parse(parts.next()?, size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::DigestFunction;

    #[test]
    fn missing_blobs_are_known_by_their_names() {
        let digest = DigestFunction::Sha256.digest(b"content");
        for prefix in ["blobs", "instance/blobs/blake3"] {
            assert_eq!(blob_of(&format!("{prefix}/{digest}")), Some(digest));
        }
        assert_eq!(blob_of("blobs/x/1"), None);
        assert_eq!(blob_of(""), None);
    }
}
