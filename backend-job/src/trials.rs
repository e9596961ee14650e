//! The trials of a search for the best way to assemble a module.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Trials of one module, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SearchReport {
    pub(crate) trials: Vec<Trial>,
}

/// One way to assemble the module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Trial {
    /// Mode of ptxas.
    pub(crate) mode: String,
    /// Largest number of registers of some kernels.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) register_limits: BTreeMap<String, u32>,
    /// Mean cost of the kernels, in thousandths of that in the first trial; `None` if ptxas cannot
    /// assemble the module so.
    pub(crate) cost_per_mille: Option<u64>,
    /// Whether its result is the best one so far.
    pub(crate) is_better: bool,
}

impl Trial {
    /// Returns the line of a table.
    pub(crate) fn in_words(&self) -> String {
        let Self { mode, register_limits, cost_per_mille, is_better } = self;
        let limits: Vec<_> =
            register_limits.iter().map(|(kernel, limit)| format!("{kernel}: {limit}")).collect();
        let limits = match limits.as_slice() {
            [] => String::new(),
            limits => format!(", registers limited to {}", limits.join(", ")),
        };
        let cost = match cost_per_mille {
            Some(cost) => format!("{}.{:03}", cost / 1000, cost % 1000),
            None => "not possible".to_owned(),
        };
        let taken = if *is_better { " (better)" } else { "" };
        format!("tried {mode}{limits}: cost {cost}{taken}")
    }
}
