//! The labels of a call, by which a cluster's pages show it under its build, its target and its
//! action.

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use prost::Message;
use tonic::metadata::{BinaryMetadataValue, MetadataValue};

use crate::action::RemoteAction;
use crate::digest::Digest;

/// Header that holds the labels.
pub(crate) const HEADER: &str = "build.bazel.remote.execution.v2.requestmetadata-bin";

/// Labels of the calls for one action. Calls for no action have empty ones.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    action: String,
    target: String,
    mnemonic: String,
}

impl Labels {
    /// Returns the labels of `action`, which has the digest `digest`.
    pub(crate) fn of(action: &RemoteAction, digest: Digest) -> Self {
        let (target, mnemonic) = (action.target.clone(), action.mnemonic.clone());
        Self { action: digest.hex(), target, mnemonic }
    }

    /// Returns the value of [`HEADER`] for a call of the build `invocation`.
    pub(crate) fn header(&self, invocation: &str) -> BinaryMetadataValue {
        let message = reapi::RequestMetadata {
            tool_details: Some(reapi::ToolDetails {
                tool_name: "weft".to_owned(),
                tool_version: env!("CARGO_PKG_VERSION").to_owned(),
            }),
            action_id: self.action.clone(),
            tool_invocation_id: invocation.to_owned(),
            action_mnemonic: self.mnemonic.clone(),
            target_id: self.target.clone(),
            ..reapi::RequestMetadata::default()
        };
        MetadataValue::from_bytes(&message.encode_to_vec())
    }
}
