//! The server that has contents and results, and the terms agreed on with it.

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;

use crate::digest::Digest;
use crate::error::RemoteError;
use crate::grpc::capabilities::Terms;
use crate::grpc::link::Link;
use crate::network::retry::Failure;

/// A server with a content store, as all transfers need it.
#[derive(Debug)]
pub(crate) struct Store {
    pub(crate) link: Link,
    pub(crate) instance: String,
    pub(crate) terms: Terms,
    /// Importance of executions and results.
    pub(crate) priority: i32,
}

/// The error of fetching blobs.
#[derive(Debug)]
pub(crate) enum FetchError {
    /// The store does not have this blob.
    Missing(Digest),
    Other(RemoteError),
}

impl Store {
    /// Returns the policy for a result; none where all results are equal.
    pub(crate) fn results_policy(&self) -> Option<reapi::ResultsCachePolicy> {
        (self.priority != 0).then_some(reapi::ResultsCachePolicy { priority: self.priority })
    }

    /// Returns the policy for an execution; none where all executions are equal.
    pub(crate) fn execution_policy(&self) -> Option<reapi::ExecutionPolicy> {
        (self.priority != 0).then_some(reapi::ExecutionPolicy { priority: self.priority })
    }

    /// Returns the error for content that did not match `digest`.
    pub(crate) fn corrupt(&self, digest: Digest) -> RemoteError {
        RemoteError::Corrupt { server: self.link.server.name.clone(), digest }
    }

    /// Waits before attempt number `attempt`, or returns `failure` if that number is above the
    /// limit.
    pub(crate) async fn wait_or_fail(
        &self,
        attempt: u32,
        failure: &Failure,
    ) -> Result<(), Failure> {
        if attempt > self.link.policy.retries {
            return Err(failure.clone());
        }
        tokio::time::sleep(failure.delay(attempt)).await;
        Ok(())
    }
}
