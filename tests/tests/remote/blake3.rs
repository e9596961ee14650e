//! BLAKE3 as digest function. The real servers do not offer it, so the tests have a small server: a
//! store and an action cache in memory, which refuse any content whose digest is not its BLAKE3
//! digest.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::build::bazel::semver::SemVer;
use bazel_remote_apis::google::{bytestream, rpc};
use http_body_util::BodyExt;
use hyper::body::{Bytes, Incoming};
use hyper::{HeaderMap, Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use prost::Message;
use weft_remote::digest::DigestFunction;
use weft_remote::{Remote, RemoteAction, RemoteResult, Settings};
use weft_tests::{Casd, RealServer};

use crate::compressing::{Body, body, full, messages};
use crate::support::{cache, connect, executor, file, noise, script};

const FUNCTION: reapi::digest_function::Value = reapi::digest_function::Value::Blake3;

/// Contents by digest, results by the digest of their action, and the names of the calls so far.
#[derive(Default)]
struct Memory {
    contents: BTreeMap<String, Vec<u8>>,
    results: BTreeMap<String, reapi::ActionResult>,
    calls: Vec<String>,
}

/// Starts the server. Returns its address and the runtime that it lives in.
fn start(memory: &Arc<Mutex<Memory>>) -> (String, tokio::runtime::Runtime) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let listener = runtime.block_on(tokio::net::TcpListener::bind(("127.0.0.1", 0))).unwrap();
    let url = format!("grpc://{}", listener.local_addr().unwrap());
    let memory = Arc::clone(memory);
    runtime.spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let memory = Arc::clone(&memory);
            let service = hyper::service::service_fn(move |request: Request<Incoming>| {
                let memory = Arc::clone(&memory);
                async move {
                    let name =
                        request.uri().path().rsplit('/').next().unwrap_or_default().to_owned();
                    let asked = request.into_body().collect().await?.to_bytes();
                    let answer = memory.lock().unwrap().answer(&name, &asked);
                    Ok::<_, hyper::Error>(response(answer))
                }
            });
            let builder = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
            tokio::spawn(builder.serve_connection(TokioIo::new(client), service));
        }
    });
    (url, runtime)
}

/// Returns a response with an answer, or with the status `NOT_FOUND`.
fn response(answer: Option<Bytes>) -> Response<Body> {
    let mut trailers = HeaderMap::new();
    let status = if answer.is_some() { "0" } else { "5" };
    trailers.insert("grpc-status", status.parse().unwrap());
    let body = full(answer.unwrap_or_default(), Some(trailers));
    Response::builder().header("content-type", "application/grpc").body(body).unwrap()
}

fn one<M: Message + Default>(asked: &[u8]) -> M {
    messages(asked).remove(0)
}

fn name_of(digest: Option<&reapi::Digest>) -> String {
    digest.map(|digest| format!("{}/{}", digest.hash, digest.size_bytes)).unwrap_or_default()
}

impl Memory {
    fn answer(&mut self, name: &str, asked: &[u8]) -> Option<Bytes> {
        self.calls.push(name.to_owned());
        Some(match name {
            "GetCapabilities" => body([capabilities()]),
            "FindMissingBlobs" => {
                let request: reapi::FindMissingBlobsRequest = one(asked);
                assert_eq!(request.digest_function(), FUNCTION);
                let mut missing_blob_digests = request.blob_digests;
                missing_blob_digests
                    .retain(|digest| !self.contents.contains_key(&name_of(Some(digest))));
                body([reapi::FindMissingBlobsResponse { missing_blob_digests }])
            }
            "BatchUpdateBlobs" => {
                let request: reapi::BatchUpdateBlobsRequest = one(asked);
                assert_eq!(request.digest_function(), FUNCTION);
                let answer = |blob: reapi::batch_update_blobs_request::Request| {
                    self.keep(name_of(blob.digest.as_ref()), blob.data);
                    reapi::batch_update_blobs_response::Response {
                        digest: blob.digest,
                        status: Some(rpc::Status::default()),
                    }
                };
                let responses = request.requests.into_iter().map(answer).collect();
                body([reapi::BatchUpdateBlobsResponse { responses }])
            }
            "BatchReadBlobs" => {
                let request: reapi::BatchReadBlobsRequest = one(asked);
                assert_eq!(request.digest_function(), FUNCTION);
                let answer = |digest: reapi::Digest| reapi::batch_read_blobs_response::Response {
                    data: self.contents[&name_of(Some(&digest))].clone(),
                    digest: Some(digest),
                    status: Some(rpc::Status::default()),
                    ..reapi::batch_read_blobs_response::Response::default()
                };
                let responses = request.digests.into_iter().map(answer).collect();
                body([reapi::BatchReadBlobsResponse { responses }])
            }
            "Write" => {
                let pieces: Vec<bytestream::WriteRequest> = messages(asked);
                let (_, digest) = pieces[0].resource_name.split_once("/blobs/blake3/").unwrap();
                let digest = digest.to_owned();
                let content: Vec<u8> = pieces.into_iter().flat_map(|piece| piece.data).collect();
                let committed_size = i64::try_from(content.len()).unwrap();
                self.keep(digest, content);
                body([bytestream::WriteResponse { committed_size }])
            }
            "Read" => {
                let request: bytestream::ReadRequest = one(asked);
                let digest = request.resource_name.strip_prefix("blobs/blake3/").unwrap();
                let content =
                    &self.contents[digest][usize::try_from(request.read_offset).unwrap()..];
                let pieces = content.chunks(1 << 20);
                body(pieces.map(|data| bytestream::ReadResponse { data: data.to_vec() }))
            }
            "GetActionResult" => {
                let request: reapi::GetActionResultRequest = one(asked);
                assert_eq!(request.digest_function(), FUNCTION);
                body([self.results.get(&name_of(request.action_digest.as_ref()))?.clone()])
            }
            "UpdateActionResult" => {
                let request: reapi::UpdateActionResultRequest = one(asked);
                assert_eq!(request.digest_function(), FUNCTION);
                let (action, result) =
                    (name_of(request.action_digest.as_ref()), request.action_result);
                self.results.insert(action, result.clone().unwrap());
                body(result)
            }
            _ => panic!("{name} is not expected"),
        })
    }

    fn keep(&mut self, digest: String, content: Vec<u8>) {
        assert_eq!(DigestFunction::Blake3.digest(&content).to_string(), digest);
        self.contents.insert(digest, content);
    }
}

/// Returns the capabilities of a cache with both digest functions that accepts results.
fn capabilities() -> reapi::ServerCapabilities {
    let version = |minor| Some(SemVer { major: 2, minor, ..SemVer::default() });
    let updates = reapi::ActionCacheUpdateCapabilities { update_enabled: true };
    reapi::ServerCapabilities {
        cache_capabilities: Some(reapi::CacheCapabilities {
            digest_functions: vec![reapi::digest_function::Value::Sha256.into(), FUNCTION.into()],
            action_cache_update_capabilities: Some(updates),
            ..reapi::CacheCapabilities::default()
        }),
        low_api_version: version(0),
        high_api_version: version(3),
        ..reapi::ServerCapabilities::default()
    }
}

#[test]
fn blake3_is_used_where_it_is_demanded() {
    let memory = Arc::new(Mutex::new(Memory::default()));
    let (url, _runtime) = start(&memory);
    let mut action: RemoteAction = script("true", b"input");
    action.inputs.push(file("more", b"more"));
    action.outputs = ["large", "small"].map(str::to_owned).into();
    let outputs =
        vec![("large".to_owned(), noise(23, 5_000_000)), ("small".to_owned(), b"x".to_vec())];
    let result = RemoteResult { outputs, stdout: b"said".to_vec(), ..RemoteResult::default() };
    // The server lists both functions, so that SHA-256 is used unless a user says otherwise.
    assert_eq!(connect(&cache(&url)).dialect().digest_function, DigestFunction::Sha256);
    let settings = Settings { digest_function: Some(DigestFunction::Blake3), ..cache(&url) };
    let writer = connect(&settings);
    assert_eq!(writer.dialect().digest_function, DigestFunction::Blake3);
    assert!(writer.lookup(&action).unwrap().is_none());
    writer.store(&action, &result).unwrap();
    let found = connect(&settings).lookup(&action).unwrap().unwrap();
    assert!(found.outputs == result.outputs && found.stdout == b"said");
    let calls = memory.lock().unwrap().calls.clone();
    for name in ["BatchUpdateBlobs", "BatchReadBlobs", "Write", "Read", "FindMissingBlobs"] {
        assert!(calls.iter().any(|call| call == name), "{name} is not among {calls:?}");
    }
}

#[test]
fn a_server_without_the_demanded_function_is_refused() {
    let server = RealServer::start(Casd::Newer);
    let settings =
        Settings { digest_function: Some(DigestFunction::Blake3), ..executor(&server.url()) };
    let text = Remote::connect(&settings).unwrap_err().to_string();
    assert!(text.contains("does not offer blake3 as digest function"), "{text}");
}
