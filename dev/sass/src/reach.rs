//! The code that a kernel can reach, and its costs.
//!
//! A CALL with a name reaches that function, if the image has it (the driver has some, like
//! `vprintf`). SASS does not tell the target of a CALL through a register, so such a CALL is
//! assumed to reach every function that no CALL of the image names, since such a function is only
//! there because it is address-taken: those of the same section if the register is relative to the
//! section, as in nvlink's LTO, and otherwise those with their own section. This may overcount
//! functions, by the same rule for every image.

use std::collections::{BTreeMap, BTreeSet};

use super::disassembly::{Call, Callee, Function, Functions};

/// The functions of an image, and the facts about all of them together.
pub(super) struct Reach<'image> {
    functions: &'image Functions,
    /// Functions that CALLs name.
    named: BTreeSet<&'image str>,
    /// Cycles of functions with their callees, as far as they were computed.
    cycles: BTreeMap<&'image str, u64>,
}

/// Counts over a kernel and all that it can reach, each function once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Totals {
    pub(super) calls: u64,
    pub(super) local_accesses: u64,
    pub(super) instructions: u64,
}

impl<'image> Reach<'image> {
    pub(super) fn of(functions: &'image Functions) -> Self {
        let calls = functions.values().flat_map(|function| &function.calls);
        let named = calls.filter_map(|call| match &call.callee {
            Callee::Named(name) => Some(name.as_str()),
            Callee::InSection | Callee::Anywhere => None,
        });
        Self { functions, named: named.collect(), cycles: BTreeMap::new() }
    }

    /// Counts over `kernel` and the functions that it can reach.
    pub(super) fn totals(&self, kernel: &str) -> Totals {
        let mut reached = BTreeSet::new();
        let mut open: Vec<&str> = self
            .functions
            .get_key_value(kernel)
            .map(|entry| entry.0.as_str())
            .into_iter()
            .collect();
        let mut totals = Totals::default();
        while let Some(name) = open.pop() {
            let Some(function) = self.functions.get(name).filter(|_| reached.insert(name)) else {
                continue;
            };
            totals.local_accesses += function.local_accesses;
            totals.instructions += function.instructions;
            for call in &function.calls {
                totals.calls += 1;
                open.extend(self.callees(function, call));
            }
        }
        totals
    }

    /// Returns the cycles of `kernel` with those of its callees at every call, weighted as the call
    /// is. Of the possible targets of a register the longest counts. A function that calls itself
    /// counts once.
    pub(super) fn cycles(&mut self, kernel: &str) -> u64 {
        let name = self.functions.get_key_value(kernel).map(|entry| entry.0.as_str());
        name.map_or(0, |name| self.cycles_within(name, &mut BTreeSet::new()))
    }

    fn cycles_within(&mut self, name: &'image str, above: &mut BTreeSet<&'image str>) -> u64 {
        if let Some(known) = self.cycles.get(name) {
            return *known;
        }
        let Some(function) = self.functions.get(name) else { return 0 };
        if !above.insert(name) {
            return 0;
        }
        let mut cycles = function.cycles;
        for call in &function.calls {
            let callees = self.callees(function, call);
            let longest = callees.into_iter().map(|callee| self.cycles_within(callee, above)).max();
            cycles = cycles.saturating_add(longest.unwrap_or(0).saturating_mul(call.weight));
        }
        above.remove(name);
        self.cycles.insert(name, cycles);
        cycles
    }

    fn callees(&self, from: &Function, call: &'image Call) -> Vec<&'image str> {
        match &call.callee {
            Callee::Named(callee) => vec![callee.as_str()],
            Callee::InSection => self.unnamed(|_, other| other.section == from.section),
            Callee::Anywhere => self.unnamed(|name, other| other.section == name),
        }
    }

    /// Returns the candidates, by `is_candidate`, that are only reachable by address.
    fn unnamed(&self, is_candidate: impl Fn(&str, &Function) -> bool) -> Vec<&'image str> {
        let functions = self.functions.iter();
        let unnamed = functions.filter(|(name, function)| {
            !function.is_kernel
                && !self.named.contains(name.as_str())
                && is_candidate(name, function)
        });
        unnamed.map(|(name, _)| name.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::disassembly::functions;
    use super::super::samples::SAMPLE;
    use super::*;

    #[test]
    fn calls_lead_by_name_and_by_address_to_each_function_once() {
        // The kernel has 3 instructions and `alone` 1; 1 access is the kernel's, 2 are of `inner`
        // and 1 of `taken`.
        let totals = Reach::of(&functions(SAMPLE)).totals("kernel");
        assert_eq!(totals, Totals { calls: 4, local_accesses: 4, instructions: 12 });
    }

    #[test]
    fn without_calls_only_the_kernel_itself_counts() {
        let kernel = Function {
            is_kernel: true,
            local_accesses: 2,
            instructions: 7,
            cycles: 9,
            ..Function::default()
        };
        let other = Function { local_accesses: 1, ..Function::default() };
        let functions = [("kernel", kernel), ("other", other)];
        let functions = functions.map(|(name, f)| (name.to_owned(), f)).into();
        let mut reach = Reach::of(&functions);
        let expected = Totals { calls: 0, local_accesses: 2, instructions: 7 };
        assert_eq!((reach.totals("kernel"), reach.cycles("kernel")), (expected, 9));
    }

    #[test]
    fn callees_take_their_cycles_at_every_call() {
        let call = |name: &str, weight| Call { callee: Callee::Named(name.to_owned()), weight };
        let function = |cycles, calls| Function {
            section: "s".to_owned(),
            cycles,
            calls,
            ..Function::default()
        };
        let indirect = Call { callee: Callee::InSection, weight: 1 };
        let functions: Functions = [
            ("kernel", function(10, vec![call("leaf", 8), call("self", 1), indirect])),
            ("leaf", function(3, vec![])),
            ("self", function(5, vec![call("self", 1), call("leaf", 1)])),
            ("long", function(100, vec![])),
            ("short", function(1, vec![])),
        ]
        .map(|(name, f)| (name.to_owned(), f))
        .into();
        let mut kernel = functions;
        kernel.get_mut("kernel").unwrap().is_kernel = true;
        assert_eq!(Reach::of(&kernel).cycles("kernel"), 10 + 8 * 3 + (5 + 3) + 100);
    }
}
