//! The outcome for bodies that a module imported for inlining.
//!
//! An imported body emits no code by itself. Its import paid off if it is inlined into a function
//! that the module keeps, directly or as part of another imported body. A function that the module
//! calls through a local copy does not count: it is there only for its address.

use std::collections::{BTreeMap, BTreeSet};

use super::decision::InlineDecision;
use crate::counts::instructions_of;
use crate::module::Module;
use weft_artifact::{legal_name, name_of_program};

/// Imported bodies and their sizes. Bodies of the module itself that another module provides count
/// like imported ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportedBodies {
    /// Bodies before optimization.
    pub bodies: u64,
    /// Bodies that ended up in a function that the module keeps.
    pub inlined: u64,
    /// Instructions of all bodies before optimization, without those of debug information.
    pub instructions: u64,
    /// Instructions of the bodies that ended up in a function that the module keeps.
    pub instructions_inlined: u64,
}

/// Instructions of each imported body, by its name.
pub(super) type Sizes = BTreeMap<String, u64>;

/// The imported bodies of a module that is not optimized yet.
pub(super) fn sizes(module: &Module<'_>) -> Sizes {
    let locals = module.functions().filter(|function| function.linkage().is_local());
    let copied: BTreeSet<String> = locals
        .filter_map(|function| name_of_program(&function.name()).map(str::to_owned))
        .collect();
    let imported = module.functions().filter(|function| function.is_imported());
    let sizes = imported.map(|function| (function.name(), instructions_of(function)));
    sizes.filter(|(name, _)| !copied.contains(&legal_name(name))).collect()
}

impl ImportedBodies {
    /// Counts which bodies the decisions brought into functions that stay.
    pub(super) fn of(sizes: &Sizes, decisions: &[InlineDecision]) -> Self {
        let used = used(sizes, decisions);
        let count = |bodies: usize| bodies as u64;
        Self {
            bodies: count(sizes.len()),
            inlined: count(used.len()),
            instructions: sizes.values().sum(),
            instructions_inlined: used.iter().filter_map(|name| sizes.get(*name)).sum(),
        }
    }
}

fn used<'names>(
    sizes: &'names Sizes,
    decisions: &'names [InlineDecision],
) -> BTreeSet<&'names str> {
    let mut inlined_into: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for decision in decisions.iter().filter(|decision| decision.inlined) {
        inlined_into.entry(&decision.caller).or_default().push(&decision.callee);
    }
    let mut used = BTreeSet::new();
    let is_kept = |caller: &&str| !sizes.contains_key(*caller);
    let mut open: Vec<&str> = inlined_into.keys().copied().filter(is_kept).collect();
    while let Some(caller) = open.pop() {
        for &callee in inlined_into.get(caller).into_iter().flatten() {
            if sizes.contains_key(callee) && used.insert(callee) {
                open.push(callee);
            }
        }
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inline::InlineReason;

    fn decision(callee: &str, into: &str, inlined: bool) -> InlineDecision {
        InlineDecision {
            caller: into.to_owned(),
            callee: callee.to_owned(),
            imported: true,
            is_in_kernel: false,
            inlined,
            reason: InlineReason::Cost,
            cost: 0,
            limit: 0,
            parameter_bytes: 0,
            growth: None,
        }
    }

    #[test]
    fn a_body_counts_when_it_reaches_a_function_that_stays() {
        let sizes = [("inner", 1), ("outer", 20), ("lost", 300), ("refused", 4000), ("unused", 5)];
        let sizes: Sizes = sizes.map(|(name, size)| (name.to_owned(), size)).into();
        let decisions = [
            decision("inner", "outer", true),
            decision("lost", "refused", true),
            decision("outer", "own", true),
            decision("local", "own", true),
            decision("refused", "kernel", false),
            decision("own", "kernel", true),
        ];
        let expected =
            ImportedBodies { bodies: 5, inlined: 2, instructions: 4326, instructions_inlined: 21 };
        assert_eq!(ImportedBodies::of(&sizes, &decisions), expected);
    }

    #[test]
    fn bodies_inlined_into_each_other_alone_do_not_count() {
        let sizes: Sizes = [("a".to_owned(), 1), ("b".to_owned(), 1)].into();
        let decisions = [decision("a", "b", true), decision("b", "a", true)];
        assert_eq!(ImportedBodies::of(&sizes, &decisions).inlined, 0);
    }
}
