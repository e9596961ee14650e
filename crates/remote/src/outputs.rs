//! Converts results between the protocol's form and the user's.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::google::protobuf;

use crate::action::{RemoteAction, RemoteResult};
use crate::content::Blobs;
use crate::digest::{Digest, DigestFunction};

/// Location of some content.
#[derive(Debug, PartialEq, Eq)]
enum Source {
    /// The content came with the result and matches its digest.
    Here(Vec<u8>),
    /// The store has the content.
    InStore(Digest),
}

/// A result whose contents may still be in the store.
#[derive(Debug)]
pub(crate) struct PendingResult {
    outputs: Vec<(String, Source)>,
    stdout: Source,
    stderr: Source,
    exit_code: i32,
    ran_for: Option<Duration>,
    worker: String,
}

impl PendingResult {
    /// Reads a result of `action`, or returns its fault. All outputs must be there unless the
    /// command has failed.
    pub(crate) fn new(
        result: reapi::ActionResult,
        action: &RemoteAction,
        function: DigestFunction,
    ) -> Result<Self, String> {
        let mut files: BTreeMap<String, (Option<reapi::Digest>, Vec<u8>)> = result
            .output_files
            .into_iter()
            .map(|file| (file.path, (file.digest, file.contents)))
            .collect();
        let mut outputs = Vec::new();
        for path in &action.outputs {
            let Some((digest, contents)) = files.remove(path) else {
                if result.exit_code == 0 {
                    return Err(format!("the output {path:?} is missing, or is not a file"));
                }
                continue;
            };
            let what = || format!("the output {path:?}");
            let digest = digest.as_ref().ok_or_else(|| format!("{} has no digest", what()))?;
            outputs.push((path.clone(), source(digest, contents, function, &what)?));
        }
        let stream = |raw: Vec<u8>, digest: Option<reapi::Digest>, name: &str| match digest {
            Some(digest) if digest.size_bytes > 0 || !digest.hash.is_empty() => {
                source(&digest, raw, function, &|| name.to_owned())
            }
            _ => Ok(Source::Here(raw)),
        };
        Ok(Self {
            outputs,
            stdout: stream(result.stdout_raw, result.stdout_digest, "stdout")?,
            stderr: stream(result.stderr_raw, result.stderr_digest, "stderr")?,
            exit_code: result.exit_code,
            ran_for: result.execution_metadata.as_ref().and_then(duration),
            worker: result.execution_metadata.map(|metadata| metadata.worker).unwrap_or_default(),
        })
    }

    /// Returns the digests of all contents that must come from the store.
    pub(crate) fn in_store(&self) -> BTreeSet<Digest> {
        let outputs = self.outputs.iter().map(|(_, source)| source);
        outputs
            .chain([&self.stdout, &self.stderr])
            .filter_map(|source| match source {
                Source::InStore(digest) => Some(*digest),
                Source::Here(_) => None,
            })
            .collect()
    }

    /// Returns the result, given the contents that were [in the store](Self::in_store).
    pub(crate) fn complete(self, fetched: &BTreeMap<Digest, Vec<u8>>) -> RemoteResult {
        let take = |source| match source {
            Source::Here(content) => content,
            Source::InStore(digest) => fetched.get(&digest).cloned().unwrap_or_default(),
        };
        let outputs = self.outputs.into_iter().map(|(path, source)| (path, take(source)));
        RemoteResult {
            outputs: outputs.collect(),
            exit_code: self.exit_code,
            ran_for: self.ran_for,
            worker: self.worker,
            stdout: take(self.stdout),
            stderr: take(self.stderr),
            ..RemoteResult::default()
        }
    }
}

fn source(
    digest: &reapi::Digest,
    contents: Vec<u8>,
    function: DigestFunction,
    what: &dyn Fn() -> String,
) -> Result<Source, String> {
    let digest =
        Digest::from_wire(digest).ok_or_else(|| format!("{} has an impossible digest", what()))?;
    if contents.is_empty() && digest.size() > 0 {
        return Ok(Source::InStore(digest));
    }
    if function.digest(&contents) == digest {
        return Ok(Source::Here(contents));
    }
    // A wrong copy beside the digest says nothing about the store's copy.
    Ok(Source::InStore(digest))
}

/// Returns how long a command ran, if the worker has recorded its start and its end.
fn duration(metadata: &reapi::ExecutedActionMetadata) -> Option<Duration> {
    let nanoseconds = |time: &protobuf::Timestamp| {
        i128::from(time.seconds) * 1_000_000_000 + i128::from(time.nanos)
    };
    let start = metadata.execution_start_timestamp.as_ref().map(nanoseconds)?;
    let end = metadata.execution_completed_timestamp.as_ref().map(nanoseconds)?;
    u64::try_from(end - start).ok().map(Duration::from_nanos)
}

/// Records how long a command ran, but neither when nor where, which is private.
fn metadata(ran_for: Duration) -> reapi::ExecutedActionMetadata {
    let seconds = i64::try_from(ran_for.as_secs()).unwrap_or(i64::MAX);
    let end = protobuf::Timestamp { seconds, nanos: ran_for.subsec_nanos().cast_signed() };
    reapi::ExecutedActionMetadata {
        execution_start_timestamp: Some(protobuf::Timestamp::default()),
        execution_completed_timestamp: Some(end),
        ..reapi::ExecutedActionMetadata::default()
    }
}

/// Converts `result` for an action cache, and returns the blobs that it names, too.
pub(crate) fn to_wire(
    result: &RemoteResult,
    function: DigestFunction,
) -> (reapi::ActionResult, Blobs) {
    let mut blobs = Blobs::new();
    let mut store = |content: &[u8]| {
        let digest = function.digest(content);
        blobs.entry(digest).or_insert_with(|| content.into());
        Some(digest.to_wire())
    };
    let mut output_files: Vec<_> = result
        .outputs
        .iter()
        .map(|(path, content)| reapi::OutputFile {
            path: path.clone(),
            digest: store(content),
            ..reapi::OutputFile::default()
        })
        .collect();
    output_files.sort_by(|one, other| one.path.cmp(&other.path));
    let mut stream = |content: &[u8]| if content.is_empty() { None } else { store(content) };
    let result = reapi::ActionResult {
        output_files,
        exit_code: result.exit_code,
        execution_metadata: result.ran_for.map(metadata),
        stdout_digest: stream(&result.stdout),
        stderr_digest: stream(&result.stderr),
        ..reapi::ActionResult::default()
    };
    (result, blobs)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FUNCTION: DigestFunction = DigestFunction::Sha256;

    fn action() -> RemoteAction {
        let outputs = vec!["b".to_owned(), "a".to_owned()];
        RemoteAction { outputs, ..RemoteAction::default() }
    }

    fn result() -> RemoteResult {
        let outputs = vec![("b".to_owned(), b"bee".to_vec()), ("a".to_owned(), Vec::new())];
        RemoteResult { outputs, stdout: b"said".to_vec(), ..RemoteResult::default() }
    }

    #[test]
    fn a_result_comes_back_as_it_was() {
        let (wire, blobs) = to_wire(&result(), FUNCTION);
        let found = PendingResult::new(wire, &action(), FUNCTION).unwrap();
        assert_eq!(found.in_store().len(), 2);
        let fetched =
            blobs.into_iter().map(|(digest, content)| (digest, content.load().unwrap().to_vec()));
        let back = found.complete(&fetched.collect());
        assert_eq!((back.outputs, back.stdout), (result().outputs, result().stdout));
    }

    #[test]
    fn content_that_came_along_is_used_only_if_it_is_right() {
        for (contents, expected) in [(&b"bee"[..], 1), (b"bad", 2)] {
            let (mut wire, _) = to_wire(&result(), FUNCTION);
            wire.output_files[1].contents = contents.to_vec();
            let found = PendingResult::new(wire, &action(), FUNCTION).unwrap();
            assert_eq!(found.in_store().len(), expected);
        }
    }

    #[test]
    fn a_result_that_lacks_an_output_is_refused_unless_it_failed() {
        let (mut wire, _) = to_wire(&result(), FUNCTION);
        wire.output_files.pop();
        let text = PendingResult::new(wire.clone(), &action(), FUNCTION).unwrap_err();
        assert!(text.contains("\"b\""), "{text}");
        wire.exit_code = 1;
        assert_eq!(PendingResult::new(wire, &action(), FUNCTION).unwrap().outputs.len(), 1);
        let (mut wire, _) = to_wire(&result(), FUNCTION);
        wire.output_files[0].digest = Some(reapi::Digest { hash: "x".to_owned(), size_bytes: 1 });
        assert!(PendingResult::new(wire, &action(), FUNCTION).is_err());
    }
}
