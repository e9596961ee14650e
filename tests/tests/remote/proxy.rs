//! Proxies between client and server in tests of faults: one that forwards bytes, and one that
//! forwards calls.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::{HeaderMap, Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};

/// Fault in the forwarded bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fault {
    /// Connections are cut after this many bytes in both directions. Later connections have no
    /// fault.
    CutAt(u64),
    /// The byte at this position of the server's bytes is changed.
    WrongAt(u64),
    /// Every piece is delayed by this duration.
    Slow(Duration),
    /// After this many bytes in both directions no byte passes any more, but connections stay open.
    SilentAfter(u64),
    /// After this many bytes in both directions the server is unreachable for good.
    GoneAfter(u64),
}

/// A proxy that forwards bytes between clients and a server.
pub(crate) struct Wire {
    port: u16,
    moved: Arc<AtomicU64>,
}

impl Wire {
    pub(crate) fn new(server: u16, fault: Fault) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let moved = Arc::new(AtomicU64::new(0));
        let state = Arc::new(State { fault, moved: Arc::clone(&moved), came: AtomicU64::new(0) });
        // The thread ends with the process, so it needs no cleanup.
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if matches!(fault, Fault::GoneAfter(limit) if state.has_moved() > limit) {
                    continue;
                }
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else { continue };
                for (from, to, comes) in [(&client, &server, false), (&server, &client, true)] {
                    let (from, to) = (from.try_clone().unwrap(), to.try_clone().unwrap());
                    let state = Arc::clone(&state);
                    thread::spawn(move || state.hand_on(from, to, comes));
                }
            }
        });
        Self { port, moved }
    }

    pub(crate) fn url(&self) -> String {
        format!("grpc://127.0.0.1:{}", self.port)
    }

    /// Returns the number of bytes that were forwarded in both directions.
    pub(crate) fn moved(&self) -> u64 {
        self.moved.load(Ordering::SeqCst)
    }
}

struct State {
    fault: Fault,
    moved: Arc<AtomicU64>,
    came: AtomicU64,
}

impl State {
    fn has_moved(&self) -> u64 {
        self.moved.load(Ordering::SeqCst)
    }

    fn hand_on(&self, mut from: TcpStream, mut to: TcpStream, comes: bool) {
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = from.read(&mut buffer) {
            let piece = &mut buffer[..count];
            let before = self.moved.fetch_add(count as u64, Ordering::SeqCst);
            let after = before + count as u64;
            let came = if comes { self.came.fetch_add(count as u64, Ordering::SeqCst) } else { 0 };
            match self.fault {
                Fault::CutAt(limit) if before < limit && limit <= after => break,
                Fault::GoneAfter(limit) if after > limit => break,
                Fault::SilentAfter(limit) if after > limit => loop {
                    thread::park();
                },
                Fault::WrongAt(place) if comes && (came..came + count as u64).contains(&place) => {
                    piece[usize::try_from(place - came).unwrap()] ^= 0x20;
                }
                Fault::Slow(delay) => thread::sleep(delay),
                _ => {}
            }
            if to.write_all(piece).is_err() {
                break;
            }
        }
        drop((from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both)));
    }
}

/// Treatment of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The call is forwarded.
    Good,
    /// The proxy answers the call with the status UNAVAILABLE.
    Refused,
    /// The stream of the call breaks before the call reaches the server.
    Dropped,
    /// The server carries out the call, and the stream breaks instead of an answer.
    Unanswered,
    /// The proxy answers the call with the status UNAUTHENTICATED.
    Unknown,
    /// The proxy answers the call with the status `RESOURCE_EXHAUSTED`.
    Exhausted,
}

/// Says whether a call may pass, by its headers.
type Guard = Arc<dyn Fn(&HeaderMap) -> bool + Send + Sync>;

/// A call that a proxy has seen.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// Name of the call.
    pub(crate) name: String,
    /// Header with the labels of the call, in Base64.
    pub(crate) labels: String,
    /// Message of the call, if it is `Execute`.
    pub(crate) execution: Option<Bytes>,
}

type Fates = Arc<dyn Fn(&str, usize) -> Fate + Send + Sync>;

/// A proxy that forwards calls, and answers some of them itself.
pub(crate) struct Calls {
    port: u16,
    seen: Arc<Mutex<Vec<Seen>>>,
    refused: Arc<AtomicUsize>,
    _runtime: tokio::runtime::Runtime,
}

impl Calls {
    /// Starts a proxy. `is_down` decides by a call's name and number whether the call gets the
    /// status UNAVAILABLE.
    pub(crate) fn new(server: u16, is_down: fn(&str, usize) -> bool) -> Self {
        let fate = move |name: &str, number| {
            if is_down(name, number) { Fate::Refused } else { Fate::Good }
        };
        Self::with(server, Arc::new(fate))
    }

    /// Starts a proxy. `fates` decides the treatment of a call by its name and number.
    pub(crate) fn with(server: u16, fates: Fates) -> Self {
        Self::start(server, fates, Arc::new(|_| true))
    }

    /// Starts a proxy that answers the calls that `guard` lets not pass with UNAUTHENTICATED.
    pub(crate) fn guarded(
        server: u16,
        guard: impl Fn(&HeaderMap) -> bool + Send + Sync + 'static,
    ) -> Self {
        Self::start(server, Arc::new(|_, _| Fate::Good), Arc::new(guard))
    }

    fn start(server: u16, fates: Fates, guard: Guard) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let refused = Arc::new(AtomicUsize::new(0));
        let listener = runtime.block_on(tokio::net::TcpListener::bind(("127.0.0.1", 0))).unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = (Arc::clone(&seen), Arc::clone(&refused));
        runtime.spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let treatment = (Arc::clone(&fates), Arc::clone(&guard));
                tokio::spawn(serve(stream, server, treatment, state.clone()));
            }
        });
        Self { port, seen, refused, _runtime: runtime }
    }

    pub(crate) fn url(&self) -> String {
        format!("grpc://127.0.0.1:{}", self.port)
    }

    /// Returns the names of all calls so far.
    pub(crate) fn names(&self) -> Vec<String> {
        self.seen().into_iter().map(|call| call.name).collect()
    }

    /// Returns all calls so far.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// Returns the number of refused calls.
    pub(crate) fn refused(&self) -> usize {
        self.refused.load(Ordering::SeqCst)
    }
}

type Body = http_body_util::combinators::BoxBody<Bytes, hyper::Error>;

async fn serve(
    stream: tokio::net::TcpStream,
    server: u16,
    (fates, guard): (Fates, Guard),
    (seen, refused): (Arc<Mutex<Vec<Seen>>>, Arc<AtomicUsize>),
) {
    let Ok(upstream) = tokio::net::TcpStream::connect(("127.0.0.1", server)).await else { return };
    let executor = TokioExecutor::new();
    let handshake = hyper::client::conn::http2::handshake(executor.clone(), TokioIo::new(upstream));
    let Ok((sender, connection)) = handshake.await else { return };
    tokio::spawn(connection);
    let answer = move |request: Request<Incoming>| {
        let mut sender = sender.clone();
        let name = request.uri().path().rsplit('/').next().unwrap_or_default().to_owned();
        let labels = request
            .headers()
            .get("build.bazel.remote.execution.v2.requestmetadata-bin")
            .map(|value| value.to_str().unwrap().to_owned());
        let number = {
            let mut seen = seen.lock().unwrap();
            let (name, labels) = (name.clone(), labels.unwrap_or_default());
            seen.push(Seen { name, labels, execution: None });
            seen.len()
        };
        let seen = Arc::clone(&seen);
        let fate = if guard(request.headers()) { fates(&name, number) } else { Fate::Unknown };
        let status = match fate {
            Fate::Refused => Some("14"),
            Fate::Unknown => Some("16"),
            Fate::Exhausted => Some("8"),
            Fate::Good | Fate::Dropped | Fate::Unanswered => None,
        };
        if status.is_some() {
            refused.fetch_add(1, Ordering::SeqCst);
        }
        async move {
            if let Some(status) = status {
                let none = Full::new(Bytes::new()).map_err(|never| match never {}).boxed();
                let response: Response<Body> = Response::builder()
                    .header("content-type", "application/grpc")
                    .header("grpc-status", status)
                    .header("grpc-message", "refused by the test")
                    .body(none)
                    .unwrap();
                return Ok::<_, std::io::Error>(response);
            }
            if fate == Fate::Dropped {
                return Err(std::io::Error::other("dropped by the test"));
            }
            let (mut head, body) = request.into_parts();
            head.headers.remove("te");
            head.headers.insert("te", "trailers".parse().unwrap());
            // Of the other calls, some last as long as an execution.
            let body: Body = if name == "Execute" {
                let message = body.collect().await.map_err(std::io::Error::other)?.to_bytes();
                // A message follows a mark and its length.
                seen.lock().unwrap()[number - 1].execution =
                    message.get(5..).map(Bytes::copy_from_slice);
                Full::new(message).map_err(|never| match never {}).boxed()
            } else {
                body.boxed()
            };
            let response = sender.send_request(Request::from_parts(head, body)).await;
            let response = response.map_err(std::io::Error::other)?;
            if fate == Fate::Unanswered {
                drop(response.into_body().collect().await);
                return Err(std::io::Error::other("not answered by the test"));
            }
            Ok(response.map(BodyExt::boxed))
        }
    };
    let service = hyper::service::service_fn(answer);
    let server = hyper::server::conn::http2::Builder::new(executor);
    drop(server.serve_connection(TokioIo::new(stream), service).await);
}
