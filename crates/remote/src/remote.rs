//! The calls that users make.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, watch};

use crate::action::{Progress, RemoteAction, RemoteResult, Traffic};
use crate::digest::Digest;
use crate::endpoint::{Endpoint, Protocol};
use crate::error::RemoteError;
use crate::grpc::Grpc;
use crate::http::Http;
use crate::messages::{Dialect, Messages};
use crate::network::labels::Labels;
use crate::network::meter::Meter;
use crate::network::shared_calls::{Role, SharedCalls, follow};
use crate::notes::Notes;
use crate::settings::Settings;

/// Longest wait for the cluster to accept that an execution is canceled.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(2);

type Answer<T> = Result<T, RemoteError>;

/// A cluster or a cache. All calls block, may be made from many threads at a time, and must not be
/// made from asynchronous code.
pub struct Remote {
    runtime: Runtime,
    backend: Backend,
    meter: Arc<Meter>,
    notes: Notes,
    cancelled: watch::Sender<bool>,
    executions_at_a_time: Semaphore,
    running: Arc<Running>,
    deadline: Option<Duration>,
    uploads: bool,
    executes: bool,
    warnings: Vec<String>,
    lookups: SharedCalls<Digest, Answer<Option<RemoteResult>>>,
    executions: SharedCalls<Digest, Answer<RemoteResult>>,
}

/// The executions that have to end before the process does.
#[derive(Debug, Default)]
struct Running {
    executions: AtomicUsize,
    is_interrupted: AtomicBool,
}

enum Backend {
    Grpc(Box<Grpc>),
    Http(Box<Http>),
}

impl Remote {
    /// Connects to the servers and agrees on terms with them.
    pub fn connect(settings: &Settings) -> Answer<Self> {
        let remote = Self::try_to_connect(settings);
        if let Err(error) = &remote {
            note_down(&Notes::new(settings.notes.as_deref()), error);
        }
        remote
    }

    fn try_to_connect(settings: &Settings) -> Answer<Self> {
        let (cache, executor) = settings.endpoints()?;
        let mut warnings = warnings(&cache, executor.as_ref(), settings);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("weft-remote")
            .enable_all()
            .build()
            .map_err(|error| RemoteError::Settings(format!("cannot start threads: {error}")))?;
        let meter = Arc::new(Meter::default());
        let backend = runtime.block_on(async {
            match cache.protocol {
                Protocol::Http => Http::connect(&cache, settings, &meter)
                    .await
                    .map(|http| Backend::Http(Box::new(http))),
                Protocol::Grpc => {
                    let grpc = Grpc::connect(&cache, executor.as_ref(), settings, &meter).await;
                    grpc.map(|grpc| Backend::Grpc(Box::new(grpc)))
                }
            }
        })?;
        let (takes_results, executes) = match &backend {
            Backend::Http(_) => (true, false),
            Backend::Grpc(grpc) => (grpc.terms().takes_results, grpc.terms().executes),
        };
        if settings.upload && !takes_results && !executes {
            warnings.push(format!("{cache} takes no results from here; it is only read"));
        }
        Ok(Self {
            runtime,
            backend,
            meter,
            notes: Notes::new(settings.notes.as_deref()),
            cancelled: watch::Sender::new(false),
            running: Arc::default(),
            executions_at_a_time: Semaphore::new(settings.jobs.clamp(1, Semaphore::MAX_PERMITS)),
            deadline: settings.deadline,
            uploads: settings.upload && takes_results,
            executes,
            warnings,
            lookups: SharedCalls::default(),
            executions: SharedCalls::default(),
        })
    }

    /// Returns the name of the server that has the results, without credentials.
    pub fn server(&self) -> &str {
        match &self.backend {
            Backend::Grpc(grpc) => grpc.name(),
            Backend::Http(http) => http.name(),
        }
    }

    /// Returns what the servers offer to this client, in words.
    pub fn offer(&self) -> String {
        let Backend::Grpc(grpc) = &self.backend else {
            return "results over HTTP".to_owned();
        };
        let terms = grpc.terms();
        let mut offer = format!("results by {}", terms.dialect.digest_function.name());
        offer.push_str(if terms.takes_results { ", takes results" } else { ", takes no results" });
        offer.push_str(if terms.executes { ", runs steps" } else { ", is not asked to run steps" });
        offer
    }

    /// Returns the warnings that users should see before anything is sent.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Whether there is an executor.
    pub fn executes(&self) -> bool {
        self.executes
    }

    /// Returns the traffic of all calls so far.
    pub fn traffic(&self) -> Traffic {
        self.meter.traffic()
    }

    /// Returns the dialect of messages by which the server knows actions.
    pub fn dialect(&self) -> Dialect {
        match &self.backend {
            Backend::Grpc(grpc) => grpc.terms().dialect,
            Backend::Http(_) => Http::DIALECT,
        }
    }

    /// Returns the result that the cache has, with all outputs. A result that is incomplete, does
    /// not fit the action or is of a command that failed counts as missing. Wrong content is an
    /// error, so that users learn of it.
    pub fn lookup(&self, action: &RemoteAction) -> Answer<Option<RemoteResult>> {
        if action.do_not_cache {
            return Ok(None);
        }
        let messages = Messages::new(action, self.dialect())?;
        let meter = self.meter_of(action, &messages);
        let answer =
            self.wait_for(self.merged(
                &self.lookups,
                messages.action,
                async || match &self.backend {
                    Backend::Grpc(grpc) => grpc.lookup(action, &messages, &meter).await,
                    Backend::Http(http) => http.lookup(action, &messages, &meter).await,
                },
            ));
        let answer = self.heeded(answer)?;
        Ok(answer.map(|result| RemoteResult { traffic: meter.traffic(), ..result }))
    }

    /// Stores a result for others. Does nothing if uploads are off or the action is not to be
    /// cached.
    pub fn store(&self, action: &RemoteAction, result: &RemoteResult) -> Answer<()> {
        if !self.uploads || action.do_not_cache {
            return Ok(());
        }
        let messages = Messages::new(action, self.dialect())?;
        let meter = self.meter_of(action, &messages);
        let answer = self.wait_for(async {
            match &self.backend {
                Backend::Grpc(grpc) => grpc.store(&messages, result, &meter).await,
                Backend::Http(http) => http.store(&messages, result, &meter).await,
            }
        });
        self.heeded(answer)
    }

    /// Makes the cluster run `action`, or return the result that it has. A command that fails gives
    /// a result with an exit code other than 0.
    pub fn execute(
        &self,
        action: &RemoteAction,
        progress: &dyn Fn(Progress),
    ) -> Answer<RemoteResult> {
        let Backend::Grpc(grpc) = &self.backend else {
            let text = "an HTTP cache runs nothing: set an executor";
            return Err(RemoteError::Settings(text.to_owned()));
        };
        let messages = Messages::new(action, self.dialect())?;
        let meter = self.meter_of(action, &messages);
        let running = RefCell::new(String::new());
        let latest = RefCell::new(String::new());
        let progress = |stage: Progress| {
            if let Some(state) = state(&stage) {
                state.clone_into(&mut latest.borrow_mut());
            }
            progress(stage);
        };
        let execution = self.merged(&self.executions, messages.action, async || {
            // The semaphore is never closed, so a slot always comes.
            let _slot = self.executions_at_a_time.acquire().await;
            let execution = grpc.execute(action, &messages, &meter, &progress, &running);
            let Some(deadline) = self.deadline else { return execution.await };
            tokio::time::timeout(deadline, execution).await.unwrap_or_else(|_| {
                Err(RemoteError::Deadline {
                    server: grpc.name().to_owned(),
                    seconds: deadline.as_secs_f64(),
                    state: latest.borrow().clone(),
                })
            })
        });
        self.running.executions.fetch_add(1, Ordering::SeqCst);
        let answer = self.heeded(self.wait_for(execution));
        let name = running.take();
        if answer.is_err() && !name.is_empty() {
            self.runtime.block_on(async {
                let canceled = tokio::time::timeout(CANCEL_TIMEOUT, grpc.cancel(&name, &meter));
                // Whether the cluster accepts it makes no difference here.
                drop(canceled.await);
            });
        }
        self.running.executions.fetch_sub(1, Ordering::SeqCst);
        // The process is about to end, so the result is of no use.
        while self.running.is_interrupted.load(Ordering::SeqCst) {
            std::thread::park_timeout(CANCEL_TIMEOUT);
        }
        Ok(RemoteResult { traffic: meter.traffic(), ..answer? })
    }

    /// Makes the signals that ask a process to end first cancel its executions in the cluster, so
    /// that no worker works in vain. Then `end` is called with the signal's number, and is not
    /// expected to return.
    pub fn end_on_signals(&self, end: impl FnOnce(i32) + Send + 'static) {
        let (running, cancelled) = (Arc::clone(&self.running), self.cancelled.clone());
        self.runtime.spawn(async move {
            let Some(number) = signal().await else { return };
            running.is_interrupted.store(true, Ordering::SeqCst);
            cancelled.send_replace(true);
            for _ in 0..300 {
                if running.executions.load(Ordering::SeqCst) == 0 {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            end(number);
        });
    }

    /// Ends all calls, now and later, with [`RemoteError::Cancelled`]. Any thread may call this.
    pub fn cancel(&self) {
        self.cancelled.send_replace(true);
    }

    /// Returns counters for the calls about one action, with its labels.
    fn meter_of(&self, action: &RemoteAction, messages: &Messages) -> Arc<Meter> {
        Arc::new(Meter::below(&self.meter, Labels::of(action, messages.action)))
    }

    /// Returns `answer`, after notes for other processes if it is a failure.
    fn heeded<T>(&self, answer: Answer<T>) -> Answer<T> {
        // A full server offers what it did.
        if let Err(error) = &answer
            && !matches!(error, RemoteError::Full { .. })
        {
            note_down(&self.notes, error);
            match &self.backend {
                Backend::Grpc(grpc) => grpc.doubt(),
                Backend::Http(http) => self.notes.forget_offer(http.name()),
            }
        }
        answer
    }

    fn wait_for<T>(&self, call: impl Future<Output = Answer<T>>) -> Answer<T> {
        let mut cancelled = self.cancelled.subscribe();
        self.runtime.block_on(async {
            tokio::select! {
                biased;
                _ = cancelled.wait_for(|is_cancelled| *is_cancelled) => Err(RemoteError::Cancelled),
                answer = call => answer,
            }
        })
    }

    /// Makes the call for `key`, or waits for the same call of another caller.
    async fn merged<T: Clone>(
        &self,
        calls: &SharedCalls<Digest, Answer<T>>,
        key: Digest,
        call: impl AsyncFn() -> Answer<T>,
    ) -> Answer<T> {
        loop {
            match calls.join(key) {
                Role::Lead(lead) => {
                    let answer = call().await;
                    lead.finish(answer.clone());
                    return answer;
                }
                Role::Follow(receiver) => {
                    if let Some(answer) = follow(receiver).await {
                        return answer;
                    }
                }
            }
        }
    }
}

/// Notes for other processes that a server is down, if `error` shows that this process has met.
fn note_down(notes: &Notes, error: &RemoteError) {
    if let Some(server) = error.server_that_is_down()
        && !matches!(error, RemoteError::Down { .. })
    {
        notes.note_down(server, &error.to_string());
    }
}

/// Describes what an action was doing when its time was over; `None` where a stage says nothing
/// about that.
fn state(stage: &Progress) -> Option<&'static str> {
    match stage {
        Progress::Uploading { .. } => Some("its inputs were still being sent"),
        Progress::Queued => Some(
            "it was only queued: no worker has taken it, because all are busy or none has the \
             properties of --remote-platform",
        ),
        Progress::Executing => Some("it was running"),
        Progress::Downloading { .. } => Some("its outputs were still being received"),
        Progress::LookingUp => Some(
            "no worker was said to run it: it may only have been queued, because all are busy or \
             none has the properties of --remote-platform",
        ),
        Progress::Retrying { .. } => None,
    }
}

/// Returns the number of the first signal that asks this process to end; `None` on systems without
/// signals.
#[cfg(unix)]
async fn signal() -> Option<i32> {
    use tokio::signal::unix::{SignalKind, signal};
    let kinds = [SignalKind::interrupt(), SignalKind::terminate()];
    let [mut interrupt, mut terminate] = kinds.map(|kind| signal(kind).ok());
    let (interrupt, terminate) = (interrupt.as_mut()?, terminate.as_mut()?);
    let kind = tokio::select! {
        _ = interrupt.recv() => kinds[0],
        _ = terminate.recv() => kinds[1],
    };
    Some(kind.as_raw_value())
}

#[cfg(not(unix))]
async fn signal() -> Option<i32> {
    None
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.cancel();
    }
}

impl fmt::Debug for Remote {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Remote").field("server", &self.server()).finish_non_exhaustive()
    }
}

/// Returns a warning for each server to which the connection is not encrypted.
fn warnings(cache: &Endpoint, executor: Option<&Endpoint>, settings: &Settings) -> Vec<String> {
    let mut servers = vec![cache];
    servers.extend(executor.filter(|executor| *executor != cache));
    let open = servers.into_iter().filter(|server| !server.tls && !server.is_this_machine);
    open.map(|server| {
        let what = if settings.has_credentials_for(server) {
            "everything that is sent, credentials included,"
        } else {
            "everything that is sent"
        };
        format!(
            "WARNING: the connection to {server} is not encrypted: {what} can be read and changed \
             on its way; use grpcs:// or https://"
        )
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(executor: Option<&str>, cache: Option<&str>) -> Settings {
        let owned = |text: &str| text.to_owned();
        Settings { executor: executor.map(owned), cache: cache.map(owned), ..Settings::default() }
    }

    #[test]
    fn settings_that_cannot_work_are_refused_at_once() {
        for (executor, cache, part) in [
            (None, None, "neither"),
            (Some("http://host"), None, "grpc://"),
            (Some("grpc://host"), Some("http://host"), "its own cache"),
        ] {
            let text = Remote::connect(&settings(executor, cache)).unwrap_err().to_string();
            assert!(text.contains(part), "{text}");
        }
        let half = Settings { cert: Some("x".into()), ..settings(Some("grpcs://host"), None) };
        assert!(Remote::connect(&half).unwrap_err().to_string().contains("its key"));
    }

    #[test]
    fn the_end_of_a_deadline_is_told_by_the_latest_stage() {
        for (stage, part) in [
            (Progress::Uploading { bytes: 1 }, "sent"),
            (Progress::LookingUp, "may only have been queued"),
            (Progress::Queued, "was only queued"),
            (Progress::Executing, "was running"),
            (Progress::Downloading { bytes: 1 }, "received"),
        ] {
            assert!(state(&stage).is_some_and(|text| text.contains(part)), "{stage:?}");
        }
        assert_eq!(state(&Progress::Retrying { reason: String::new() }), None);
    }

    #[test]
    fn only_open_connections_to_other_machines_are_warned_of() {
        for (address, expected) in [
            ("grpc://10.0.0.1:1", 1),
            ("http://cache.example.com", 1),
            ("grpcs://10.0.0.1:1", 0),
            ("10.0.0.1:1", 0),
            ("grpc://localhost:1", 0),
        ] {
            let settings = settings(None, Some(address));
            let (cache, executor) = settings.endpoints().unwrap();
            assert_eq!(warnings(&cache, executor.as_ref(), &settings).len(), expected, "{address}");
        }
    }
}
