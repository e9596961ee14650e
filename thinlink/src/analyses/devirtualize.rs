//! Virtual calls whose targets are known, because all classes are.
//!
//! A virtual call loads a function from a slot of a table, and the compiler vouches that the table
//! is one of a type's (`-fwhole-program-vtables`). When no table of that type can exist that the
//! summaries do not list, the call can only reach the functions in that slot of those tables. With
//! one function, the call becomes direct. With a few, it becomes a test for each, so all can be
//! inlined, which on a GPU is worth more than a short program. If every possible callee only
//! returns the same integer, the call becomes that integer.
//!
//! Types are closed only in a link that knows everything: the host's references are complete, no
//! opaque device code but NVIDIA's runtime is there (it could define a class and hand out objects
//! of it), and every table says which types it belongs to. Visibility does not matter: device code
//! has no shared libraries, so a class that is in no summary does not exist.
//!
//! Tables that are not live belong to no object. LLVM's virtual constant propagation, which stores
//! constants beside the tables, is not done: it would change the tables' layout for all modules.
//!
//! Cost: symbols once to find tables and calls; then per call and slot the tables of its type.

use std::collections::{BTreeMap, BTreeSet};

use weft_artifact::{Guid, LinkMode, VirtualCall};

use super::host::Host;
use super::liveness::Liveness;
use super::mode::Mode;
use crate::model::ids::NodeId;
use crate::model::index::Index;
use crate::model::program::{Function, Variable};

/// The most functions that a call becomes tests for: LLVM's limit for calls that a profile says.
const MOST_TARGETS: usize = 3;

/// Bytes of a slot.
const SLOT: u64 = 8;

/// Functions that the compiler puts into slots that must not be called.
const UNCALLABLE: [&str; 2] = ["__cxa_deleted_virtual", "__cxa_pure_virtual"];

/// The calls whose targets are known.
#[derive(Debug, Default)]
pub(crate) struct Devirtualized {
    outcomes: BTreeMap<VirtualCall, Outcome>,
    /// Reason for which no call is resolved, for `--verbose`; `None` if types are closed or there
    /// are no virtual calls.
    pub(crate) refusal: Option<String>,
}

/// Everything that a virtual call can do.
#[derive(Debug)]
pub(crate) enum Outcome {
    Calls(Vec<NodeId>),
    Returns(u64),
}

/// The parts of the program that decide whether types are closed.
pub(crate) struct ClassHierarchy<'a, 'units> {
    pub(crate) index: &'a Index<'units>,
    pub(crate) host: &'a Host<'units>,
    pub(crate) mode: &'a Mode,
    /// Names that live code refers to and no module defines.
    pub(crate) undefined: &'a BTreeMap<&'a str, NodeId>,
    pub(crate) liveness: &'a Liveness,
}

impl Devirtualized {
    /// Resolves the virtual calls of all live functions.
    pub(crate) fn new(hierarchy: &ClassHierarchy<'_, '_>) -> Self {
        let live = || {
            hierarchy
                .index
                .all_nodes()
                .filter(|&node| hierarchy.liveness.live[node] && hierarchy.index.may_be_used(node))
        };
        let calls: BTreeSet<VirtualCall> = live()
            .filter_map(|node| hierarchy.index.function(node))
            .flat_map(|function| function.virtual_calls().iter().copied())
            .collect();
        if calls.is_empty() {
            return Self::default();
        }
        if let Some(reason) = hierarchy.reason_for_open_types() {
            return Self { outcomes: BTreeMap::new(), refusal: Some(reason) };
        }
        let mut tables: BTreeMap<Guid, Vec<(NodeId, u64)>> = BTreeMap::new();
        for node in live().filter(|&node| hierarchy.index.provider(node) == Some(node)) {
            for member in
                hierarchy.index.symbol(node).variable().into_iter().flat_map(Variable::type_ids)
            {
                tables.entry(member.type_id).or_default().push((node, member.offset));
            }
        }
        let outcome = |call: VirtualCall| {
            let targets = hierarchy.targets(tables.get(&call.type_id)?, call.offset)?;
            Some((call, hierarchy.outcome(targets)?))
        };
        Self { outcomes: calls.into_iter().filter_map(outcome).collect(), refusal: None }
    }

    /// Returns the targets that virtual calls of `function` become calls of.
    pub(crate) fn targets<'a>(
        &'a self,
        function: Function<'a>,
    ) -> impl Iterator<Item = NodeId> + 'a {
        self.target_lists(function).flatten().copied()
    }

    /// Returns the functions with whose addresses `function` will compare its targets: a virtual
    /// call with several targets becomes a test for each.
    pub(crate) fn tested<'a>(
        &'a self,
        function: Function<'a>,
    ) -> impl Iterator<Item = NodeId> + 'a {
        self.target_lists(function).filter(|targets| targets.len() > 1).flatten().copied()
    }

    /// Returns the targets of each virtual call of `function` that becomes calls.
    fn target_lists<'a>(
        &'a self,
        function: Function<'a>,
    ) -> impl Iterator<Item = &'a [NodeId]> + 'a {
        let calls = if self.outcomes.is_empty() { &[] } else { function.virtual_calls() };
        calls.iter().filter_map(|call| match self.outcomes.get(call)? {
            Outcome::Calls(targets) => Some(targets.as_slice()),
            Outcome::Returns(_) => None,
        })
    }

    /// Whether no virtual call is resolved.
    pub(crate) fn is_empty(&self) -> bool {
        self.outcomes.is_empty()
    }

    /// Returns the number of type and slot pairs whose calls are resolved.
    pub(crate) fn len(&self) -> usize {
        self.outcomes.len()
    }

    /// Returns the outcome of `call`, if its targets are known.
    pub(crate) fn outcome(&self, call: VirtualCall) -> Option<&Outcome> {
        self.outcomes.get(&call)
    }
}

impl ClassHierarchy<'_, '_> {
    /// Returns the reason for which a class could exist that no summary lists.
    fn reason_for_open_types(&self) -> Option<String> {
        if !self.host.complete {
            return Some("the program is not known completely".to_owned());
        }
        if self.mode.extent == LinkMode::Partial && !self.mode.is_by_device_runtime {
            return Some(self.mode.reason.clone());
        }
        if let Some(name) = self.undefined.keys().find(|name| is_table_name(name)) {
            return Some(format!("the table {name} is not defined"));
        }
        let untyped = self.index.all_nodes().find(|&node| {
            let symbol = self.index.symbol(node);
            let variable = symbol.variable();
            self.liveness.live[node]
                && variable.is_some_and(|variable| variable.type_ids().is_empty())
                && is_table_name(symbol.name())
        })?;
        let path = self.index.unit(self.index.member(untyped)).path.display();
        let name = self.index.name(untyped);
        Some(format!("{path} does not say which types the table {name} belongs to"))
    }

    /// Returns the functions in a slot of each of `tables`; `None` if one is not known or cannot be
    /// named.
    fn targets(&self, tables: &[(NodeId, u64)], offset: u64) -> Option<Vec<NodeId>> {
        let mut targets = Vec::new();
        for &(table, point) in tables {
            let variable = self.index.symbol(table).variable()?;
            let slot = point.checked_add(offset)?;
            if !variable.is_constant() || slot.checked_add(SLOT)? > variable.size() {
                return None;
            }
            let found = variable
                .virtual_functions()
                .iter()
                .find(|slot_function| slot_function.offset == slot);
            // An empty slot: the class is abstract, and no object of it is called.
            let Some(found) = found else { continue };
            let function = self.index.sibling(table, found.function);
            if UNCALLABLE.contains(&self.index.name(function)) {
                continue;
            }
            let target = self.index.provider(function)?;
            let is_function =
                self.index.function(target).is_some_and(|function| !function.flags().kernel);
            if !is_function || self.index.is_local(target) && self.liveness.fixed[target] {
                return None;
            }
            targets.push(target);
        }
        targets.sort_unstable();
        targets.dedup();
        (!targets.is_empty()).then_some(targets)
    }

    fn outcome(&self, targets: Vec<NodeId>) -> Option<Outcome> {
        let mut results = targets.iter().flat_map(|&target| {
            let copies = self.index.definitions(target).iter().copied();
            let copies = copies.filter(|&copy| self.index.may_be_used(copy));
            copies.map(|copy| self.index.function(copy)?.constant_result())
        });
        let first = results.next().flatten();
        if let Some(result) = first.filter(|_| results.all(|result| result == first)) {
            return Some(Outcome::Returns(result));
        }
        (targets.len() <= MOST_TARGETS).then_some(Outcome::Calls(targets))
    }
}

/// Whether a symbol of that name is a table of virtual functions, by the C++ ABI: of a class, or of
/// one under construction.
fn is_table_name(name: &str) -> bool {
    name.starts_with("_ZTV") || name.starts_with("_ZTC")
}
