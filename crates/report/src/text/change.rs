//! The changes since an earlier build.

use std::fmt::Write as _;

use super::Writer;
use super::table::{Column, Row};
use crate::data::{Comparison, Kernel, KernelValues};
use crate::shown::{bytes, cut_in_the_middle, percent};
use crate::values::{differences, known};

/// Kernels that changed, in the order of the text: what is worst comes first.
const CHANGES: [&str; 4] = ["worse", "mixed", "better", "new"];

impl Writer<'_> {
    pub(super) fn change(&self) -> String {
        let Some(against) = &self.report.against else { return String::new() };
        let title = cut_in_the_middle(&against.title, 60);
        let mut head = format!("What changed against {title}: {}", counts(against));
        for (what, sizes) in [("cubins", against.cubin_bytes), ("image", against.image_bytes)] {
            let Some((before, now)) = sizes.filter(|(before, now)| before != now) else { continue };
            let percent = percent(before, now);
            // Writing to a String cannot fail.
            let _ = write!(head, "; {what} {} -> {} {percent}", bytes(before), bytes(now));
        }
        let mut text = self.paragraph("", &format!("{}.", head.trim_end()));
        if !against.note.is_empty() {
            text += &self.paragraph("", &format!("{}.", against.note));
        }
        for change in CHANGES {
            for kernel in self.report.kernels.iter().filter(|kernel| kernel.change == change) {
                text += &self.changed(change, kernel);
            }
        }
        let registers = |values: &KernelValues| format!("{} registers", values.registers);
        for gone in &against.gone {
            let name = self.name(gone.name, self.width.saturating_sub(40));
            let what = format!("({}), {}", gone.architecture, registers(&gone.before));
            let _ = writeln!(text, "{:8}{name} {what}", "gone");
        }
        text + &self.changed_units(against)
    }

    fn changed(&self, change: &str, kernel: &Kernel) -> String {
        let unit = self.unit(kernel.module);
        let room = self.width.saturating_sub(8);
        let unit = self.cut(&unit, room / 3);
        let name = self.name(kernel.name, room.saturating_sub(unit.chars().count() + 5));
        let now = KernelValues::of(kernel);
        let values = match &kernel.before {
            Some(before) => differences(before, &now),
            None => known(&now),
        };
        let values = values.join(", ");
        let values = if values.is_empty() { values } else { self.paragraph("        ", &values) };
        format!("{change:8}{name}  in {unit}\n{values}")
    }

    fn changed_units(&self, against: &Comparison) -> String {
        let columns = [
            Column::word("change"),
            Column::name("unit"),
            Column::word("arch"),
            Column::word("cubin"),
        ];
        let rows = against.modules.iter().map(|change| {
            let report = self.report;
            let now = report.modules.iter().find(|module| {
                let link = report.links.get(module.link as usize);
                let architecture = link.map_or("", |link| &link.architecture);
                module.id == change.id && architecture == change.architecture
            });
            let size = |size: Option<u64>| size.map_or("?".to_owned(), bytes);
            let before = size(change.cubin_bytes_before);
            let now = size(now.and_then(|module| module.cubin_bytes));
            let sizes = match change.change.as_str() {
                "new" => now,
                "gone" => before,
                _ if before == now => now,
                _ => format!("{before} -> {now}"),
            };
            let what = match change.change.as_str() {
                "plan" => "other plan",
                "code" => "other code",
                other => other,
            };
            let is_one = report.links.len() < 2;
            let architecture = if is_one { String::new() } else { change.architecture.clone() };
            let cells = vec![what.to_owned(), change.id.clone(), architecture, sizes];
            Row { cells, below: String::new() }
        });
        let rows: Vec<Row> = rows.collect();
        if rows.is_empty() {
            return String::new();
        }
        let head = "Units that differ. Another plan has other imports or other fates of symbols; \
                    other code comes of the same plan.";
        format!("\n{}", self.section(head, &self.table(&columns, &rows)))
    }
}

/// Returns the numbers of kernels by what became of them.
fn counts(against: &Comparison) -> String {
    let gone = against.gone.len();
    let Comparison { better, worse, mixed, same, new, .. } = against;
    format!(
        "{worse} worse, {mixed} mixed, {better} better, {new} new, {gone} gone and {same} like \
         before"
    )
}
