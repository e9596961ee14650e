//! The way of one job through client, network and worker, as a list of steps.
//!
//! A job of the cluster goes like this:
//!
//! | step | takes | holds |
//! |---|---|---|
//! | `Work` | processors of the client | one of the client's jobs, up to the end |
//! | `Ask` | round trips: the result? which blobs are missing? execute | |
//! | `Send` | link of the client and link of the store, for what the store lacks | |
//! | `Fetch` | links of the store and of the worker, for what the worker lacks | a slot |
//! | `Run` | a processor of the worker | a slot |
//! | `Keep` | links of the worker and of the store, for the outputs | a slot |
//! | `Reply` | time without a slot, and a round trip | |
//! | `Receive` | links of the store and of the client, for the outputs | |
//!
//! A job whose result the cluster has goes from `Ask` to `Receive`. A job of the client is `Work`
//! alone. Two links of one step are used at the same time, and the slower one counts.

use crate::cluster::{Cluster, Overhead};
use crate::jobs::{Job, Jobs};
use dev_random::SplitMix64;

/// Round trips before a worker gets the action: the cached result, the missing blobs, and the call
/// that starts it.
const ROUND_TRIPS: f64 = 3.0;

/// Number of parts that a hit rate is divided into.
const PARTS: u64 = 1 << 32;

/// A step of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    Work,
    Ask,
    Send,
    Queue,
    Fetch,
    Run,
    Keep,
    Reply,
    Receive,
    End,
}

/// A shared resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resource {
    ClientProcessors,
    ClientUp,
    ClientDown,
    StoreIn,
    StoreOut,
    WorkerProcessors(usize),
    WorkerIn(usize),
    WorkerOut(usize),
}

/// All that is fixed before the simulation starts.
pub(crate) struct Model<'input> {
    pub(crate) jobs: &'input Jobs,
    pub(crate) cluster: &'input Cluster,
    is_hit: Vec<bool>,
}

impl<'input> Model<'input> {
    /// Draws the jobs whose results the cluster has. The same seed gives the same jobs, and a
    /// higher hit rate has those of a lower one among its own.
    pub(crate) fn new(jobs: &'input Jobs, cluster: &'input Cluster, seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        #[expect(clippy::cast_precision_loss, reason = "32 bits")]
        let mut share = || random.below(PARTS) as f64 / PARTS as f64;
        let is_hit = jobs.jobs.iter().map(|job| share() < cluster.hit_rate && !job.runs_here);
        Self { is_hit: is_hit.collect(), jobs, cluster }
    }

    pub(crate) fn overhead(&self, job: &Job) -> Overhead {
        if job.runs_here { Overhead::default() } else { self.cluster.overhead(&job.phase) }
    }

    /// Returns the step after `step`.
    pub(crate) fn after(&self, job: usize, step: Step) -> Step {
        match step {
            Step::Work if self.jobs.jobs[job].runs_here => Step::End,
            Step::Work => Step::Ask,
            Step::Ask if self.is_hit[job] => Step::Receive,
            Step::Ask => Step::Send,
            Step::Send => Step::Queue,
            Step::Queue => Step::Fetch,
            Step::Fetch => Step::Run,
            Step::Run => Step::Keep,
            Step::Keep => Step::Reply,
            Step::Reply => Step::Receive,
            Step::Receive | Step::End => Step::End,
        }
    }

    /// Returns the seconds that a step takes whatever else goes on.
    pub(crate) fn delay(&self, job: usize, step: Step) -> f64 {
        let trip = self.cluster.round_trip_seconds;
        let overhead = self.overhead(&self.jobs.jobs[job]);
        match step {
            Step::Ask => ROUND_TRIPS * trip,
            Step::Keep => overhead.waiting,
            Step::Reply => overhead.reply + trip,
            _ => 0.0,
        }
    }

    /// Returns what a step wants of shared resources. `lacks` says whether the store, or the
    /// worker, lacks a file.
    pub(crate) fn wants(
        &self,
        job: usize,
        step: Step,
        worker: usize,
        mut lacks: impl FnMut(usize) -> bool,
    ) -> Vec<(Resource, f64)> {
        let measured = &self.jobs.jobs[job];
        let overhead = self.overhead(measured);
        let mut bytes = |files: &[usize]| {
            let missing = files.iter().filter(|&&file| lacks(file));
            number(missing.map(|&file| self.jobs.files[file].bytes).sum())
        };
        match step {
            Step::Work if measured.runs_here => {
                vec![(Resource::ClientProcessors, measured.seconds)]
            }
            Step::Work => vec![(Resource::ClientProcessors, overhead.client)],
            Step::Send => {
                let bytes = bytes(&measured.reads);
                vec![(Resource::ClientUp, bytes), (Resource::StoreIn, bytes)]
            }
            Step::Fetch => {
                let bytes = bytes(&measured.reads);
                vec![(Resource::StoreOut, bytes), (Resource::WorkerIn(worker), bytes)]
            }
            Step::Run => {
                vec![(Resource::WorkerProcessors(worker), measured.seconds + overhead.worker)]
            }
            Step::Keep => {
                let bytes = bytes(&measured.writes);
                vec![(Resource::WorkerOut(worker), bytes), (Resource::StoreIn, bytes)]
            }
            Step::Receive => {
                let bytes = bytes(&measured.writes);
                vec![(Resource::StoreOut, bytes), (Resource::ClientDown, bytes)]
            }
            Step::Ask | Step::Queue | Step::Reply | Step::End => Vec::new(),
        }
    }

    /// Returns the capacity of a resource, and the largest part of it for one user; nothing for a
    /// link that takes no time.
    pub(crate) fn capacity(&self, resource: Resource) -> Option<(f64, f64)> {
        let link = |link: Option<f64>| link.map(|link| (link, link));
        match resource {
            Resource::ClientProcessors => Some((count(self.cluster.client.cores), 1.0)),
            Resource::WorkerProcessors(_) => Some((count(self.cluster.slots_per_worker), 1.0)),
            Resource::ClientUp | Resource::ClientDown => link(self.cluster.client_link),
            Resource::StoreIn | Resource::StoreOut => link(self.cluster.store_link),
            Resource::WorkerIn(_) | Resource::WorkerOut(_) => link(self.cluster.worker_link),
        }
    }

    /// Returns the time of a job that has everything for itself, and the tools there already, and
    /// the part of it that holds a slot of a worker.
    pub(crate) fn alone(&self, job: usize) -> (f64, f64) {
        let (mut step, mut seconds, mut held) = (Step::Work, 0.0, 0.0);
        while step != Step::End {
            let wants = self.wants(job, step, 0, |file| !self.jobs.files[file].is_tool);
            // The store has what other jobs have made, and the client has it, too.
            let wants = if step == Step::Send { Vec::new() } else { wants };
            let times = wants.into_iter().filter_map(|(resource, amount)| {
                self.capacity(resource).map(|(_, most)| amount / most)
            });
            let time = self.delay(job, step).max(times.fold(0.0, f64::max));
            seconds += time;
            if [Step::Fetch, Step::Run, Step::Keep].contains(&step) {
                held += time;
            }
            step = self.after(job, step);
        }
        (seconds, held)
    }
}

/// Converts a number of bytes.
#[expect(clippy::cast_precision_loss, reason = "sizes of files")]
pub(crate) fn number(bytes: u64) -> f64 {
    bytes as f64
}

/// Converts a number of things.
#[expect(clippy::cast_precision_loss, reason = "workers, cores and jobs")]
pub(crate) fn count(things: usize) -> f64 {
    things as f64
}
