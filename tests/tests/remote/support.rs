//! Actions and settings that the tests share.

use std::time::Duration;

use weft_remote::{
    Progress, Remote, RemoteAction, RemoteError, RemoteInput, RemoteResult, Settings,
};

/// Returns an action that runs a shell script, with the file `in` as input and `out` as output. The
/// shell is the worker's: the server shows its system folders to actions.
pub(crate) fn script(text: &str, input: &[u8]) -> RemoteAction {
    RemoteAction {
        arguments: ["/bin/sh", "-c", text].map(str::to_owned).into(),
        environment: vec![("PATH".to_owned(), "/usr/bin:/bin".to_owned())],
        inputs: vec![file("in", input)],
        outputs: vec!["out".to_owned()],
        ..RemoteAction::default()
    }
}

pub(crate) fn file(path: &str, content: &[u8]) -> RemoteInput {
    RemoteInput { path: path.to_owned(), content: content.into(), executable: false }
}

/// Returns settings for a server that executes actions.
pub(crate) fn executor(url: &str) -> Settings {
    let executor = Some(url.to_owned());
    Settings { executor, timeout: Duration::from_secs(20), ..Settings::default() }
}

/// Returns settings for a server that is used as a cache only.
pub(crate) fn cache(url: &str) -> Settings {
    let cache = Some(url.to_owned());
    Settings { cache, timeout: Duration::from_secs(20), ..Settings::default() }
}

pub(crate) fn connect(settings: &Settings) -> Remote {
    Remote::connect(settings).unwrap_or_else(|error| panic!("cannot connect: {error}"))
}

/// Executes an action and ignores its progress.
pub(crate) fn execute(remote: &Remote, action: &RemoteAction) -> Result<RemoteResult, RemoteError> {
    remote.execute(action, &|_: Progress| {})
}

/// Returns the content of the output `out`.
pub(crate) fn out(result: &RemoteResult) -> &[u8] {
    let output = result.outputs.iter().find(|(path, _)| path == "out");
    let messages = String::from_utf8_lossy(&result.stderr);
    output.map_or_else(
        || panic!("no output, code {}: {messages}", result.exit_code),
        |(_, content)| content,
    )
}

/// Returns bytes that hardly compress, which the seed determines.
pub(crate) fn noise(seed: u64, size: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    std::iter::repeat_with(&mut next).flatten().take(size).collect()
}

/// Waits until a process that has `mark` in its command line runs on this machine, in the innermost
/// of the sandboxes. Returns the ids of all processes with the mark, as decimal numbers.
pub(crate) fn running(mark: &str) -> Vec<String> {
    for _ in 0..2_000 {
        let processes: Vec<(String, String)> = std::fs::read_dir("/proc")
            .unwrap()
            .flatten()
            .filter_map(|entry| {
                let line = std::fs::read(entry.path().join("cmdline")).ok()?;
                let line = String::from_utf8_lossy(&line).into_owned();
                line.contains(mark)
                    .then(|| (entry.file_name().to_string_lossy().into_owned(), line))
            })
            .collect();
        if processes.iter().any(|(_, line)| line.starts_with("sleep")) {
            return processes.into_iter().map(|(process, _)| process).collect();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("no process with {mark} ever ran")
}
