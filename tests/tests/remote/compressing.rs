//! Compressed transfers. The real servers do not support them, so a proxy in front of a real server
//! does: it advertises zstd, and translates compressed streams into plain ones and back.

use std::io::Read;

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use bazel_remote_apis::google::bytestream as api;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http2::SendRequest;
use hyper::{HeaderMap, Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use prost::Message;
use weft_remote::Settings;
use weft_tests::{Casd, RealServer};

use crate::proxy::{Fault, Wire};
use crate::support::{connect, execute, executor, out, script};

pub(crate) type Body = http_body_util::combinators::BoxBody<Bytes, hyper::Error>;
type Upstream = SendRequest<Body>;

/// Starts a proxy that adds compression to the server at port `server`. Returns the proxy's port,
/// and the runtime that it lives in.
fn front(server: u16) -> (u16, tokio::runtime::Runtime) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let listener = runtime.block_on(tokio::net::TcpListener::bind(("127.0.0.1", 0))).unwrap();
    let port = listener.local_addr().unwrap().port();
    runtime.spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let upstream = tokio::net::TcpStream::connect(("127.0.0.1", server)).await.unwrap();
            let executor = TokioExecutor::new();
            let (sender, connection) =
                hyper::client::conn::http2::handshake(executor.clone(), TokioIo::new(upstream))
                    .await
                    .unwrap();
            tokio::spawn(connection);
            let service = hyper::service::service_fn(move |request| {
                let sender = sender.clone();
                async move { answer(sender, request).await }
            });
            let builder = hyper::server::conn::http2::Builder::new(executor);
            tokio::spawn(builder.serve_connection(TokioIo::new(client), service));
        }
    });
    (port, runtime)
}

async fn answer(
    mut sender: Upstream,
    request: Request<Incoming>,
) -> Result<Response<Body>, hyper::Error> {
    let (head, body) = request.into_parts();
    let name = head.uri.path().rsplit('/').next().unwrap_or_default().to_owned();
    if !["GetCapabilities", "Write", "Read"].contains(&name.as_str()) {
        let response = sender.send_request(Request::from_parts(head, body.boxed())).await?;
        return Ok(response.map(BodyExt::boxed));
    }
    let asked = body.collect().await?.to_bytes();
    let (forwarded, compressed_size) = match name.as_str() {
        "Write" => plain_write(&asked),
        "Read" => (plain_read(&asked), 0),
        _ => (asked, 0),
    };
    let request = Request::from_parts(head, full(forwarded, None));
    let (mut head, body) = sender.send_request(request).await?.into_parts();
    head.headers.remove("content-length");
    let answered = body.collect().await?;
    let trailers = answered.trailers().cloned();
    let answered = match name.as_str() {
        "Write" => changed(&answered.to_bytes(), |answer: &mut api::WriteResponse| {
            answer.committed_size = compressed_size;
        }),
        "Read" => compressed(&answered.to_bytes()),
        _ => changed(&answered.to_bytes(), |answer: &mut reapi::ServerCapabilities| {
            let cache = answer.cache_capabilities.as_mut().unwrap();
            cache.supported_compressors.push(reapi::compressor::Value::Zstd.into());
        }),
    };
    Ok(Response::from_parts(head, full(answered, trailers)))
}

pub(crate) fn full(content: Bytes, trailers: Option<HeaderMap>) -> Body {
    let content = Full::new(content).map_err(|never| match never {});
    match trailers {
        Some(trailers) => content.with_trailers(async { Some(Ok(trailers)) }).boxed(),
        None => content.boxed(),
    }
}

/// Returns the messages in a body of gRPC. Five bytes precede each message, of which four are its
/// size.
pub(crate) fn messages<M: Message + Default>(body: &[u8]) -> Vec<M> {
    let (mut messages, mut rest) = (Vec::new(), body);
    while rest.len() >= 5 {
        let size = u32::from_be_bytes(rest[1..5].try_into().unwrap()) as usize;
        messages.push(M::decode(&rest[5..5 + size]).unwrap());
        rest = &rest[5 + size..];
    }
    messages
}

pub(crate) fn body<M: Message>(messages: impl IntoIterator<Item = M>) -> Bytes {
    let mut body = Vec::new();
    for message in messages {
        body.push(0);
        body.extend(u32::try_from(message.encoded_len()).unwrap().to_be_bytes());
        message.encode(&mut body).unwrap();
    }
    body.into()
}

fn changed<M: Message + Default>(answer: &[u8], change: impl Fn(&mut M)) -> Bytes {
    let mut messages: Vec<M> = messages(answer);
    messages.iter_mut().for_each(change);
    body(messages)
}

/// Translates a compressed write into a plain write. Returns it with the size of the compressed
/// content.
fn plain_write(asked: &[u8]) -> (Bytes, i64) {
    let pieces: Vec<api::WriteRequest> = messages(asked);
    let name = &pieces[0].resource_name;
    assert!(name.starts_with("uploads/") && name.contains("/compressed-blobs/zstd/"), "{name}");
    let frames = pieces.iter().flat_map(|piece| piece.data.iter().copied()).collect::<Vec<u8>>();
    let mut content = Vec::new();
    let mut decoder = ruzstd::decoding::StreamingDecoder::new(frames.as_slice()).unwrap();
    decoder.read_to_end(&mut content).unwrap();
    let resource_name = name.replace("compressed-blobs/zstd", "blobs");
    let count = content.len().div_ceil(1 << 20);
    let pieces = content.chunks(1 << 20).enumerate().map(|(index, data)| api::WriteRequest {
        resource_name: resource_name.clone(),
        write_offset: i64::try_from(index << 20).unwrap(),
        finish_write: index + 1 == count,
        data: data.to_vec(),
    });
    (body(pieces), i64::try_from(frames.len()).unwrap())
}

fn plain_read(asked: &[u8]) -> Bytes {
    let mut request: api::ReadRequest = messages(asked).remove(0);
    let name = &request.resource_name;
    assert!(name.starts_with("compressed-blobs/zstd/"), "{name}");
    request.resource_name = name.replace("compressed-blobs/zstd", "blobs");
    body([request])
}

/// Translates a plain answer to a read into a compressed answer.
fn compressed(answer: &[u8]) -> Bytes {
    let pieces: Vec<api::ReadResponse> = messages(answer);
    let content = pieces.into_iter().flat_map(|piece| piece.data).collect::<Vec<u8>>();
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    let frame = ruzstd::encoding::compress_to_vec(content.as_slice(), level);
    body(frame.chunks(1 << 16).map(|data| api::ReadResponse { data: data.to_vec() }))
}

/// Returns a text that compresses to about a third.
fn text() -> Vec<u8> {
    let numbers = (0..600_000_u32).map(|number| number.wrapping_mul(2_654_435_761));
    numbers.flat_map(|number| format!("{number}\n").into_bytes()).collect()
}

#[test]
fn large_blobs_are_compressed_where_the_server_can() {
    let server = RealServer::start(Casd::Newer);
    let (port, _runtime) = front(server.port());
    let url = format!("grpc://127.0.0.1:{port}");
    let input = text();
    let action = script("cat in in > out", &input);
    let result = execute(&connect(&executor(&url)), &action).unwrap();
    assert!(out(&result) == [input.clone(), input.clone()].concat());
    let (up, down) = (result.traffic.bytes_up, result.traffic.bytes_down);
    let size = input.len() as u64;
    assert!(up < size * 9 / 10 && down < size * 18 / 10, "{up} up, {down} down of {size}");
    // The same blobs are requested without compression.
    let plain = connect(&Settings { compress: false, ..executor(&server.url()) });
    assert!(plain.lookup(&action).unwrap().unwrap().traffic.bytes_down > 2 * size);
    // An interrupted compressed download continues after the part that could be decompressed.
    for place in [500_000, 2_000_000] {
        let wire = Wire::new(port, Fault::CutAt(place));
        let found = connect(&executor(&wire.url())).lookup(&action).unwrap().unwrap();
        assert!(out(&found) == out(&result), "cut at {place}");
    }
}
