//! What code a kernel can reach, and what is in it.
//!
//! A CALL with a name reaches that function, if the image has it (the driver has some, like
//! `vprintf`). A CALL through a register says nothing of its goal in SASS, so it is taken to reach
//! every function that no CALL of the image names, since such a function is only there because its
//! address is used: those of the same section when the register is relative to the section, as
//! nvlink's LTO makes them, and else those that stand alone. This may count too many functions, by
//! the same rule for every image.

use std::collections::BTreeSet;

use super::disassembly::{Callee, Function, Functions};

/// The CALLs and local accesses in `kernel` and in what it can reach.
pub(super) fn totals(functions: &Functions, kernel: &str) -> (u64, u64) {
    let named = named(functions);
    let mut reached = BTreeSet::new();
    let mut open = vec![kernel];
    let (mut calls, mut local_accesses) = (0, 0);
    while let Some(name) = open.pop() {
        let Some((name, function)) = functions.get_key_value(name) else { continue };
        if !reached.insert(name.as_str()) {
            continue;
        }
        local_accesses += function.local_accesses;
        for callee in &function.calls {
            calls += 1;
            match callee {
                Callee::Named(callee) => open.push(callee),
                Callee::InSection => {
                    open.extend(unnamed(functions, &named, |_, other| {
                        other.section == function.section
                    }));
                }
                Callee::Anywhere => {
                    open.extend(unnamed(functions, &named, |name, other| other.section == name));
                }
            }
        }
    }
    (calls, local_accesses)
}

fn named(functions: &Functions) -> BTreeSet<&str> {
    let callees = functions.values().flat_map(|function| &function.calls);
    callees
        .filter_map(|callee| match callee {
            Callee::Named(name) => Some(name.as_str()),
            Callee::InSection | Callee::Anywhere => None,
        })
        .collect()
}

/// The functions that only an address leads to, of those that `is_candidate`.
fn unnamed<'image>(
    functions: &'image Functions,
    named: &BTreeSet<&str>,
    is_candidate: impl Fn(&str, &Function) -> bool,
) -> Vec<&'image str> {
    functions
        .iter()
        .filter(|(name, function)| {
            !function.is_kernel && !named.contains(name.as_str()) && is_candidate(name, function)
        })
        .map(|(name, _)| name.as_str())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::disassembly::functions;
    use super::super::disassembly::tests::SAMPLE;
    use super::*;

    #[test]
    fn calls_lead_by_name_and_by_address_to_each_function_once() {
        // The kernel's 3 and the 1 of `alone`; its own access, 2 of `inner`, 1 of `taken`.
        assert_eq!(totals(&functions(SAMPLE), "kernel"), (4, 4));
    }

    #[test]
    fn without_calls_only_the_kernel_itself_counts() {
        let kernel = Function { is_kernel: true, local_accesses: 2, ..Function::default() };
        let other = Function { local_accesses: 1, ..Function::default() };
        let functions = [("kernel", kernel), ("other", other)];
        let functions = functions.map(|(name, f)| (name.to_owned(), f)).into();
        assert_eq!(totals(&functions, "kernel"), (0, 2));
    }
}
