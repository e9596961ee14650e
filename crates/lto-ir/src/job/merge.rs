//! Takes definitions for other jobs and the job's kernels from different texts.
//!
//! Both texts come from the same units, so a variable that the plan names is the same in both, and
//! so is shared memory, which nvlink never changes. Other symbols with the same name may differ,
//! because each run of nvlink optimized them separately: then each text keeps its own, under
//! another name.

use std::collections::{BTreeMap, BTreeSet};

use weft_artifact::LtoIrPlan;
use weft_container::{PtxItemKind, PtxSpace};

use super::module::Module;
use super::reach::Reached;

/// Ends of the names of what differs: of what `module` has already, and of what comes from the run
/// that keeps all that is visible, or from the run without optimization.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    module: &'static str,
    whole: &'static str,
}

pub(super) const OF_WHOLE: Ends = Ends { module: "$kernels", whole: "$whole" };
pub(super) const OF_PLAIN: Ends = Ends { module: "$job", whole: "$plain" };

/// Adds the definitions that `module` lacks from `whole`, with all that they reach there.
pub(super) fn merge(
    module: &mut Module,
    mut whole: Module,
    lacking: &[String],
    plan: &LtoIrPlan,
    ends: Ends,
) {
    let shared_in = |module: &Module| module.demoted();
    let both: BTreeSet<String> =
        shared_in(module).intersection(&shared_in(&whole)).cloned().collect();
    for text in [&mut *module, &mut whole] {
        text.hoist(|name| both.contains(name));
    }
    // A variable that one text has moved into a body is a symbol in the other one.
    let symbols =
        |module: &Module| -> BTreeSet<String> { module.symbols.keys().cloned().collect() };
    let (of_module, of_whole) = (symbols(module), symbols(&whole));
    module.hoist(|name| of_whole.contains(name));
    whole.hoist(|name| of_module.contains(name));

    let reached = Reached::of(&whole, lacking.iter().cloned(), |_, _| false).order;
    let different = different(module, &whole, &reached, plan);
    let (mut in_module, mut in_whole) = (BTreeMap::new(), BTreeMap::new());
    for name in different {
        if lacking.contains(&name) {
            in_module.insert(name.clone(), format!("{name}{}", ends.module));
        } else {
            in_whole.insert(name.clone(), format!("{name}{}", ends.whole));
        }
    }
    module.rename(&in_module);
    whole.rename(&in_whole);
    for name in reached {
        let name = in_whole.get(&name).cloned().unwrap_or(name);
        let Some(symbol) = whole.symbols.remove(&name) else { continue };
        let known = module.symbols.get(&name);
        if known.is_none_or(|known| !known.is_definition) {
            module.symbols.insert(name, symbol);
        }
    }
}

/// Returns the names, among those that `whole` needs, that mean something else in `module`.
fn different(
    module: &Module,
    whole: &Module,
    reached: &[String],
    plan: &LtoIrPlan,
) -> BTreeSet<String> {
    let is_shared = |name: &str| {
        let is_listed = plan.symbols.iter().any(|symbol| symbol.name == name)
            || plan.used_variables.iter().any(|used| used == name);
        let symbol = &whole.symbols[name];
        symbol.kind == PtxItemKind::Variable(PtxSpace::Shared) || symbol.is_variable() && is_listed
    };
    let both: Vec<&String> = reached
        .iter()
        .filter(|name| module.symbols.get(*name).is_some_and(|known| known.is_definition))
        .filter(|name| whole.symbols[*name].is_definition && !is_shared(name))
        .collect();
    let is_equal = |name: &str| {
        let (one, other) = (&module.symbols[name], &whole.symbols[name]);
        one.head == other.head && one.value == other.value
    };
    let mut different: BTreeSet<String> =
        both.iter().filter(|name| !is_equal(name)).map(|name| (*name).clone()).collect();
    // Symbols that name a different symbol differ as well.
    loop {
        let names_different = |name: &&&String| {
            let names = whole.names(&whole.symbols[**name]);
            names.all.iter().any(|named| different.contains(named))
        };
        let more: Vec<String> = both
            .iter()
            .filter(|name| !different.contains(**name))
            .filter(names_different)
            .map(|name| (*name).clone())
            .collect();
        if more.is_empty() {
            return different;
        }
        different.extend(more);
    }
}
