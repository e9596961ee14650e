//! Bazel with remote execution on a real REAPI server: no action runs on this machine, the image
//! equals that of the demo, and neither `bazel clean` nor another checkout reruns an action.

use weft_tests::bazel::{Spawn, Workspace};
use weft_tests::{Casd, RealServer, reference};

const TARGETS: [&str; 2] = ["//:transport", "--output_groups=+weft_image"];

/// Returns a workspace with the example, whose actions run on the server. All options are Bazel's
/// own.
fn checkout(server: &RealServer) -> Workspace {
    let options = [
        format!("build --remote_executor={}", server.url()),
        "build --spawn_strategy=remote --genrule_strategy=remote".to_owned(),
    ];
    Workspace::with_options("examples/transport", &options)
}

/// Returns runner and message of each action that had a runner other than `runner`.
fn with_another_runner<'a>(spawns: &'a [Spawn], runner: &str) -> Vec<(&'a str, &'a str)> {
    let others = spawns.iter().filter(|spawn| spawn.runner != runner);
    others.map(|spawn| (spawn.runner.as_str(), spawn.message.as_str())).collect()
}

#[test]
fn all_actions_run_on_a_server_once_whatever_the_checkout() {
    let server = RealServer::start(Casd::Older);
    let first = checkout(&server);
    let ran = first.build(&TARGETS);
    assert_eq!(with_another_runner(&ran, "remote"), [], "first build");
    // The toolchain of the rules for C++, which links, names its programs by absolute paths.
    for spawn in ran.iter().filter(|spawn| spawn.mnemonic.starts_with("Weft")) {
        spawn.check_relative();
    }
    let image = "_weft/transport_units/sm_90/image.cubin";
    assert!(first.output(image) == reference::transport_image(), "the image is not the demo's");
    first.program("transport");

    first.run("clean", &[]).succeed();
    let again = first.build(&TARGETS);
    assert_eq!(with_another_runner(&again, "remote cache hit"), [], "after bazel clean");
    assert_eq!(again.len(), ran.len());

    let second = checkout(&server);
    let other = second.build(&TARGETS);
    assert_eq!(with_another_runner(&other, "remote cache hit"), [], "in another folder");
    assert_eq!(other.len(), ran.len());
    assert!(second.output(image) == first.output(image));
}
