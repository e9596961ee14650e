//! Servers without room: what they refuse is not sent again and again, and their results are used.

use std::sync::Arc;

use weft_tests::chain::imported;
use weft_tests::{Casd, RealServer, Run, Workbench};

use crate::proxy::{Calls, Fate};

const NO_ROOM: &str = "has no room for content";

/// Starts a proxy before a server that refuses these calls for want of room.
fn full(server: &RealServer, refused: &'static [&'static str]) -> Calls {
    let fates = |name: &str, _| if refused.contains(&name) { Fate::Exhausted } else { Fate::Good };
    Calls::with(server.port(), Arc::new(fates))
}

/// Returns a step with another key for each `number`, as one of the build `build`.
fn step(bench: &Workbench, server: &str, build: &str, number: usize) -> Run {
    let options = [server.to_owned(), format!("--remote-salt={number}"), "--stats".to_owned()];
    bench.codegen("a").args(options).variable("WEFT_REMOTE_INVOCATION", build)
}

#[test]
fn a_cluster_without_room_is_sent_an_executable_once() {
    let bench = imported();
    bench.codegen("a").succeed();
    let expected = bench.read("a.ptx");
    let server = RealServer::start(Casd::Newer);
    for (round, refused) in [&["Write"][..], &["Write", "BatchUpdateBlobs"]].into_iter().enumerate()
    {
        let calls = full(&server, refused);
        let executor = format!("--remote-executor={}", calls.url());
        let mut warnings = 0;
        for number in 0..4 {
            bench.remove("a.ptx");
            let step = step(&bench, &executor, "one", 10 * round + number).arg("--remote-fallback");
            warnings += step.succeed().stderr.matches(NO_ROOM).count();
            assert!(bench.read("a.ptx") == expected, "{refused:?}");
        }
        assert_eq!((warnings, calls.refused()), (1, 1), "{refused:?}: {:?}", calls.names());
        let alone = step(&bench, &executor, "two", 10 * round + 5).expect(4);
        alone.says(&["has no room for content", "refused by the test"]);
    }
}

#[test]
fn a_cache_without_room_still_has_its_results() {
    let bench = imported();
    let server = RealServer::start(Casd::Newer);
    let open = format!("--remote-cache={}", server.url());
    step(&bench, &open, "zero", 1).succeed().says(&["misses: new 1"]);
    let calls = full(&server, &["Write", "BatchUpdateBlobs", "UpdateActionResult"]);
    let cache = format!("--remote-cache={}", calls.url());
    for (number, hits, warnings) in [(2, 0, 1), (1, 1, 0), (3, 0, 0), (4, 0, 0)] {
        let outcome = step(&bench, &cache, "one", number).succeed();
        assert_eq!(outcome.stderr.matches("1 from a remote cache").count(), hits, "{number}");
        assert_eq!(outcome.stderr.matches(NO_ROOM).count(), warnings, "{}", outcome.stderr);
        assert_eq!(calls.refused(), 1, "{:?}", calls.names());
    }
}
