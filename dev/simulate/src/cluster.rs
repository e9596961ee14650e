//! A cluster, its network and the machine that starts the build, as a description in JSON.
//!
//! ```json
//! {
//!   "workers": 16,
//!   "slots_per_worker": 1,
//!   "client": {"cores": 8, "jobs": 200},
//!   "round_trip_seconds": 0.01,
//!   "client_link": 125000000, "worker_link": 1250000000, "store_link": 1250000000,
//!   "hit_rate": 0.0,
//!   "overheads": {"codegen": {"client": 0.01, "worker": 0.1, "waiting": 0.02, "reply": 0.01}}
//! }
//! ```
//!
//! Links are in bytes per second in each direction, and absent ones take no time. `hit_rate` is the
//! share of actions whose results the cluster has. Overheads are seconds for an action of a phase,
//! and they are measured ([`crate::calibration`]).

use std::collections::BTreeMap;
use std::path::Path;

use dev_process::{Error, Result, while_trying};
use serde::{Deserialize, Serialize};

/// A cluster and its client.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cluster {
    /// Number of workers.
    pub workers: usize,
    /// Number of actions that a worker runs at a time, each on a processor of its own.
    #[serde(default = "one")]
    pub slots_per_worker: usize,
    /// The machine that starts the build.
    pub client: Client,
    /// Whether client, server and workers share the processors of the client's machine.
    #[serde(default)]
    pub is_one_machine: bool,
    /// Seconds from a question of the client to the answer.
    #[serde(default)]
    pub round_trip_seconds: f64,
    /// Bytes per second between the client and the cluster.
    #[serde(default)]
    pub client_link: Option<f64>,
    /// Bytes per second between a worker and the store.
    #[serde(default)]
    pub worker_link: Option<f64>,
    /// Bytes per second between the store and all others.
    #[serde(default)]
    pub store_link: Option<f64>,
    /// Share of actions, from 0 to 1, whose results the cluster has.
    #[serde(default)]
    pub hit_rate: f64,
    /// Costs of an action by phase, beside its own work.
    #[serde(default)]
    pub overheads: BTreeMap<String, Overhead>,
}

/// The machine that starts the build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Client {
    /// Number of its processors.
    pub cores: usize,
    /// Number of jobs that the build system starts at a time.
    pub jobs: usize,
}

/// Seconds that an action of one phase costs beside its own work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Overhead {
    /// Processor time of the client.
    pub client: f64,
    /// Processor time of the worker and the server, while the action has a slot.
    pub worker: f64,
    /// Time in which the action has a slot and nobody computes.
    pub waiting: f64,
    /// Time from the end of the action to the end of the client's process, without a slot.
    pub reply: f64,
}

const fn one() -> usize {
    1
}

impl Cluster {
    /// Reads and checks a description.
    pub fn load(path: &Path) -> Result<Self> {
        let text = std::fs::read(path).map_err(while_trying("read", path))?;
        let wrong =
            |error: &dyn std::fmt::Display| Error::new(format!("{}: {error}", path.display()));
        let cluster: Self = serde_json::from_slice(&text).map_err(|error| wrong(&error))?;
        cluster.check().map_err(|error| wrong(&error))?;
        Ok(cluster)
    }

    /// Says what no cluster can have.
    pub fn check(&self) -> Result<()> {
        let counts = [self.workers, self.slots_per_worker, self.client.cores, self.client.jobs];
        if counts.contains(&0) {
            return Err(Error::new("a cluster has workers, slots, cores and jobs"));
        }
        let links = [self.client_link, self.worker_link, self.store_link];
        if links.iter().flatten().any(|&link| !(link > 0.0 && link.is_finite())) {
            return Err(Error::new("a link carries some bytes per second"));
        }
        if !(0.0..=1.0).contains(&self.hit_rate) {
            return Err(Error::new("hit_rate is a share from 0 to 1"));
        }
        let overheads = self.overheads.values();
        let mut seconds: Vec<f64> = overheads
            .flat_map(|overhead| {
                [overhead.client, overhead.worker, overhead.waiting, overhead.reply]
            })
            .collect();
        seconds.push(self.round_trip_seconds);
        if seconds.iter().any(|&seconds| !(seconds >= 0.0 && seconds.is_finite())) {
            return Err(Error::new("a time is a number of seconds"));
        }
        Ok(())
    }

    /// Returns the overhead of a phase; a phase that is not listed has none.
    pub fn overhead(&self, phase: &str) -> Overhead {
        self.overheads.get(phase).copied().unwrap_or_default()
    }
}

/// Returns a cluster without a network and without overheads, for tests.
#[cfg(test)]
pub(crate) fn ideal(workers: usize) -> Cluster {
    Cluster {
        workers,
        slots_per_worker: 1,
        client: Client { cores: 1, jobs: 1_000_000 },
        is_one_machine: false,
        round_trip_seconds: 0.0,
        client_link: None,
        worker_link: None,
        store_link: None,
        hit_rate: 0.0,
        overheads: BTreeMap::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_clusters_are_refused() {
        assert!(ideal(1).check().is_ok() && ideal(0).check().is_err());
        assert!(Cluster { hit_rate: 1.5, ..ideal(1) }.check().is_err());
        assert!(Cluster { client_link: Some(0.0), ..ideal(1) }.check().is_err());
        assert!(Cluster { round_trip_seconds: f64::NAN, ..ideal(1) }.check().is_err());
    }

    #[test]
    fn a_short_description_is_read() {
        let text = "{\"workers\": 3, \"client\": {\"cores\": 1, \"jobs\": 1000000}}";
        assert_eq!(serde_json::from_str::<Cluster>(text).unwrap(), ideal(3));
        assert!(serde_json::from_str::<Cluster>("{\"worker\": 3}").is_err());
    }
}
