//! The labels of calls, by which a cluster's pages show one build, and what a hit sends.

use bazel_remote_apis::build::bazel::remote::execution::v2::{ExecuteRequest, RequestMetadata};
use prost::Message;
use weft_remote::{RemoteAction, Settings};
use weft_tests::chain::imported;
use weft_tests::{Casd, RealServer, Run, tools};

use crate::proxy::{Calls, Seen};
use crate::support::{connect, execute, executor, noise, out, script};

/// Decodes Base64.
fn decoded(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => panic!("{text} is no Base64"),
    };
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for letter in text.trim_end_matches('=').bytes() {
        bits = bits << 6 | u32::from(value(letter));
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff).try_into().unwrap());
        }
    }
    bytes
}

fn labels(call: &Seen) -> RequestMetadata {
    RequestMetadata::decode(decoded(&call.labels).as_slice()).unwrap()
}

/// Returns the different values of a label, in their order.
fn values(calls: &[Seen], of: fn(RequestMetadata) -> String) -> Vec<String> {
    let mut values: Vec<String> = calls.iter().map(|call| of(labels(call))).collect();
    values.sort();
    values.dedup();
    values
}

#[test]
fn a_build_is_one_invocation_on_the_wire() {
    let bench = imported();
    let server = RealServer::start(Casd::Newer);
    let program = tools().weft("backend-job").display().to_string();
    let make = |url: &str, words: &str, options: &[&str]| {
        let options_of_step = format!("--cache=off --remote-executor={url} {words}");
        let mut makefile = "all: 1.ptx 2.ptx 3.ptx\n".to_owned();
        for number in 1..=3 {
            let rule = format!(
                "{number}.ptx:\n\tcd . && {program} codegen {options_of_step} \
                 --remote-salt={number} a.linked.bc -o $@\n"
            );
            makefile += &rule;
            drop(std::fs::remove_file(bench.file(&format!("{number}.ptx"))));
        }
        bench.write("Makefile", makefile);
        Run::new("/usr/bin/make", bench.path()).args(options.iter().copied()).succeed();
    };
    let mut builds = Vec::new();
    // With and without a jobserver, and with a name of the build system's own.
    for (words, options) in
        [("", &["-j2"][..]), ("", &["-j2"]), ("", &[]), ("--remote-invocation=mine", &["-j2"])]
    {
        let calls = Calls::new(server.port(), |_, _| false);
        make(&calls.url(), words, options);
        let seen = calls.seen();
        let ids = values(&seen, |labels| labels.tool_invocation_id);
        assert_eq!(ids.len(), 1, "{words} {options:?}: {ids:?}");
        builds.extend(ids);
        let mut asked = seen.clone();
        asked.retain(|call| call.name == "GetActionResult");
        let actions = values(&asked, |labels| labels.action_id);
        assert_eq!(actions.len(), 3, "{actions:?}");
        assert!(actions.iter().all(|action| action.len() == 64), "{actions:?}");
        assert_eq!(values(&asked, |labels| labels.target_id), ["a.linked.bc"]);
        assert_eq!(values(&asked, |labels| labels.action_mnemonic), ["codegen"]);
    }
    assert_eq!(builds[3], "mine");
    builds.sort();
    builds.dedup();
    assert_eq!(builds.len(), 4, "{builds:?}");
}

#[test]
fn a_hit_is_asked_for_first_and_sends_no_input() {
    for casd in Casd::ALL {
        let server = RealServer::start(casd);
        let mut action = script("cat in > out", b"");
        action.inputs = vec![crate::support::file("in", &noise(29, 400_000))];
        let first = execute(&connect(&executor(&server.url())), &action).unwrap();
        let calls = Calls::new(server.port(), |_, _| false);
        let again = execute(&connect(&executor(&calls.url())), &action).unwrap();
        assert!(again.served_from_cache && out(&again) == out(&first));
        let names = calls.names();
        assert_eq!(names[..2], ["GetCapabilities", "GetActionResult"], "{casd:?}");
        assert!(!names.iter().any(|name| name == "Execute" || name == "FindMissingBlobs"));
        assert!(again.traffic.bytes_up < 1_000, "{:?}", again.traffic);
    }
}

#[test]
fn calls_carry_the_priority_of_the_build() {
    let server = RealServer::start(Casd::Newer);
    for priority in [0, -3] {
        let calls = Calls::new(server.port(), |_, _| false);
        let settings = Settings { priority, ..executor(&calls.url()) };
        let action = RemoteAction { do_not_cache: true, ..script("cat in > out", b"text") };
        assert_eq!(out(&execute(&connect(&settings), &action).unwrap()), b"text");
        let message = calls.seen().into_iter().find_map(|call| call.execution).unwrap();
        let request = ExecuteRequest::decode(message).unwrap();
        let execution = request.execution_policy.map(|policy| policy.priority);
        let results = request.results_cache_policy.map(|policy| policy.priority);
        let expected = (priority != 0).then_some(priority);
        assert_eq!((execution, results), (expected, expected));
    }
}
