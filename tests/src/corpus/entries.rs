//! Resolution of the patterns in a description to symbols.
//!
//! Names of static kernels end in a hash of the unit, and mangled names are hard to read and write,
//! so a description may have `*` in them. Candidates are the names that clang gave to offload
//! entries: LLVM's `readelf` prints the section with these names and nothing else. Before clang 20
//! the section holds other texts, too, and the entries' own symbols end in the names.

use std::collections::BTreeSet;

use crate::Workbench;
use crate::oracle::entries_of as entries;

/// Section that holds the names of offload entries.
const NAMES_SECTION: &str = ".llvm.rodata.offloading";

/// Returns the names of all kernels and variables that an object of clang registers.
pub(super) fn names(bench: &Workbench, object: &str) -> Result<BTreeSet<String>, String> {
    let arguments = ["-p", NAMES_SECTION, object];
    let listing = bench.llvm("llvm-readelf").args(arguments).attempt()?.stdout;
    let name = |line: &str| {
        let (_, name) = line.trim_start().strip_prefix('[')?.split_once(']')?;
        Some(name.trim().to_owned())
    };
    let names: BTreeSet<String> = listing.lines().filter_map(name).collect();
    if names.is_empty() { Ok(entries(bench, object)?.into_iter().collect()) } else { Ok(names) }
}

/// Returns the symbols that match `patterns`, sorted. A pattern without `*` is taken as a symbol,
/// so that it can also name a symbol of an object that clang did not make. Every other pattern must
/// match at least one of `names` that no earlier pattern matched.
pub(super) fn resolve(
    patterns: &[String],
    names: &BTreeSet<String>,
) -> Result<Vec<String>, String> {
    let mut symbols = BTreeSet::new();
    for pattern in patterns {
        if !pattern.contains('*') {
            symbols.insert(pattern.clone());
            continue;
        }
        let before = symbols.len();
        symbols.extend(names.iter().filter(|name| matches(pattern, name)).cloned());
        if symbols.len() == before {
            return Err(format!("{pattern} matches no further entry of {names:?}"));
        }
    }
    Ok(symbols.into_iter().collect())
}

/// Returns whether `name` matches `pattern`, in which each `*` matches any text.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|name| {
            (0..=name.len()).any(|at| name.is_char_boundary(at) && matches(rest, &name[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_stand_for_any_text() {
        for (pattern, name, expected) in [
            ("*kernel*", "_Z6kernelPi", true),
            ("_Z*Pi", "_Z6kernelPi", true),
            ("_Z*Pf", "_Z6kernelPi", false),
            ("kernel", "kernels", false),
            ("kernel*", "kernel", true),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
