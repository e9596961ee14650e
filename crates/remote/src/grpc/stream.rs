//! Transfers large blobs in pieces, and continues where a transfer broke off.

use std::sync::Arc;
use std::time::Duration;

use api::byte_stream_client::ByteStreamClient;
use bazel_remote_apis::google::bytestream as api;
use prost::Message;
use tonic::Code;

use crate::credentials::Pass;
use crate::digest::Digest;
use crate::error::RemoteError;
use crate::grpc::store::{FetchError, Store};
use crate::grpc::zstandard;
use crate::network::LARGEST_MESSAGE;
use crate::network::meter::Meter;
use crate::network::retry::Failure;
use crate::random;

/// Number of bytes of content in one message.
const PIECE: usize = 256 << 10;

/// Sends a blob.
pub(crate) async fn write(
    store: &Store,
    digest: Digest,
    content: Arc<[u8]>,
    meter: &Arc<Meter>,
) -> Result<(), RemoteError> {
    let body: Arc<[u8]> =
        if store.terms.zstd { Arc::from(zstandard::compress(&content)) } else { content };
    let mut name = upload_name(store, digest);
    let (mut round, mut offset, mut longest) = (0, 0, 0);
    loop {
        let attempt =
            async |pass: &Pass| write_from(store, pass, &name, &body, offset, meter).await;
        let failure = match store.link.credentials.authorize(attempt).await {
            Ok(()) => return Ok(()),
            Err(failure) => failure,
        };
        round += 1;
        let failed = |failure: &Failure| store.link.error_of_sending("ByteStream.Write", failure);
        if failure.is_about_room() || !failure.is_temporary() {
            return Err(failed(&failure));
        }
        store.wait_or_fail(round, &failure).await.map_err(|failure| failed(&failure))?;
        match committed(store, &name, body.len(), meter).await {
            Some(Committed { complete: true, .. }) => return Ok(()),
            // More bytes arrived than ever before, so the attempts count anew.
            Some(Committed { bytes, .. }) if bytes > longest => {
                (offset, longest, round) = (bytes, bytes, 0);
            }
            Some(Committed { bytes, .. }) => offset = bytes,
            // The server does not know the upload, so it starts anew, under a new name.
            None => (name, offset) = (upload_name(store, digest), 0),
        }
    }
}

async fn write_from(
    store: &Store,
    pass: &Pass,
    name: &str,
    body: &Arc<[u8]>,
    offset: usize,
    meter: &Arc<Meter>,
) -> Result<(), Failure> {
    let (resource_name, own_body, own_meter) =
        (name.to_owned(), Arc::clone(body), Arc::clone(meter));
    let size = body.len();
    // An empty body is one piece, too: its message says that it is complete.
    let starts = std::iter::once(offset).chain((offset + PIECE..size).step_by(PIECE));
    let pieces = starts.map(move |start| {
        let end = size.min(start + PIECE);
        own_meter.sent(end - start);
        api::WriteRequest {
            // Only the first message has to name the upload.
            resource_name: if start == offset { resource_name.clone() } else { String::new() },
            write_offset: i64::try_from(start).unwrap_or(i64::MAX),
            finish_write: end == size,
            data: own_body[start..end].to_vec(),
        }
    });
    meter.call(0);
    let request = store.link.request(pass, meter, futures_util::stream::iter(pieces));
    let mut client = ByteStreamClient::new(store.link.connection());
    // A write has one answer, at its end.
    let limit = store.link.policy.time_for(size as u64);
    let answer = in_time(limit, client.write(request)).await?.into_inner();
    meter.received(answer.encoded_len());
    // A server that has the blob already answers at once with its size, or with -1 if compressed.
    if answer.committed_size == -1 || usize::try_from(answer.committed_size) == Ok(size) {
        return Ok(());
    }
    let text = format!("the server kept {} of {size} bytes", answer.committed_size);
    Err(Failure::new(Code::Aborted, text))
}

/// State of an upload.
struct Committed {
    bytes: usize,
    complete: bool,
}

async fn committed(store: &Store, name: &str, size: usize, meter: &Meter) -> Option<Committed> {
    let request = api::QueryWriteStatusRequest { resource_name: name.to_owned() };
    let answer = store.link.call(meter, &request, async |channel, request| {
        ByteStreamClient::new(channel).query_write_status(request).await
    });
    let answer = answer.await.ok()?;
    let bytes = usize::try_from(answer.committed_size).ok().filter(|bytes| *bytes <= size)?;
    Some(Committed { bytes, complete: answer.complete })
}

/// Receives a blob and compares it with its digest.
pub(crate) async fn read(
    store: &Store,
    digest: Digest,
    meter: &Arc<Meter>,
) -> Result<Vec<u8>, FetchError> {
    let mut content: Vec<u8> = Vec::new();
    let (mut round, mut longest) = (0, 0);
    loop {
        let limit = store.link.policy.time_for(digest.size());
        let attempt = async |pass: &Pass| read_from(store, pass, digest, &mut content, meter).await;
        let outcome = tokio::time::timeout(limit, store.link.credentials.authorize(attempt)).await;
        let is_too_slow = outcome.is_err();
        let outcome = outcome.unwrap_or_else(|_| Err(Failure::timeout()));
        // More bytes arrived than ever before, so the count of attempts restarts. It does not for a
        // stream that was too slow for its size, which would never end.
        let has_advanced = outcome.is_err() && !is_too_slow && content.len() > longest;
        round = if has_advanced { 1 } else { round + 1 };
        longest = longest.max(content.len());
        let failure = match outcome {
            Ok(()) if store.terms.dialect.digest_function.digest(&content) == digest => {
                return Ok(content);
            }
            // The place of the fault is unknown, so the transfer starts anew.
            Ok(()) => {
                content.clear();
                Failure::new(Code::DataLoss, "")
            }
            Err(failure) if failure.code == Code::NotFound => {
                return Err(FetchError::Missing(digest));
            }
            Err(failure) => failure,
        };
        let failed = |failure: &Failure| {
            FetchError::Other(match failure.code {
                Code::DataLoss => store.corrupt(digest),
                _ => store.link.error("ByteStream.Read", failure),
            })
        };
        if !failure.is_temporary() {
            return Err(failed(&failure));
        }
        store.wait_or_fail(round, &failure).await.map_err(|failure| failed(&failure))?;
    }
}

/// Appends the rest of the blob to `content`, until the end or a failure.
async fn read_from(
    store: &Store,
    pass: &Pass,
    digest: Digest,
    content: &mut Vec<u8>,
    meter: &Meter,
) -> Result<(), Failure> {
    let request = api::ReadRequest {
        resource_name: blob_name(store, digest),
        read_offset: i64::try_from(content.len()).unwrap_or(i64::MAX),
        read_limit: 0,
    };
    meter.call(request.encoded_len());
    let timeout = store.link.policy.timeout;
    let mut client =
        ByteStreamClient::new(store.link.connection()).max_decoding_message_size(LARGEST_MESSAGE);
    let mut pieces =
        in_time(timeout, client.read(store.link.request(pass, meter, request))).await?.into_inner();
    // Offsets count uncompressed bytes, so a compressed stream is decompressed when it ends or
    // breaks.
    let mut frames = Vec::new();
    let outcome = loop {
        match in_time(timeout, pieces.message()).await {
            Ok(Some(piece)) => {
                meter.received(piece.data.len());
                let target = if store.terms.zstd { &mut frames } else { &mut *content };
                target.extend_from_slice(&piece.data);
                if content.len() as u64 > digest.size() || frames.len() > largest_frame(digest) {
                    break Ok(());
                }
            }
            Ok(None) => break Ok(()),
            Err(failure) => break Err(failure),
        }
    };
    if store.terms.zstd {
        let left = digest.size() - content.len() as u64;
        content.extend(zstandard::decompress(&frames, left));
    }
    outcome
}

/// Returns the maximum size of a compressed blob: incompressible content grows a little.
fn largest_frame(digest: Digest) -> usize {
    usize::try_from(digest.size() + digest.size() / 64 + (64 << 10)).unwrap_or(usize::MAX)
}

fn blob_name(store: &Store, digest: Digest) -> String {
    let kind = if store.terms.zstd { "compressed-blobs/zstd" } else { "blobs" };
    let function = store.terms.dialect.digest_function.prefix();
    let instance = if store.instance.is_empty() { "" } else { "/" };
    format!("{}{instance}{kind}/{function}{digest}", store.instance)
}

fn upload_name(store: &Store, digest: Digest) -> String {
    let blob = blob_name(store, digest);
    let (instance, blob) = blob.split_at(store.instance.len());
    let (slash, blob) = if instance.is_empty() { ("", blob) } else { ("/", &blob[1..]) };
    format!("{instance}{slash}uploads/{}/{blob}", random::uuid())
}

async fn in_time<T>(
    limit: Duration,
    call: impl Future<Output = Result<T, tonic::Status>>,
) -> Result<T, Failure> {
    let answer = tokio::time::timeout(limit, call).await;
    answer.map_or_else(|_| Err(Failure::timeout()), |answer| answer.map_err(Failure::from))
}
