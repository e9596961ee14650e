//! Figures of the kernels of a linked program.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::Path;

use anyhow::Error;
use weft_artifact::{KernelChoice, KernelTrial};
use weft_cli::{Blame as _, Fault, failure};
use weft_container::{
    KernelCosts, KernelResources, cubin_architecture, device_images, kernel_costs,
    kernel_resources, linked_program,
};
use weft_job::occupancy;

use super::cost::cost;

/// A kernel of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Measured {
    /// Its figures. The choice is the default, as a program does not record the choice that it was
    /// built with.
    pub(super) figures: KernelTrial,
    pub(super) resources: KernelResources,
}

/// Kernels by architecture and name.
pub(super) type Kernels = BTreeMap<(String, String), Measured>;

/// Adds the kernels in the file `path` with `content`: a linked program, a fat binary or a cubin.
/// Of two kernels of one name, the costlier counts.
pub(super) fn measure(path: &Path, content: &[u8], kernels: &mut Kernels) -> anyhow::Result<()> {
    let file = || path.display().to_string();
    let program = linked_program(content).blame(Fault::Input, file)?;
    let images = program.as_ref().map_or(content, |program| program.fatbins);
    let images = device_images(images).map_err(|error| {
        let error: Error = error.into();
        failure(Fault::Input, format!("{}: no device code: {error:#}", file()))
    })?;
    let mut cubins = images.iter().filter_map(|image| image.cubin()).peekable();
    if cubins.peek().is_none() {
        let message = format!("{}: it holds no machine code that can be read", file());
        return Err(failure(Fault::Input, message));
    }
    for cubin in cubins {
        let architecture = cubin_architecture(cubin).unwrap_or_default();
        let costs = kernel_costs(cubin).blame(Fault::Input, file)?;
        for resources in kernel_resources(cubin).blame(Fault::Input, file)? {
            let costs = costs.get(&resources.name).copied().unwrap_or_default();
            let measured = Measured::new(&architecture, resources, costs);
            let name = measured.resources.name.clone();
            match kernels.entry((architecture.clone(), name)) {
                Entry::Vacant(place) => {
                    place.insert(measured);
                }
                Entry::Occupied(mut known) => {
                    if cost(&measured.figures) > cost(&known.get().figures) {
                        known.insert(measured);
                    }
                }
            }
        }
    }
    Ok(())
}

impl Measured {
    fn new(architecture: &str, resources: KernelResources, costs: KernelCosts) -> Self {
        let KernelCosts { cycles, local, instructions, functions } = costs;
        let figures = KernelTrial {
            choice: KernelChoice::default(),
            registers: resources.registers,
            stack: resources.stack_bytes,
            local,
            instructions,
            functions,
            warps: occupancy(architecture, &resources).map(|occupancy| occupancy.warps),
            cycles,
        };
        Self { figures, resources }
    }
}
