//! Encrypted connections, with a certificate authority that the tests make.

use std::path::PathBuf;

use tempfile::TempDir;
use weft_remote::{Remote, RemoteResult, Settings};
use weft_tests::{Casd, Nginx, RealServer, Run};

use crate::support::{cache, connect, execute, executor, out, script};

/// A certificate authority and the certificates that it has signed.
pub(crate) struct Authority {
    folder: TempDir,
}

impl Authority {
    pub(crate) fn new() -> Self {
        let authority = Self { folder: TempDir::with_prefix("weft-test-ca-").unwrap() };
        authority.openssl(&format!(
            "req -x509 {KEY} -keyout ca.key -out ca.pem -days 2 -subj /CN=test-authority \
             -addext basicConstraints=critical,CA:TRUE"
        ));
        authority
    }

    /// Makes a key and a certificate for `subject`: NAME.key and NAME.pem.
    pub(crate) fn sign(&self, name: &str, subject: &str) {
        self.openssl(&format!("req {KEY} -keyout {name}.key -out {name}.csr -subj /CN={name}"));
        std::fs::write(self.file("extensions"), format!("subjectAltName={subject}\n")).unwrap();
        self.openssl(&format!(
            "x509 -req -in {name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \
             -extfile extensions -out {name}.pem"
        ));
    }

    fn openssl(&self, line: &str) {
        Run::new("openssl", self.folder.path()).args(line.split_whitespace()).succeed();
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn content(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.file(name)).unwrap()
    }

    /// Starts a web server with the certificate `name` and the given directives.
    pub(crate) fn serve(&self, name: &str, directives: &str) -> Nginx {
        let directives = format!(
            "ssl_certificate FOLDER/server.pem; ssl_certificate_key FOLDER/server.key;\n\
             {directives}"
        );
        let (cert, key) =
            (self.content(&format!("{name}.pem")), self.content(&format!("{name}.key")));
        let files: [(&str, &[u8]); 3] =
            [("server.pem", &cert), ("server.key", &key), ("ca.pem", &self.content("ca.pem"))];
        Nginx::start("ssl http2", &directives, &files)
    }

    fn trusted(&self, settings: Settings) -> Settings {
        Settings { ca: Some(self.file("ca.pem")), retries: 1, ..settings }
    }
}

/// Options for a kind of key that is fast to generate.
const KEY: &str = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
const DAV: &str = "root FOLDER/files; dav_methods PUT; create_full_put_path on;";
const WANTS_CLIENTS: &str = "ssl_client_certificate FOLDER/ca.pem; ssl_verify_client on;";

/// Returns the directive that forwards requests to casd.
pub(crate) fn to_casd(server: &RealServer) -> String {
    format!("location / {{ grpc_pass grpc://127.0.0.1:{}; }}", server.port())
}

#[test]
fn grpc_and_http_over_tls_work_with_the_authority_given() {
    let authority = Authority::new();
    authority.sign("server", "IP:127.0.0.1");
    let casd = RealServer::start(Casd::Newer);
    let front = authority.serve("server", &to_casd(&casd));
    let action = script("cat in > out", b"content");
    let settings = authority.trusted(executor(&format!("grpcs://127.0.0.1:{}", front.port())));
    assert_eq!(out(&execute(&connect(&settings), &action).unwrap()), b"content");
    let dav = authority.serve("server", DAV);
    let remote = connect(&authority.trusted(cache(&format!("https://127.0.0.1:{}", dav.port()))));
    let outputs = vec![("out".to_owned(), b"content".to_vec())];
    remote.store(&action, &RemoteResult { outputs, ..RemoteResult::default() }).unwrap();
    assert!(remote.lookup(&action).unwrap().is_some());
}

#[test]
fn a_certificate_that_does_not_match_ends_the_connection_with_its_reason() {
    let authority = Authority::new();
    authority.sign("elsewhere", "DNS:elsewhere.example");
    authority.sign("server", "IP:127.0.0.1");
    let stranger = Authority::new();
    let elsewhere = authority.serve("elsewhere", DAV);
    let server = authority.serve("server", DAV);
    for scheme in ["grpcs", "https"] {
        let to = |nginx: &Nginx| cache(&format!("{scheme}://127.0.0.1:{}", nginx.port()));
        let wrong = [
            authority.trusted(to(&elsewhere)),
            stranger.trusted(to(&server)),
            // The system's authorities did not sign the certificate.
            Settings { retries: 1, ..to(&server) },
        ];
        for settings in wrong {
            let text = Remote::connect(&settings).unwrap_err().to_string();
            assert!(text.contains("certificate") && text.contains(scheme), "{text}");
        }
    }
}

#[test]
fn clients_show_the_certificate_that_a_server_asks_for() {
    let authority = Authority::new();
    authority.sign("server", "IP:127.0.0.1");
    authority.sign("client", "DNS:client");
    let casd = RealServer::start(Casd::Older);
    let front = authority.serve("server", &format!("{WANTS_CLIENTS}\n{}", to_casd(&casd)));
    let dav = authority.serve("server", &format!("{WANTS_CLIENTS}\n{DAV}"));
    let action = script("true", b"");
    for url in
        [format!("grpcs://127.0.0.1:{}", front.port()), format!("https://127.0.0.1:{}", dav.port())]
    {
        let anonymous = authority.trusted(cache(&url));
        let known = Settings {
            cert: Some(authority.file("client.pem")),
            key: Some(authority.file("client.key")),
            ..anonymous.clone()
        };
        assert!(connect(&known).lookup(&action).unwrap().is_none());
        assert!(Remote::connect(&anonymous).is_err());
        let broken = Settings { key: Some(authority.file("ca.pem")), ..known };
        assert!(Remote::connect(&broken).is_err());
    }
}
