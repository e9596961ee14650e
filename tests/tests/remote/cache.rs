//! A real server that is used as a cache.

use std::time::Duration;

use weft_remote::{RemoteAction, RemoteError, RemoteResult, Settings};
use weft_tests::{Casd, RealServer};

use crate::support::{cache, connect, noise, script};

fn result(outputs: &[(&str, &[u8])]) -> RemoteResult {
    let outputs = outputs.iter().map(|(path, content)| ((*path).to_owned(), content.to_vec()));
    RemoteResult { outputs: outputs.collect(), stdout: b"said".to_vec(), ..RemoteResult::default() }
}

#[test]
fn results_that_one_client_stores_are_found_by_another() {
    for casd in Casd::ALL {
        let server = RealServer::start(casd);
        let large = noise(3, 6_000_000);
        let mut action = script("true", b"input");
        action.outputs = ["large", "empty", "small"].map(str::to_owned).into();
        let stored = result(&[("large", &large), ("empty", b""), ("small", b"x")]);
        let writer = connect(&cache(&server.url()));
        assert!(writer.lookup(&action).unwrap().is_none());
        writer.store(&action, &stored).unwrap();
        let reader = connect(&cache(&server.url()));
        let found = reader.lookup(&action).unwrap().unwrap();
        assert!(found.outputs == stored.outputs && found.stdout == b"said");
        assert!(found.served_from_cache && found.traffic.bytes_down > 6_000_000);
        assert!(found.traffic.bytes_up < 10_000, "{:?}", found.traffic);
    }
}

#[test]
fn a_reader_stores_nothing_and_a_cache_runs_nothing() {
    let server = RealServer::start(Casd::Newer);
    let action = script("true", b"");
    let reader = connect(&Settings { upload: false, ..cache(&server.url()) });
    reader.store(&action, &result(&[("out", b"x")])).unwrap();
    assert!(reader.lookup(&action).unwrap().is_none());
    let uncached = RemoteAction { do_not_cache: true, ..action.clone() };
    let writer = connect(&cache(&server.url()));
    writer.store(&uncached, &result(&[("out", b"x")])).unwrap();
    assert!(writer.lookup(&uncached).unwrap().is_none());
    let error = writer.execute(&action, &|_| {}).unwrap_err();
    assert!(matches!(error, RemoteError::Settings(_)), "{error}");
}

#[test]
fn a_result_that_does_not_fit_the_action_is_no_result() {
    let server = RealServer::start(Casd::Newer);
    let remote = connect(&cache(&server.url()));
    let action = script("true", b"");
    remote.store(&action, &result(&[("elsewhere", b"x")])).unwrap();
    assert!(remote.lookup(&action).unwrap().is_none());
    remote.store(&action, &result(&[("out", b"right")])).unwrap();
    assert_eq!(remote.lookup(&action).unwrap().unwrap().outputs[0].1, b"right");
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let port = weft_tests::Port::take();
    let url = format!("grpc://user:secret@127.0.0.1:{}", port.number());
    let settings = Settings { retries: 1, timeout: Duration::from_secs(2), ..cache(&url) };
    let text = weft_remote::Remote::connect(&settings).unwrap_err().to_string();
    assert!(text.contains(&format!("127.0.0.1:{}", port.number())), "{text}");
    assert!(text.contains("refused") && !text.contains("secret"), "{text}");
}
