//! A proxy before a cluster that answers calls itself, by a status of HTTP.

use std::time::Duration;

use weft_remote::{Remote, Settings};
use weft_tests::{Casd, Nginx, RealServer, Run};

use crate::steps::{linked, on};
use crate::support::executor;

/// Starts nginx before casd with `directives` for all calls. Each call is a line of its log.
fn ingress(server: &RealServer, directives: &str, files: &[(&str, &[u8])]) -> Nginx {
    let log = "access_log FOLDER/calls;";
    let location =
        format!("location / {{ {directives} grpc_pass grpc://127.0.0.1:{}; }}", server.port());
    Nginx::start("http2", &format!("{log} client_max_body_size 0; {location}"), files)
}

/// Fails the test unless nginx has had so many calls. It writes its log after its answers.
fn check_calls(nginx: &Nginx, expected: usize, what: &str) {
    let count = || {
        std::thread::sleep(Duration::from_millis(50));
        std::fs::read_to_string(nginx.folder().join("calls")).unwrap().lines().count()
    };
    let last = (0..200).map(|_| count()).find(|count| *count >= expected);
    assert_eq!(last, Some(expected), "{what}");
}

fn url(nginx: &Nginx) -> String {
    format!("grpc://127.0.0.1:{}", nginx.port())
}

/// Returns the content of a file of users that nginx reads.
fn users(password: &str) -> String {
    let hash = ["passwd", "-apr1", "-salt", "weft", password];
    format!("me:{}", Run::new("openssl", "/").args(hash).succeed().stdout)
}

#[test]
fn a_token_that_is_over_is_renewed_and_no_step_fails() {
    let bench = linked();
    let server = RealServer::start(Casd::Newer);
    let protection = "auth_basic x; auth_basic_user_file FOLDER/users;";
    let nginx = ingress(&server, protection, &[("users", users("one").as_bytes())]);
    // The helper's answers are those of the password in the file, of which the first is over.
    let helper = bench.write_script(
        "helper",
        &format!(
            "read -r _; printf '{{\"headers\":{{\"Authorization\":[\"Basic %s\"]}}}}' \
             \"$(cat {token})\"; cp {next} {token}",
            token = bench.file("token").display(),
            next = bench.file("next").display()
        ),
    );
    let option = format!("--remote-credential-helper={}", helper.display());
    for (name, old, new, password) in
        [("a", "bWU6b2xk", "bWU6b25l", "one"), ("b", "bWU6b25l", "bWU6dHdv", "two")]
    {
        bench.write("token", old);
        bench.write("next", new);
        std::fs::write(nginx.folder().join("users"), users(password)).unwrap();
        let outcome = on(&url(&nginx), bench.codegen(name)).args([&option, "--stats"]).succeed();
        outcome.says(&["1 run remotely"]);
        assert!(!outcome.stderr.contains(old), "{}", outcome.stderr);
    }
}

#[test]
fn a_refusal_for_good_is_one_call_and_its_status_is_said() {
    let bench = linked();
    let server = RealServer::start(Casd::Newer);
    for (status, words) in [
        (301, "a proxy before the server sends the call elsewhere"),
        (400, "400 Bad Request"),
        (401, "401 Unauthorized"),
        (403, "403 Forbidden"),
        (413, "client_max_body_size"),
    ] {
        let nginx = ingress(&server, &format!("return {status};"), &[]);
        let outcome = on(&url(&nginx), bench.codegen("a")).expect(4);
        outcome.says(&[&format!("HTTP status {status}"), words]);
        assert!(!outcome.stderr.contains("compression"), "{}", outcome.stderr);
        check_calls(&nginx, 1, &outcome.stderr);
    }
}

#[test]
fn a_busy_proxy_is_asked_again() {
    let server = RealServer::start(Casd::Newer);
    for status in [429, 503] {
        let busy = format!("add_header Retry-After 1 always; return {status};");
        let nginx = ingress(&server, &busy, &[]);
        let patient = Duration::from_mins(1);
        let settings = Settings { retries: 2, connect_timeout: patient, ..executor(&url(&nginx)) };
        let error = Remote::connect(&settings).unwrap_err().to_string();
        assert!(error.contains(&format!("HTTP status {status}")), "{error}");
        check_calls(&nginx, 3, &error);
    }
}
