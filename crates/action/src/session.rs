//! Gets the results of actions: from the cache, or by running them.

use std::io::{self, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use weft_artifact::Digest;
use weft_remote::{RemoteAction, RemoteError};

use crate::action::{Action, Outcome, Phase};
use crate::clock::Stopwatch;
use crate::elsewhere::{Elsewhere, Got};
use crate::key::{self, Difference, Field, FieldKind, Key};
use crate::progress::{Progress, Tally};
use crate::run_here::ActionError;
use crate::settings::{CacheMode, Settings, Size};
use crate::stats::{Miss, Source, Sums};
use crate::store::entry::Entry;
use crate::store::files::is_refusal;
use crate::store::{Found, Store};
use crate::{tool_digest, whole_tool};

/// Gets results for one process. May be used by several threads at once.
#[derive(Debug)]
pub struct Session {
    /// The executable, for messages.
    name: &'static str,
    settings: Settings,
    store: Option<Store>,
    elsewhere: Option<Arc<Elsewhere>>,
    tally: Arc<Tally>,
    has_warned: AtomicBool,
    has_warned_of_tool: AtomicBool,
    /// The reason why the cache's folder is not used.
    distrust: Option<String>,
}

/// An action on its way through the cache.
struct Sought<'session> {
    store: &'session Store,
    fields: Vec<Field>,
    key: Key,
}

/// A result that the local cache had not.
struct Made {
    outcome: Outcome,
    source: Source,
    /// How many bytes came.
    bytes: u64,
    /// The time that it took, or that somebody took for it earlier.
    spent: Duration,
}

/// The other machine has failed, this was said, and the action is to be run here.
struct GivenUp;

impl Sought<'_> {
    /// Keeps the result, and what it depends on for later misses; says how many bytes that took.
    fn keep(self, action: &Action<'_>, outcome: &Outcome, spent: Duration) -> io::Result<u64> {
        let Self { store, fields, key } = self;
        let Outcome { outputs, stdout, stderr } = outcome.clone();
        let microseconds = microseconds(spent);
        let entry = Entry { fields, outputs, stdout, stderr, microseconds };
        let bytes = store.keep(&key, &entry)?;
        // Read again: another process may have added to it while this one worked.
        let history = store.history(action.phase.name(), &action.subject).with(entry.fields);
        store.remember(action.phase.name(), &action.subject, &history)?;
        Ok(bytes)
    }
}

impl Session {
    /// A session of the executable `name`.
    pub fn new(name: &'static str, settings: Settings) -> Self {
        let folder = settings.folder.as_ref();
        let mut notes = folder.map(|folder| Store::new(folder, settings.size));
        let distrust = notes.as_ref().and_then(Store::distrust);
        if distrust.is_some() {
            notes = None;
        }
        let store = notes.clone().filter(|_| settings.mode != CacheMode::Off);
        let elsewhere = settings.remote.clone().map(|it| Arc::new(Elsewhere::new(it, notes)));
        Self {
            name,
            settings,
            store,
            elsewhere,
            tally: Arc::default(),
            has_warned: AtomicBool::new(false),
            has_warned_of_tool: AtomicBool::new(false),
            distrust,
        }
    }

    /// Whether the results of a phase are made by the callers of [`Session::get`] and go to no one
    /// else: nobody looks at the actions' inputs, or at their outcomes.
    pub fn is_direct(&self, phase: Phase) -> bool {
        !self.settings.isolated && self.elsewhere.is_none() && !self.is_cached(phase)
    }

    fn is_cached(&self, phase: Phase) -> bool {
        self.is_wanted(phase) && self.store.is_some()
    }

    fn is_wanted(&self, phase: Phase) -> bool {
        self.settings.mode == CacheMode::All || phase.is_costly()
    }

    /// The result of `action`: from the local cache, else from another machine, else from `here`,
    /// which does in this process what the action describes, or starts its program.
    ///
    /// A cache that cannot be read or written is warned of, and never fails an action.
    pub fn get<E: From<ActionError>>(
        &self,
        action: &Action<'_>,
        here: impl FnOnce() -> Result<Outcome, E>,
    ) -> Result<Outcome, E> {
        self.warn_of_distrust(action.phase);
        let is_shared = self.is_cached(action.phase) || self.elsewhere_for(action).is_some();
        let is_known = !is_shared || self.is_known(action);
        let sought = if is_known { self.seek(action) } else { None };
        let mut miss = Miss::New;
        if let Some(sought) = &sought {
            match self.look_up(action, sought) {
                Ok(outcome) => return Ok(outcome),
                Err(reason) => miss = reason,
            }
        }
        let Made { outcome, source, bytes, spent } = self.make(action, miss, is_known, here)?;
        let outcome = outcome.with_bounded_messages();
        let is_counted = sought.is_some() || !matches!(source, Source::Run(_));
        let kept = sought.map_or(Ok(0), |it| it.keep(action, &outcome, spent));
        let kept = kept.unwrap_or_else(|error| {
            self.warn("write", &error);
            0
        });
        if is_counted || self.elsewhere_for(action).is_some() {
            let bytes = if matches!(source, Source::Run(_)) { kept } else { bytes };
            self.count(
                action.phase,
                source,
                Sums { count: 1, bytes, microseconds: microseconds(spent) },
            );
        }
        Ok(outcome)
    }

    /// The result that the local cache has, or why it has none.
    fn look_up(&self, action: &Action<'_>, sought: &Sought<'_>) -> Result<Outcome, Miss> {
        let found = sought.store.look_up(&sought.key).unwrap_or_else(|error| {
            self.warn("read", &error);
            Found::Nothing
        });
        let was_damaged = match found {
            Found::Nothing => None,
            Found::Damaged => Some("a damaged result of it was dropped".to_owned()),
            Found::Entry(entry, bytes) => {
                let (outcome, microseconds) = entry.into_outcome();
                let Err(reason) = action.check_outcome(&outcome) else {
                    self.count(action.phase, Source::Cache, Sums { count: 1, bytes, microseconds });
                    return Ok(outcome);
                };
                sought.store.drop_entry(&sought.key);
                let folder = sought.store.folder().display();
                Some(format!("a result of it in the cache in {folder} was dropped: {reason}"))
            }
        };
        let history = sought.store.history(action.phase.name(), &action.subject);
        let nearest = history.nearest(&sought.fields);
        let miss = match was_damaged {
            Some(what) => {
                self.say(&format!("warning: {}: {what}", told(action)));
                Miss::Damaged
            }
            None => reason(nearest.as_deref()),
        };
        if self.settings.explain_misses {
            self.say(&explanation(action, miss, nearest.as_deref()));
        }
        Err(miss)
    }

    /// The result from another machine, where one is set, else from `here`.
    fn make<E: From<ActionError>>(
        &self,
        action: &Action<'_>,
        miss: Miss,
        is_known: bool,
        here: impl FnOnce() -> Result<Outcome, E>,
    ) -> Result<Made, E> {
        let stopwatch = Stopwatch::start();
        // A program that cannot be read fails the action when it is started, with a message of its own.
        let elsewhere = self.elsewhere_for(action);
        let mut described = elsewhere.and_then(|it| Some((it, it.describe(action).ok()?)));
        if let Some((_, remote)) = &mut described {
            remote.do_not_cache |= !is_known;
        }
        if let Some((elsewhere, remote)) = &described {
            match self.ask(action, elsewhere, remote)? {
                Ok(Some(Got { outcome, from_cache, bytes, ran_for })) => {
                    let waited = stopwatch.elapsed();
                    let source = if from_cache { Source::RemoteCache } else { Source::RemoteRun };
                    let spent = if from_cache { ran_for.unwrap_or_default() } else { waited };
                    return Ok(Made { outcome, source, bytes, spent });
                }
                Ok(None) if self.settings.explain_misses => {
                    self.say(&format!("miss: {}: the remote cache has no result", told(action)));
                }
                Ok(None) => {}
                Err(GivenUp) => described = None,
            }
        }
        let stopwatch = Stopwatch::start();
        let outcome = self.run(action, here)?.with_bounded_messages();
        let spent = stopwatch.elapsed();
        if let Some((elsewhere, remote)) = described.filter(|(it, _)| !it.executes())
            && let Err(error) =
                elsewhere.store(action, &remote, &outcome, spent, &|it| self.say(it))
        {
            self.warn_of_remote_cache(elsewhere, &error);
        }
        Ok(Made { outcome, source: Source::Run(miss), bytes: 0, spent })
    }

    /// Asks the other machine. A failure there is an error, or said and made good here.
    fn ask(
        &self,
        action: &Action<'_>,
        elsewhere: &Elsewhere,
        remote: &RemoteAction,
    ) -> Result<Result<Option<Got>, GivenUp>, ActionError> {
        let say = |message: &str| self.say(message);
        if !elsewhere.executes() {
            return Ok(match elsewhere.look_up(action, remote, &say) {
                Ok(got) => Ok(got),
                // One bad result says nothing of the others, and is replaced by a good one.
                Err(error @ (RemoteError::Corrupt { .. } | RemoteError::Result { .. })) => {
                    self.say(&format!("warning: {}: not taken: {error}", told(action)));
                    Ok(None)
                }
                Err(error) => {
                    self.warn_of_remote_cache(elsewhere, &error);
                    Err(GivenUp)
                }
            });
        }
        let progress = self.progress(action);
        let got = elsewhere.execute(action, remote, &progress, &say);
        drop(progress);
        match got {
            Ok(got) => Ok(Ok(Some(got))),
            Err(ActionError::Remote { error, .. }) if elsewhere.falls_back() => {
                let cluster_is_gone =
                    matches!(error, RemoteError::Unreachable { .. } | RemoteError::Timeout { .. });
                let rest =
                    if cluster_is_gone && elsewhere.give_up() { ", and what follows" } else { "" };
                self.say(&format!(
                    "warning: cannot run {} remotely, running it here{rest}: {error}",
                    told(action)
                ));
                Ok(Err(GivenUp))
            }
            Err(error) => Err(error),
        }
    }

    /// The other machines, if they are for this phase. A cluster is for all of them; a cache for those
    /// that the local cache would be for.
    fn elsewhere_for(&self, action: &Action<'_>) -> Option<&Elsewhere> {
        let elsewhere = self.elsewhere.as_deref().filter(|it| !it.is_given_up())?;
        let is_wanted = elsewhere.executes()
            || self.settings.mode == CacheMode::All
            || action.phase.is_costly();
        is_wanted.then_some(elsewhere)
    }

    /// Adds what happened to the cache's record, and prints it if asked. To be called once, at the
    /// end, whether the work succeeded or not.
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
        let traffic = self.elsewhere.as_ref().and_then(|it| it.traffic());
        if let Some(traffic) = traffic.filter(|_| self.settings.stats) {
            let (up, down) = (Size(traffic.bytes_up), Size(traffic.bytes_down));
            let (exactly, calls) = (traffic.bytes_up, traffic.calls);
            self.say(&format!(
                "remote: {up} sent ({exactly} bytes), {down} received, {calls} calls"
            ));
        }
    }

    /// The key of `action`, if its phase is one that the cache is used for.
    fn seek(&self, action: &Action<'_>) -> Option<Sought<'_>> {
        let store = self.store.as_ref().filter(|_| self.is_cached(action.phase))?;
        let programs = std::iter::once(&action.program).chain(&action.tools);
        let digests: io::Result<Vec<Digest>> =
            programs.map(|tool| tool_digest::digest(&tool.path, store)).collect();
        match digests {
            Ok(digests) => {
                let fields = key::fields(action, &digests);
                let key = key::key(&fields);
                Some(Sought { store, fields, key })
            }
            // A program that is not there fails the action, with a message of its own.
            Err(_) => None,
        }
    }

    /// Whether the contents of the action's programs determine their behavior. If not, a message
    /// says so once for each process, and the result is neither taken from a cache nor kept in one.
    fn is_known(&self, action: &Action<'_>) -> bool {
        let mut tools = std::iter::once(&action.program).chain(&action.tools);
        let Some(reason) = tools.find_map(|tool| whole_tool::lacks(&tool.path)) else {
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
        let elsewhere = self.elsewhere.clone();
        let network = move || elsewhere.as_ref()?.traffic();
        let what = format!("{}: {}", self.name, told(action));
        Progress::start(what, &self.tally, Arc::new(network))
    }

    fn count(&self, phase: Phase, source: Source, sums: Sums) {
        let mut totals = self.tally.totals.lock().unwrap_or_else(PoisonError::into_inner);
        totals.add(phase, source, sums);
    }

    /// One warning for each process: what fails once goes on failing.
    fn warn(&self, verb: &str, error: &io::Error) {
        let Some(store) = &self.store else { return };
        if !self.has_warned.swap(true, Ordering::Relaxed) {
            let folder = store.folder().display();
            self.say(&format!(
                "warning: cannot {verb} the cache in {folder}, going on without it: {error}"
            ));
        }
    }

    /// One warning for each process, and no more calls: what fails once goes on failing.
    fn warn_of_remote_cache(&self, elsewhere: &Elsewhere, error: &RemoteError) {
        if elsewhere.give_up() {
            self.say(&format!("warning: going on without the remote cache: {error}"));
        }
    }

    /// One warning for each process that would have used the folder.
    fn warn_of_distrust(&self, phase: Phase) {
        let (Some(reason), Some(folder)) = (&self.distrust, &self.settings.folder) else { return };
        let is_used = self.settings.mode != CacheMode::Off && self.is_wanted(phase);
        if is_used && !self.has_warned.swap(true, Ordering::Relaxed) {
            let folder = folder.display();
            self.say(&format!("warning: the cache in {folder} is not used: {reason}"));
        }
    }

    fn say(&self, message: &str) {
        // Where nobody reads messages, there is nobody to tell.
        let _ = writeln!(io::stderr(), "{}: {message}", self.name);
    }
}

fn told(action: &Action<'_>) -> String {
    format!("{} {}", action.phase.name(), action.subject)
}

fn microseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

/// Why there is no result, by what differs from the nearest earlier run. With several differences
/// it is the one that was further from the user's hands: a new tool explains more than an option.
fn reason(nearest: Option<&[Difference]>) -> Miss {
    let Some(differences) = nearest else { return Miss::New };
    let has = |kind| differences.iter().any(|it| it.kind == kind);
    if differences.is_empty() {
        Miss::Dropped
    } else if has(FieldKind::Program) {
        Miss::Program
    } else if has(FieldKind::Argument) || has(FieldKind::Output) {
        Miss::Options
    } else {
        Miss::Inputs
    }
}

fn explanation(action: &Action<'_>, miss: Miss, nearest: Option<&[Difference]>) -> String {
    let why = match (miss, nearest) {
        (Miss::Damaged, _) => "its result in the cache was damaged".to_owned(),
        (_, None) => "no earlier run of it is known".to_owned(),
        (_, Some([])) => "its result had to make room for others".to_owned(),
        (_, Some(differences)) => {
            let differences: Vec<_> = differences.iter().map(ToString::to_string).collect();
            format!("against the nearest earlier run, {}", differences.join(", "))
        }
    };
    format!("miss: {}: {why}", told(action))
}
