//! Divides the host facts of a unit with several modules among its modules.

use std::collections::BTreeSet;

use weft_artifact::{DeviceModule, HostFacts};

/// Returns the share of each of `modules` in the unit's facts; one for the unit itself if it has no
/// modules.
///
/// An entry goes to the modules that define its symbol, because the thin link ties a symbol that is
/// local to its module to the entries of that module only. The symbols by which the linker takes
/// the unit are those of each module, and all other facts go to the first one.
pub(crate) fn shares<'module>(
    host: Option<HostFacts>,
    modules: impl ExactSizeIterator<Item = &'module DeviceModule>,
) -> Vec<Option<HostFacts>> {
    let count = modules.len().max(1);
    let Some(host) = host else { return vec![None; count] };
    if count == 1 {
        return vec![Some(host)];
    }
    let defined: Vec<BTreeSet<&str>> = modules.map(definitions).collect();
    let mut shares = vec![HostFacts::default(); count];
    for entry in host.entries {
        let name = entry.device_name.as_str();
        let mut definers: Vec<usize> =
            (0..count).filter(|&number| defined[number].contains(name)).collect();
        if definers.is_empty() {
            definers.push(0);
        }
        for number in definers {
            shares[number].entries.push(entry.clone());
        }
    }
    for share in &mut shares {
        share.link = host.link.clone();
    }
    shares[0].references = host.references;
    shares[0].named = host.named;
    shares.into_iter().map(Some).collect()
}

fn definitions(module: &DeviceModule) -> BTreeSet<&str> {
    let definitions = module.symbols.iter().filter(|symbol| symbol.is_definition());
    definitions.map(|symbol| symbol.name.as_str()).collect()
}
