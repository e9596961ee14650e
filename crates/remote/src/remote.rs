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
use crate::flights::{Flights, Seat, follow};
use crate::grpc::Grpc;
use crate::http::Http;
use crate::messages::{Dialect, Messages};
use crate::meter::Meter;
use crate::settings::Settings;

/// How long the cluster may take to hear that an execution is not wanted any more.
const FAREWELL: Duration = Duration::from_secs(2);

type Answer<T> = Result<T, RemoteError>;

/// A cluster or a cache. All calls block, may be made from many threads at a time, and must not be
/// made from asynchronous code.
pub struct Remote {
    runtime: Runtime,
    backend: Backend,
    meter: Arc<Meter>,
    cancelled: watch::Sender<bool>,
    executions_at_a_time: Semaphore,
    running: Arc<Running>,
    deadline: Option<Duration>,
    uploads: bool,
    executes: bool,
    warnings: Vec<String>,
    lookups: Flights<Digest, Answer<Option<RemoteResult>>>,
    executions: Flights<Digest, Answer<RemoteResult>>,
}

/// What has to end before the process does.
#[derive(Debug, Default)]
struct Running {
    executions: AtomicUsize,
    is_interrupted: AtomicBool,
}

enum Backend {
    Grpc(Box<Grpc>),
    Http(Http),
}

impl Remote {
    /// Connects, and agrees with the servers on how to speak.
    pub fn connect(settings: &Settings) -> Answer<Self> {
        let (cache, executor) = endpoints(settings)?;
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
                Protocol::Http => Http::connect(&cache, settings, &meter).await.map(Backend::Http),
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
            cancelled: watch::Sender::new(false),
            running: Arc::default(),
            executions_at_a_time: Semaphore::new(settings.jobs.clamp(1, Semaphore::MAX_PERMITS)),
            deadline: settings.deadline,
            uploads: settings.upload && takes_results,
            executes,
            warnings,
            lookups: Flights::default(),
            executions: Flights::default(),
        })
    }

    /// The name of the server that has the results, without credentials.
    pub fn server(&self) -> &str {
        match &self.backend {
            Backend::Grpc(grpc) => grpc.name(),
            Backend::Http(http) => http.name(),
        }
    }

    /// What users should be told before anything is sent.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Whether there is an executor.
    pub fn executes(&self) -> bool {
        self.executes
    }

    /// What all calls together have cost so far.
    pub fn traffic(&self) -> Traffic {
        self.meter.traffic()
    }

    /// The bytes by which the server knows actions.
    pub fn dialect(&self) -> Dialect {
        match &self.backend {
            Backend::Grpc(grpc) => grpc.terms().dialect,
            Backend::Http(_) => Http::DIALECT,
        }
    }

    /// The result that the cache has, with all outputs. None if it has none, or one of which something
    /// is gone or that does not fit the action, or one of a command that failed. Wrong content is an
    /// error, so that it can be told.
    pub fn lookup(&self, action: &RemoteAction) -> Answer<Option<RemoteResult>> {
        if action.do_not_cache {
            return Ok(None);
        }
        let messages = Messages::new(action, self.dialect())?;
        let meter = Arc::new(Meter::below(&self.meter));
        let answer =
            self.wait_for(self.merged(
                &self.lookups,
                messages.action,
                async || match &self.backend {
                    Backend::Grpc(grpc) => grpc.lookup(action, &messages, &meter).await,
                    Backend::Http(http) => http.lookup(action, &messages, &meter).await,
                },
            ))?;
        Ok(answer.map(|result| RemoteResult { traffic: meter.traffic(), ..result }))
    }

    /// Leaves a result for others. Without the right to, or for an action that is not to be cached,
    /// does nothing.
    pub fn store(&self, action: &RemoteAction, result: &RemoteResult) -> Answer<()> {
        if !self.uploads || action.do_not_cache {
            return Ok(());
        }
        let messages = Messages::new(action, self.dialect())?;
        let meter = Arc::new(Meter::below(&self.meter));
        self.wait_for(async {
            match &self.backend {
                Backend::Grpc(grpc) => grpc.store(&messages, result, &meter).await,
                Backend::Http(http) => http.store(&messages, result, &meter).await,
            }
        })
    }

    /// Has the cluster run `action`, or give the result that it has. A command that fails is a result,
    /// with an exit code other than 0.
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
        let meter = Arc::new(Meter::below(&self.meter));
        let running = RefCell::new(String::new());
        let execution = self.merged(&self.executions, messages.action, async || {
            // The semaphore is never closed, so a slot always comes.
            let _slot = self.executions_at_a_time.acquire().await;
            let execution = grpc.execute(action, &messages, &meter, progress, &running);
            let Some(deadline) = self.deadline else { return execution.await };
            tokio::time::timeout(deadline, execution).await.unwrap_or_else(|_| {
                Err(RemoteError::Timeout {
                    server: grpc.name().to_owned(),
                    call: "Execute".to_owned(),
                    seconds: deadline.as_secs_f64(),
                })
            })
        });
        self.running.executions.fetch_add(1, Ordering::SeqCst);
        let answer = self.wait_for(execution);
        let name = running.take();
        if answer.is_err() && !name.is_empty() {
            self.runtime.block_on(async {
                let farewell = tokio::time::timeout(FAREWELL, grpc.cancel(&name));
                // Whether the cluster has understood makes no difference here.
                drop(farewell.await);
            });
        }
        self.running.executions.fetch_sub(1, Ordering::SeqCst);
        // The process is about to end: there is nothing left to say here.
        while self.running.is_interrupted.load(Ordering::SeqCst) {
            std::thread::park_timeout(FAREWELL);
        }
        Ok(RemoteResult { traffic: meter.traffic(), ..answer? })
    }

    /// From now on, the signals that ask a process to end first end what it waits for in the cluster,
    /// so that no worker works for nobody. Then `end` is called with the signal's number, and is not
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

    /// Ends all calls, now and later, with [`RemoteError::Cancelled`]. May be called from any thread.
    pub fn cancel(&self) {
        self.cancelled.send_replace(true);
    }

    fn wait_for<T>(&self, call: impl Future<Output = Answer<T>>) -> Answer<T> {
        let mut cancelled = self.cancelled.subscribe();
        self.runtime.block_on(async {
            tokio::select! {
                biased;
                _ = cancelled.wait_for(|it| *it) => Err(RemoteError::Cancelled),
                answer = call => answer,
            }
        })
    }

    /// Makes the call for `key`, or waits for somebody else's.
    async fn merged<T: Clone>(
        &self,
        flights: &Flights<Digest, Answer<T>>,
        key: Digest,
        call: impl AsyncFn() -> Answer<T>,
    ) -> Answer<T> {
        loop {
            match flights.board(key) {
                Seat::Lead(lead) => {
                    let answer = call().await;
                    lead.finish(answer.clone());
                    return answer;
                }
                Seat::Follow(receiver) => {
                    if let Some(answer) = follow(receiver).await {
                        return answer;
                    }
                }
            }
        }
    }
}

/// The number of the first signal that asks this process to end; none where there are no signals.
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

/// Of the cache and of the executor, which is the cache too if no other is set.
pub(crate) fn endpoints(settings: &Settings) -> Answer<(Endpoint, Option<Endpoint>)> {
    let parse = |address: &Option<String>| address.as_deref().map(Endpoint::parse).transpose();
    let executor = parse(&settings.executor)?;
    let wrong = |text: &str| Err(RemoteError::Settings(text.to_owned()));
    if executor.as_ref().is_some_and(|it| it.protocol == Protocol::Http) {
        return wrong("an executor must be at grpc:// or grpcs://");
    }
    match (parse(&settings.cache)?, executor) {
        (None, None) => wrong("neither a remote executor nor a remote cache is set"),
        (None, Some(executor)) => Ok((executor.clone(), Some(executor))),
        (Some(cache), Some(_)) if cache.protocol == Protocol::Http => {
            wrong("an executor reads its inputs from its own cache: leave out the HTTP cache")
        }
        (Some(cache), executor) => Ok((cache, executor)),
    }
}

fn warnings(cache: &Endpoint, executor: Option<&Endpoint>, settings: &Settings) -> Vec<String> {
    let mut servers = vec![cache];
    servers.extend(executor.filter(|executor| *executor != cache));
    let open = servers.into_iter().filter(|server| !server.tls && !server.is_this_machine);
    open.map(|server| {
        let what = if settings.headers.is_empty() && server.authorization.is_none() {
            "everything that is sent"
        } else {
            "everything that is sent, credentials included,"
        };
        format!(
            "WARNING: the connection to {server} is not encrypted: {what} can be read and changed on \
             its way; use grpcs:// or https://"
        )
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(executor: Option<&str>, cache: Option<&str>) -> Settings {
        let owned = |it: &str| it.to_owned();
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
    fn only_open_connections_to_other_machines_are_warned_of() {
        for (address, expected) in [
            ("grpc://10.0.0.1:1", 1),
            ("http://cache.example.com", 1),
            ("grpcs://10.0.0.1:1", 0),
            ("10.0.0.1:1", 0),
            ("grpc://localhost:1", 0),
        ] {
            let settings = settings(None, Some(address));
            let (cache, executor) = endpoints(&settings).unwrap();
            assert_eq!(warnings(&cache, executor.as_ref(), &settings).len(), expected, "{address}");
        }
    }
}
