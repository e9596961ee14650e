//! The facts of two linked programs that must agree, and the tolerance of each comparison.
//!
//! Optimization may remove a variable that host code does not know, and more knowledge may raise
//! the alignment of a variable. Every fact that host code can rely on stays, as [`Aspect`] lists
//! them.

use std::collections::{BTreeMap, BTreeSet};

use super::difference::{Aspect, Difference};
use super::image::{Image, Kernel, Memory, Variable};
use super::names::{is_literal, original};
use super::ptx::{Declarations, Declared, Entry};

/// Symbols that the image must hold, and symbols that it may lack.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// Symbols that host code registers.
    pub registered: BTreeSet<String>,
    /// Registered symbols that Weft's manifest lists as removed because nothing refers to them.
    pub removed: BTreeSet<String>,
    /// Symbols that host code is known to use.
    pub used: BTreeSet<String>,
}

/// Finds registered and used symbols that the image lacks without a reason.
pub fn missing(expected: &Expected, image: &Image) -> Vec<Difference> {
    let mut found = Vec::new();
    for symbol in expected.registered.union(&expected.used) {
        if image.has(symbol) {
            continue;
        }
        let is_used = expected.used.contains(symbol);
        let detail = match (is_used, expected.removed.contains(symbol)) {
            (false, true) => continue,
            (true, true) => "host code uses it, and the manifest says that nothing refers to it",
            (_, false) => "it is not in the image, and the manifest does not say why",
        };
        found.push(Difference::new(Aspect::Missing, symbol, detail));
    }
    found
}

/// Finds symbols that Weft should have removed.
pub fn surplus(removed: &[String], image: &Image) -> Vec<Difference> {
    let kept = removed.iter().filter(|symbol| image.has(symbol));
    let detail = "nothing refers to it, and yet it is in the image";
    kept.map(|symbol| Difference::new(Aspect::Surplus, symbol, detail)).collect()
}

/// Finds differences of the kernels in both images. `rotated` are further plain images, which may
/// require more alignment.
pub fn kernels(plain: &Image, rotated: &[Image], weft: &Image) -> Vec<Difference> {
    let mut found = Vec::new();
    for (symbol, ours) in &weft.kernels {
        let Some(theirs) = plain.kernels.get(symbol) else {
            let detail = "a kernel of Weft's image that the plain one lacks";
            found.push(Difference::new(Aspect::Missing, symbol, detail));
            continue;
        };
        let mut differs = |aspect, one: &dyn std::fmt::Debug, other: &dyn std::fmt::Debug| {
            let detail = format!("plainly {one:?}, through Weft {other:?}");
            found.push(Difference::new(aspect, symbol, detail));
        };
        if ours.parameters != theirs.parameters {
            differs(Aspect::Parameters, &theirs.parameters, &ours.parameters);
        }
        if ours.bounds != theirs.bounds {
            differs(Aspect::LaunchBounds, &theirs.bounds, &ours.bounds);
        }
        if ours.shared_bytes < theirs.shared_bytes {
            differs(Aspect::SharedMemory, &theirs.shared_bytes, &ours.shared_bytes);
        }
        let others = rotated.iter().filter_map(|image| image.kernels.get(symbol));
        let wanted = others.map(|kernel: &Kernel| kernel.shared_alignment).max().unwrap_or(0);
        let wanted = wanted.max(theirs.shared_alignment);
        if ours.shared_alignment < wanted {
            differs(Aspect::SharedAlignment, &wanted, &ours.shared_alignment);
        }
    }
    found
}

/// Finds differences of the kernels as the PTX of both sides declares them. Cubins do not hold the
/// minimum number of blocks.
pub fn entries(plain: &[Declarations], weft: &[Declarations]) -> Vec<Difference> {
    let mut declared: BTreeMap<&str, &Entry> = BTreeMap::new();
    for (symbol, entry) in plain.iter().flat_map(|declarations| &declarations.kernels) {
        // Of several definitions nvlink takes the strong one, or else the first.
        let known = declared.entry(symbol).or_insert(entry);
        if known.is_weak && !entry.is_weak {
            *known = entry;
        }
    }
    let mut found = Vec::new();
    for (symbol, ours) in weft.iter().flat_map(|declarations| &declarations.kernels) {
        let Some(theirs) = declared.get(symbol.as_str()) else { continue };
        let mut differs = |aspect, one: &dyn std::fmt::Debug, other: &dyn std::fmt::Debug| {
            let detail = format!("in plain PTX {one:?}, in Weft's {other:?}");
            found.push(Difference::new(aspect, symbol, detail));
        };
        if ours.parameters != theirs.parameters {
            differs(Aspect::Parameters, &theirs.parameters, &ours.parameters);
        }
        if ours.bounds != theirs.bounds {
            differs(Aspect::LaunchBounds, &theirs.bounds, &ours.bounds);
        }
    }
    found
}

/// Finds differences of the variables in both images. Variables in `without_identity` may occur
/// several times. `moves_constants` says that Weft moved local constants to global memory, because
/// constant memory was full or its user asked for it.
pub fn variables(
    plain: &Image,
    weft: &Image,
    without_identity: &BTreeSet<String>,
    moves_constants: bool,
) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for ours in &weft.variables {
        let name = original(&ours.symbol);
        let theirs: Vec<&Variable> = plain.variables_of(&name).collect();
        if is_literal(&name) || theirs.is_empty() {
            // A variable that only the optimizer made has no counterpart.
            continue;
        }
        if !without_identity.contains(&name) && seen.insert(name.clone()) {
            let count = weft.variables_of(&name).count();
            if count > theirs.len() {
                let detail = format!("{} plainly, {count} through Weft", theirs.len());
                found.push(Difference::new(Aspect::Copies, &name, detail));
            }
        }
        if let Some((aspect, detail)) = closest(&theirs, ours, moves_constants) {
            found.push(Difference::new(aspect, &ours.symbol, detail));
        }
    }
    found
}

/// Returns the difference between `ours` and the closest of `theirs`; `None` if one of them is
/// equal.
fn closest(
    theirs: &[&Variable],
    ours: &Variable,
    moves_constants: bool,
) -> Option<(Aspect, String)> {
    let differences: Option<Vec<_>> =
        theirs.iter().map(|plain| variable(plain, ours, moves_constants)).collect();
    // The comparison that got furthest is the most informative.
    differences?.into_iter().max_by_key(|(aspect, _)| *aspect)
}

fn variable(theirs: &Variable, ours: &Variable, moves_constants: bool) -> Option<(Aspect, String)> {
    let sides = |one: &dyn std::fmt::Debug, other: &dyn std::fmt::Debug| {
        format!("plainly {one:?}, through Weft {other:?}")
    };
    let may_move = moves_constants && ours.is_local && theirs.memory == Memory::Constant;
    if ours.memory != theirs.memory && !(may_move && ours.memory == Memory::Global) {
        return Some((Aspect::Memory, sides(&theirs.memory, &ours.memory)));
    }
    if ours.bytes.len() != theirs.bytes.len() {
        return Some((Aspect::Size, sides(&theirs.bytes.len(), &ours.bytes.len())));
    }
    if ours.bytes != theirs.bytes {
        return Some((Aspect::Content, sides(&theirs.bytes, &ours.bytes)));
    }
    let alike = ours.pointers.len() == theirs.pointers.len()
        && ours.pointers.iter().zip(&theirs.pointers).all(|(one, other)| {
            (one.offset, one.addend, one.kind) == (other.offset, other.addend, other.kind)
                && !one.targets.is_disjoint(&other.targets)
        });
    (!alike).then(|| (Aspect::Content, sides(&theirs.pointers, &ours.pointers)))
}

/// Finds variables of Weft's image whose alignment contradicts the plain PTX.
pub fn alignments(plain: &[Declarations], weft: &Image) -> Vec<Difference> {
    let mut found = Vec::new();
    for ours in &weft.variables {
        let name = original(&ours.symbol);
        let declared = plain.iter().flat_map(|declarations| &declarations.variables);
        let declared: Vec<&Declared> = declared
            .filter(|(symbol, _)| original(symbol) == name)
            .map(|(_, declared)| declared)
            .collect();
        let wanted = if ours.is_local || name != ours.symbol {
            // Several units may have a local of this name, and any of them may be the one in the
            // image.
            declared.iter().map(|declared| declared.alignment).min()
        } else {
            let strong = declared.iter().find(|declared| !declared.is_weak);
            strong.or(declared.first()).map(|declared| declared.alignment)
        };
        if let Some(wanted) = wanted.filter(|wanted| ours.alignment < *wanted) {
            let detail = format!("declared with {wanted}, placed with {}", ours.alignment);
            found.push(Difference::new(Aspect::Alignment, &ours.symbol, detail));
        }
    }
    found
}

/// Finds variables that only one of the two sides declares as managed.
pub fn managed(plain: &[Declarations], weft: &[Declarations]) -> Vec<Difference> {
    let managed = |declarations: &[Declarations], wanted: bool| -> BTreeSet<String> {
        let all = declarations.iter().flat_map(|declarations| &declarations.variables);
        let matching = all.filter(|(_, declared)| declared.is_managed == wanted);
        matching.map(|(symbol, _)| symbol.clone()).collect()
    };
    let mut found = Vec::new();
    for (one, other) in [(true, false), (false, true)] {
        for symbol in managed(plain, one).intersection(&managed(weft, other)) {
            let detail = format!("managed plainly: {one}, through Weft: {other}");
            found.push(Difference::new(Aspect::Memory, symbol, detail));
        }
    }
    found
}

#[cfg(test)]
mod tests;
