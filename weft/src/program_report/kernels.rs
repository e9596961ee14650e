//! The kernels' part of a report.

use std::collections::BTreeMap;

use weft_job::KernelReport;
use weft_report::{Kernel, NameTable};

/// Kernels by module and name.
#[derive(Default)]
pub(super) struct Kernels(BTreeMap<(u32, u32), Kernel>);

impl Kernels {
    /// Adds a kernel of a module. A report that knows the spills says more than a cubin.
    pub(super) fn add(&mut self, module: u32, reported: &KernelReport, names: &mut NameTable) {
        let kernel = kernel(module, reported, names);
        let entry = self.0.entry((module, kernel.name));
        let known = entry.or_insert_with(|| kernel.clone());
        if known.spill_stores.is_none() {
            *known = kernel;
        }
    }

    /// Takes in what the linked image says about a kernel. The spills and the code are known
    /// already.
    pub(super) fn add_linked(
        &mut self,
        reported: &KernelReport,
        is_of_link: impl Fn(u32) -> bool,
        names: &mut NameTable,
    ) {
        let linked = kernel(0, reported, names);
        let known = self.0.values_mut();
        for known in known.filter(|known| known.name == linked.name && is_of_link(known.module)) {
            known.registers = linked.registers;
            known.stack = linked.stack;
            known.shared = linked.shared;
            known.barriers = linked.barriers;
            known.occupancy.clone_from(&linked.occupancy);
        }
    }

    /// Returns a kernel of a module.
    pub(super) fn find(&mut self, module: u32, name: u32) -> Option<&mut Kernel> {
        self.0.get_mut(&(module, name))
    }

    /// Returns all kernels, those with the lowest occupancy first.
    pub(super) fn sorted(self, link_of: impl Fn(u32) -> u32, names: &NameTable) -> Vec<Kernel> {
        let mut kernels: Vec<Kernel> = self.0.into_values().collect();
        kernels.sort_by_cached_key(|kernel| {
            let occupied = kernel.occupancy.as_ref();
            let occupied =
                occupied.map_or(u32::MAX, |found| found.warps * 1000 / found.of_warps.max(1));
            let name = names.names().mangled(kernel.name).to_owned();
            (occupied, link_of(kernel.module), name, kernel.module)
        });
        kernels
    }
}

fn kernel(module: u32, reported: &KernelReport, names: &mut NameTable) -> Kernel {
    let KernelReport { resources, code, spills, compile_seconds, occupancy, .. } = reported;
    let constant = &resources.constant_bytes;
    Kernel {
        name: names.number(&resources.name),
        module,
        registers: resources.registers,
        stack: resources.stack_bytes,
        spill_stores: spills.map(|spills| spills.spill_store_bytes),
        spill_loads: spills.map(|spills| spills.spill_load_bytes),
        shared: resources.shared_bytes,
        constant: constant.iter().map(|(bank, bytes)| (bank.to_string(), *bytes)).collect(),
        barriers: resources.barriers,
        max_threads: resources.max_threads,
        occupancy: occupancy.clone(),
        instructions: code.instructions,
        sass_bytes: code.code_bytes,
        calls: code.calls.iter().map(|name| names.number(name)).collect(),
        calls_indirectly: code.calls_indirectly,
        more: more(reported, *compile_seconds),
        ..Kernel::default()
    }
}

/// Returns the values that have no dedicated field and are not zero.
fn more(reported: &KernelReport, compile_seconds: Option<f64>) -> BTreeMap<String, f64> {
    let resources = &reported.resources;
    // Bytes beyond 2^53 do not fit into a GPU.
    #[expect(clippy::cast_precision_loss, reason = "sizes of one cubin are far smaller")]
    let global_bytes = resources.global_bytes as f64;
    let values = [
        ("global_bytes", global_bytes),
        ("textures", resources.textures.into()),
        ("surfaces", resources.surfaces.into()),
        ("samplers", resources.samplers.into()),
        ("compile_seconds", compile_seconds.unwrap_or_default()),
    ];
    let values = values.into_iter().filter(|(_, value)| *value != 0.0);
    values.map(|(name, value)| (name.to_owned(), value)).collect()
}
