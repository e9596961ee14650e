//! The report as a text, for people.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use weft_artifact::Manifest;

use super::read::Material;
use crate::report::{KernelReport, OptimizedReport, Report};

/// Returns the text.
pub(super) fn text(material: &Material) -> String {
    let mut program = Program::default();
    for file in &material.files {
        program.add(&file.unit, &file.report);
    }
    program.manifests = material.links.iter().map(|link| link.manifest.clone()).collect();
    program.text()
}

/// The facts about a program, from all reports.
#[derive(Default)]
struct Program {
    kernels: Vec<(String, KernelReport)>,
    /// Reports of the optimizer by unit and architecture.
    optimized: BTreeMap<(String, String), Option<OptimizedReport>>,
    /// Seconds by phase, and by unit in it.
    phases: BTreeMap<String, BTreeMap<String, f64>>,
    messages: Vec<(String, String)>,
    manifests: Vec<Manifest>,
}

impl Program {
    fn add(&mut self, unit: &str, report: &Report) {
        let unit = unit.to_owned();
        self.kernels.extend(report.kernels.iter().map(|kernel| (unit.clone(), kernel.clone())));
        for module in &report.modules {
            self.optimized
                .insert((unit.clone(), module.architecture.clone()), module.optimized.clone());
        }
        for phase in &report.phases {
            let units = self.phases.entry(phase.name.clone()).or_default();
            *units.entry(unit.clone()).or_default() += phase.seconds;
        }
        self.messages.extend(report.messages.iter().map(|message| (unit.clone(), message.clone())));
    }

    fn text(mut self) -> String {
        // The kernels with the lowest occupancy come first, as they deserve the most attention.
        self.kernels.sort_by(|(_, one), (_, other)| {
            let key = |kernel: &KernelReport| {
                (kernel.architecture.clone(), kernel.occupied(), kernel.name().to_owned())
            };
            key(one).cmp(&key(other))
        });
        [self.kernels_text(), self.units_text(), self.removed_text(), self.messages_text()]
            .into_iter()
            .chain([self.times_text()])
            .filter(|section| !section.is_empty())
            .collect::<Vec<_>>()
            .join("\n")
    }

    fn kernels_text(&self) -> String {
        if self.kernels.is_empty() {
            return "No kernels.\n".to_owned();
        }
        let rows =
            self.kernels.iter().map(|(unit, kernel)| format!("{}  ({unit})\n", kernel.row()));
        let head = "Kernels, those with the lowest occupancy first. Stack, spilled and constant \
                    bytes are a thread's,\nshared bytes a block's, global bytes all of its \
                    module's; t/s/s counts texture, surface and sampler\nreferences; ms is \
                    ptxas's time; occupancy is that of one kernel alone.\n";
        format!("{head}{}  (unit)\n{}", KernelReport::columns(), rows.collect::<String>())
    }

    /// Returns the imports of each unit, and the effects of inlining.
    fn units_text(&self) -> String {
        let mut rows = String::new();
        for manifest in &self.manifests {
            for module in &manifest.modules {
                let key = (module.module_id.clone(), manifest.architecture.clone());
                let effects = match self.optimized.get(&key) {
                    None => String::new(),
                    Some(None) => ": code whose making is not known".to_owned(),
                    Some(Some(optimized)) => format!(": {}", optimized.in_words()),
                };
                // Writing to a String cannot fail.
                let _ = writeln!(rows, "{} ({}){effects}", key.0, key.1);
                if !module.members.is_empty() {
                    let _ = writeln!(rows, "    compiled with {}", module.members.join(", "));
                }
                if !module.import_sources.is_empty() {
                    let sources = module.import_sources.join(", ");
                    let copies = match module.copied_functions {
                        0 => String::new(),
                        count => format!("; functions with a copy of their own here: {count}"),
                    };
                    let _ = writeln!(rows, "    imports from {sources}{copies}");
                }
            }
        }
        headed("Units, and what each imported and inlined.", &rows)
    }

    fn removed_text(&self) -> String {
        let mut rows = String::new();
        for manifest in &self.manifests {
            for kernel in &manifest.removed_kernels {
                let _ = writeln!(rows, "{kernel} ({})", manifest.architecture);
            }
        }
        headed("Kernels that were removed, as nothing launches them.", &rows)
    }

    fn messages_text(&self) -> String {
        let rows = self.messages.iter().map(|(unit, text)| format!("{unit}: {text}\n"));
        headed("What ptxas said.", &rows.collect::<String>())
    }

    fn times_text(&self) -> String {
        let mut rows = String::new();
        for (phase, units) in &self.phases {
            let total: f64 = units.values().sum();
            let longest = units.iter().max_by(|one, other| one.1.total_cmp(other.1));
            let longest =
                longest.map(|(unit, seconds)| format!("; longest {seconds:.3} s, of {unit}"));
            let count = units.len();
            let _ = writeln!(
                rows,
                "{total:>9.3} s  {phase} of {count} {}{}",
                if count == 1 { "unit" } else { "units" },
                longest.unwrap_or_default()
            );
        }
        headed("Wall time of the jobs when they last ran, of all units together.", &rows)
    }
}

/// Returns a section of the text, which is left out if it has no rows.
fn headed(head: &str, rows: &str) -> String {
    if rows.is_empty() { String::new() } else { format!("{head}\n{rows}") }
}
