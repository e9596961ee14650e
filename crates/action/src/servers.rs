//! Results from other machines: a remote cache, or a cluster that runs the action.
//!
//! No connection is made and no file is read before the first action that may go there.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use weft_remote::{
    Content, KnownFile, Remote, RemoteAction, RemoteError, RemoteInput, RemoteResult, Traffic,
};

use crate::action::{Action, Outcome, messages};
use crate::memory::memory_for;
use crate::progress::Progress;
use crate::run_here::ActionError;
use crate::settings::RemoteSettings;
use crate::size::Size;
use crate::store::Store;
use crate::time_limit::TimeLimit;
use crate::tool_digest;

/// Exit code of a command that SIGKILL ended, which is how systems and containers end a process
/// that takes too much memory.
const KILLED: i32 = 137;
/// Exit code by which Weft's executables say that an input is wrong.
const WRONG_INPUT: i32 = 3;

/// The servers of one process.
#[derive(Debug)]
pub(crate) struct Servers {
    settings: RemoteSettings,
    connection: OnceLock<Result<Remote, RemoteError>>,
    /// Whether a server has failed and gets no more calls: the next action would wait in vain, too.
    is_given_up: AtomicBool,
    programs: Mutex<BTreeMap<PathBuf, Arc<KnownFile>>>,
    /// Store in which digests of programs are noted for other processes.
    notes: Option<Store>,
}

/// A result from another machine.
pub(crate) struct RemoteOutcome {
    pub(crate) outcome: Outcome,
    pub(crate) from_cache: bool,
    pub(crate) bytes: u64,
    /// Duration of the action when it ran, if that is known.
    pub(crate) ran_for: Option<Duration>,
    /// Name of the worker that ran it; empty if it is unknown.
    pub(crate) worker: String,
}

impl Servers {
    pub(crate) fn new(settings: RemoteSettings, notes: Option<Store>) -> Self {
        let (connection, is_given_up) = (OnceLock::new(), AtomicBool::new(false));
        Self { settings, connection, is_given_up, programs: Mutex::default(), notes }
    }

    /// Whether actions run there, rather than only having their results looked up.
    pub(crate) fn executes(&self) -> bool {
        self.settings.client.executor.is_some() && !self.settings.is_cache_only
    }

    /// Returns the maximum number of actions that run there at a time.
    pub(crate) fn jobs(&self) -> usize {
        self.settings.client.jobs
    }

    /// Whether actions run here after a failure there.
    pub(crate) fn falls_back(&self) -> bool {
        self.settings.fallback || !self.executes()
    }

    pub(crate) fn is_given_up(&self) -> bool {
        self.is_given_up.load(Ordering::Relaxed)
    }

    /// Stops all further calls to the servers. Returns whether this call was the one that did.
    pub(crate) fn give_up(&self) -> bool {
        !self.is_given_up.swap(true, Ordering::Relaxed)
    }

    /// Returns the traffic of all actions; `None` where no connection was needed.
    pub(crate) fn traffic(&self) -> Option<Traffic> {
        Some(self.connection.get()?.as_ref().ok()?.traffic())
    }

    /// Describes `action` in the protocol's terms. An error comes from reading its programs.
    pub(crate) fn describe(&self, action: &Action<'_>) -> io::Result<RemoteAction> {
        let mut inputs = Vec::new();
        let mut salt = self.settings.salt.clone().into_bytes();
        for tool in std::iter::once(&action.program).chain(&action.tools) {
            let file = self.program(&tool.path)?;
            if tool.is_on_workers() {
                salt.extend(file.blake3.hash());
                continue;
            }
            let content = Content::File(file);
            inputs.push(RemoteInput { path: tool.name.clone(), content, executable: true });
        }
        inputs.extend(action.inputs.iter().map(|input| RemoteInput {
            path: input.name.clone(),
            content: input.content.into(),
            executable: false,
        }));
        let folder = if action.program.is_on_workers() { "" } else { "./" };
        let program = format!("{folder}{}", action.program.name);
        Ok(RemoteAction {
            arguments: std::iter::once(program).chain(action.arguments.iter().cloned()).collect(),
            // The variables are those of a run on this machine.
            environment: vec![("TMPDIR".to_owned(), ".".to_owned())],
            inputs,
            outputs: action.outputs.clone(),
            platform: self.settings.platforms.properties(action.phase, self.class_of(action)),
            timeout: action.time_limit.as_ref().map(TimeLimit::longest),
            do_not_cache: self.settings.do_not_cache,
            mnemonic: action.phase.name().to_owned(),
            target: action.subject.clone(),
            salt,
            ..RemoteAction::default()
        })
    }

    /// Returns the class of workers that the action goes to first.
    fn class_of(&self, action: &Action<'_>) -> usize {
        let bytes = action.inputs.iter().map(|input| input.content.len() as u64).sum();
        self.settings.platforms.class_for(memory_for(action.phase, bytes))
    }

    /// Makes the cluster run the action, or return the result that it has. A worker that has too
    /// little memory is followed by one of the next class.
    pub(crate) fn execute(
        &self,
        action: &Action<'_>,
        described: &RemoteAction,
        progress: &Progress,
        say: &dyn Fn(&str),
    ) -> Result<RemoteOutcome, ActionError> {
        let first = self.execute_once(action, described, progress, say);
        let Err(ActionError::Remote { error: error @ RemoteError::Exhausted { .. }, .. }) = &first
        else {
            return first;
        };
        let next = self.class_of(action) + 1;
        let Some(memory) = self.settings.platforms.memory_of_class(next) else { return first };
        say(&format!(
            "warning: {} {}: {error}; it is tried once more on a worker with {memory}",
            action.phase.name(),
            action.subject
        ));
        let platform = self.settings.platforms.properties(action.phase, next);
        let larger = RemoteAction { platform, ..described.clone() };
        self.execute_once(action, &larger, progress, say)
    }

    fn execute_once(
        &self,
        action: &Action<'_>,
        described: &RemoteAction,
        progress: &Progress,
        say: &dyn Fn(&str),
    ) -> Result<RemoteOutcome, ActionError> {
        let failed = |error| ActionError::Remote { program: action.program.name.clone(), error };
        let remote = self.connection(say).map_err(failed)?;
        let execute = |described: &RemoteAction| {
            remote.execute(described, &|stage| progress.set(description(&stage))).map_err(failed)
        };
        let mut result = execute(described)?;
        if result.served_from_cache
            && result.exit_code == 0
            && let Err(reason) = checked_outcome(action, result.clone())
        {
            let error = unusable(remote, reason);
            say(&format!(
                "warning: {} {}: not taken, running it again: {error}",
                action.phase.name(),
                action.subject
            ));
            result = execute(&RemoteAction { skip_lookup: true, ..described.clone() })?;
        }
        let messages = messages(&result.stdout, &result.stderr);
        if result.exit_code == KILLED {
            let reason = format!("the action was killed, exit status {KILLED}");
            let server = remote.server().to_owned();
            return Err(failed(RemoteError::Exhausted { server, reason }));
        }
        if result.exit_code == WRONG_INPUT && action.program.is_this_program() {
            return Err(ActionError::Refused { command: action.command_line(), messages });
        }
        if result.exit_code != 0 {
            let status = format!("exit status: {} (run remotely)", result.exit_code);
            return Err(ActionError::Failed { command: action.command_line(), status, messages });
        }
        let (from_cache, bytes) = (result.served_from_cache, result.traffic.bytes_down);
        let (ran_for, worker) = (result.ran_for, result.worker.clone());
        match outcome(action, result) {
            Ok(outcome) => match action.check_outcome(&outcome) {
                Ok(()) => Ok(RemoteOutcome { outcome, from_cache, bytes, ran_for, worker }),
                Err(reason) => Err(failed(unusable(remote, reason))),
            },
            Err(output) => {
                let (command, output) = (action.command_line(), output.to_owned());
                Err(ActionError::NoOutput { command, output, messages })
            }
        }
    }

    /// Returns the result that the cache has.
    pub(crate) fn look_up(
        &self,
        action: &Action<'_>,
        described: &RemoteAction,
        say: &dyn Fn(&str),
    ) -> Result<Option<RemoteOutcome>, RemoteError> {
        let remote = self.connection(say)?;
        let Some(result) = remote.lookup(described)? else { return Ok(None) };
        let (bytes, ran_for) = (result.traffic.bytes_down, result.ran_for);
        let worker = String::new();
        let outcome = checked_outcome(action, result).map_err(|reason| unusable(remote, reason))?;
        Ok(Some(RemoteOutcome { outcome, from_cache: true, bytes, ran_for, worker }))
    }

    /// Stores a result that was made here for others.
    pub(crate) fn store(
        &self,
        action: &Action<'_>,
        described: &RemoteAction,
        outcome: &Outcome,
        ran_for: Duration,
        say: &dyn Fn(&str),
    ) -> Result<(), RemoteError> {
        let Outcome { outputs, stdout, stderr } = outcome.clone();
        let outputs = action.outputs.iter().cloned().zip(outputs).collect();
        let result = RemoteResult {
            outputs,
            stdout,
            stderr,
            ran_for: Some(ran_for),
            ..RemoteResult::default()
        };
        self.connection(say)?.store(described, &result)
    }

    /// Returns the connection, which the first call makes.
    fn connection(&self, say: &dyn Fn(&str)) -> Result<&Remote, RemoteError> {
        let connect = || {
            let remote = Remote::connect(&self.client())?;
            remote.warnings().iter().for_each(|warning| say(warning));
            if remote.executes() {
                // This exit status is the one by which shells report an end by a signal.
                remote.end_on_signals(|number| std::process::exit(128 + number));
            }
            Ok(remote)
        };
        self.connection.get_or_init(connect).as_ref().map_err(Clone::clone)
    }

    /// Returns the settings of the client, with the folder of notes if there can be one.
    fn client(&self) -> weft_remote::Settings {
        weft_remote::Settings {
            notes: self.notes.as_ref().and_then(|store| store.shared().private("servers").ok()),
            passes_over_down_servers: self.falls_back(),
            ..self.settings.client.clone()
        }
    }

    /// Whether this build has not yet said that `error` has happened.
    pub(crate) fn is_news(&self, error: &RemoteError) -> bool {
        self.client().is_news(error)
    }

    /// Returns a program with its digests, which many actions of a process share.
    fn program(&self, path: &Path) -> io::Result<Arc<KnownFile>> {
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(program) = programs.get(path) {
            return Ok(Arc::clone(program));
        }
        let program = Arc::new(tool_digest::known(path, self.notes.as_ref())?);
        programs.insert(path.to_owned(), Arc::clone(&program));
        Ok(program)
    }
}

/// Returns the outputs in the order of the action, or the name of one that is missing or empty.
fn outcome<'action>(
    action: &'action Action<'_>,
    result: RemoteResult,
) -> Result<Outcome, &'action str> {
    let mut by_name: BTreeMap<String, Vec<u8>> = result.outputs.into_iter().collect();
    let output = |name: &'action String| {
        by_name.remove(name).filter(|content| !content.is_empty()).ok_or(name.as_str())
    };
    let outputs = action.outputs.iter().map(output).collect::<Result<_, _>>()?;
    Ok(Outcome { outputs, stdout: result.stdout, stderr: result.stderr })
}

/// Returns the outcome of a remote result that passes the check, or the fault of the result.
fn checked_outcome(action: &Action<'_>, result: RemoteResult) -> Result<Outcome, String> {
    // A remote result with an empty output is rejected, as a local one would be.
    let outcome = outcome(action, result).map_err(|output| format!("{output} is empty"))?;
    action.check_outcome(&outcome).map(|()| outcome)
}

fn unusable(remote: &Remote, reason: String) -> RemoteError {
    RemoteError::Result { server: remote.server().to_owned(), reason }
}

fn description(stage: &weft_remote::Progress) -> String {
    use weft_remote::Progress::{Downloading, Executing, LookingUp, Queued, Retrying, Uploading};
    let size = |bytes: &u64| Size(*bytes);
    match stage {
        Uploading { bytes } => format!("uploading {}", size(bytes)),
        LookingUp => "looked up by the cluster".to_owned(),
        Queued => "queued by the cluster".to_owned(),
        Executing => "run by the cluster".to_owned(),
        Downloading { bytes } => format!("downloading {}", size(bytes)),
        Retrying { reason } => format!("trying again ({reason})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::{Input, Phase};
    use crate::platforms::Platforms;
    use crate::tool::Tool;

    fn action(program: &str) -> Action<'static> {
        Action {
            phase: Phase::Codegen,
            subject: "unit".to_owned(),
            program: Tool { name: program.to_owned(), path: "/bin/sh".into() },
            arguments: vec!["-o".to_owned(), "out".to_owned()],
            tools: vec![Tool { name: "bin/cat".to_owned(), path: "/bin/cat".into() }],
            inputs: vec![Input::new("in", b"content")],
            outputs: vec!["out".to_owned(), "log".to_owned()],
            time_limit: Some(TimeLimit::new(Duration::from_secs(9))),
            check: |claim| match claim.outputs[..] {
                [(_, b"bad"), _] => Err("bad".to_owned()),
                _ => Ok(()),
            },
        }
    }

    fn servers(do_not_cache: bool) -> Servers {
        let properties = ["OS=linux".to_owned(), "import:OS=bsd".to_owned()];
        let classes = ["1M:size=s".to_owned(), "1G:size=l".to_owned()];
        let platforms = Platforms::parse(&properties, &classes).unwrap();
        let salt = "salt".to_owned();
        let settings =
            RemoteSettings { platforms, do_not_cache, salt, ..RemoteSettings::default() };
        Servers::new(settings, None)
    }

    #[test]
    fn servers_get_the_whole_action() {
        let described = servers(false).describe(&action("tool")).unwrap();
        assert_eq!(described.arguments, ["./tool", "-o", "out"]);
        assert_eq!(described.environment, [("TMPDIR".to_owned(), ".".to_owned())]);
        let inputs: Vec<_> =
            described.inputs.iter().map(|file| (file.path.as_str(), file.executable)).collect();
        assert_eq!(inputs, [("tool", true), ("bin/cat", true), ("in", false)]);
        assert_eq!(described.outputs, ["out", "log"]);
        // 64 MiB, which the phase takes at least, are more than the smaller class has.
        let properties = [("OS", "linux"), ("size", "l")];
        assert_eq!(described.platform, properties.map(|(a, b)| (a.to_owned(), b.to_owned())));
        assert_eq!(described.timeout, Some(Duration::from_secs(9)));
        assert_eq!((described.mnemonic.as_str(), described.target.as_str()), ("codegen", "unit"));
        assert_eq!(described.salt, b"salt");
        assert!(!described.do_not_cache && !described.skip_lookup);
        assert!(servers(true).describe(&action("tool")).unwrap().do_not_cache);
        // The need of this phase is unknown, so it goes to the smallest class first.
        let import = Action { phase: Phase::Import, ..action("tool") };
        let properties = [("OS", "bsd"), ("size", "s")];
        let platform = servers(false).describe(&import).unwrap().platform;
        assert_eq!(platform, properties.map(|(a, b)| (a.to_owned(), b.to_owned())));
    }

    #[test]
    fn a_program_that_workers_have_is_not_sent_and_counts_by_its_content() {
        let described = servers(false).describe(&action("/bin/tool")).unwrap();
        assert_eq!(described.arguments, ["/bin/tool", "-o", "out"]);
        let names: Vec<_> = described.inputs.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(names, ["bin/cat", "in"]);
        let content = blake3::hash(&std::fs::read("/bin/sh").unwrap());
        assert_eq!(described.salt, [b"salt", &content.as_bytes()[..]].concat());
        let lost = Tool { name: "lost".to_owned(), path: "/nowhere/lost".into() };
        let lost = Action { tools: vec![lost], ..action("tool") };
        assert_eq!(servers(false).describe(&lost).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_result_has_each_output_and_passes_the_check() {
        let of = |outputs: &[(&str, &str)]| {
            let outputs = outputs
                .iter()
                .map(|(name, content)| ((*name).to_owned(), content.as_bytes().to_vec()));
            let result = RemoteResult {
                outputs: outputs.collect(),
                stdout: b"said".to_vec(),
                stderr: b"warned".to_vec(),
                ..RemoteResult::default()
            };
            checked_outcome(&action("tool"), result)
        };
        let outcome = Outcome {
            outputs: vec![b"1".to_vec(), b"2".to_vec()],
            stdout: b"said".to_vec(),
            stderr: b"warned".to_vec(),
        };
        assert_eq!(of(&[("log", "2"), ("more", "3"), ("out", "1")]), Ok(outcome));
        assert_eq!(of(&[("log", "2"), ("out", "")]).unwrap_err(), "out is empty");
        assert_eq!(of(&[("out", "1")]).unwrap_err(), "log is empty");
        assert_eq!(of(&[("out", "bad"), ("log", "2")]).unwrap_err(), "bad");
    }

    #[test]
    fn the_first_failure_ends_all_calls() {
        let servers = servers(false);
        assert!(!servers.is_given_up());
        assert!(servers.give_up(), "the first to say so");
        assert!(servers.is_given_up());
        assert!(!servers.give_up());
    }

    #[test]
    fn only_a_cluster_without_fallback_has_to_run_actions() {
        let falls_back = |executor: Option<&str>, fallback| {
            let client = weft_remote::Settings {
                executor: executor.map(str::to_owned),
                ..weft_remote::Settings::default()
            };
            let settings = RemoteSettings { client, fallback, ..RemoteSettings::default() };
            Servers::new(settings, None).falls_back()
        };
        assert!(falls_back(None, false));
        assert!(falls_back(Some("grpc://cluster:1"), true));
        assert!(!falls_back(Some("grpc://cluster:1"), false));
    }

    #[test]
    fn each_stage_has_its_words() {
        use weft_remote::Progress;
        assert_eq!(description(&Progress::Uploading { bytes: 2048 }), "uploading 2.0 KiB");
        assert_eq!(description(&Progress::Downloading { bytes: 7 }), "downloading 7 B");
        assert_eq!(description(&Progress::Queued), "queued by the cluster");
        let reason = "it is busy".to_owned();
        assert_eq!(description(&Progress::Retrying { reason }), "trying again (it is busy)");
    }
}
