//! Measures the client's cost of a remote action. `cargo xtask bench remote` runs this program and
//! reads its last lines. The server is a real one on this machine.

use std::time::Instant;

use weft_remote::{Remote, RemoteAction, RemoteError, RemoteInput, Settings};
use weft_tests::{Casd, RealServer};

/// Number of actions of each kind. They run one after the other, so that none waits for another.
const ACTIONS: u32 = 200;

fn action(number: u32) -> RemoteAction {
    let input = |path: &str, content: Vec<u8>, executable| RemoteInput {
        path: path.to_owned(),
        content: content.into(),
        executable,
    };
    RemoteAction {
        arguments: ["/bin/sh", "-c", "cat in > out"].map(str::to_owned).into(),
        inputs: vec![
            input("in", format!("input {number}").into_bytes(), false),
            // The input is as large as a small executable that an action sends along.
            input("bin/tool", vec![7; 2_000_000], true),
        ],
        outputs: vec!["out".to_owned()],
        ..RemoteAction::default()
    }
}

/// Returns the milliseconds of each action, and the number of calls over the network for all
/// actions.
fn run(remote: &Remote) -> Result<(Vec<f64>, u64), RemoteError> {
    let before = remote.traffic().calls;
    let mut milliseconds = Vec::new();
    for number in 0..ACTIONS {
        let action = action(number);
        #[expect(clippy::disallowed_methods, reason = "a benchmark sees the clock")]
        let start = Instant::now();
        remote.execute(&action, &|_| {})?;
        milliseconds.push(start.elapsed().as_secs_f64() * 1000.0);
    }
    milliseconds.sort_by(f64::total_cmp);
    Ok((milliseconds, remote.traffic().calls - before))
}

fn main() -> Result<(), RemoteError> {
    let server = RealServer::start(Casd::Newer);
    let settings = Settings { executor: Some(server.url()), ..Settings::default() };
    let (new, calls) = run(&Remote::connect(&settings)?)?;
    // Another client has to ask which blobs the server has.
    let (known, known_calls) = run(&Remote::connect(&settings)?)?;
    let middle = ACTIONS as usize / 2;
    println!("run by the server     {:8.2} ms, {calls} calls for {ACTIONS}", new[middle]);
    println!("known to the server   {:8.2} ms, {known_calls} calls for {ACTIONS}", known[middle]);
    println!("overhead_ms_per_action {}", known[middle]);
    println!("calls {calls}");
    println!("actions {ACTIONS}");
    Ok(())
}
