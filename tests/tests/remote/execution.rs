//! Execution on real servers.

use std::cell::RefCell;
use std::time::Duration;

use weft_remote::{Progress, RemoteAction, RemoteError};
use weft_tests::{Casd, RealServer};

use crate::support::{connect, execute, executor, file, noise, out, running, script};

#[test]
fn an_action_sees_its_inputs_and_gives_its_outputs() {
    for casd in Casd::ALL {
        let server = RealServer::start(casd);
        let remote = connect(&executor(&server.url()));
        assert!(remote.executes() && remote.warnings().is_empty());
        let mut action = script(
            "set -e; ls -d deep/er empty in link > out; cat deep/er/file link >> out; ./tool; \
             echo said; echo complained >&2; printf '%s' \"$A\" > other",
            b"content\n",
        );
        action.environment.push(("A".to_owned(), "värde".to_owned()));
        action.inputs.push(file("deep/er/file", b"deep\n"));
        action.inputs.push(weft_remote::RemoteInput {
            executable: true,
            ..file("tool", b"#!/bin/sh\necho tool >> out\n")
        });
        action.directories.push("empty".to_owned());
        action.symlinks.push(("link".to_owned(), "deep/er/file".to_owned()));
        action.outputs.push("other".to_owned());
        let stages = RefCell::new(Vec::new());
        let result = remote.execute(&action, &|stage| stages.borrow_mut().push(stage)).unwrap();
        let listing = "deep/er\nempty\nin\nlink\n";
        let text = String::from_utf8_lossy(out(&result)).into_owned();
        assert_eq!(text, format!("{listing}deep\ndeep\ntool\n"), "{casd:?}");
        assert_eq!(result.outputs[1], ("other".to_owned(), "värde".as_bytes().to_vec()));
        assert_eq!((result.stdout, result.stderr), (b"said\n".into(), b"complained\n".into()));
        assert_eq!((result.exit_code, result.served_from_cache), (0, false));
        assert_eq!(stages.borrow()[0], Progress::LookingUp);
        assert!(matches!(stages.borrow()[1], Progress::Uploading { bytes } if bytes > 100));
        // The server has the result now, and no blob is sent twice.
        let again = execute(&remote, &action).unwrap();
        assert!(again.served_from_cache && again.outputs == result.outputs);
        assert!(again.traffic.bytes_up < result.traffic.bytes_up / 2, "{:?}", again.traffic);
        let looked_up = remote.lookup(&action).unwrap().unwrap();
        assert!(looked_up.served_from_cache && looked_up.outputs == result.outputs);
    }
}

#[test]
fn a_command_that_fails_is_a_result_and_no_cached_one() {
    for casd in Casd::ALL {
        let server = RealServer::start(casd);
        let remote = connect(&executor(&server.url()));
        let action = script("echo reason >&2; exit 7", b"");
        let result = execute(&remote, &action).unwrap();
        assert_eq!((result.exit_code, result.stderr.as_slice()), (7, &b"reason\n"[..]));
        // casd has stored the failure, which the client does not accept as a result.
        assert!(remote.lookup(&action).unwrap().is_none());
        assert!(!execute(&remote, &action).unwrap().served_from_cache);
    }
}

#[test]
fn large_blobs_go_in_pieces() {
    for casd in Casd::ALL {
        let server = RealServer::start(casd);
        let remote = connect(&executor(&server.url()));
        let input = noise(7, 9_000_001);
        let action = script("cat in in > out", &input);
        let result = execute(&remote, &action).unwrap();
        assert!(out(&result) == [input.clone(), input].concat());
        assert!(result.traffic.bytes_down > 18_000_000);
    }
}

#[test]
fn uncached_and_salted_actions_are_actions_of_their_own() {
    let server = RealServer::start(Casd::Newer);
    let remote = connect(&executor(&server.url()));
    let plain = script("date +%N > out", b"");
    let uncached = RemoteAction { do_not_cache: true, ..plain.clone() };
    let salted = RemoteAction { salt: b"salt".to_vec(), ..plain.clone() };
    let first = execute(&remote, &plain).unwrap();
    assert!(!execute(&remote, &salted).unwrap().served_from_cache);
    let one = execute(&remote, &uncached).unwrap();
    let other = execute(&remote, &uncached).unwrap();
    assert!(!one.served_from_cache && !other.served_from_cache && out(&one) != out(&other));
    assert!(remote.lookup(&uncached).unwrap().is_none());
    assert_eq!(out(&execute(&remote, &plain).unwrap()), out(&first));
}

#[test]
fn an_action_that_takes_too_long_is_ended_there_or_here() {
    let server = RealServer::start(Casd::Newer);
    let remote = connect(&executor(&server.url()));
    let mut action = script("sleep 30; echo late > out", b"");
    action.timeout = Some(Duration::from_secs(1));
    let error = execute(&remote, &action).unwrap_err();
    assert!(matches!(error, RemoteError::Execution { .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains(" could not run the action: ") && text.contains("time limit"), "{text}");
    let hasty = connect(&weft_remote::Settings {
        deadline: Some(Duration::from_secs(1)),
        ..executor(&server.url())
    });
    action.timeout = None;
    let error = execute(&hasty, &action).unwrap_err();
    assert!(matches!(error, RemoteError::Deadline { .. }), "{error}");
    assert!(error.to_string().contains("took longer than 1 s, and no worker"), "{error}");
}

#[test]
fn canceling_ends_what_waits() {
    let server = RealServer::start(Casd::Newer);
    let remote = connect(&executor(&server.url()));
    let mark = format!("31.0{}", server.id());
    let action = script(&format!("sleep {mark}; echo late > out"), b"");
    std::thread::scope(|scope| {
        let call = scope.spawn(|| execute(&remote, &action));
        running(&mark);
        remote.cancel();
        assert!(matches!(call.join().unwrap(), Err(RemoteError::Cancelled)));
    });
    let later = remote.lookup(&action).unwrap_err();
    assert!(matches!(later, RemoteError::Cancelled), "{later}");
    assert_eq!(later.to_string(), "the remote call was cancelled");
}

#[test]
fn two_hundred_jobs_at_once_all_end_right() {
    let server = RealServer::start(Casd::Newer);
    let remote = connect(&executor(&server.url()));
    let shared = noise(1, 300_000);
    std::thread::scope(|scope| {
        for index in 0..200 {
            let (remote, shared) = (&remote, &shared);
            scope.spawn(move || {
                // The threads run forty different actions, five times each.
                let mut action = script("cat in > out", format!("{}", index % 40).as_bytes());
                action.inputs.push(file("shared", shared));
                let result = execute(remote, &action).unwrap();
                assert_eq!(out(&result), format!("{}", index % 40).as_bytes());
            });
        }
    });
    let traffic = remote.traffic();
    assert!(
        traffic.bytes_up < 2 * 300_000,
        "the shared input was sent more than once: {traffic:?}"
    );
}
