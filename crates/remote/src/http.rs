//! Bazel's HTTP cache protocol: `PUT` and `GET` of `/ac/HASH` and `/cas/HASH`, with SHA-256.

use std::sync::Arc;

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use futures_util::{StreamExt, TryStreamExt};
use prost::Message;
use reqwest::{Client, StatusCode};
use tokio::sync::Semaphore;

use crate::action::{RemoteAction, RemoteResult};
use crate::content::Content;
use crate::credentials::{Credentials, Pass};
use crate::digest::{Digest, DigestFunction};
use crate::endpoint::Endpoint;
use crate::error::RemoteError;
use crate::messages::{Dialect, Messages};
use crate::network::LARGEST_MESSAGE;
use crate::network::first_answer::FirstAnswer;
use crate::network::http_status;
use crate::network::meter::Meter;
use crate::network::retry::{Failure, Policy, retry};
use crate::network::server::Server;
use crate::network::tls::Certificates;
use crate::notes::Notes;
use crate::outputs::{PendingResult, to_wire};
use crate::settings::{Part, Settings};

/// Maximum number of requests at a time.
const REQUESTS: usize = 16;

/// A client of one cache.
#[derive(Debug)]
pub(crate) struct Http {
    client: Client,
    url: String,
    server: Server,
    credentials: Credentials,
    policy: Policy,
    first_answer: FirstAnswer,
    slots: Semaphore,
}

/// The two kinds of files below the cache's address.
#[derive(Clone, Copy)]
enum Kind {
    Result,
    Content,
}

impl Kind {
    fn folder(self) -> &'static str {
        match self {
            Self::Result => "ac",
            Self::Content => "cas",
        }
    }
}

impl Http {
    /// Dialect of this protocol.
    pub(crate) const DIALECT: Dialect =
        Dialect { digest_function: DigestFunction::Sha256, old_outputs: false };

    /// Prepares a client and makes one request, so that a wrong address is known at once, unless
    /// another process has made it a short time ago.
    pub(crate) async fn connect(
        endpoint: &Endpoint,
        settings: &Settings,
        meter: &Arc<Meter>,
    ) -> Result<Self, RemoteError> {
        let server = Server::new(endpoint);
        let first_answer = FirstAnswer::expect(&server.name, settings)?;
        let client = Client::builder()
            .connect_timeout(settings.timeout.min(settings.connect_timeout))
            .read_timeout(settings.timeout)
            // Credentials are for this server alone.
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("weft/", env!("CARGO_PKG_VERSION")));
        let client = Certificates::read(settings)?.for_http(client)?.build().map_err(|error| {
            let reason = Failure::connection(&error.without_url()).message;
            RemoteError::Settings(format!("{}: {reason}", server.name))
        })?;
        let http = Self {
            client,
            url: endpoint.http_url(),
            credentials: Credentials::new(endpoint, Part::Cache, settings, &server)?,
            server,
            policy: Policy::new(settings),
            first_answer,
            slots: Semaphore::new(REQUESTS),
        };
        let notes = Notes::new(settings.notes.as_deref());
        if notes.offered(http.name()).is_none() {
            let nothing = Self::DIALECT.digest_function.digest(b"");
            http.get(Kind::Content, nothing, meter).await?;
            notes.note_offer(http.name(), b"");
        }
        Ok(http)
    }

    /// Returns the name of the server.
    pub(crate) fn name(&self) -> &str {
        &self.server.name
    }

    /// Returns the result that the cache has, if it has a usable one.
    pub(crate) async fn lookup(
        &self,
        action: &RemoteAction,
        messages: &Messages,
        meter: &Arc<Meter>,
    ) -> Result<Option<RemoteResult>, RemoteError> {
        let Some(bytes) = self.get(Kind::Result, messages.action, meter).await? else {
            return Ok(None);
        };
        // Nothing proves that a result is right. One that cannot be read, or does not fit the
        // action, counts as missing, and will be replaced.
        let function = Self::DIALECT.digest_function;
        let result = reapi::ActionResult::decode(bytes.as_slice()).ok();
        let result = result.filter(|result| result.exit_code == 0);
        let Some(found) =
            result.and_then(|result| PendingResult::new(result, action, function).ok())
        else {
            return Ok(None);
        };
        let mut contents = futures_util::stream::iter(found.in_store())
            .map(async |digest| Ok((digest, self.content(digest, meter).await?)))
            .buffer_unordered(REQUESTS);
        let mut fetched = std::collections::BTreeMap::new();
        while let Some((digest, content)) = contents.try_next().await? {
            let Some(content) = content else { return Ok(None) };
            fetched.insert(digest, content);
        }
        drop(contents);
        Ok(Some(RemoteResult { served_from_cache: true, ..found.complete(&fetched) }))
    }

    /// Fetches content and compares it with its digest. Wrong content is fetched once more, as the
    /// network may have damaged it.
    async fn content(
        &self,
        digest: Digest,
        meter: &Arc<Meter>,
    ) -> Result<Option<Vec<u8>>, RemoteError> {
        for _ in 0..2 {
            let Some(content) = self.get(Kind::Content, digest, meter).await? else {
                return Ok(None);
            };
            if Self::DIALECT.digest_function.digest(&content) == digest {
                return Ok(Some(content));
            }
        }
        Err(RemoteError::Corrupt { server: self.server.name.clone(), digest })
    }

    /// Stores a result for others, after its contents, so that no result names a missing content.
    pub(crate) async fn store(
        &self,
        messages: &Messages,
        result: &RemoteResult,
        meter: &Arc<Meter>,
    ) -> Result<(), RemoteError> {
        let (wire, blobs) = to_wire(result, Self::DIALECT.digest_function);
        let blobs = futures_util::stream::iter(blobs.into_iter().map(Ok));
        blobs
            .try_for_each_concurrent(REQUESTS, async |(digest, content): (Digest, Content)| {
                self.put(Kind::Content, digest, content.load()?, meter).await
            })
            .await?;
        self.put(Kind::Result, messages.action, wire.encode_to_vec().into(), meter).await
    }

    async fn get(
        &self,
        kind: Kind,
        digest: Digest,
        meter: &Arc<Meter>,
    ) -> Result<Option<Vec<u8>>, RemoteError> {
        // The semaphore is never closed, so a slot always comes.
        let _slot = self.slots.acquire().await;
        let url = self.url_of(kind, digest);
        let limit = match kind {
            Kind::Content => digest.size(),
            Kind::Result => LARGEST_MESSAGE as u64,
        };
        // The client's read timeout limits the server's silence between the parts of an answer.
        let policy = Policy { timeout: self.policy.time_for(limit), ..self.policy };
        let attempt = async |pass: &Pass| {
            meter.call(0);
            let request = self.client.get(&url).headers(pass.headers.clone());
            let response = request.send().await.map_err(broken)?;
            if response.status() == StatusCode::NOT_FOUND {
                return Ok(None);
            }
            let mut response = checked(response)?;
            let mut content = Vec::new();
            while let Some(piece) = response.chunk().await.map_err(broken)? {
                meter.received(piece.len());
                content.extend_from_slice(&piece);
                if content.len() as u64 > limit {
                    break;
                }
            }
            Ok(Some(content))
        };
        self.call(policy, attempt).await.map_err(|failure| self.error("GET", kind, &failure))
    }

    async fn put(
        &self,
        kind: Kind,
        digest: Digest,
        content: Arc<[u8]>,
        meter: &Arc<Meter>,
    ) -> Result<(), RemoteError> {
        let _slot = self.slots.acquire().await;
        let url = self.url_of(kind, digest);
        let attempt = async |pass: &Pass| {
            meter.call(content.len());
            let request = self.client.put(&url).headers(pass.headers.clone());
            let response = request.body(content.to_vec()).send().await;
            checked(response.map_err(broken)?)
                .map(drop)
                .map_err(|failure| Failure { is_final: failure.is_about_room(), ..failure })
        };
        let limit = self.policy.time_for(content.len() as u64);
        let policy = Policy { timeout: limit, ..self.policy };
        self.call(policy, attempt).await.map_err(|failure| {
            let policy = self.first_answer.policy(self.policy);
            let call = format!("PUT of /{}", kind.folder());
            self.server.error_of_sending(&call, &failure, policy.timeout.min(policy.total))
        })
    }

    /// Makes a call with the headers of the moment, and repeats it as the policy allows.
    async fn call<T>(
        &self,
        policy: Policy,
        attempt: impl AsyncFn(&Pass) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let policy = self.first_answer.policy(policy);
        let answer = retry(policy, async || self.credentials.authorize(&attempt).await).await;
        self.first_answer.see(&answer);
        answer
    }

    fn url_of(&self, kind: Kind, digest: Digest) -> String {
        format!("{}/{}/{}", self.url, kind.folder(), digest.hex())
    }

    fn error(&self, method: &str, kind: Kind, failure: &Failure) -> RemoteError {
        let call = format!("{method} of /{}", kind.folder());
        let policy = self.first_answer.policy(self.policy);
        self.server.error(&call, failure, policy.timeout.min(policy.total))
    }
}

fn broken(error: reqwest::Error) -> Failure {
    if error.is_timeout() && !error.is_connect() {
        return Failure::timeout();
    }
    Failure::connection(&error.without_url())
}

/// Returns the response if its status is one of success.
fn checked(response: reqwest::Response) -> Result<reqwest::Response, Failure> {
    let status = response.status();
    if status.is_success() {
        return Ok(response);
    }
    let failure = http_status::failure(status, response.headers());
    let hint = match status {
        StatusCode::NOT_FOUND => ": no cache is at this path, see --remote-cache",
        StatusCode::METHOD_NOT_ALLOWED => ": the server takes no results, see --remote-upload",
        _ => "",
    };
    Err(Failure { message: failure.message.clone() + hint, ..failure })
}
