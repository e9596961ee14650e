//! What all host code together says of device code.
//!
//! A kernel is launched through its stub, and a variable is copied to through its shadow: host
//! symbols that the unit's offload entries tie to device names. So a kernel can be launched only if
//! some host object refers to its stub. That holds for the program only if every host object was
//! looked at; the build promises it with `--has-global-host-info`, and a unit of which no host side
//! is known breaks the promise.
//!
//! Cost: a sort of all host references, then one look-up per entry.

use std::collections::BTreeMap;

use weft_artifact::{Guid, HostEntryKind};

use crate::link::Policy;
use crate::load::Unit;

/// The host's view of device symbols.
pub(crate) struct Host<'units> {
    /// Whether a missing reference means that there is none.
    pub(crate) complete: bool,
    /// What the user should hear about completeness.
    pub(crate) warning: Option<String>,
    entries: BTreeMap<&'units str, Use>,
}

/// How the host can use a device symbol that has an offload entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// It may be used: host code refers to it, or we cannot tell.
    Possible,
    /// All of its host symbols are global and nothing refers to them.
    Unreferenced,
}

impl<'units> Host<'units> {
    /// Merges the host facts of `units`, which are sorted by module id.
    pub(crate) fn new(units: &[&'units Unit], policy: &Policy) -> Self {
        let unknown: Vec<_> = units.iter().filter(|unit| unit.summary.host.is_none()).collect();
        let warning = match unknown.as_slice() {
            [first, rest @ ..] if policy.complete_host_info => {
                let others = match rest.len() {
                    0 => String::new(),
                    count => format!(" (and {count} more)"),
                };
                Some(format!(
                    "--has-global-host-info was given, but {}{others} tells nothing of its host \
                     code: no visible symbol will be removed",
                    first.path.display()
                ))
            }
            _ => None,
        };
        let facts = || units.iter().filter_map(|unit| unit.summary.host.as_ref());
        let mut references: Vec<Guid> =
            facts().flat_map(|facts| facts.references.iter().copied()).collect();
        references.sort_unstable();
        references.dedup();
        let mut entries = BTreeMap::new();
        for entry in facts().flat_map(|facts| &facts.entries) {
            let possible = entry.kind == HostEntryKind::Other
                || entry.host_symbol_is_local
                || references.binary_search(&entry.host_symbol).is_ok();
            let known = entries.entry(entry.device_name.as_str()).or_insert(Use::Unreferenced);
            if possible {
                *known = Use::Possible;
            }
        }
        Self { complete: policy.complete_host_info && unknown.is_empty(), warning, entries }
    }

    /// How the host can use the symbol of this name; `None` if no unit has an entry for it.
    pub(crate) fn usage(&self, device_name: &str) -> Option<Use> {
        self.entries.get(device_name).copied()
    }
}
