//! Names on the command line that match no symbol.
//!
//! A list of used symbols removes everything else, so a misspelled name costs the program a kernel.
//! Each name of such a list, and each pattern to keep, that no definition matches is reported with
//! the most similar names. Opaque code whose symbols cannot be known may define any name of a list.
//!
//! Cost: nothing without names on the command line; else each definition once for each of them, and
//! for each unknown one the product of the lengths of names, in parallel.

use rayon::prelude::*;
use weft_artifact::{NamedKind, NamedReference};
use weft_cli::Glob;

use super::host::Host;
use super::opaque_code::matches_name;
use crate::model::ids::NodeId;
use crate::model::index::Index;
use crate::model::policy::Policy;
use crate::model::program::Symbol;

/// Number of similar names that a warning lists.
const LISTED: usize = 3;

/// A name on the command line.
struct Asked<'policy> {
    option: &'static str,
    text: &'policy str,
    /// Kinds of symbols that it can mean, for a message.
    what: &'static str,
    /// Way in which the name matches names of symbols.
    form: Form,
    may_mean: fn(&Symbol<'_>) -> bool,
}

/// Ways in which a name on the command line matches names of symbols.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A pattern in which `*`, `?` and sets match characters.
    Glob,
    /// A pattern of nvcc's tables, in which `*` matches any characters.
    Pattern,
    /// Any part of the name.
    Part,
}

impl Form {
    fn matches(self, text: &str, name: &str) -> bool {
        match self {
            Self::Glob => Glob::new(text).matches(name),
            Self::Pattern => matches_name(text, name),
            Self::Part => name.contains(text),
        }
    }
}

/// Returns a warning for each name that no definition has, sorted.
pub(crate) fn warnings(index: &Index<'_>, host: &Host<'_>, policy: &Policy) -> Vec<String> {
    let mut asked = asked(policy);
    if host.has_unknown_code() {
        asked.retain(|name| name.form == Form::Glob);
    }
    if asked.is_empty() {
        return Vec::new();
    }
    let mut unknown: Vec<&Asked<'_>> = asked.iter().collect();
    unknown.retain(|asked| {
        let is_listed = asked.form != Form::Glob;
        !is_listed || !host.opaque_names().any(|name| asked.form.matches(asked.text, name))
    });
    for node in index.all_nodes() {
        let symbol = index.symbol(node);
        if symbol.is_definition() {
            unknown.retain(|asked| {
                !(asked.may_mean)(&symbol) || !asked.form.matches(asked.text, symbol.name())
            });
        }
    }
    let mut warnings: Vec<String> = unknown.iter().map(|asked| warning(index, asked)).collect();
    warnings.sort_unstable();
    warnings.dedup();
    warnings
}

/// Returns the names on the command line.
fn asked(policy: &Policy) -> Vec<Asked<'_>> {
    let roots = &policy.roots;
    let keep = policy.keep.iter().map(|text| Asked {
        option: "--keep",
        text,
        what: "symbol of that name",
        form: Form::Glob,
        may_mean: |_| true,
    });
    let kernels = roots.kernels_used.iter().flatten().map(|text| Asked {
        option: "--kernels-used",
        text,
        what: "kernel with that in its name",
        form: Form::Part,
        may_mean: |symbol| symbol.is_kernel(),
    });
    let variables = roots.variables_used.iter().flatten().map(|text| Asked {
        option: "--variables-used",
        text,
        what: "__device__ or __constant__ variable with that in its name",
        form: Form::Part,
        may_mean: is_host_variable,
    });
    let references = roots.host_references.iter().flatten().map(of_reference);
    keep.chain(kernels).chain(variables).chain(references).collect()
}

fn of_reference(reference: &NamedReference) -> Asked<'_> {
    let is_kernel = reference.kind == NamedKind::Kernel;
    let option = match (reference.kind, reference.internal) {
        (NamedKind::Kernel, false) => "--host-ref-ek",
        (NamedKind::Kernel, true) => "--host-ref-ik",
        (NamedKind::Constant, false) => "--host-ref-ec",
        (NamedKind::Constant, true) => "--host-ref-ic",
        (NamedKind::Variable, false) => "--host-ref-eg",
        (NamedKind::Variable, true) => "--host-ref-ig",
    };
    let (what, may_mean): (_, fn(&Symbol<'_>) -> bool) = match (is_kernel, reference.internal) {
        (true, false) => ("visible kernel of that name", |symbol| {
            symbol.is_kernel() && !symbol.linkage().is_local()
        }),
        (true, true) => ("kernel of that name that only its unit sees", |symbol| {
            symbol.is_kernel() && symbol.linkage().is_local()
        }),
        (false, false) => ("visible variable of that name", |symbol| {
            is_host_variable(symbol) && !symbol.linkage().is_local()
        }),
        (false, true) => ("variable of that name that only its unit sees", |symbol| {
            is_host_variable(symbol) && symbol.linkage().is_local()
        }),
    };
    Asked { option, text: &reference.pattern, what, form: Form::Pattern, may_mean }
}

fn is_host_variable(symbol: &Symbol<'_>) -> bool {
    symbol.kind().is_variable() && matches!(symbol.address_space(), 1 | 4)
}

fn warning(index: &Index<'_>, asked: &Asked<'_>) -> String {
    let Asked { option, text, what, .. } = asked;
    let similar = similar(index, asked);
    let similar = match similar.as_slice() {
        [] => String::new(),
        [one] => format!("; the nearest name is {one}"),
        several => format!("; the nearest names are {}", several.join(", ")),
    };
    format!("{option} {text}: no module defines a {what}{similar}")
}

/// Returns the names most like the one asked for.
fn similar<'index>(index: &'index Index<'_>, asked: &Asked<'_>) -> Vec<&'index str> {
    let text: Vec<u8> = asked.text.bytes().filter(|byte| *byte != b'*').collect();
    let distance = |node: NodeId| {
        let symbol = index.symbol(node);
        let is_one = symbol.is_definition() && !symbol.is_special() && (asked.may_mean)(&symbol);
        is_one.then(|| {
            let name = index.name(node);
            (distance(&text, name.as_bytes()), name)
        })
    };
    let mut names: Vec<(usize, &str)> = index.all_nodes().into_par().filter_map(distance).collect();
    names.par_sort_unstable();
    names.dedup();
    names.into_iter().map(|(_, name)| name).take(LISTED).collect()
}

/// Returns the number of characters that have to change for `text` to be a part of `name`.
fn distance(text: &[u8], name: &[u8]) -> usize {
    // Row by row over `text`; a part may begin and end anywhere in `name`.
    let mut row = vec![0; name.len() + 1];
    for (at, character) in text.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, other) in name.iter().enumerate() {
            let replaced = diagonal + usize::from(character != other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row.into_iter().min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn a_part_of_a_name_is_no_change_away() {
        for (text, name, expected) in [
            ("step", "_Z4stepPf", 0),
            ("stpe", "_Z4stepPf", 1),
            ("stap", "_Z4stepPf", 1),
            ("tep", "_Z4stepPf", 0),
            ("steep", "_Z4stepPf", 1),
            ("", "name", 0),
            ("name", "", 4),
        ] {
            assert_eq!(distance(text.as_bytes(), name.as_bytes()), expected, "{text} {name}");
        }
    }
}
