//! The trials of a search for the best way to assemble a module.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Trials of one module, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchReport {
    /// Trials that were made.
    pub trials: Vec<Trial>,
}

/// One way to assemble the module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trial {
    /// Mode of ptxas.
    pub mode: String,
    /// Largest number of registers of some kernels.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub register_limits: BTreeMap<String, u32>,
    /// Mean cost of the kernels, in thousandths of that in the first trial; `None` if ptxas cannot
    /// assemble the module so.
    pub cost_per_mille: Option<u64>,
    /// Whether its result is the best one so far.
    pub is_better: bool,
}
