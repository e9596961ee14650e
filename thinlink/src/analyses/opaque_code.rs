//! Device names that code other than bitcode needs or defines.
//!
//! An opaque image goes to the final link as it is. A symbol that it *needs* is found there by
//! name, so it is a root and keeps its name. A symbol that it *defines* takes part in nvlink's
//! choice among definitions: a strong definition of a module may be the one that the image's own
//! code ends up with, and a weak one must not become a different variable. So the definition is a
//! root, too. An image whose symbols cannot be known may need and define anything: then the whole
//! program is not known.
//!
//! nvcc's host reference tables name kernels and variables by patterns. A name in a table of
//! internal symbols refers to a symbol of its own unit, so it says nothing where the unit is
//! opaque.
//!
//! Cost: the names are sorted once; a look-up is logarithmic in them, and in the patterns, times
//! the number of different lengths of the patterns' beginnings.

use std::collections::{BTreeMap, BTreeSet};

use weft_artifact::{ModuleId, NamedKind, NamedReference, OpaqueKind};

use super::nvidia::is_device_runtime;
use crate::model::program::{PackedUnit, Symbol};

/// Names that opaque code and the tables of host code state.
pub(crate) struct OpaqueCode<'units> {
    /// The first unit with code whose symbols cannot be known, the kind of that code, and the
    /// number of further units.
    pub(crate) unknown: Option<(&'units PackedUnit, &'static str, usize)>,
    /// Whether the program has opaque device code.
    pub(crate) has_code: bool,
    /// Names that opaque code defines.
    pub(crate) defines: BTreeSet<&'units str>,
    needs: BTreeSet<&'units str>,
    /// Patterns of visible kernels, and of visible variables.
    patterns: [Patterns<'units>; 2],
    /// Patterns of local kernels and variables, which only the caller can list.
    local_patterns: [Patterns<'units>; 2],
    /// Patterns of a unit's own local kernels and variables, for units of LTO IR.
    own_patterns: BTreeMap<&'units ModuleId, [Patterns<'units>; 2]>,
}

impl<'units> OpaqueCode<'units> {
    /// Merges the names of `units`, which are sorted by module id, with those that the caller
    /// `listed`.
    pub(crate) fn new(units: &[&'units PackedUnit], listed: &'units [NamedReference]) -> Self {
        // NVIDIA's runtime needs nothing of the program.
        let of_program = || units.iter().filter(|unit| !is_device_runtime(unit));
        let mut unknown = of_program().filter_map(|unit| {
            let mut images = unit.opaque.iter();
            let image = images.find(|image| image.symbols.is_none())?;
            Some((*unit, kind(image.kind)))
        });
        let unknown = unknown.next().map(|(unit, kind)| (unit, kind, unknown.count()));
        let images = || of_program().flat_map(|unit| &unit.opaque);
        let symbols = || images().filter_map(|image| image.symbols.as_ref());
        let defines = symbols().flat_map(|symbols| &symbols.defines).map(String::as_str).collect();
        let needs = symbols().flat_map(|symbols| &symbols.needs).map(String::as_str).collect();
        let mut patterns = [Patterns::default(), Patterns::default()];
        let mut own_patterns = BTreeMap::new();
        for unit in units {
            for reference in unit.host.iter().flat_map(|facts| &facts.named) {
                if !reference.internal {
                    add(&mut patterns, reference);
                } else if unit.is_lto_ir() {
                    add(own_patterns.entry(&unit.module_id).or_default(), reference);
                }
            }
        }
        let mut local_patterns = [Patterns::default(), Patterns::default()];
        for reference in listed {
            let list = if reference.internal { &mut local_patterns } else { &mut patterns };
            add(list, reference);
        }
        let has_code = images().next().is_some();
        Self { unknown, has_code, defines, needs, patterns, local_patterns, own_patterns }
    }

    /// Whether code that is not bitcode names `symbol` of `module`.
    pub(crate) fn names(&self, module: &ModuleId, symbol: &Symbol<'_>) -> bool {
        let is_local = symbol.linkage().is_local();
        let patterns = if is_local { &self.local_patterns } else { &self.patterns };
        let matches = |[kernels, variables]: &[Patterns<'_>; 2]| {
            symbol.is_kernel() && kernels.match_any(symbol.name())
                || symbol.kind().is_variable() && variables.match_any(symbol.name())
        };
        // Most programs have no such code, and reading names is slow.
        let is_in = |names: &BTreeSet<&str>| !names.is_empty() && names.contains(symbol.name());
        let own = || self.own_patterns.get(module).filter(|_| is_local);
        !is_local && (is_in(&self.needs) || is_in(&self.defines))
            || matches(patterns)
            || !self.own_patterns.is_empty() && own().is_some_and(matches)
    }
}

fn add<'units>(patterns: &mut [Patterns<'units>; 2], reference: &'units NamedReference) {
    let [kernels, variables] = patterns;
    match reference.kind {
        NamedKind::Kernel => kernels.add(&reference.pattern),
        NamedKind::Constant | NamedKind::Variable => variables.add(&reference.pattern),
    }
}

fn kind(kind: OpaqueKind) -> &'static str {
    match kind {
        OpaqueKind::Cubin => "a cubin",
        OpaqueKind::Ptx => "PTX",
        OpaqueKind::NvidiaLtoIr => "NVIDIA LTO IR",
        OpaqueKind::Fatbin => "an entry of a fat binary",
        OpaqueKind::Object => "an image of an unknown kind",
    }
}

/// Whether a pattern of nvcc's tables matches `name`.
pub(crate) fn matches_name(pattern: &str, name: &str) -> bool {
    let mut patterns = Patterns::default();
    patterns.add(pattern);
    patterns.match_any(name)
}

/// Names in which `*` matches any characters, by the text before the first `*`.
#[derive(Default)]
struct Patterns<'units> {
    by_beginning: BTreeMap<&'units str, Vec<&'units str>>,
    lengths: BTreeSet<usize>,
}

impl<'units> Patterns<'units> {
    fn add(&mut self, pattern: &'units str) {
        let length = pattern.find('*').unwrap_or(pattern.len());
        let (beginning, rest) = pattern.split_at(length);
        self.by_beginning.entry(beginning).or_default().push(rest);
        self.lengths.insert(length);
    }

    fn match_any(&self, name: &str) -> bool {
        // A length may end within a character of this name, and a longer one match all the same.
        let beginnings = self.lengths.iter().filter_map(|&length| name.get(..length));
        let mut known = beginnings.filter_map(|beginning| {
            self.by_beginning.get(beginning).zip(name.get(beginning.len()..))
        });
        known.any(|(rests, text)| rests.iter().any(|rest| matches(rest, text)))
    }
}

/// Whether `text` matches `pattern`, in which `*` matches any characters. `pattern` is empty or
/// starts with `*`.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    // The text before the first star is empty here.
    let _ = parts.next();
    let Some(last) = parts.next_back() else { return text.is_empty() };
    let mut text = text;
    for part in parts {
        match text.find(part) {
            Some(start) => text = &text[start + part.len()..],
            None => return false,
        }
    }
    text.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_characters() {
        let mut patterns = Patterns::default();
        for pattern in ["_Z4step*", "exact", "__nv_*mid*end", "é*", "x*ab*b"] {
            patterns.add(pattern);
        }
        for name in ["_Z4stepPf", "_Z4step", "exact", "__nv_1mid2end", "__nv_midend", "éa", "xabb"]
        {
            assert!(patterns.match_any(name), "{name}");
        }
        for name in ["_Z4ste", "exactly", "__nv_1end", "__nv_midenx", "", "ê", "_Y", "xab"] {
            assert!(!patterns.match_any(name), "{name}");
        }
    }
}
