//! A server that is never silent and never done.

use std::time::Duration;

use weft_remote::{RemoteError, RemoteResult, Settings};
use weft_tests::{Casd, RealServer};

use crate::proxy::{Fault, Wire};
use crate::support::{cache, connect, noise, script};

#[test]
fn a_transfer_that_is_too_slow_for_its_size_ends() {
    let server = RealServer::start(Casd::Newer);
    let action = script("true", b"");
    let outputs = vec![("out".to_owned(), noise(3, 4_500_000))];
    let result = RemoteResult { outputs, ..RemoteResult::default() };
    connect(&cache(&server.url())).store(&action, &result).unwrap();
    // Some bytes come twenty times a second, and all of them would take a minute.
    let wire = Wire::new(server.port(), Fault::Slow(Duration::from_millis(50)));
    let settings = Settings { timeout: Duration::from_secs(2), retries: 1, ..cache(&wire.url()) };
    let error = connect(&settings).lookup(&action).unwrap_err();
    assert!(matches!(error, RemoteError::Timeout { .. }), "{error}");
}
