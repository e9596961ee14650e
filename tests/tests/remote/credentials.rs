//! Credentials that expire, and servers that want different ones.

use std::path::PathBuf;
use std::sync::Mutex;

use weft_remote::{Remote, RemoteResult, Settings};
use weft_tests::chain::NAMES;
use weft_tests::{Casd, Nginx, RealServer, Run, files_below};

use crate::proxy::Calls;
use crate::steps::{linked, on};
use crate::support::{cache, connect, execute, executor, out, script};

const PROTECTED: &str = "root FOLDER/files; dav_methods PUT; create_full_put_path on; \
                         auth_basic x; auth_basic_user_file FOLDER/users;";
/// Number of calls for which a token is good.
const CALLS_PER_TOKEN: usize = 7;

/// Starts a proxy before casd that lets a call pass if it has the token in the file `token`, and
/// replaces the token after some calls.
fn with_expiring_tokens(server: &RealServer, token: PathBuf) -> Calls {
    std::fs::write(&token, "hunter2-token-0").unwrap();
    let calls = Mutex::new(0);
    Calls::guarded(server.port(), move |headers| {
        let mut calls = calls.lock().unwrap();
        let valid = format!("Bearer {}", std::fs::read_to_string(&token).unwrap());
        if headers.get("authorization").is_none_or(|value| value.as_bytes() != valid.as_bytes()) {
            return false;
        }
        *calls += 1;
        if usize::is_multiple_of(*calls, CALLS_PER_TOKEN) {
            std::fs::write(&token, format!("hunter2-token-{calls}")).unwrap();
        }
        true
    })
}

#[test]
fn a_build_goes_on_when_its_tokens_expire() {
    let bench = linked();
    let server = RealServer::start(Casd::Newer);
    let token = bench.file("token");
    let calls = with_expiring_tokens(&server, token.clone());
    let helper = bench.write_script(
        "helper",
        &format!(
            "cat >> {asked}; echo \" $1\" >> {asked}; printf '{{\"headers\":{{\"Authorization\":\
             [\"Bearer %s\"]}}}}' \"$(cat {token})\"",
            asked = bench.file("asked").display(),
            token = token.display()
        ),
    );
    let with = |run: Run| {
        let option = format!("--remote-credential-helper={}", helper.display());
        on(&calls.url(), run).args([&option, "--remote-do-not-cache", "--stats"])
    };
    let mut messages = String::new();
    for name in NAMES {
        for (kind, run) in [("ptx", bench.codegen(name)), ("cubin", bench.assemble(name))] {
            run.args(["--no-cache"]).succeed();
            let local = bench.read(&format!("{name}.{kind}"));
            bench.remove(&format!("{name}.{kind}"));
            let again = if kind == "ptx" { bench.codegen(name) } else { bench.assemble(name) };
            let outcome = with(again).succeed();
            // No ptxas runs for a module whose code went elsewhere.
            if !local.is_empty() {
                outcome.says(&["1 run remotely"]);
            }
            messages += &outcome.stderr;
            assert!(bench.read(&format!("{name}.{kind}")) == local, "{name}.{kind}");
        }
    }
    assert!(calls.refused() > 0, "no token expired: {:?}", calls.names());
    let asked = String::from_utf8(bench.read("asked")).unwrap();
    let (_, port) =
        calls.url().rsplit_once(':').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    let question = format!("{{\"uri\":\"https://127.0.0.1:{port}\"}} get\n");
    assert!(asked.lines().count() > NAMES.len() * 2, "{asked}");
    assert_eq!(asked, question.repeat(asked.lines().count()));
    assert!(!messages.contains("hunter2"), "{messages}");
    bench.remove("token");
    assert!(holding(files_below(bench.path()), b"hunter2").is_empty());
    assert!(holding([server.blobs(), server.results()].concat(), b"hunter2").is_empty());
}

/// Returns those of `files` that hold `text`.
fn holding(files: Vec<PathBuf>, text: &[u8]) -> Vec<PathBuf> {
    let mut files = files;
    files.retain(|path| {
        let content = std::fs::read(path).unwrap_or_default();
        content.windows(text.len()).any(|part| part == text)
    });
    files
}

#[test]
fn a_helper_without_an_answer_fails_the_step_and_shows_no_secret() {
    let bench = linked();
    let server = RealServer::start(Casd::Newer);
    let calls = Calls::guarded(server.port(), |_| false);
    for (script, part) in [
        ("echo hunter2; echo log in first >&2; exit 3", "exit status: 3: log in first"),
        ("echo hunter2", "its answer is not of the protocol"),
        ("echo '{\"headers\":{\"x\":[\"hunter2-old\"]}}'", "refused by the test"),
    ] {
        let helper = bench.write_script("helper", script);
        let option = format!("--remote-credential-helper={}", helper.display());
        let outcome = on(&calls.url(), bench.codegen("a")).arg(&option).expect(4);
        outcome.says(&[part]);
        assert!(!outcome.stderr.contains("hunter2"), "{}", outcome.stderr);
        let fallback = on(&calls.url(), bench.codegen("a")).args([&option, "--remote-fallback"]);
        fallback.succeed().says(&["running it here", part]);
    }
    let outcome = on(&calls.url(), bench.codegen("a"))
        .arg("--remote-credential-helper=/nowhere/helper")
        .expect(4);
    outcome.says(&["the credential helper /nowhere/helper is not there"]);
}

/// Returns the content of a file of users that nginx reads.
fn users(password: &str) -> String {
    let hash = ["passwd", "-apr1", "-salt", "weft", password];
    format!("me:{}", Run::new("openssl", "/").args(hash).succeed().stdout)
}

/// Returns the header by which nginx knows the user, in a line of a list.
fn line(encoded: &str) -> String {
    format!("Authorization=Basic {encoded}\n")
}

#[test]
fn a_file_with_headers_is_read_again_when_they_are_refused() {
    let nginx = Nginx::start("", PROTECTED, &[("users", users("one").as_bytes())]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("headers");
    std::fs::write(&file, line("bWU6b25l")).unwrap();
    let settings = Settings {
        header_file: Some(file.clone()),
        ..cache(&format!("http://127.0.0.1:{}", nginx.port()))
    };
    let remote = connect(&settings);
    let outputs = vec![("out".to_owned(), b"content".to_vec())];
    let result = RemoteResult { outputs, ..RemoteResult::default() };
    let action = script("true", b"");
    remote.store(&action, &result).unwrap();
    std::fs::write(nginx.folder().join("users"), users("two")).unwrap();
    std::fs::write(&file, line("bWU6dHdv")).unwrap();
    assert_eq!(out(&remote.lookup(&action).unwrap().unwrap()), b"content");
    remote.store(&script("false", b""), &result).unwrap();
    std::fs::write(nginx.folder().join("users"), users("three")).unwrap();
    let error = remote.lookup(&action).unwrap_err();
    let text = format!("{error} {error:?} {remote:?} {settings:?}");
    assert!(text.contains("401") && !text.contains("bWU6"), "{text}");
    std::fs::write(&file, "hunter2").unwrap();
    let text = remote.lookup(&action).unwrap_err().to_string();
    assert!(text.contains("headers:1: not NAME=VALUE") && !text.contains("hunter2"), "{text}");
}

#[test]
fn http_caches_take_passwords_of_netrc() {
    let nginx = Nginx::start("", PROTECTED, &[("users", users("one").as_bytes())]);
    let bench = linked();
    let address = format!("http://127.0.0.1:{}", nginx.port());
    let step = |address: &str, netrc: &str| {
        bench.write(".netrc", format!("machine 127.0.0.1 login me password {netrc}\n"));
        let cached = bench.codegen("a").args(["--cache=off", "--stats"]);
        let cached = cached.arg(format!("--remote-cache={address}"));
        cached.variable("HOME", bench.path().display().to_string())
    };
    step(&address, "one").succeed().says(&["misses: new 1"]);
    step(&address, "one").succeed().says(&["1 from a remote cache"]);
    let outcome = step(&address, "hunter2").succeed();
    outcome.says(&["going on without the remote cache", "401"]);
    assert!(!outcome.stderr.contains("hunter2"), "{}", outcome.stderr);
    // An address with a password needs no file.
    let other = format!("http://me:one@127.0.0.1:{}", nginx.port());
    step(&other, "hunter2").succeed().says(&["1 from a remote cache"]);
}

#[test]
fn cache_and_executor_have_headers_of_their_own() {
    let server = RealServer::start(Casd::Older);
    let guard = |expected: &'static str, other: &'static str| {
        Calls::guarded(server.port(), move |headers| {
            headers.contains_key(expected) && !headers.contains_key(other)
        })
    };
    let (storing, running) = (guard("x-cache", "x-executor"), guard("x-executor", "x-cache"));
    let header = |name: &str| vec![(name.to_owned(), "hunter2".to_owned())];
    let settings = Settings {
        cache: Some(storing.url()),
        cache_headers: header("x-cache"),
        executor_headers: header("x-executor"),
        ..executor(&running.url())
    };
    let remote = connect(&settings);
    let action = script("cat in > out", b"content");
    assert_eq!(out(&execute(&remote, &action).unwrap()), b"content");
    assert!(remote.lookup(&action).unwrap().is_some());
    assert!(running.names().iter().any(|name| name == "Execute"));
    assert_eq!((storing.refused(), running.refused()), (0, 0));
    let swapped = Settings { cache_headers: header("x-executor"), ..settings };
    let text = Remote::connect(&swapped).unwrap_err().to_string();
    assert!(text.contains(&storing.url()) && !text.contains("hunter2"), "{text}");
}
