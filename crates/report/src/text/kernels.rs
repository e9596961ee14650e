//! The kernels, and what they take.

use super::Writer;
use super::table::{Column, Row};
use crate::data::{Kernel, KernelValues};
use crate::names::printable;

impl Writer<'_> {
    pub(super) fn kernels(&self) -> String {
        if self.report.kernels.is_empty() {
            return "No kernels.\n".to_owned();
        }
        let columns = [
            Column::number("warps"),
            Column::word("limited by").spare(3),
            Column::number("regs"),
            Column::number("stack"),
            Column::number("spill"),
            Column::number("shared"),
            Column::number("calls"),
            Column::number("instr").spare(2),
            Column::number("const").spare(4),
            Column::number("t/s/s").spare(6),
            Column::number("ms").spare(5),
            Column::word("arch"),
            Column::name("kernel"),
            Column::name("unit").spare(1),
        ];
        let rows: Vec<Row> = self.report.kernels.iter().map(|kernel| self.kernel(kernel)).collect();
        let head = "Kernels, those with the lowest occupancy first: the warps of one kernel alone \
                    on a multiprocessor. Stack, spilled and constant bytes are a thread's, shared \
                    bytes a block's; calls and instructions are those of the kernel's own code; \
                    t/s/s counts textures, surfaces and samplers; ms is the time of ptxas. Zeros \
                    are left out, and columns for which there is no room: the data has all.";
        self.section(head, &self.table(&columns, &rows))
    }

    fn kernel(&self, kernel: &Kernel) -> Row {
        let report = self.report;
        let some = |number: u64| if number == 0 { String::new() } else { number.to_string() };
        let module = report.modules.get(kernel.module as usize);
        let link = module.and_then(|module| report.links.get(module.link as usize));
        let architecture = link.filter(|_| report.links.len() > 1);
        let occupancy = kernel.occupancy.as_ref();
        let limit = occupancy.filter(|found| found.warps < found.of_warps);
        let values = KernelValues::of(kernel);
        // Bank 0 holds the parameters, which every kernel has.
        let constants = kernel.constant.iter().filter(|(bank, _)| *bank != "0");
        let more = |name: &str| kernel.more.get(name).copied().unwrap_or_default();
        let references = ["textures", "surfaces", "samplers"].map(|kind| more(kind).to_string());
        let has_references = references.iter().any(|count| count != "0");
        let seconds = Some(more("compile_seconds")).filter(|seconds| *seconds > 0.0);
        let cells = vec![
            occupancy.map_or("?".to_owned(), |found| format!("{}/{}", found.warps, found.of_warps)),
            limit.map_or(String::new(), |found| found.limited_by.clone()),
            kernel.registers.to_string(),
            some(kernel.stack.into()),
            values.spills.map_or("?".to_owned(), some),
            some(kernel.shared),
            some(values.calls),
            some(kernel.instructions),
            some(constants.map(|(_, bytes)| bytes).sum()),
            if has_references { references.join("/") } else { String::new() },
            seconds.map_or(String::new(), |seconds| format!("{:.1}", seconds * 1000.0)),
            architecture.map_or(String::new(), |link| link.architecture.clone()),
            self.whole_name(kernel.name),
            module.map_or(String::new(), |module| printable(&module.id).into_owned()),
        ];
        Row { cells, below: String::new() }
    }
}
