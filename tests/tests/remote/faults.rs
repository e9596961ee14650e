//! Faults between the client and a worker: each case ends with the right result or a clear error,
//! and no wrong byte becomes a result.

use std::path::PathBuf;
use std::time::Duration;

use weft_remote::{Remote, RemoteAction, RemoteError, RemoteResult, Settings};
use weft_tests::{Casd, RealServer};

use crate::proxy::{Calls, Fault, Wire};
use crate::support::{cache, connect, execute, executor, file, noise, out, running, script};

/// Returns an action whose result is known to the test, but to no server yet.
fn fresh(salt: &(impl ToString + ?Sized)) -> RemoteAction {
    RemoteAction { salt: salt.to_string().into_bytes(), ..script("cat in in > out", b"content") }
}

fn is_right(result: &RemoteResult) -> bool {
    out(result) == b"contentcontent"
}

/// Returns the path of the file in which a server keeps a blob. The path ends with the hash,
/// divided by slashes.
fn blob(server: &RealServer, content: &[u8]) -> PathBuf {
    let hash = weft_remote::digest::DigestFunction::Sha256.digest(content).hex();
    let is_it = |path: &PathBuf| path.to_string_lossy().replace('/', "").ends_with(&hash);
    server.blobs().into_iter().find(is_it).unwrap_or_else(|| panic!("{hash} is not stored"))
}

#[test]
fn a_connection_cut_anywhere_costs_an_attempt() {
    let server = RealServer::start(Casd::Newer);
    // This run measures all traffic of one action, from the first byte to the last.
    let whole = Wire::new(server.port(), Fault::CutAt(u64::MAX));
    assert!(is_right(&execute(&connect(&executor(&whole.url())), &fresh("whole")).unwrap()));
    let step = whole.moved() / 24;
    for place in (1..whole.moved()).step_by(usize::try_from(step).unwrap()) {
        let wire = Wire::new(server.port(), Fault::CutAt(place));
        let remote = connect(&executor(&wire.url()));
        let result = execute(&remote, &fresh(&place));
        assert!(is_right(&result.unwrap_or_else(|error| panic!("cut at {place}: {error}"))));
    }
}

#[test]
fn large_transfers_go_on_where_they_were_cut() {
    let server = RealServer::start(Casd::Newer);
    let input = noise(11, 8_000_000);
    let mut action = script("cat in > out", &input);
    for place in [3_000_000, 9_000_000, 13_000_000] {
        action.salt = place.to_string().into_bytes();
        action.inputs = vec![file("in", &noise(place, 8_000_000))];
        let wire = Wire::new(server.port(), Fault::CutAt(place));
        let result = execute(&connect(&executor(&wire.url())), &action);
        let result = result.unwrap_or_else(|error| panic!("cut at {place}: {error}"));
        assert!(out(&result) == noise(place, 8_000_000));
    }
}

#[test]
fn a_wrong_byte_is_never_part_of_a_result() {
    let server = RealServer::start(Casd::Newer);
    let content = noise(13, 40_000);
    let action = fresh("wrong");
    let outputs = vec![("out".to_owned(), content.clone())];
    let stored = RemoteResult { outputs, ..RemoteResult::default() };
    connect(&cache(&server.url())).store(&action, &stored).unwrap();
    let hasty = |url: &str| Settings { retries: 2, timeout: Duration::from_secs(2), ..cache(url) };
    let (mut right, mut errors) = (0, 0);
    for place in (9..42_000).step_by(1_400) {
        let wire = Wire::new(server.port(), Fault::WrongAt(place));
        match Remote::connect(&hasty(&wire.url())).and_then(|remote| remote.lookup(&action)) {
            Ok(Some(result)) => {
                assert!(out(&result) == content, "wrong at {place}");
                right += 1;
            }
            Ok(None) => {}
            Err(error) => {
                assert!(error.to_string().contains("127.0.0.1"), "{error}");
                errors += 1;
            }
        }
    }
    // Most of the bytes are content, which the client requests again.
    assert!(right > 20, "{right} right, {errors} errors");
}

#[test]
fn a_poisoned_store_is_found_out() {
    for casd in Casd::ALL {
        let server = RealServer::start(casd);
        let remote = connect(&cache(&server.url()));
        for size in [1_000, 5_000_000] {
            let action = fresh(&size);
            let content = noise(size, usize::try_from(size).unwrap());
            let outputs = vec![("out".to_owned(), content.clone())];
            let stored = RemoteResult { outputs, ..RemoteResult::default() };
            remote.store(&action, &stored).unwrap();
            let path = blob(&server, &content);
            let mut poison = content;
            poison[500] ^= 1;
            // The existing file is removed first, as the server may protect it.
            std::fs::remove_file(&path).unwrap();
            std::fs::write(&path, poison).unwrap();
            let hasty = Settings { retries: 1, ..cache(&server.url()) };
            let error = connect(&hasty).lookup(&action).unwrap_err();
            assert!(matches!(error, RemoteError::Corrupt { .. }), "{casd:?} {error}");
            assert!(error.to_string().contains(" sent wrong content for "), "{error}");
        }
    }
}

#[test]
fn unavailable_now_and_then_is_no_failure() {
    for casd in Casd::ALL {
        let server = RealServer::start(casd);
        let calls = Calls::new(server.port(), |_, number| number % 20 == 3);
        let remote = connect(&executor(&calls.url()));
        for index in 0..25 {
            assert!(is_right(&execute(&remote, &fresh(&index)).unwrap()));
        }
        assert!(calls.refused() >= 4, "{} of {}", calls.refused(), calls.names().len());
    }
}

#[test]
fn a_server_that_is_never_available_is_an_error_that_names_it() {
    let server = RealServer::start(Casd::Newer);
    let calls = Calls::new(server.port(), |name, _| name == "Execute");
    let remote = connect(&Settings { retries: 2, ..executor(&calls.url()) });
    let text = execute(&remote, &fresh("never")).unwrap_err().to_string();
    assert!(text.starts_with("grpc://127.0.0.1:"), "{text}");
    assert!(text.contains(" could not run the action: refused by the test"), "{text}");
    assert_eq!(calls.names().iter().filter(|name| *name == "Execute").count(), 3);
    let calls = Calls::new(server.port(), |name, _| name == "GetActionResult");
    let remote = connect(&Settings { retries: 1, ..executor(&calls.url()) });
    let text = remote.lookup(&fresh("never")).unwrap_err().to_string();
    assert!(text.starts_with("grpc://127.0.0.1:"), "{text}");
    assert!(text.contains(": GetActionResult failed: refused"), "{text}");
}

#[test]
fn evicted_blobs_are_sent_again() {
    for casd in Casd::ALL {
        let server = RealServer::start(casd);
        let remote = connect(&executor(&server.url()));
        let shared = noise(17, 10_000);
        let with_shared = |salt: &str| {
            let mut action = fresh(salt);
            action.inputs.push(file("shared", &shared));
            action.arguments[2] = "set -e; cat shared > seen; cat in in > out".to_owned();
            action
        };
        assert!(is_right(&execute(&remote, &with_shared("one")).unwrap()));
        // The client knows that the server received the blob, and so does not ask again.
        std::fs::remove_file(blob(&server, &shared)).unwrap();
        let result = execute(&remote, &with_shared("two"));
        let result = result.unwrap_or_else(|error| panic!("{casd:?}: {error}\n{}", server.log()));
        assert!(is_right(&result));
        blob(&server, &shared);
    }
}

#[test]
fn outputs_that_are_gone_are_made_again() {
    for casd in Casd::ALL {
        let server = RealServer::start(casd);
        let remote = connect(&executor(&server.url()));
        let action = fresh("gone");
        assert!(is_right(&execute(&remote, &action).unwrap()));
        std::fs::remove_file(blob(&server, b"contentcontent")).unwrap();
        assert!(remote.lookup(&action).unwrap().is_none(), "{casd:?}");
        assert!(is_right(&execute(&remote, &action).unwrap()));
    }
}

#[test]
fn a_worker_killed_in_the_middle_is_replaced() {
    for casd in Casd::ALL {
        let server = RealServer::start(casd);
        let remote = connect(&executor(&server.url()));
        // The mark is used to find the process among all processes.
        let mark = format!("4.0{}", server.id());
        let mut action = fresh("killed");
        action.arguments =
            vec!["/bin/sh".to_owned(), "-c".to_owned(), format!("sleep {mark}; cat in in > out")];
        let result = std::thread::scope(|scope| {
            let call = scope.spawn(|| execute(&remote, &action));
            let processes = running(&mark);
            // The processes are the runner, its sandbox and all below it.
            for process in processes {
                weft_tests::Run::new("kill", "/").args(["-KILL", &process]).outcome();
            }
            call.join().unwrap()
        });
        match result {
            // The death of a sandbox may look like the failure of the command. That is a result,
            // but not a right one.
            Ok(result) => assert!(result.exit_code != 0 || is_right(&result), "{casd:?}"),
            Err(error) => assert!(error.to_string().contains("127.0.0.1"), "{casd:?} {error}"),
        }
        // No trace of the failure remains, and the same action works now.
        assert!(is_right(&execute(&remote, &action).unwrap()), "{casd:?}");
    }
}

#[test]
fn a_server_that_starts_anew_in_the_middle_gets_the_action_again() {
    for casd in Casd::ALL {
        let mut server = RealServer::start(casd);
        let remote = connect(&executor(&server.url()));
        let mark = format!("3.0{}", server.id());
        let mut action = fresh("restart");
        action.arguments =
            vec!["/bin/sh".to_owned(), "-c".to_owned(), format!("sleep {mark}; cat in in > out")];
        let result = std::thread::scope(|scope| {
            let call = scope.spawn(|| execute(&remote, &action));
            running(&mark);
            server.restart();
            call.join().unwrap()
        });
        let result = result.unwrap_or_else(|error| panic!("{casd:?}: {error}\n{}", server.log()));
        assert!(is_right(&result) && !result.served_from_cache);
    }
}

#[test]
fn a_slow_server_is_waited_for_and_a_silent_one_is_not() {
    let server = RealServer::start(Casd::Newer);
    let wire = Wire::new(server.port(), Fault::Slow(Duration::from_millis(40)));
    let remote = connect(&executor(&wire.url()));
    assert!(is_right(&execute(&remote, &fresh("slow")).unwrap()));
    // The client asks about a silent execution, and the silence is no failure as long as the server
    // answers.
    let calls = Calls::new(server.port(), |_, _| false);
    let patient =
        connect(&Settings { timeout: Duration::from_millis(700), ..executor(&calls.url()) });
    let mut long = fresh("long");
    long.arguments[2] = "sleep 2; cat in in > out".to_owned();
    assert!(is_right(&execute(&patient, &long).unwrap()));
    assert!(calls.names().iter().any(|name| name == "WaitExecution"), "{:?}", calls.names());
    let hasty =
        |url: &str| Settings { timeout: Duration::from_millis(500), retries: 1, ..executor(url) };
    for place in [0, 2_000] {
        let wire = Wire::new(server.port(), Fault::SilentAfter(place));
        let result = Remote::connect(&hasty(&wire.url()))
            .and_then(|remote| execute(&remote, &fresh("silent")));
        let error = result.unwrap_err();
        assert!(
            matches!(error, RemoteError::Timeout { .. } | RemoteError::Unreachable { .. }),
            "{error}"
        );
    }
}
