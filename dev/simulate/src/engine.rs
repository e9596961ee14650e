//! The simulation: a queue of events over the steps of all jobs.
//!
//! An event is the end of a delay or the end of a user of a shared resource. Ties are broken by the
//! order in which events were made, so the same input gives the same schedule.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use crate::cluster::Cluster;
use crate::fluid::{Fluid, Number};
use crate::jobs::{Jobs, successors};
use crate::model::{Model, Resource, Step, count};
use crate::priority::{Rule, levels};
use dev_process::Result;

/// A simulated build.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Wall time of the build in seconds.
    pub wall: f64,
    /// Longest chain of jobs, each with everything for itself.
    pub critical_path: f64,
    /// Seconds for which each resource is needed at least, by its name; no build is faster than
    /// the largest. The critical path is among them.
    pub bounds: Vec<(&'static str, f64)>,
    /// Start and end of each job.
    pub spans: Vec<(f64, f64)>,
    /// Worker of each job that a worker ran.
    pub workers: Vec<Option<usize>>,
    /// Bytes from the client to the cluster.
    pub sent: u64,
}

impl Outcome {
    /// Returns the name of what limits the build, and the wall time without anything else.
    pub fn binding(&self) -> (&'static str, f64) {
        let largest = self.bounds.iter().max_by(|one, other| one.1.total_cmp(&other.1));
        largest.copied().unwrap_or(("nothing", 0.0))
    }
}

/// Simulates a build. `seed` draws the jobs whose results the cluster has.
pub fn simulate(jobs: &Jobs, cluster: &Cluster, rule: Rule, seed: u64) -> Result<Outcome> {
    cluster.check()?;
    let model = Model::new(jobs, cluster, seed);
    let alone: Vec<(f64, f64)> = (0..jobs.jobs.len()).map(|job| model.alone(job)).collect();
    let levels = levels(jobs, |job| alone[job].0)?;
    let predecessors = jobs.predecessors()?;
    let critical_path = levels.iter().copied().fold(0.0, f64::max);
    let number_of_jobs = jobs.jobs.len();
    let mut engine = Engine {
        fluids: Vec::new(),
        versions: Vec::new(),
        events: BinaryHeap::new(),
        made: 0,
        now: 0.0,
        states: vec![State::default(); number_of_jobs],
        waits: predecessors.iter().map(Vec::len).collect(),
        successors: successors(&predecessors),
        ready: Queue::default(),
        queued: Queue::default(),
        free_jobs: cluster.client.jobs,
        free_slots: vec![cluster.slots_per_worker; cluster.workers],
        idle: (0..cluster.workers)
            .map(|worker| (Reverse(cluster.slots_per_worker), worker))
            .collect(),
        job_seconds: alone.iter().map(|(seconds, _)| seconds).sum(),
        slot_seconds: alone.iter().map(|(_, held)| held).sum(),
        stored: vec![false; jobs.files.len()],
        fetched: vec![BTreeSet::new(); cluster.workers],
        sent: 0,
        levels: if rule == Rule::Hlfet { levels } else { vec![0.0; number_of_jobs] },
        model,
    };
    engine.run();
    Ok(engine.outcome(critical_path))
}

#[derive(Clone, Debug)]
struct State {
    step: Step,
    /// Delays and users of resources that the step waits for.
    pending: usize,
    worker: Option<usize>,
    start: f64,
    end: f64,
}

impl Default for State {
    fn default() -> Self {
        Self { step: Step::Work, pending: 0, worker: None, start: 0.0, end: 0.0 }
    }
}

/// Jobs that wait, by level and then by arrival.
#[derive(Debug, Default)]
struct Queue {
    waiting: BinaryHeap<(Number, Reverse<usize>, usize)>,
    arrived: usize,
}

impl Queue {
    fn push(&mut self, level: f64, job: usize) {
        self.waiting.push((Number(level), Reverse(self.arrived), job));
        self.arrived += 1;
    }

    fn pop(&mut self) -> Option<usize> {
        self.waiting.pop().map(|(_, _, job)| job)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A delay of a job ends.
    Delay(usize),
    /// The next user of a resource is done, if the resource's version is still this one.
    Shared(usize, u64),
}

struct Engine<'input> {
    model: Model<'input>,
    /// Shared resources, by [`Engine::slot_of`]; nothing for links that take no time.
    fluids: Vec<Option<Fluid>>,
    versions: Vec<u64>,
    events: BinaryHeap<Reverse<(Number, u64, Event)>>,
    made: u64,
    now: f64,
    states: Vec<State>,
    waits: Vec<usize>,
    successors: Vec<Vec<usize>>,
    levels: Vec<f64>,
    /// Jobs whose inputs are there, and which the client may start.
    ready: Queue,
    /// Actions at the server, which wait for a slot.
    queued: Queue,
    free_jobs: usize,
    free_slots: Vec<usize>,
    /// Workers with a free slot: those with the most free slots first.
    idle: BTreeSet<(Reverse<usize>, usize)>,
    /// Sums of the times of all jobs, each with everything for itself, and of their slots.
    job_seconds: f64,
    slot_seconds: f64,
    stored: Vec<bool>,
    fetched: Vec<BTreeSet<usize>>,
    sent: u64,
}

/// Number of resources before those of the workers.
const COMMON: usize = 5;
/// Number of resources of each worker.
const OF_WORKER: usize = 3;

impl Engine<'_> {
    fn run(&mut self) {
        let common = [
            Resource::ClientProcessors,
            Resource::ClientUp,
            Resource::ClientDown,
            Resource::StoreIn,
            Resource::StoreOut,
        ];
        let workers = (0..self.free_slots.len()).flat_map(|worker| {
            [
                Resource::WorkerProcessors(worker),
                Resource::WorkerIn(worker),
                Resource::WorkerOut(worker),
            ]
        });
        for resource in common.into_iter().chain(workers) {
            let capacity = self.model.capacity(resource);
            self.fluids.push(capacity.map(|(capacity, most)| Fluid::new(capacity, most)));
            self.versions.push(0);
        }
        for job in 0..self.waits.len() {
            if self.waits[job] == 0 {
                self.ready.push(self.levels[job], job);
            }
        }
        // A slot goes to the best of all jobs that are there at a time, so all events of that time
        // happen before.
        loop {
            match self.events.peek().map(|Reverse((Number(time), ..))| *time) {
                Some(time) if time <= self.now => self.happen(),
                _ if self.dispatch() => {}
                Some(time) => self.now = time,
                None => return,
            }
        }
    }

    /// Lets the next event happen.
    fn happen(&mut self) {
        match self.events.pop() {
            Some(Reverse((_, _, Event::Delay(job)))) => self.settle(job),
            Some(Reverse((_, _, Event::Shared(fluid, version))))
                if self.versions[fluid] == version =>
            {
                let user = self.fluids[fluid].as_mut().and_then(|fluid| fluid.finish(self.now));
                self.watch(fluid);
                if let Some(job) = user {
                    self.settle(job);
                }
            }
            // The users of the resource have changed since.
            Some(_) | None => {}
        }
    }

    /// Starts the jobs that can start and gives slots to actions that wait. Returns whether there
    /// was any.
    fn dispatch(&mut self) -> bool {
        if self.free_jobs > 0
            && let Some(job) = self.ready.pop()
        {
            self.free_jobs -= 1;
            self.states[job].start = self.now;
            self.enter(job);
            return true;
        }
        let Some(&(Reverse(slots), worker)) = self.idle.first() else { return false };
        let Some(job) = self.queued.pop() else { return false };
        self.idle.remove(&(Reverse(slots), worker));
        self.free_slots[worker] -= 1;
        if slots > 1 {
            self.idle.insert((Reverse(slots - 1), worker));
        }
        let state = &mut self.states[job];
        (state.worker, state.step) = (Some(worker), Step::Fetch);
        self.enter(job);
        true
    }

    /// Begins the step of a job, and the next ones if it takes no time.
    fn enter(&mut self, job: usize) {
        if !self.begin(job) {
            self.leave(job);
        }
    }

    fn slot_of(&self, resource: Resource) -> usize {
        match resource {
            Resource::ClientProcessors => 0,
            Resource::ClientUp => 1,
            Resource::ClientDown => 2,
            Resource::StoreIn => 3,
            Resource::StoreOut => 4,
            Resource::WorkerProcessors(_) if self.model.cluster.is_one_machine => 0,
            Resource::WorkerProcessors(worker) => COMMON + OF_WORKER * worker,
            Resource::WorkerIn(worker) => COMMON + OF_WORKER * worker + 1,
            Resource::WorkerOut(worker) => COMMON + OF_WORKER * worker + 2,
        }
    }

    fn add_event(&mut self, time: f64, event: Event) {
        self.events.push(Reverse((Number(time), self.made, event)));
        self.made += 1;
    }

    /// Makes the event of a resource's next user anew, after its users have changed.
    fn watch(&mut self, fluid: usize) {
        self.versions[fluid] += 1;
        if let Some(time) = self.fluids[fluid].as_ref().and_then(Fluid::next) {
            self.add_event(time, Event::Shared(fluid, self.versions[fluid]));
        }
    }

    /// Notes the end of one thing that a job's step waits for.
    fn settle(&mut self, job: usize) {
        self.states[job].pending -= 1;
        if self.states[job].pending == 0 {
            self.leave(job);
        }
    }

    /// Ends the step of a job and begins the next ones, until one takes time.
    fn leave(&mut self, job: usize) {
        loop {
            let step = self.states[job].step;
            if step == Step::Keep {
                self.release_slot(job);
            }
            let next = self.model.after(job, step);
            self.states[job].step = next;
            match next {
                Step::End => return self.end(job),
                Step::Queue => return self.queued.push(self.levels[job], job),
                _ if self.begin(job) => return,
                _ => {}
            }
        }
    }

    /// Begins the step of a job, and returns whether it takes time.
    fn begin(&mut self, job: usize) -> bool {
        let State { step, worker, .. } = self.states[job];
        let place = worker.unwrap_or_default();
        let (stored, fetched) = (&mut self.stored, &mut self.fetched);
        let mut missing = Vec::new();
        let wants = self.model.wants(job, step, place, |file| match step {
            Step::Send => {
                let lacks = !std::mem::replace(&mut stored[file], true);
                missing.extend(lacks.then_some(file));
                lacks
            }
            Step::Fetch => fetched[place].insert(file),
            Step::Keep => {
                stored[file] = true;
                fetched[place].insert(file);
                true
            }
            _ => true,
        });
        let files = &self.model.jobs.files;
        self.sent += missing.into_iter().map(|file| files[file].bytes).sum::<u64>();
        let delay = self.model.delay(job, step);
        if delay > 0.0 {
            self.states[job].pending += 1;
            self.add_event(self.now + delay, Event::Delay(job));
        }
        for (resource, amount) in wants.into_iter().filter(|(_, amount)| *amount > 0.0) {
            let index = self.slot_of(resource);
            if let Some(fluid) = &mut self.fluids[index] {
                fluid.add(self.now, amount, job);
                self.states[job].pending += 1;
                self.watch(index);
            }
        }
        self.states[job].pending > 0
    }

    fn end(&mut self, job: usize) {
        self.states[job].end = self.now;
        // A result that the cluster had is in its store.
        for &file in &self.model.jobs.jobs[job].writes {
            self.stored[file] |= !self.model.jobs.jobs[job].runs_here;
        }
        self.free_jobs += 1;
        for next in std::mem::take(&mut self.successors[job]) {
            self.waits[next] -= 1;
            if self.waits[next] == 0 {
                self.ready.push(self.levels[next], next);
            }
        }
    }

    fn release_slot(&mut self, job: usize) {
        let Some(worker) = self.states[job].worker else { return };
        let slots = &mut self.free_slots[worker];
        self.idle.remove(&(Reverse(*slots), worker));
        *slots += 1;
        self.idle.insert((Reverse(*slots), worker));
    }

    fn outcome(self, critical_path: f64) -> Outcome {
        let bound = |fluid: &Option<Fluid>| fluid.as_ref().map_or(0.0, Fluid::bound);
        let of_workers = |part: usize| {
            let parts = self.fluids[COMMON..].iter().skip(part).step_by(OF_WORKER);
            parts.map(bound).fold(0.0, f64::max)
        };
        let cluster = self.model.cluster;
        let slots = count(cluster.workers * cluster.slots_per_worker);
        let bounds = vec![
            ("critical path", critical_path),
            ("slots of workers", self.slot_seconds / slots),
            ("processors of the client", bound(&self.fluids[0])),
            ("jobs of the client", self.job_seconds / count(cluster.client.jobs)),
            ("link from the client", bound(&self.fluids[1])),
            ("link to the client", bound(&self.fluids[2])),
            ("link into the store", bound(&self.fluids[3])),
            ("link out of the store", bound(&self.fluids[4])),
            ("link into a worker", of_workers(1)),
            ("link out of a worker", of_workers(2)),
        ];
        Outcome {
            wall: self.states.iter().map(|state| state.end).fold(0.0, f64::max),
            critical_path,
            bounds,
            spans: self.states.iter().map(|state| (state.start, state.end)).collect(),
            workers: self.states.iter().map(|state| state.worker).collect(),
            sent: self.sent,
        }
    }
}

#[cfg(test)]
mod tests;
