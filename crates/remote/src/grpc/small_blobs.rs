//! Transfers small blobs, many in one message.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use reapi::content_addressable_storage_client::ContentAddressableStorageClient;
use tonic::Code;

use crate::digest::Digest;
use crate::error::RemoteError;
use crate::grpc::store::{FetchError, Store};
use crate::network::LARGEST_MESSAGE;
use crate::network::meter::Meter;
use crate::network::retry::Failure;

/// Number of bytes that a blob takes in a message beside its content.
const OVERHEAD: u64 = 128;

/// Whether a blob of `size` bytes is small enough for a message with others.
pub(crate) fn is_small(store: &Store, size: u64) -> bool {
    size + OVERHEAD <= store.terms.batch
}

/// Sends small blobs in one message, and repeats those that failed temporarily.
pub(crate) async fn update(
    store: &Store,
    batch: Vec<(Digest, Arc<[u8]>)>,
    meter: &Arc<Meter>,
) -> Result<(), RemoteError> {
    let mut left: BTreeMap<Digest, Arc<[u8]>> = batch.into_iter().collect();
    let mut round = 0;
    while !left.is_empty() {
        let requests = left.iter().map(|(digest, content)| {
            let digest = Some(digest.to_wire());
            let data = content.to_vec();
            reapi::batch_update_blobs_request::Request { digest, data, compressor: 0 }
        });
        let request = reapi::BatchUpdateBlobsRequest {
            instance_name: store.instance.clone(),
            requests: requests.collect(),
            digest_function: store.terms.dialect.digest_function.wire(),
        };
        let answer = store.link.call(meter, &request, async |channel, request| {
            let client = ContentAddressableStorageClient::new(channel);
            let mut client = client.max_decoding_message_size(LARGEST_MESSAGE);
            client.batch_update_blobs(request).await.map_err(Failure::of_sending)
        });
        let failed = |failure: &Failure| store.link.error_of_sending("BatchUpdateBlobs", failure);
        let answer = answer.await.map_err(|failure| failed(&failure))?;
        let mut last = Failure::new(Code::DataLoss, "the server left blobs out of its answer");
        for response in answer.responses {
            let failure = Failure::of_message(&response.status.unwrap_or_default());
            if failure.code == Code::Ok {
                let digest = response.digest.as_ref().and_then(Digest::from_wire);
                digest.and_then(|digest| left.remove(&digest));
            } else if failure.is_about_room() || !failure.is_temporary() {
                return Err(failed(&failure));
            } else {
                last = failure;
            }
        }
        round += 1;
        if !left.is_empty() {
            store.wait_or_fail(round, &last).await.map_err(|failure| failed(&failure))?;
        }
    }
    Ok(())
}

/// Reads small blobs with one message, and repeats those that came wrong or failed temporarily.
pub(crate) async fn read(
    store: &Store,
    batch: Vec<Digest>,
    meter: &Meter,
) -> Result<BTreeMap<Digest, Vec<u8>>, FetchError> {
    let function = store.terms.dialect.digest_function;
    let mut left: BTreeSet<Digest> = batch.into_iter().collect();
    let mut fetched = BTreeMap::new();
    let mut round = 0;
    while let Some(some) = left.first().copied() {
        let request = reapi::BatchReadBlobsRequest {
            instance_name: store.instance.clone(),
            digests: left.iter().map(|digest| digest.to_wire()).collect(),
            digest_function: function.wire(),
            ..reapi::BatchReadBlobsRequest::default()
        };
        let answer = store.link.call(meter, &request, async |channel, request| {
            let client = ContentAddressableStorageClient::new(channel);
            client.max_decoding_message_size(LARGEST_MESSAGE).batch_read_blobs(request).await
        });
        let failed =
            |failure: &Failure| FetchError::Other(store.link.error("BatchReadBlobs", failure));
        let answer = answer.await.map_err(|failure| failed(&failure))?;
        let mut last = Failure::new(Code::DataLoss, "the server left blobs out of its answer");
        let mut corrupt = None;
        for response in answer.responses {
            let digest = response.digest.as_ref().and_then(Digest::from_wire);
            let Some(digest) = digest.filter(|digest| left.contains(digest)) else { continue };
            let failure = Failure::of_message(&response.status.unwrap_or_default());
            if failure.code == Code::NotFound {
                return Err(FetchError::Missing(digest));
            }
            if failure.code == Code::Ok && function.digest(&response.data) == digest {
                left.remove(&digest);
                fetched.insert(digest, response.data);
            } else if failure.code == Code::Ok {
                corrupt = Some(digest);
            } else if failure.is_temporary() {
                last = failure;
            } else {
                return Err(failed(&failure));
            }
        }
        round += 1;
        if !left.is_empty() {
            store.wait_or_fail(round, &last).await.map_err(|failure| match corrupt {
                Some(digest) => FetchError::Other(store.corrupt(digest)),
                None if failure.code == Code::DataLoss => FetchError::Missing(some),
                None => failed(&failure),
            })?;
        }
    }
    Ok(fetched)
}

/// Divides `items` into lists whose sizes, with overhead, come to at most `limit`.
pub(crate) fn batches<T>(items: Vec<T>, limit: u64, size: impl Fn(&T) -> u64) -> Vec<Vec<T>> {
    let mut batches: Vec<Vec<T>> = Vec::new();
    let mut room = 0;
    for item in items {
        let needed = size(&item) + OVERHEAD;
        if needed > room || batches.is_empty() {
            batches.push(Vec::new());
            room = limit;
        }
        room = room.saturating_sub(needed);
        if let Some(batch) = batches.last_mut() {
            batch.push(item);
        }
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_stay_below_the_limit_and_hold_everything() {
        let sizes = vec![0, 700, 100, 872, 1, 1];
        let made = batches(sizes, 1000, |size| *size);
        assert_eq!(made, [vec![0, 700], vec![100], vec![872], vec![1, 1]]);
        assert!(batches(Vec::<u64>::new(), 1000, |size| *size).is_empty());
    }
}
