//! The content store of a cluster: what it lacks is uploaded, what is needed comes from it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use futures_util::{StreamExt, TryStreamExt};
use reapi::content_addressable_storage_client::ContentAddressableStorageClient;
use tonic::Code;

use crate::capabilities::Terms;
use crate::content::Content;
use crate::digest::Digest;
use crate::error::RemoteError;
use crate::flights::{Flights, Lead, Seat, follow};
use crate::link::{LARGEST_MESSAGE, Link};
use crate::meter::Meter;
use crate::retry::Failure;
use crate::stream;

/// Digests in one question; with them a message stays far below the usual limit.
const DIGESTS_IN_A_QUESTION: usize = 8192;
/// What a blob takes in a message beside its content.
const OVERHEAD: u64 = 128;
/// Transfers of one call at a time.
const TRANSFERS: usize = 8;

/// Content by its digest.
pub(crate) type Blobs = BTreeMap<Digest, Content>;

/// The store.
#[derive(Debug)]
pub(crate) struct Cas {
    pub(crate) link: Link,
    pub(crate) instance: String,
    pub(crate) terms: Terms,
    /// What the server was seen to have. It may lose it again; then it says so when it needs it.
    present: Mutex<BTreeSet<Digest>>,
    uploads: Flights<Digest, ()>,
}

/// Why blobs did not come.
#[derive(Debug)]
pub(crate) enum FetchError {
    /// The store does not have this one.
    Missing(Digest),
    Other(RemoteError),
}

impl Cas {
    pub(crate) fn new(link: Link, instance: &str, terms: Terms) -> Self {
        let instance = instance.to_owned();
        Self { link, instance, terms, present: Mutex::default(), uploads: Flights::default() }
    }

    /// Sees to it that the server has all of `blobs`. Each is asked for and sent once, however many
    /// callers want it at the same time. `on_upload` learns how many bytes will be sent.
    pub(crate) async fn ensure(
        &self,
        blobs: &Blobs,
        meter: &Arc<Meter>,
        on_upload: &dyn Fn(u64),
    ) -> Result<(), RemoteError> {
        loop {
            let (mut own, mut others) = (Vec::new(), Vec::new());
            for digest in self.unknown(blobs) {
                match self.uploads.board(digest) {
                    Seat::Lead(lead) => own.push(lead),
                    Seat::Follow(receiver) => others.push(receiver),
                }
            }
            if !own.is_empty() {
                self.upload(own, blobs, meter, on_upload).await?;
            }
            let mut all_came = true;
            for receiver in others {
                all_came &= follow(receiver).await.is_some();
            }
            if all_came {
                return Ok(());
            }
            // Somebody else failed: what they leave is now ours to send.
        }
    }

    /// No longer believes that the server has these.
    pub(crate) fn forget<'digests>(&self, digests: impl IntoIterator<Item = &'digests Digest>) {
        let mut present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        for digest in digests {
            present.remove(digest);
        }
    }

    fn unknown(&self, blobs: &Blobs) -> Vec<Digest> {
        let present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        blobs.keys().filter(|digest| !present.contains(digest)).copied().collect()
    }

    async fn upload(
        &self,
        leads: Vec<Lead<'_, Digest, ()>>,
        blobs: &Blobs,
        meter: &Arc<Meter>,
        on_upload: &dyn Fn(u64),
    ) -> Result<(), RemoteError> {
        let wanted: Vec<Digest> = leads.iter().map(Lead::key).collect();
        let missing = self.find_missing(&wanted, meter).await?;
        if let Some(limit) = self.terms.largest_blob
            && let Some(digest) = missing.iter().find(|digest| digest.size() > limit)
        {
            let what = format!("room for a file of {} bytes: its limit is {limit}", digest.size());
            return Err(RemoteError::Unsupported { server: self.link.server.name.clone(), what });
        }
        if !missing.is_empty() {
            on_upload(missing.iter().map(Digest::size).sum());
        }
        let missing = missing
            .into_iter()
            .filter_map(|digest| Some((digest, blobs.get(&digest)?)))
            .map(|(digest, content)| Ok((digest, content.load()?)))
            .collect::<Result<Vec<(Digest, Arc<[u8]>)>, RemoteError>>()?;
        let (small, large): (Vec<_>, Vec<_>) =
            missing.into_iter().partition(|(digest, _)| self.fits(digest.size()));
        let batches = batches(small, self.terms.batch, |(digest, _)| digest.size());
        let batches = futures_util::stream::iter(batches.into_iter().map(Ok));
        batches.try_for_each_concurrent(TRANSFERS, |batch| self.update(batch, meter)).await?;
        let large = futures_util::stream::iter(large.into_iter().map(Ok));
        large
            .try_for_each_concurrent(TRANSFERS, |(digest, content)| {
                stream::write(self, digest, content, meter)
            })
            .await?;
        let mut present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        for lead in leads {
            present.insert(lead.key());
            lead.finish(());
        }
        Ok(())
    }

    fn fits(&self, size: u64) -> bool {
        size + OVERHEAD <= self.terms.batch
    }

    async fn find_missing(
        &self,
        digests: &[Digest],
        meter: &Meter,
    ) -> Result<BTreeSet<Digest>, RemoteError> {
        let mut missing = BTreeSet::new();
        for part in digests.chunks(DIGESTS_IN_A_QUESTION) {
            let request = reapi::FindMissingBlobsRequest {
                instance_name: self.instance.clone(),
                blob_digests: part.iter().map(|digest| digest.to_wire()).collect(),
                digest_function: self.terms.dialect.digest_function.wire(),
            };
            let answer = self.link.call(meter, &request, async |channel, request| {
                let client = ContentAddressableStorageClient::new(channel);
                client.max_decoding_message_size(LARGEST_MESSAGE).find_missing_blobs(request).await
            });
            let answer =
                answer.await.map_err(|failure| self.link.error("FindMissingBlobs", &failure))?;
            missing.extend(answer.missing_blob_digests.iter().filter_map(Digest::from_wire));
        }
        Ok(missing)
    }

    /// Sends small blobs in one message, and again those of which the server says that it has failed
    /// for now.
    async fn update(
        &self,
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
                instance_name: self.instance.clone(),
                requests: requests.collect(),
                digest_function: self.terms.dialect.digest_function.wire(),
            };
            let answer = self.link.call(meter, &request, async |channel, request| {
                let client = ContentAddressableStorageClient::new(channel);
                client.max_decoding_message_size(LARGEST_MESSAGE).batch_update_blobs(request).await
            });
            let failed = |failure: &Failure| self.link.error("BatchUpdateBlobs", failure);
            let answer = answer.await.map_err(|failure| failed(&failure))?;
            let mut last = Failure::new(Code::DataLoss, "the server left blobs out of its answer");
            for response in answer.responses {
                let failure = Failure::of_message(&response.status.unwrap_or_default());
                if failure.code == Code::Ok {
                    let digest = response.digest.as_ref().and_then(Digest::from_wire);
                    digest.and_then(|digest| left.remove(&digest));
                } else if !failure.passes() {
                    return Err(failed(&failure));
                } else {
                    last = failure;
                }
            }
            round += 1;
            if !left.is_empty() {
                self.wait_or_fail(round, &last).await.map_err(|failure| failed(&failure))?;
            }
        }
        Ok(())
    }

    /// The content of all `digests`, each compared with its digest.
    pub(crate) async fn fetch(
        &self,
        digests: BTreeSet<Digest>,
        meter: &Arc<Meter>,
    ) -> Result<BTreeMap<Digest, Vec<u8>>, FetchError> {
        let function = self.terms.dialect.digest_function;
        let (empty, rest): (BTreeSet<Digest>, BTreeSet<Digest>) =
            digests.into_iter().partition(|it| *it == function.digest(b""));
        let mut fetched: BTreeMap<Digest, Vec<u8>> =
            empty.into_iter().map(|digest| (digest, Vec::new())).collect();
        let (small, large): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|digest| self.fits(digest.size()));
        let batches = batches(small, self.terms.batch, Digest::size);
        let mut parts = futures_util::stream::iter(batches)
            .map(|batch| self.read(batch, meter))
            .buffer_unordered(TRANSFERS);
        while let Some(part) = parts.next().await {
            fetched.extend(part?);
        }
        let mut parts = futures_util::stream::iter(large)
            .map(async |digest| Ok((digest, stream::read(self, digest, meter).await?)))
            .buffer_unordered(TRANSFERS);
        while let Some(part) = parts.next().await {
            fetched.extend([part?]);
        }
        Ok(fetched)
    }

    /// Reads small blobs with one message, and again those that came wrong or not for now.
    async fn read(
        &self,
        batch: Vec<Digest>,
        meter: &Meter,
    ) -> Result<BTreeMap<Digest, Vec<u8>>, FetchError> {
        let function = self.terms.dialect.digest_function;
        let mut left: BTreeSet<Digest> = batch.into_iter().collect();
        let mut fetched = BTreeMap::new();
        let mut round = 0;
        while let Some(some) = left.first().copied() {
            let request = reapi::BatchReadBlobsRequest {
                instance_name: self.instance.clone(),
                digests: left.iter().map(|digest| digest.to_wire()).collect(),
                digest_function: function.wire(),
                ..reapi::BatchReadBlobsRequest::default()
            };
            let answer = self.link.call(meter, &request, async |channel, request| {
                let client = ContentAddressableStorageClient::new(channel);
                client.max_decoding_message_size(LARGEST_MESSAGE).batch_read_blobs(request).await
            });
            let failed =
                |failure: &Failure| FetchError::Other(self.link.error("BatchReadBlobs", failure));
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
                } else if failure.passes() {
                    last = failure;
                } else {
                    return Err(failed(&failure));
                }
            }
            round += 1;
            if !left.is_empty() {
                self.wait_or_fail(round, &last).await.map_err(|failure| match corrupt {
                    Some(digest) => FetchError::Other(self.corrupt(digest)),
                    None if failure.code == Code::DataLoss => FetchError::Missing(some),
                    None => failed(&failure),
                })?;
            }
        }
        Ok(fetched)
    }

    /// That content did not match its digest.
    pub(crate) fn corrupt(&self, digest: Digest) -> RemoteError {
        RemoteError::Corrupt { server: self.link.server.name.clone(), digest }
    }

    /// Waits before attempt number `round`, unless there were enough.
    pub(crate) async fn wait_or_fail(&self, round: u32, failure: &Failure) -> Result<(), Failure> {
        if round > self.link.policy.retries {
            return Err(failure.clone());
        }
        tokio::time::sleep(failure.delay(round)).await;
        Ok(())
    }
}

/// Divides `items` into lists whose sizes, with overhead, come to at most `limit`.
fn batches<T>(items: Vec<T>, limit: u64, size: impl Fn(&T) -> u64) -> Vec<Vec<T>> {
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
