//! Gets the results of actions, from the cache or by running them.

use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use weft_artifact::Digest;
use weft_remote::{RemoteAction, RemoteError};

use crate::action::{Action, Outcome, Phase};
use crate::clock::{Start, Stopwatch, microseconds};
use crate::key;
use crate::lookup::{Lookup, Missing, NewResult};
use crate::misses::{explanation, reason};
use crate::progress::{Progress, Tally};
use crate::record::{JobRecord, Origin};
use crate::run_here::ActionError;
use crate::servers::{RemoteOutcome, Servers};
use crate::settings::{CacheMode, Settings};
use crate::size::Size;
use crate::stats::{Miss, Source, Sums};
use crate::store::files::is_refusal;
use crate::store::{Found, Store};
use crate::tool::Tool;
use crate::{answers, tool_digest, whole_tool};

/// Gets results for one process. Several threads may use it at once.
#[derive(Debug)]
pub struct Session {
    /// Name of the executable, for messages.
    name: &'static str,
    settings: Settings,
    store: Option<Store>,
    servers: Option<Arc<Servers>>,
    tally: Arc<Tally>,
    has_warned: AtomicBool,
    has_warned_of_tool: AtomicBool,
    /// The reason why the cache's folder is not used.
    distrust: Option<String>,
    /// Start of the session, until the first result takes it for its own.
    start: Mutex<Option<Start>>,
    records: Mutex<Vec<JobRecord>>,
}

impl Session {
    /// Creates a session of the executable `name`.
    pub fn new(name: &'static str, settings: Settings) -> Self {
        let folder = settings.folder.as_ref();
        let mut notes = folder.map(|folder| Store::new(folder, settings.size));
        let distrust = notes.as_ref().and_then(Store::distrust);
        if distrust.is_some() {
            notes = None;
        }
        let store = notes.clone().filter(|_| settings.mode != CacheMode::Off);
        let servers = settings.remote.clone().map(|remote| Arc::new(Servers::new(remote, notes)));
        Self {
            name,
            settings,
            store,
            servers,
            tally: Arc::default(),
            has_warned: AtomicBool::new(false),
            has_warned_of_tool: AtomicBool::new(false),
            distrust,
            start: Mutex::new(Some(Start::now())),
            records: Mutex::default(),
        }
    }

    /// Whether the callers of [`Session::get`] make the results of a phase themselves, and neither
    /// a cache nor another machine reads the actions' inputs or outcomes.
    pub fn is_direct(&self, phase: Phase) -> bool {
        !self.settings.isolated
            && self.servers.is_none()
            && !self.is_cached(phase, phase.is_costly())
    }

    /// Returns the number of actions that a cluster runs for this process at a time; `None` if
    /// actions run on this machine.
    pub fn jobs_of_cluster(&self) -> Option<usize> {
        self.servers.as_deref().filter(|servers| servers.executes()).map(Servers::jobs)
    }

    /// Returns the number of results for which this process waits at a time; `None` if they come
    /// from this machine.
    pub fn results_of_servers_at_a_time(&self) -> Option<usize> {
        self.servers.as_deref().map(Servers::jobs)
    }

    fn is_cached(&self, phase: Phase, is_costly: bool) -> bool {
        self.is_wanted(phase, is_costly) && self.store.is_some()
    }

    fn is_wanted(&self, phase: Phase, is_costly: bool) -> bool {
        self.settings.mode == CacheMode::All || is_costly || self.settings.shared == Some(phase)
    }

    /// Returns what `tool` says when `ask` asks it `question`, if it says something. The answer
    /// must follow from the question and the tool's content alone: the cache keeps it, if there is
    /// one.
    pub fn answer(
        &self,
        tool: &Tool,
        question: &str,
        ask: impl FnOnce() -> Option<String>,
    ) -> Option<String> {
        answers::answer(self.store.as_ref(), tool, question, ask)
    }

    /// Returns one digest of the contents of `tools`, which many actions can have among their
    /// inputs instead of each tool; `None` where no result is kept, or where the contents do not
    /// determine what the tools do.
    pub fn digest_of(&self, tools: &[Tool]) -> Option<Digest> {
        let keeps = self.store.is_some() || self.servers.is_some();
        let is_whole = whole_tool::incompleteness(&tools.iter().collect::<Vec<_>>()).is_none();
        let digest = || tool_digest::of_all(tools, self.store.as_ref()).ok();
        (keeps && is_whole).then(digest).flatten()
    }

    /// Returns the result of `action`: from the local cache, else from another machine, else from
    /// `here`, which carries out the action in this process or starts its program.
    ///
    /// A cache that cannot be read or written leads to a warning, and never fails an action.
    pub fn get<E: From<ActionError>>(
        &self,
        action: &Action<'_>,
        here: impl FnOnce() -> Result<Outcome, E>,
    ) -> Result<Outcome, E> {
        self.find(action).or_else(|missing| self.make(action, *missing, here))
    }

    /// Returns the result that the local cache has, or else a remote one. Many threads may wait for
    /// these at a time, before few make what is missing.
    pub fn find(&self, action: &Action<'_>) -> Result<Outcome, Box<Missing<'_>>> {
        self.warn_of_distrust(action);
        let first = self.start.lock().unwrap_or_else(PoisonError::into_inner).take();
        let start = first.unwrap_or_else(Start::now);
        let is_shared =
            self.is_cached(action.phase, action.is_costly()) || self.servers_for(action).is_some();
        let is_known = !is_shared || self.is_known(action);
        let lookup = if is_known { self.prepare_lookup(action) } else { None };
        let mut missing =
            Missing { start, lookup, miss: Miss::New, why: String::new(), server: None };
        if let Some(lookup) = &missing.lookup {
            match self.look_up(action, lookup) {
                Ok((outcome, saved)) => {
                    let record = JobRecord { origin: Origin::Cache, saved, ..JobRecord::default() };
                    self.record(action, start, record);
                    return Ok(outcome);
                }
                Err(missed) => (missing.miss, missing.why) = missed,
            }
        }
        // A program that cannot be read fails the action when it is started, with a message of its
        // own.
        let servers = self.servers_for(action);
        missing.server =
            servers.and_then(|servers| Some((servers, servers.describe(action).ok()?)));
        if let Some((_, described)) = &mut missing.server {
            described.do_not_cache |= !is_known;
        }
        let Some((servers, described)) = missing.server.take_if(|(servers, _)| !servers.executes())
        else {
            return Err(Box::new(missing));
        };
        match servers.look_up(action, &described, &|message| self.say(message)) {
            Ok(Some(RemoteOutcome { outcome, bytes, ran_for, .. })) => {
                let (source, worker) = (Source::RemoteCache, String::new());
                let spent = ran_for.unwrap_or_default();
                let result = NewResult { outcome, source, bytes, spent, worker };
                return Ok(self.keep(action, missing, result));
            }
            Ok(None) if self.settings.explain_misses => {
                self.say(&format!("miss: {}: the remote cache has no result", name_of(action)));
            }
            Ok(None) => {}
            // One bad result says nothing about the others, and a good one will replace it.
            Err(error @ (RemoteError::Corrupt { .. } | RemoteError::Result { .. })) => {
                self.say(&format!("warning: {}: not taken: {error}", name_of(action)));
            }
            Err(error) => {
                self.warn_of_remote_cache(servers, &error);
                return Err(Box::new(missing));
            }
        }
        missing.server = Some((servers, described));
        Err(Box::new(missing))
    }

    /// Returns the result of an action that no cache has: from a cluster, where one is set, else
    /// from `here`.
    pub fn make<E: From<ActionError>>(
        &self,
        action: &Action<'_>,
        mut missing: Missing<'_>,
        here: impl FnOnce() -> Result<Outcome, E>,
    ) -> Result<Outcome, E> {
        let stopwatch = Stopwatch::start();
        let cluster = missing.server.take_if(|(servers, _)| servers.executes());
        if let Some((servers, described)) = cluster
            && let Some(got) = self.execute(action, servers, &described)?
        {
            let RemoteOutcome { outcome, from_cache, bytes, ran_for, worker } = got;
            let waited = stopwatch.elapsed();
            let source = if from_cache { Source::RemoteCache } else { Source::RemoteRun };
            let spent = if from_cache { ran_for.unwrap_or_default() } else { waited };
            let result = NewResult { outcome, source, bytes, spent, worker };
            return Ok(self.keep(action, missing, result));
        }
        let stopwatch = Stopwatch::start();
        let outcome = self.run(action, here)?.with_bounded_messages();
        let spent = stopwatch.elapsed();
        if let Some((servers, described)) = missing.server.take()
            && let Err(error) =
                servers.store(action, &described, &outcome, spent, &|message| self.say(message))
        {
            self.warn_of_remote_cache(servers, &error);
        }
        let (source, worker) = (Source::Run(missing.miss), String::new());
        Ok(self.keep(action, missing, NewResult { outcome, source, bytes: 0, spent, worker }))
    }

    /// Keeps a result that did not come from the local cache, and counts it.
    fn keep(&self, action: &Action<'_>, missing: Missing<'_>, result: NewResult) -> Outcome {
        let Missing { start, lookup, why, .. } = missing;
        let NewResult { outcome, source, bytes, spent, worker } = result;
        let (origin, saved) = match source {
            Source::Cache => (Origin::Cache, spent),
            Source::RemoteCache => (Origin::RemoteCache, spent),
            Source::RemoteRun => (Origin::Remote, Duration::ZERO),
            Source::Run(_) => (Origin::Here, Duration::ZERO),
        };
        let saved = microseconds(saved);
        self.record(
            action,
            start,
            JobRecord { origin, worker, why, saved, ..JobRecord::default() },
        );
        let outcome = outcome.with_bounded_messages();
        let is_counted = lookup.is_some() || !matches!(source, Source::Run(_));
        let kept = lookup.map_or(Ok(0), |lookup| lookup.keep(action, &outcome, spent));
        let kept = kept.unwrap_or_else(|error| {
            self.warn("write", &error);
            0
        });
        if is_counted || self.servers_for(action).is_some() {
            let bytes = if matches!(source, Source::Run(_)) { kept } else { bytes };
            self.count(
                action.phase,
                source,
                Sums { count: 1, bytes, microseconds: microseconds(spent) },
            );
        }
        outcome
    }

    /// Adds the record of a result whose making began at `start`.
    fn record(&self, action: &Action<'_>, start: Start, record: JobRecord) {
        let record = JobRecord {
            phase: action.phase.name().to_owned(),
            subject: action.subject.clone(),
            start: start.microseconds,
            took: microseconds(start.stopwatch.elapsed()),
            ..record
        };
        self.records.lock().unwrap_or_else(PoisonError::into_inner).push(record);
    }

    /// Returns the records of the results so far, by their start.
    pub fn records(&self) -> Vec<JobRecord> {
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner).clone();
        records.sort_by_key(|record| record.start);
        records
    }

    /// Returns the result that the local cache has with the time that it had taken, or the reason
    /// why it has none, with the first difference from the nearest earlier run.
    fn look_up(
        &self,
        action: &Action<'_>,
        lookup: &Lookup<'_>,
    ) -> Result<(Outcome, u64), (Miss, String)> {
        let found = lookup.store.look_up(&lookup.key).unwrap_or_else(|error| {
            self.warn("read", &error);
            Found::Unreadable
        });
        let is_damaged = matches!(found, Found::WasDamaged | Found::Unreadable);
        let dropped = match found {
            Found::Nothing | Found::WasDamaged | Found::Unreadable => None,
            Found::Damaged => Some("a damaged result of it was dropped".to_owned()),
            Found::Entry(entry, bytes) => {
                let (outcome, microseconds) = entry.into_outcome();
                let Err(reason) = action.check_outcome(&outcome) else {
                    self.count(action.phase, Source::Cache, Sums { count: 1, bytes, microseconds });
                    return Ok((outcome, microseconds));
                };
                lookup.store.drop_entry(&lookup.key);
                let folder = lookup.store.folder().display();
                Some(format!("a result of it in the cache in {folder} was dropped: {reason}"))
            }
        };
        let history = lookup.store.history(action.phase.name(), &action.subject);
        let nearest = history.nearest(&lookup.fields);
        let miss = match dropped {
            Some(what) => {
                self.say(&format!("warning: {}: {what}", name_of(action)));
                Miss::Damaged
            }
            None if is_damaged => Miss::Damaged,
            None => reason(nearest.as_deref()),
        };
        if self.settings.explain_misses {
            self.say(&explanation(&name_of(action), miss, nearest.as_deref()));
        }
        let differences = nearest.as_deref().unwrap_or_default();
        let why = differences.first().map_or_else(String::new, ToString::to_string);
        Err((miss, why))
    }

    /// Has a cluster run the action. A failure there is an error, or leads to a warning and `None`,
    /// for a run here.
    fn execute(
        &self,
        action: &Action<'_>,
        servers: &Servers,
        described: &RemoteAction,
    ) -> Result<Option<RemoteOutcome>, ActionError> {
        let progress = self.progress(action);
        let got = servers.execute(action, described, &progress, &|message| self.say(message));
        drop(progress);
        match got {
            Ok(got) => Ok(Some(got)),
            // The input is wrong, which the run here will say.
            Err(ActionError::Refused { .. }) => Ok(None),
            Err(ActionError::Remote { error, .. }) if servers.falls_back() => {
                let cluster_is_gone = error.server_that_is_down().is_some();
                let rest =
                    if cluster_is_gone && servers.give_up() { ", and what follows" } else { "" };
                if servers.is_news(&error) {
                    self.say(&format!(
                        "warning: cannot run {} remotely, running it here{rest}: {error}",
                        name_of(action)
                    ));
                }
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the other machines, if they are used for `action`: a cluster for every one, and
    /// a cache for those that the local cache would be used for.
    fn servers_for(&self, action: &Action<'_>) -> Option<&Servers> {
        let servers = self.servers.as_deref().filter(|servers| !servers.is_given_up())?;
        let is_wanted = servers.executes() || self.is_wanted(action.phase, action.is_costly());
        is_wanted.then_some(servers)
    }

    /// Adds the counts of results to the cache's record, and prints them if wanted. Callers call
    /// this once, at the end, whether the work succeeded or not.
    pub fn finish(&self) {
        let totals = self.tally.totals.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(store) = self.store.as_ref().filter(|_| !totals.is_empty())
            && let Err(error) = store.log(&totals)
            // A user who may read a cache but not write to it adds nothing to its record.
            && !is_refusal(&error)
        {
            self.warn("write", &error);
        }
        if self.settings.stats && totals.is_empty() {
            self.say("the cache was not used");
        } else if self.settings.stats {
            self.say(&format!("cache\n{totals}"));
        }
        let traffic = self.servers.as_ref().and_then(|servers| servers.traffic());
        if let Some(traffic) = traffic.filter(|_| self.settings.stats) {
            let (up, down) = (Size(traffic.bytes_up), Size(traffic.bytes_down));
            let (exactly, calls) = (traffic.bytes_up, traffic.calls);
            self.say(&format!(
                "remote: {up} sent ({exactly} bytes), {down} received, {calls} calls"
            ));
        }
    }

    /// Prepares the lookup of `action`, if the cache is used for its phase.
    fn prepare_lookup(&self, action: &Action<'_>) -> Option<Lookup<'_>> {
        let store =
            self.store.as_ref().filter(|_| self.is_cached(action.phase, action.is_costly()))?;
        let programs = std::iter::once(&action.program).chain(&action.tools);
        let digests: io::Result<Vec<Digest>> =
            programs.map(|tool| tool_digest::digest(&tool.path, Some(store))).collect();
        match digests {
            Ok(digests) => {
                let fields = key::fields(action, &digests);
                let key = key::key(&fields);
                Some(Lookup { store, fields, key })
            }
            // A missing program fails the action later, with a specific message.
            Err(_) => None,
        }
    }

    /// Whether the contents of the action's programs determine their behavior. If not, a message
    /// says so once for each process, and the result is neither taken from a cache nor kept in one.
    fn is_known(&self, action: &Action<'_>) -> bool {
        let tools: Vec<_> = std::iter::once(&action.program).chain(&action.tools).collect();
        let Some(reason) = whole_tool::incompleteness(&tools) else {
            return true;
        };
        if !self.has_warned_of_tool.swap(true, Ordering::Relaxed) {
            let advice = "name the program itself to have them kept";
            self.say(&format!("warning: {reason}: its results are not kept; {advice}"));
        }
        false
    }

    fn run<E: From<ActionError>>(
        &self,
        action: &Action<'_>,
        here: impl FnOnce() -> Result<Outcome, E>,
    ) -> Result<Outcome, E> {
        let _progress = self.progress(action);
        if self.settings.isolated { Ok(action.run_here()?) } else { here() }
    }

    fn progress(&self, action: &Action<'_>) -> Progress {
        let servers = self.servers.clone();
        let network = move || servers.as_ref()?.traffic();
        let what = format!("{}: {}", self.name, name_of(action));
        // The program that reads the notices says how far its work is.
        let is_shown = !self.settings.notices_on_stdout;
        Progress::start(what, &self.tally, Arc::new(network), is_shown)
    }

    /// Says how far an action is that consists of others, for the line about long work.
    pub fn tell(&self, stage: String) {
        *self.tally.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
    }

    fn count(&self, phase: Phase, source: Source, sums: Sums) {
        let mut totals = self.tally.totals.lock().unwrap_or_else(PoisonError::into_inner);
        totals.add(phase, source, sums);
    }

    /// Prints one warning for each process, as the failure would repeat.
    fn warn(&self, verb: &str, error: &io::Error) {
        let Some(store) = &self.store else { return };
        if !self.has_warned.swap(true, Ordering::Relaxed) {
            let folder = store.folder().display();
            self.say(&format!(
                "warning: cannot {verb} the cache in {folder}, going on without it: {error}"
            ));
        }
    }

    /// Prints a warning and stops all further calls, as the failure would repeat. Another process
    /// of the build may have said already that the server is down.
    fn warn_of_remote_cache(&self, servers: &Servers, error: &RemoteError) {
        if servers.give_up() && servers.is_news(error) {
            self.say(&format!("warning: going on without the remote cache: {error}"));
        }
    }

    /// Prints one warning for each process that would have used the folder.
    fn warn_of_distrust(&self, action: &Action<'_>) {
        let (Some(reason), Some(folder)) = (&self.distrust, &self.settings.folder) else { return };
        let is_used = self.settings.mode != CacheMode::Off
            && self.is_wanted(action.phase, action.is_costly());
        if is_used && !self.has_warned.swap(true, Ordering::Relaxed) {
            let folder = folder.display();
            self.say(&format!("warning: the cache in {folder} is not used: {reason}"));
        }
    }

    fn say(&self, message: &str) {
        // An error means that nobody reads messages.
        let _ = if self.settings.notices_on_stdout {
            writeln!(io::stdout(), "{}: {message}", self.name)
        } else {
            writeln!(io::stderr(), "{}: {message}", self.name)
        };
    }
}

fn name_of(action: &Action<'_>) -> String {
    format!("{} {}", action.phase.name(), action.subject)
}
