//! Servers that are down or silent, and what the processes of a build tell each other about them.

use std::net::TcpListener;

use weft_tests::chain::imported;
use weft_tests::{Casd, Nginx, Outcome, Port, RealServer, Run, Workbench, tools};

use crate::proxy::{Calls, Fault, Wire};

const DAV: &str = "root FOLDER/files; dav_methods PUT; create_full_put_path on;";

/// Returns a step with another key for each `number`, as one of the build `build`.
fn step(bench: &Workbench, server: &str, build: &str, number: usize) -> Run {
    let options = [server.to_owned(), format!("--remote-salt={number}"), "--stats".to_owned()];
    bench.codegen("a").args(options).variable("WEFT_REMOTE_INVOCATION", build)
}

/// Runs steps of two builds one after the other. Each build says once that the server is down, and
/// all results are right.
fn two_builds_without(bench: &Workbench, server: &str, warning: &str) -> Vec<Outcome> {
    let expected = bench.read("a.ptx");
    let mut outcomes = Vec::new();
    for (build, steps) in [("one", 4), ("two", 2)] {
        let mut warnings = 0;
        for number in 0..steps {
            bench.remove("a.ptx");
            let outcome = step(bench, server, build, number).succeed();
            assert!(bench.read("a.ptx") == expected, "{server}");
            warnings += outcome.stderr.matches(warning).count();
            outcomes.push(outcome);
        }
        assert_eq!(warnings, 1, "{server} {build}");
    }
    outcomes
}

/// A server that accepts connections and says nothing. It counts the connections.
fn silent() -> (TcpListener, u16) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    listener.set_nonblocking(true).unwrap();
    (listener, port)
}

fn connections(listener: &TcpListener) -> usize {
    std::iter::from_fn(|| listener.accept().ok()).count()
}

const CACHE: &str = "warning: going on without the remote cache: ";
const CLUSTER: &str = "warning: cannot run codegen a.linked.bc remotely, running it here";

#[test]
fn a_silent_server_costs_a_build_one_short_wait() {
    let bench = imported();
    bench.codegen("a").succeed();
    for (option, scheme, warning) in [
        ("--remote-cache", "grpc", CACHE),
        ("--remote-cache", "http", CACHE),
        ("--remote-fallback --remote-executor", "grpc", CLUSTER),
    ] {
        let (listener, port) = silent();
        let (first, option) = option.split_once(' ').unwrap_or(("--remote-upload", option));
        let server = format!("{option}={scheme}://127.0.0.1:{port}");
        let run = |build: &str, number| {
            step(&bench, &server, build, number).args([first, "--remote-connect-timeout=1"])
        };
        let outcome = run("one", 0).succeed();
        outcome.says(&[warning, "took longer than 1 s"]);
        // Every attempt at the first call is over: its connection waits to be accepted.
        assert!(connections(&listener) > 0, "{server}");
        for (build, number, warnings) in
            [("one", 1, 0), ("one", 2, 0), ("two", 3, 1), ("two", 4, 0)]
        {
            let outcome = run(build, number).succeed();
            assert_eq!(outcome.stderr.matches(warning).count(), warnings, "{}", outcome.stderr);
            assert_eq!(connections(&listener), 0, "{server} is tried again");
        }
    }
}

#[test]
fn a_dead_server_is_tried_once_and_again_when_its_time_is_over() {
    let bench = imported();
    bench.codegen("a").succeed();
    let nginx_port = Port::take();
    let http = format!("--remote-cache=http://127.0.0.1:{}", nginx_port.number());
    two_builds_without(&bench, &http, CACHE)[0].says(&["refused"]);
    let mut casd = RealServer::start(Casd::Newer);
    let cache = format!("--remote-cache={}", casd.url());
    step(&bench, &cache, "zero", 100).succeed().says(&["misses: new 1"]);
    casd.stop();
    two_builds_without(&bench, &cache, CACHE);
    // The note does not concern other servers.
    let other = RealServer::start(Casd::Older);
    let fine = format!("--remote-cache={}", other.url());
    for said in ["misses: new 1", "1 from a remote cache"] {
        let outcome = step(&bench, &fine, "three", 7).succeed();
        outcome.says(&[said]);
        assert!(!outcome.stderr.contains("warning"), "{}", outcome.stderr);
    }
    // The server is back. It is used as soon as the note is old, and then by all steps.
    casd.restart();
    step(&bench, &cache, "four", 100).succeed().says(&[CACHE, "is down, and tried again later"]);
    age_notes(&bench, "down-");
    for _ in 0..2 {
        let outcome = step(&bench, &cache, "four", 100).succeed();
        outcome.says(&["1 from a remote cache"]);
        assert!(!outcome.stderr.contains("warning"), "{}", outcome.stderr);
    }
}

/// Makes notes an hour old, as if that time had passed.
fn age_notes(bench: &Workbench, kind: &str) {
    let cache = bench.file(".weft-cache/v1");
    let folder = std::fs::read_dir(cache)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.to_string_lossy().contains("servers-"))
        .unwrap();
    let mut aged = 0;
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_name().to_string_lossy().starts_with(kind) {
            let file = std::fs::File::options().write(true).open(entry.path()).unwrap();
            let data = entry.metadata().unwrap();
            file.set_modified(data.modified().unwrap() - std::time::Duration::from_hours(1))
                .unwrap();
            aged += 1;
        }
    }
    assert!(aged > 0, "there is no note {kind}");
}

#[test]
fn a_cluster_without_fall_back_is_always_tried() {
    let bench = imported();
    bench.codegen("a").succeed();
    let mut server = RealServer::start(Casd::Newer);
    let option = format!("--remote-executor={}", server.url());
    server.stop();
    step(&bench, &option, "one", 0).expect(4).says(&["cannot reach grpc://127.0.0.1"]);
    let outcome = step(&bench, &option, "one", 1).arg("--remote-fallback").succeed();
    outcome.says(&[CLUSTER, "is down, and tried again later"]);
    server.restart();
    // The note is in force, but this step has no alternative.
    step(&bench, &option, "one", 2).succeed().says(&["1 run remotely"]);
    // Its answer has removed the note.
    let outcome = step(&bench, &option, "one", 3).arg("--remote-fallback").succeed();
    outcome.says(&["1 run remotely"]);
}

#[test]
fn a_cache_folder_that_cannot_be_used_changes_nothing_but_the_time() {
    let bench = imported();
    bench.codegen("a").succeed();
    let expected = bench.read("a.ptx");
    let port = Port::take();
    let server = format!("--remote-cache=http://127.0.0.1:{}", port.number());
    // A file is where the folder should be, so that not even root can write there.
    bench.write("file", "");
    for number in 0..2 {
        let run = step(&bench, &server, "one", number).arg("--cache-dir=file");
        run.succeed().says(&[CACHE]);
        assert!(bench.read("a.ptx") == expected);
    }
    let nginx = Nginx::start("", DAV, &[]);
    let server = format!("--remote-cache=http://127.0.0.1:{}", nginx.port());
    for said in ["misses: new 1", "1 from a remote cache"] {
        let run = step(&bench, &server, "one", 9).arg("--cache-dir=file");
        run.succeed().says(&[said]);
    }
}

#[test]
fn a_server_that_falls_silent_later_is_noted_too() {
    let bench = imported();
    bench.codegen("a").succeed();
    let server = RealServer::start(Casd::Newer);
    let whole = Wire::new(server.port(), Fault::SilentAfter(u64::MAX));
    step(&bench, &format!("--remote-cache={}", whole.url()), "zero", 50).succeed();
    let wire = Wire::new(server.port(), Fault::SilentAfter(whole.moved() / 2));
    let option = format!("--remote-cache={}", wire.url());
    let run = |number| step(&bench, &option, "one", number).arg("--remote-timeout=1");
    run(51).succeed().says(&[CACHE, "took longer than 1 s"]);
    let moved = wire.moved();
    let outcome = run(52).succeed();
    assert!(!outcome.stderr.contains("warning"), "{}", outcome.stderr);
    assert_eq!(wire.moved(), moved);
}

#[test]
fn many_processes_at_once_send_the_executable_once_and_say_what_is_wrong_once() {
    let bench = imported();
    let server = RealServer::start(Casd::Newer);
    let calls = Calls::new(server.port(), |_, _| false);
    let program = tools().weft("backend-job");
    let job = |number: usize, server: &str| {
        let run = Run::new(&program, bench.path()).args([
            "codegen",
            server,
            "--stats",
            "a.linked.bc",
            "-o",
            &format!("{number}.ptx"),
        ]);
        run.arg(format!("--remote-salt={number}")).variable("WEFT_REMOTE_INVOCATION", "build")
    };
    let all = |server: &str, words: &[&str]| -> Vec<Outcome> {
        std::thread::scope(|scope| {
            let started: Vec<_> = (0..8)
                .map(|number| {
                    let run = job(number, server).args(words.iter().copied());
                    scope.spawn(move || run.succeed())
                })
                .collect();
            started.into_iter().map(|job| job.join().unwrap()).collect()
        })
    };
    all(&format!("--remote-executor={}", calls.url()), &[]);
    let writes = calls.names().iter().filter(|name| *name == "Write").count();
    assert_eq!(writes, 1, "{:?}", calls.names());
    let executions = calls.names().iter().filter(|name| *name == "Execute").count();
    assert_eq!(executions, 8);
    let (_listener, port) = silent();
    let outcomes =
        all(&format!("--remote-cache=grpc://127.0.0.1:{port}"), &["--remote-connect-timeout=1"]);
    let warnings: usize =
        outcomes.iter().map(|outcome| outcome.stderr.matches(CACHE).count()).sum();
    assert_eq!(warnings, 1);
}
