//! An HTTP cache: nginx with `WebDAV`.

use weft_remote::{RemoteError, RemoteResult, Settings};
use weft_tests::Nginx;

use crate::support::{cache, connect, noise, out, script};

const DAV: &str = "root FOLDER/files; dav_methods PUT; create_full_put_path on;";

fn result(content: &[u8]) -> RemoteResult {
    RemoteResult { outputs: vec![("out".to_owned(), content.to_vec())], ..RemoteResult::default() }
}

/// Returns the paths of the files in `folder`.
fn files(nginx: &Nginx, folder: &str) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(nginx.folder().join("files").join(folder)).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn results_are_kept_below_the_path_of_the_address() {
    let nginx = Nginx::start("", DAV, &[]);
    let settings = cache(&format!("http://127.0.0.1:{}/some/where/", nginx.port()));
    let action = script("true", b"");
    let content = noise(5, 3_000_000);
    let writer = connect(&settings);
    assert!(!writer.executes());
    assert!(writer.lookup(&action).unwrap().is_none());
    writer.store(&action, &result(&content)).unwrap();
    assert_eq!(files(&nginx, "some/where/ac").len(), 1);
    let found = connect(&settings).lookup(&action).unwrap().unwrap();
    assert!(out(&found) == content && found.served_from_cache);
    let error = writer.execute(&action, &|_| {}).unwrap_err();
    assert!(error.to_string().contains("executor"), "{error}");
}

#[test]
fn poisoned_entries_are_found_out_and_replaced() {
    let nginx = Nginx::start("", DAV, &[]);
    let remote = connect(&cache(&format!("http://127.0.0.1:{}", nginx.port())));
    let action = script("true", b"");
    let right = || remote.lookup(&action).unwrap().is_some_and(|result| out(&result) == b"content");
    remote.store(&action, &result(b"content")).unwrap();
    assert!(right());
    let blob = files(&nginx, "cas").remove(0);
    for poison in [&b"c0ntent"[..], b"content and more", b"cont", b""] {
        std::fs::write(&blob, poison).unwrap();
        let error = remote.lookup(&action).unwrap_err();
        assert!(matches!(error, RemoteError::Corrupt { .. }), "{error}");
        remote.store(&action, &result(b"content")).unwrap();
        assert!(right());
    }
    std::fs::remove_file(&blob).unwrap();
    assert!(remote.lookup(&action).unwrap().is_none());
    remote.store(&action, &result(b"content")).unwrap();
    let entry = files(&nginx, "ac").remove(0);
    let whole = std::fs::read(&entry).unwrap();
    for poison in [&whole[..whole.len() - 3], b"\xff\xff\xff\xff", b""] {
        std::fs::write(&entry, poison).unwrap();
        assert!(remote.lookup(&action).unwrap().is_none());
    }
    remote.store(&action, &result(b"content")).unwrap();
    assert!(right());
}

#[test]
fn credentials_are_sent_and_never_shown() {
    // The file holds me:sesame, encrypted by `openssl passwd -apr1 -salt weft sesame`.
    let users = weft_tests::Run::new("openssl", "/")
        .args(["passwd", "-apr1", "-salt", "weft", "sesame"])
        .succeed()
        .stdout;
    let users = format!("me:{users}");
    let protected = format!("{DAV} auth_basic x; auth_basic_user_file FOLDER/users;");
    let nginx = Nginx::start("", &protected, &[("users", users.as_bytes())]);
    let action = script("true", b"");
    let right = connect(&cache(&format!("http://me:sesame@127.0.0.1:{}", nginx.port())));
    right.store(&action, &result(b"content")).unwrap();
    assert!(right.lookup(&action).unwrap().is_some());
    let header = ("Authorization".to_owned(), "Basic bWU6c2VzYW1l".to_owned());
    let anonymous = cache(&format!("http://127.0.0.1:{}", nginx.port()));
    let by_header = connect(&Settings { headers: vec![header], ..anonymous.clone() });
    assert!(by_header.lookup(&action).unwrap().is_some());
    let wrong = cache(&format!("http://me:not-sesame@127.0.0.1:{}", nginx.port()));
    for settings in [anonymous, wrong] {
        let error = weft_remote::Remote::connect(&settings).unwrap_err();
        let text = format!("{error} {error:?} {settings:?}");
        assert!(text.contains("401") && !text.contains("sesame"), "{text}");
    }
}

#[test]
fn a_server_that_takes_nothing_says_so() {
    let nginx = Nginx::start("", "root FOLDER/files;", &[]);
    let remote = connect(&cache(&format!("http://127.0.0.1:{}", nginx.port())));
    let action = script("true", b"");
    let text = remote.store(&action, &result(b"x")).unwrap_err().to_string();
    assert!(text.contains("405") && text.contains("PUT"), "{text}");
    assert!(remote.lookup(&action).unwrap().is_none());
}
