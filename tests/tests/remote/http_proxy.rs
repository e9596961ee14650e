//! Steps whose way to the cluster leads through a proxy, as in many companies' networks.

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use weft_tests::{Casd, RealServer};

use crate::steps::{linked, on};
use crate::tls::{Authority, to_casd};

/// An address for documentation, at which nobody answers, so that only the proxy finds the server.
const HOST: &str = "192.0.2.7";

/// A proxy for `CONNECT` that leads every connection to one port of this machine.
struct Tunnels {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Tunnels {
    /// Starts a proxy that leads to `server`, or refuses every connection without one.
    fn new(server: Option<u16>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let heads = Arc::clone(&asked);
        // The thread ends with the process, so it needs no cleanup.
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                heads.lock().unwrap().push(head(&client));
                match server {
                    Some(server) => lead(client, server),
                    None => drop((&client).write_all(b"HTTP/1.1 403 Forbidden\r\n\r\n")),
                }
            }
        });
        Self { port, asked }
    }

    fn url(&self) -> String {
        format!("http://user:secret@127.0.0.1:{}", self.port)
    }

    /// Returns the requests so far, in lower case.
    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().iter().map(|head| head.to_lowercase()).collect()
    }
}

/// Reads the request of a client that waits for the answer.
fn head(client: &TcpStream) -> String {
    let mut lines = BufReader::new(client).lines().map_while(Result::ok);
    let lines: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
    lines.join("\n")
}

/// Forwards bytes between the client and a port of this machine.
fn lead(client: TcpStream, server: u16) {
    let server = TcpStream::connect(("127.0.0.1", server)).unwrap();
    (&client).write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
    // Without this a small piece waits until the one before it is acknowledged.
    client.set_nodelay(true).unwrap();
    server.set_nodelay(true).unwrap();
    let back = (server.try_clone().unwrap(), client.try_clone().unwrap());
    for (mut from, mut to) in [(client, server), back] {
        thread::spawn(move || {
            drop(std::io::copy(&mut from, &mut to));
            drop((from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both)));
        });
    }
}

#[test]
fn steps_reach_a_cluster_through_the_proxy_of_the_environment() {
    let bench = linked();
    bench.codegen("a").arg("--no-cache").succeed();
    bench.assemble("a").arg("--no-cache").succeed();
    let local = bench.read("a.cubin");
    let authority = Authority::new();
    authority.sign("server", &format!("IP:{HOST}"));
    let casd = RealServer::start(Casd::Newer);
    let front = authority.serve("server", &to_casd(&casd));
    let trusted = format!("--tls-ca={}", authority.file("ca.pem").display());
    let ways = [
        ("HTTPS_PROXY", format!("grpcs://{HOST}:443"), front.port()),
        ("HTTP_PROXY", format!("grpc://{HOST}:8980"), casd.port()),
    ];
    for (variable, address, port) in ways {
        let tunnels = Tunnels::new(Some(port));
        bench.remove("a.cubin");
        let salt = format!("--remote-salt={variable}");
        let step = || on(&address, bench.assemble("a")).args([&trusted, &salt]);
        step().variable(variable, tunnels.url()).succeed();
        assert!(bench.read("a.cubin") == local, "{variable}");
        let asked = tunnels.asked();
        let authority = address.rsplit('/').next().unwrap();
        let is_tunnel = |head: &String| {
            head.starts_with(&format!("connect {authority} http/1.1"))
                && head.contains("proxy-authorization: basic dxnlcjpzzwnyzxq=")
        };
        assert!(!asked.is_empty() && asked.iter().all(is_tunnel), "{asked:?}");
        // Without the proxy there is no way to the server.
        let direct = step().variable(variable, tunnels.url()).variable("NO_PROXY", HOST);
        direct.expect(4).says(&["cannot run ptxas remotely", HOST]);
        assert_eq!(tunnels.asked(), asked);
    }
}

#[test]
fn a_proxy_that_refuses_is_named_without_its_password() {
    let bench = linked();
    let step = || on(&format!("grpcs://{HOST}:443"), bench.codegen("a"));
    let tunnels = Tunnels::new(None);
    let outcome = step().variable("HTTPS_PROXY", tunnels.url()).expect(4);
    outcome.says(&["cannot reach", &format!("the proxy http://127.0.0.1:{}", tunnels.port)]);
    assert!(!outcome.stderr.contains("secret"), "{}", outcome.stderr);
    assert!(!tunnels.asked().is_empty());
    let outcome = step().variable("ALL_PROXY", "socks5://user:secret@127.0.0.1:1").expect(4);
    outcome.says(&["the proxy socks5://127.0.0.1:1 cannot be used", "NO_PROXY"]);
    assert!(!outcome.stderr.contains("secret"), "{}", outcome.stderr);
}
