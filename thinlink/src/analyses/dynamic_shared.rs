//! The alignment of dynamic shared memory: `extern __shared__` arrays without a size.
//!
//! No unit defines such an array. nvlink places it behind the other shared memory of each kernel,
//! at the alignment that the first declaration in link order states, so a kernel can get less than
//! its own unit asks for. Here every declaration gets the largest alignment of its name in the
//! program, which makes the order irrelevant. An image that is not bitcode counts, too, but cannot
//! be changed.
//!
//! A module's plan states the alignment of an array only if the module's own bitcode states another
//! one. Where only an imported body names the array, the plan always states it, since a plan should
//! not depend on which body's declaration LLVM's IR mover keeps.
//!
//! Cost: a program's declarations of dynamic shared memory, of which there are few, and for modules
//! that import from a unit that has some, the edges of the imported bodies.

use std::collections::BTreeMap;

use crate::model::ids::{ModuleIndex, NodeId};
use crate::model::index::Index;
use crate::model::program::PackedUnit;

/// The alignments of a program.
pub(crate) struct DynamicShared {
    /// Declarations in order, each with the alignment that it states.
    declarations: Vec<(NodeId, u32)>,
    /// The largest alignment of each array, by the leader of its name.
    largest: BTreeMap<NodeId, u32>,
    /// Warnings about images whose position in the link decides whether a kernel gets its
    /// alignment.
    pub(crate) warnings: Vec<String>,
}

impl DynamicShared {
    /// Compares the alignments that the modules in `index` and the images of `units` ask for.
    pub(crate) fn new(units: &[&PackedUnit], index: &Index<'_>) -> Self {
        // References to a definition get the alignment that the definition has.
        let is_defined = |node: NodeId| index.provider(node).is_some();
        let declarations: Vec<_> =
            index.dynamic_shared().filter(|&(node, _)| !is_defined(node)).collect();
        // The first unit with the largest alignment is kept for messages.
        let mut largest: BTreeMap<NodeId, (u32, &PackedUnit)> = BTreeMap::new();
        for &(node, alignment) in &declarations {
            let unit = index.unit(index.member(node));
            raise(largest.entry(index.leader(node)).or_insert((alignment, unit)), alignment, unit);
        }
        let mut by_name: BTreeMap<&str, &mut (u32, &PackedUnit)> =
            largest.iter_mut().map(|(&leader, known)| (index.name(leader), known)).collect();
        for (unit, name, alignment) in images(units) {
            if let Some(known) = by_name.get_mut(name) {
                raise(known, alignment, unit);
            }
        }
        let warnings = images(units).filter_map(|image| warning(image, &by_name)).collect();
        let largest = largest.into_iter().map(|(leader, (alignment, _))| (leader, alignment));
        Self { declarations, largest: largest.collect(), warnings }
    }

    /// Returns the largest alignment of the array that `leader` leads.
    pub(crate) fn largest(&self, leader: NodeId) -> u32 {
        self.largest.get(&leader).copied().unwrap_or_default()
    }

    /// Whether no module declares such an array.
    pub(crate) fn is_empty(&self) -> bool {
        self.declarations.is_empty()
    }

    /// Returns the declarations that are compiled in `module`.
    pub(crate) fn of(&self, index: &Index<'_>, module: ModuleIndex) -> &[(NodeId, u32)] {
        let nodes = index.nodes(module);
        let start = self.declarations.partition_point(|&(node, _)| node < nodes.start());
        let end = self.declarations.partition_point(|&(node, _)| node < nodes.end());
        &self.declarations[start..end]
    }
}

/// Returns the alignments that each image asks for, by name.
fn images<'units>(
    units: &[&'units PackedUnit],
) -> impl Iterator<Item = (&'units PackedUnit, &'units str, u32)> {
    units.iter().flat_map(|unit| {
        let symbols = unit.opaque.iter().filter_map(|image| image.symbols.as_ref());
        let arrays = symbols.flat_map(|symbols| &symbols.dynamic_shared);
        arrays.map(move |(name, alignment)| (*unit, name.as_str(), *alignment))
    })
}

fn raise<'units>(known: &mut (u32, &'units PackedUnit), alignment: u32, unit: &'units PackedUnit) {
    if alignment > known.0 {
        *known = (alignment, unit);
    }
}

fn warning(
    (unit, name, alignment): (&PackedUnit, &str, u32),
    largest: &BTreeMap<&str, &mut (u32, &PackedUnit)>,
) -> Option<String> {
    let (most, origin) = largest.get(name).filter(|known| known.0 > alignment)?;
    let (path, other) = (unit.path.display(), origin.path.display());
    Some(format!(
        "{path} aligns dynamic shared memory '{name}' to {alignment} bytes, and {other} needs \
         {most}: nvlink goes by what it is given first, so give it the modules before {path}"
    ))
}
