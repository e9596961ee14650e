//! The readers of server messages, as functions of bytes alone.
//!
//! The calls use the same readers after removing gRPC or HTTP framing. A server, or an impostor,
//! may send anything, so these functions are fuzzed.

use std::collections::BTreeMap;

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::google::longrunning as operations;
use prost::Message as _;

use crate::action::{RemoteAction, RemoteResult};
use crate::digest::{Digest, DigestFunction};
use crate::grpc::capabilities::Terms;
use crate::grpc::execution::{Ending, blob_of, ending, stage};
use crate::grpc::zstandard;
use crate::outputs::PendingResult;
use crate::settings::Settings;

/// Reads a result of `action`, with content that came along and without content that is still in
/// the store. The error is the fault of the message or of the result.
pub fn result(message: &[u8], action: &RemoteAction) -> Result<RemoteResult, String> {
    let wire = reapi::ActionResult::decode(message).map_err(|error| error.to_string())?;
    let pending = PendingResult::new(wire, action, DigestFunction::Sha256)?;
    Ok(pending.complete(&BTreeMap::new()))
}

/// Reads a message about a running execution, and the result of `action` in it. Returns the blobs
/// that the server says it lacks. The error is the fault of a message.
pub fn operation(message: &[u8], action: &RemoteAction) -> Result<Vec<Digest>, String> {
    let operation = operations::Operation::decode(message).map_err(|error| error.to_string())?;
    let _ = stage(&operation);
    let failure = match ending(operation) {
        Ending::Failed(failure) => failure,
        Ending::Done(response) => {
            if let Some(wire) = response.result {
                PendingResult::new(wire, action, DigestFunction::Sha256)?;
            }
            return Ok(Vec::new());
        }
    };
    let _ = (failure.reason(), failure.delay(1), failure.is_temporary());
    Ok(failure.missing.iter().filter_map(|name| blob_of(name)).collect())
}

/// Reads the capabilities of a server that is to keep results and to execute. The error is the
/// missing feature or the fault of the message.
pub fn capabilities(message: &[u8]) -> Result<(), String> {
    let offered = reapi::ServerCapabilities::decode(message).map_err(|error| error.to_string())?;
    Terms::agree(&offered, Some(&offered), &Settings::default()).map(drop)
}

/// Returns the content of compressed frames, as far as they can be read, and at most `limit` + 1
/// bytes.
pub fn frames(bytes: &[u8], limit: u64) -> Vec<u8> {
    zstandard::decompress(bytes, limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn action() -> RemoteAction {
        RemoteAction { outputs: vec!["a".to_owned()], ..RemoteAction::default() }
    }

    #[test]
    fn answers_are_read_from_bytes() {
        let digest = DigestFunction::Sha256.digest(b"content");
        let file = reapi::OutputFile {
            path: "a".to_owned(),
            digest: Some(digest.to_wire()),
            contents: b"content".to_vec(),
            ..reapi::OutputFile::default()
        };
        let wire = reapi::ActionResult { output_files: vec![file], ..Default::default() };
        let read = result(&wire.encode_to_vec(), &action()).unwrap();
        assert_eq!(read.outputs, [("a".to_owned(), b"content".to_vec())]);
        assert!(result(b"", &action()).unwrap_err().contains("\"a\""));
        assert!(result(b"\xff", &action()).is_err());
        assert!(operation(b"\xff", &action()).is_err());
        assert_eq!(operation(b"", &action()), Ok(Vec::new()));
        assert_eq!(capabilities(b""), Err("a content store".to_owned()));
        assert_eq!(frames(b"no frame", 10), b"");
    }
}
