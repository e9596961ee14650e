//! A cluster or cache that speaks the Remote Execution API.

pub(crate) mod capabilities;
mod cas;
pub(crate) mod execution;
mod ingress;
mod link;
mod small_blobs;
mod store;
mod stream;
mod tunnel;
pub(crate) mod zstandard;

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use bazel_remote_apis::build::bazel::remote::execution::v2 as reapi;
use reapi::action_cache_client::ActionCacheClient;
use tonic::Code;

use crate::action::{Progress, RemoteAction, RemoteResult};
use crate::digest::Digest;
use crate::endpoint::Endpoint;
use crate::error::RemoteError;
use crate::messages::Messages;
use crate::network::LARGEST_MESSAGE;
use crate::network::meter::Meter;
use crate::network::retry::Failure;
use crate::network::tls::Certificates;
use crate::notes::Notes;
use crate::outputs::{PendingResult, to_wire};
use crate::settings::{Part, Settings};
use capabilities::Terms;
use cas::Cas;
use execution::Execution;
use link::Link;
use store::{FetchError, Store};

/// Number of times that an action is run again because the store lost inputs or outputs, or because
/// a cached result was a failure.
const RUNS: u32 = 3;

/// The servers of a cluster.
#[derive(Debug)]
pub(crate) struct Grpc {
    cas: Cas,
    executor: Option<Link>,
    /// Whether the executor is another server than the store.
    is_executor_apart: bool,
}

impl Grpc {
    /// Connects and agrees on terms.
    pub(crate) async fn connect(
        cache: &Endpoint,
        executor: Option<&Endpoint>,
        settings: &Settings,
        meter: &Meter,
    ) -> Result<Self, RemoteError> {
        let certificates = Certificates::read(settings)?;
        let link = Link::new(cache, Part::Cache, settings, &certificates)?;
        let offered = capabilities::learn(&link, settings, meter).await?;
        // Executions have a separate connection even with one server: they hold it for a long time.
        let executor_link =
            executor.map(|executor| Link::new(executor, Part::Executor, settings, &certificates));
        let executor_link = executor_link.transpose()?;
        let executing = match &executor_link {
            Some(_) if executor == Some(cache) => Some(offered.clone()),
            Some(link) => Some(capabilities::learn(link, settings, meter).await?),
            None => None,
        };
        let terms = Terms::agree(&offered, executing.as_ref(), settings);
        let terms = terms.map_err(|what| {
            let server = executor_link.as_ref().unwrap_or(&link).server.name.clone();
            RemoteError::Unsupported { server, what }
        })?;
        let notes = Notes::new(settings.notes.as_deref());
        let (instance, priority) = (settings.instance.clone(), settings.priority);
        let store = Store { link, instance, terms, priority };
        let is_executor_apart = executor.is_some_and(|executor| executor != cache);
        Ok(Self { cas: Cas::new(store, notes), executor: executor_link, is_executor_apart })
    }

    /// Returns the terms that were agreed on.
    pub(crate) fn terms(&self) -> Terms {
        self.cas.store.terms
    }

    /// Forgets what the servers were noted to offer, as a call has failed.
    pub(crate) fn doubt(&self) {
        for link in [Some(&self.cas.store.link), self.executor.as_ref()].into_iter().flatten() {
            self.cas.notes.forget_offer(&capabilities::subject(link, &self.cas.store.instance));
        }
    }

    /// Returns the name of the server with the cache.
    pub(crate) fn name(&self) -> &str {
        &self.cas.store.link.server.name
    }

    /// Returns the result that the cluster has, if it has a usable one.
    pub(crate) async fn lookup(
        &self,
        action: &RemoteAction,
        messages: &Messages,
        meter: &Arc<Meter>,
    ) -> Result<Option<RemoteResult>, RemoteError> {
        let request = reapi::GetActionResultRequest {
            instance_name: self.cas.store.instance.clone(),
            action_digest: Some(messages.action.to_wire()),
            inline_stdout: true,
            inline_stderr: true,
            // The first answer has to come soon, so it should be small.
            inline_output_files: if self.cas.store.link.first_answer.has_come() {
                action.outputs.clone()
            } else {
                Vec::new()
            },
            digest_function: self.cas.store.terms.dialect.digest_function.wire(),
        };
        let link = &self.cas.store.link;
        let answer = link.call(meter, &request, async |channel, request| {
            let client = ActionCacheClient::new(channel);
            client.max_decoding_message_size(LARGEST_MESSAGE).get_action_result(request).await
        });
        let result = match answer.await {
            Ok(result) => result,
            Err(failure) if failure.code == Code::NotFound => return Ok(None),
            Err(failure) => return Err(link.error("GetActionResult", &failure)),
        };
        // Some servers keep failures, too. A command that failed there may succeed here.
        if result.exit_code != 0 {
            return Ok(None);
        }
        match self.fetch(result, action, meter, &|_| {}).await {
            Ok(result) => Ok(Some(RemoteResult { served_from_cache: true, ..result })),
            Err(FetchError::Missing(_) | FetchError::Other(RemoteError::Result { .. })) => Ok(None),
            Err(FetchError::Other(error)) => Err(error),
        }
    }

    async fn fetch(
        &self,
        result: reapi::ActionResult,
        action: &RemoteAction,
        meter: &Arc<Meter>,
        progress: &dyn Fn(Progress),
    ) -> Result<RemoteResult, FetchError> {
        let function = self.cas.store.terms.dialect.digest_function;
        let found = PendingResult::new(result, action, function).map_err(|reason| {
            FetchError::Other(RemoteError::Result { server: self.name().to_owned(), reason })
        })?;
        let wanted = found.in_store();
        if !wanted.is_empty() {
            let bytes = wanted.iter().map(Digest::size).sum();
            progress(Progress::Downloading { bytes });
        }
        let fetched = self.cas.fetch(wanted, meter).await?;
        Ok(found.complete(&fetched))
    }

    /// Stores a result for others.
    pub(crate) async fn store(
        &self,
        messages: &Messages,
        result: &RemoteResult,
        meter: &Arc<Meter>,
    ) -> Result<(), RemoteError> {
        let (wire, mut blobs) = to_wire(result, self.cas.store.terms.dialect.digest_function);
        // Servers show users the command of a result, and some refuse results of unknown actions.
        for digest in [messages.action, messages.command] {
            blobs.extend(messages.blobs.get(&digest).map(|content| (digest, content.clone())));
        }
        self.cas.ensure(&blobs, meter, &|_| {}).await?;
        let request = reapi::UpdateActionResultRequest {
            instance_name: self.cas.store.instance.clone(),
            action_digest: Some(messages.action.to_wire()),
            action_result: Some(wire),
            results_cache_policy: self.cas.store.results_policy(),
            digest_function: self.cas.store.terms.dialect.digest_function.wire(),
        };
        let mut repaired = false;
        loop {
            let link = &self.cas.store.link;
            let answer = link.call(meter, &request, async |channel, request| {
                let client = ActionCacheClient::new(channel);
                let mut client = client.max_decoding_message_size(LARGEST_MESSAGE);
                client.update_action_result(request).await.map_err(Failure::of_sending)
            });
            match answer.await {
                Ok(_) => return Ok(()),
                // The store lost a blob that it had when it was asked.
                Err(failure) if failure.code == Code::FailedPrecondition && !repaired => {
                    repaired = true;
                    self.cas.forget(blobs.keys());
                    self.cas.ensure(&blobs, meter, &|_| {}).await?;
                }
                Err(failure) => {
                    return Err(link.error_of_sending("UpdateActionResult", &failure));
                }
            }
        }
    }

    /// Runs an action. `running` holds the name of the execution while it runs.
    pub(crate) async fn execute(
        &self,
        action: &RemoteAction,
        messages: &Messages,
        meter: &Arc<Meter>,
        progress: &dyn Fn(Progress),
        running: &RefCell<String>,
    ) -> Result<RemoteResult, RemoteError> {
        let Some(link) = &self.executor else {
            return Err(RemoteError::Settings("no executor is set, only a cache".to_owned()));
        };
        let execution = Execution { link, cas: &self.cas, messages, meter, progress, running };
        let mut skip_cache = action.do_not_cache || action.skip_lookup;
        if !skip_cache
            && let Some(result) = self.known_result(action, messages, meter, progress).await?
        {
            return Ok(result);
        }
        if self.is_executor_apart && !link.first_answer.has_come() {
            // An execution may be silent for long, so another call shows whether the server lives.
            capabilities::ask(link, &self.cas.store.instance, meter).await?;
        }
        let mut round = 0;
        loop {
            let (result, is_cached) = execution.run(skip_cache).await?;
            // A cached failure gets another chance, and so does a command that failed because an
            // input was missing: workers that fetch inputs when they are read report that as a
            // failed command.
            if result.exit_code != 0
                && round < RUNS
                && (is_cached && !skip_cache || self.restore_inputs(messages, meter).await?)
            {
                (round, skip_cache) = (round + 1, true);
                continue;
            }
            match self.fetch(result, action, meter, progress).await {
                Ok(result) => return Ok(RemoteResult { served_from_cache: is_cached, ..result }),
                // The store has lost outputs of the result, so the action makes them again.
                Err(FetchError::Missing(_)) if round < RUNS => {
                    (round, skip_cache) = (round + 1, true);
                }
                Err(FetchError::Missing(digest)) => {
                    let reason = format!("{digest} is not in the store");
                    return Err(RemoteError::Result { server: self.name().to_owned(), reason });
                }
                Err(FetchError::Other(error)) => return Err(error),
            }
        }
    }

    /// Returns the result that the cluster has before anything is sent. Not every scheduler looks
    /// for one itself, and a hit needs no inputs. A cluster that refuses the question is asked to
    /// run the action.
    async fn known_result(
        &self,
        action: &RemoteAction,
        messages: &Messages,
        meter: &Arc<Meter>,
        progress: &dyn Fn(Progress),
    ) -> Result<Option<RemoteResult>, RemoteError> {
        progress(Progress::LookingUp);
        match self.lookup(action, messages, meter).await {
            Err(RemoteError::Call { .. }) => Ok(None),
            answer => answer,
        }
    }

    /// Checks whether the store has lost a blob of the action, and sends it again.
    async fn restore_inputs(
        &self,
        messages: &Messages,
        meter: &Arc<Meter>,
    ) -> Result<bool, RemoteError> {
        let was_lacking = Cell::new(false);
        self.cas.forget(messages.blobs.keys());
        self.cas.ensure(&messages.blobs, meter, &|_| was_lacking.set(true)).await?;
        Ok(was_lacking.get())
    }

    /// Ends an execution that no caller waits for.
    pub(crate) async fn cancel(&self, name: &str, meter: &Meter) {
        if let Some(link) = &self.executor
            && !name.is_empty()
        {
            execution::cancel(link, name, meter).await;
        }
    }
}
