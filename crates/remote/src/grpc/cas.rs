//! The content store of a cluster: uploads the blobs that it lacks, and fetches blobs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use futures_util::{StreamExt, TryStreamExt};
use reapi::content_addressable_storage_client::ContentAddressableStorageClient;
use tokio::time::Instant;

use crate::content::{Blobs, Content};
use crate::digest::Digest;
use crate::error::RemoteError;
use crate::grpc::store::{FetchError, Store};
use crate::grpc::{small_blobs, stream};
use crate::network::LARGEST_MESSAGE;
use crate::network::meter::Meter;
use crate::network::shared_calls::{Lead, Role, SharedCalls, follow};
use crate::notes::{FULL_FOR, Notes};

/// Number of digests in one request, which keeps the message far below the usual limit.
const DIGESTS_IN_A_QUESTION: usize = 8192;
/// Maximum number of transfers of one call at a time.
const TRANSFERS: usize = 8;

/// Size from which a blob is sent by one process of this machine alone. Below it the question
/// whether another one sends it costs as much as sending it.
const SHARED_FROM: u64 = 1 << 20;

/// A content store, and the uploads to it.
#[derive(Debug)]
pub(crate) struct Cas {
    pub(crate) store: Store,
    pub(crate) notes: Notes,
    /// Digests of the blobs that the server was seen to have. If it loses one, it reports that when
    /// it needs the blob.
    present: Mutex<BTreeSet<Digest>>,
    uploads: SharedCalls<Digest, ()>,
    /// The server's message when it had no room, and the time.
    full: Mutex<Option<(Instant, String)>>,
}

impl Cas {
    pub(crate) fn new(store: Store, notes: Notes) -> Self {
        let (present, uploads, full) = (Mutex::default(), SharedCalls::default(), Mutex::default());
        Self { store, notes, present, uploads, full }
    }

    /// Makes sure that the server has all of `blobs`. Each is looked for and sent once, however
    /// many callers need it at the same time. `on_upload` gets the number of bytes that will be
    /// sent.
    pub(crate) async fn ensure(
        &self,
        blobs: &Blobs,
        meter: &Arc<Meter>,
        on_upload: &dyn Fn(u64),
    ) -> Result<(), RemoteError> {
        loop {
            let (mut own, mut others) = (Vec::new(), Vec::new());
            for digest in self.unknown(blobs) {
                match self.uploads.join(digest) {
                    Role::Lead(lead) => own.push(lead),
                    Role::Follow(receiver) => others.push(receiver),
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
            // Another caller failed, so its blobs are now this caller's to send.
        }
    }

    /// Forgets that the server has the blobs of these digests.
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
        if let Some(limit) = self.store.terms.largest_blob
            && let Some(digest) = missing.iter().find(|digest| digest.size() > limit)
        {
            let what = format!("room for a file of {} bytes: its limit is {limit}", digest.size());
            return Err(RemoteError::Unsupported {
                server: self.store.link.server.name.clone(),
                what,
            });
        }
        if !missing.is_empty() {
            self.check_room()?;
            on_upload(missing.iter().map(Digest::size).sum());
        }
        let missing = missing.into_iter().filter_map(|digest| Some((digest, blobs.get(&digest)?)));
        let (small, large): (Vec<_>, Vec<_>) = missing.partition(|(digest, _)| {
            digest.size() < SHARED_FROM && small_blobs::is_small(&self.store, digest.size())
        });
        let small = small
            .into_iter()
            .map(|(digest, content)| Ok((digest, content.load()?)))
            .collect::<Result<Vec<(Digest, Arc<[u8]>)>, RemoteError>>()?;
        let batches =
            small_blobs::batches(small, self.store.terms.batch, |(digest, _)| digest.size());
        let batches = futures_util::stream::iter(batches.into_iter().map(Ok));
        batches
            .try_for_each_concurrent(TRANSFERS, async |batch| {
                self.noted(small_blobs::update(&self.store, batch, meter).await)
            })
            .await?;
        let large = futures_util::stream::iter(large.into_iter().map(Ok));
        large
            .try_for_each_concurrent(TRANSFERS, |(digest, content)| {
                self.send_once(digest, content, meter)
            })
            .await?;
        let mut present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        for lead in leads {
            present.insert(lead.key());
            lead.finish(());
        }
        Ok(())
    }

    /// Sends a large blob, unless another process of this machine does so at the same time.
    async fn send_once(
        &self,
        digest: Digest,
        content: &Content,
        meter: &Arc<Meter>,
    ) -> Result<(), RemoteError> {
        let server = &self.store.link.server.name;
        let limit = self.store.link.policy.time_for(digest.size());
        let turn = self.notes.turn(server, &digest.to_string(), limit).await;
        // The blob may have come while this process waited, or just before it asked for a turn.
        if turn.is_some() && self.find_missing(&[digest], meter).await?.is_empty() {
            return Ok(());
        }
        self.check_room()?;
        self.noted(stream::write(&self.store, digest, content.load()?, meter).await)
    }

    /// Fails if the server had no room a short time ago, as this process or another one found.
    fn check_room(&self) -> Result<(), RemoteError> {
        let server = &self.store.link.server.name;
        let known = self.full.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let known = known.filter(|(since, _)| since.elapsed() < FULL_FOR).map(|(_, reason)| reason);
        match known.or_else(|| self.notes.full(server)) {
            Some(reason) => Err(RemoteError::Full { server: server.clone(), reason }),
            None => Ok(()),
        }
    }

    /// Returns what came of sending content, after a note if the server has no room.
    fn noted(&self, sent: Result<(), RemoteError>) -> Result<(), RemoteError> {
        if let Err(RemoteError::Full { server, reason }) = &sent {
            self.notes.note_full(server, reason);
            let mut full = self.full.lock().unwrap_or_else(PoisonError::into_inner);
            *full = Some((Instant::now(), reason.clone()));
        }
        sent
    }

    async fn find_missing(
        &self,
        digests: &[Digest],
        meter: &Meter,
    ) -> Result<BTreeSet<Digest>, RemoteError> {
        let mut missing = BTreeSet::new();
        for part in digests.chunks(DIGESTS_IN_A_QUESTION) {
            let request = reapi::FindMissingBlobsRequest {
                instance_name: self.store.instance.clone(),
                blob_digests: part.iter().map(|digest| digest.to_wire()).collect(),
                digest_function: self.store.terms.dialect.digest_function.wire(),
            };
            let answer = self.store.link.call(meter, &request, async |channel, request| {
                let client = ContentAddressableStorageClient::new(channel);
                client.max_decoding_message_size(LARGEST_MESSAGE).find_missing_blobs(request).await
            });
            let answer = answer
                .await
                .map_err(|failure| self.store.link.error("FindMissingBlobs", &failure))?;
            missing.extend(answer.missing_blob_digests.iter().filter_map(Digest::from_wire));
        }
        Ok(missing)
    }

    /// Returns the contents of all `digests`, each compared with its digest.
    pub(crate) async fn fetch(
        &self,
        digests: BTreeSet<Digest>,
        meter: &Arc<Meter>,
    ) -> Result<BTreeMap<Digest, Vec<u8>>, FetchError> {
        let function = self.store.terms.dialect.digest_function;
        let (empty, rest): (BTreeSet<Digest>, BTreeSet<Digest>) =
            digests.into_iter().partition(|digest| *digest == function.digest(b""));
        let mut fetched: BTreeMap<Digest, Vec<u8>> =
            empty.into_iter().map(|digest| (digest, Vec::new())).collect();
        let (small, large): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|digest| small_blobs::is_small(&self.store, digest.size()));
        let batches = small_blobs::batches(small, self.store.terms.batch, Digest::size);
        let mut parts = futures_util::stream::iter(batches)
            .map(|batch| small_blobs::read(&self.store, batch, meter))
            .buffer_unordered(TRANSFERS);
        while let Some(part) = parts.next().await {
            fetched.extend(part?);
        }
        let mut parts = futures_util::stream::iter(large)
            .map(async |digest| Ok((digest, stream::read(&self.store, digest, meter).await?)))
            .buffer_unordered(TRANSFERS);
        while let Some(part) = parts.next().await {
            fetched.extend([part?]);
        }
        Ok(fetched)
    }
}
