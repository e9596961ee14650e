//! Loss of each call of the protocol, in each way.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use weft_remote::{RemoteAction, RemoteResult};
use weft_tests::{Casd, RealServer};

use crate::proxy::{Calls, Fate};
use crate::support::{connect, execute, executor, file, noise, script};

/// Makes all calls of a build: an execution whose inputs and outputs are small and large, its
/// result from the cache, and a result that is stored and found.
fn everything(url: &str, salt: &str) {
    let remote = connect(&executor(url));
    let large = noise(
        salt.bytes().fold(7_u64, |seed, byte| seed.wrapping_mul(31) + u64::from(byte)),
        4_500_000,
    );
    let mut action = script("cat large > out; cat in > other", salt.as_bytes());
    action.inputs.push(file("large", &large));
    action.outputs.push("other".to_owned());
    action.salt = salt.as_bytes().to_vec();
    let expected = vec![("out".to_owned(), large), ("other".to_owned(), salt.as_bytes().to_vec())];
    assert!(execute(&remote, &action).unwrap().outputs == expected, "{salt}");
    assert!(remote.lookup(&action).unwrap().unwrap().outputs == expected, "{salt}");
    let stored = RemoteAction { salt: format!("{salt} stored").into(), ..action };
    let result = RemoteResult { outputs: expected, ..RemoteResult::default() };
    remote.store(&stored, &result).unwrap();
    assert!(remote.lookup(&stored).unwrap().unwrap().outputs == result.outputs, "{salt}");
}

#[test]
fn each_call_may_be_lost_once_in_each_way() {
    let server = RealServer::start(Casd::Newer);
    let whole = Calls::new(server.port(), |_, _| false);
    everything(&whole.url(), "whole");
    let mut names = whole.names();
    names.sort();
    names.dedup();
    let expected = [
        "BatchReadBlobs",
        "BatchUpdateBlobs",
        "Execute",
        "FindMissingBlobs",
        "GetActionResult",
        "GetCapabilities",
        "Read",
        "UpdateActionResult",
        "Write",
    ];
    assert_eq!(names, expected);
    for name in expected {
        for fate in [Fate::Refused, Fate::Dropped, Fate::Unanswered] {
            let has_happened = Arc::new(AtomicBool::new(false));
            let happened = Arc::clone(&has_happened);
            let fates = move |call: &str, _| {
                if call == name && !happened.swap(true, Ordering::SeqCst) {
                    return fate;
                }
                Fate::Good
            };
            let calls = Calls::with(server.port(), Arc::new(fates));
            everything(&calls.url(), &format!("{name} {fate:?}"));
            assert!(has_happened.load(Ordering::SeqCst), "{name} was not called");
            assert!(
                calls.names().iter().filter(|call| *call == name).count() > 1,
                "{name} {fate:?}"
            );
        }
    }
}
