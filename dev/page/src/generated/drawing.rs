//! A report that is being drawn.

use dev_random::Choices;
use weft_report::{BuildReport, Image, Link, NameTable, Opaque, Removed, RemovedKind, Words};

/// A report that is being drawn.
pub(super) struct Drawing {
    pub(super) choices: Choices,
    pub(super) names: NameTable,
    pub(super) report: BuildReport,
    /// First definition of each unit.
    pub(super) first: Vec<usize>,
    /// Number of kernels of each unit, which are its first definitions.
    pub(super) kernels_of: Vec<usize>,
}

impl Drawing {
    /// Starts the report of a program about which nothing is drawn yet.
    pub(super) fn new() -> Self {
        Self {
            choices: Choices::new(7),
            names: NameTable::default(),
            report: BuildReport::new("generated"),
            first: Vec::new(),
            kernels_of: Vec::new(),
        }
    }

    /// Returns the report, with what holds for the whole program.
    pub(super) fn into_report(mut self) -> BuildReport {
        self.link();
        BuildReport { names: self.names.into_names(), ..self.report }
    }

    /// Returns a number from `least` on, of which the small ones are the most frequent.
    pub(super) fn mostly_small(&mut self, least: usize, bound: usize) -> usize {
        let parts = [(); 3].map(|()| self.choices.below(bound - least + 1));
        least + parts.into_iter().min().unwrap_or(0)
    }

    /// Adds what holds for the whole program.
    fn link(&mut self) {
        let definitions = &self.report.definitions;
        let gone = (0..definitions.name.len())
            .filter(|at| Words::is_removal(definitions.fate[*at]))
            .filter(|at| {
                let unit = definitions.module[*at] as usize;
                at - self.first[unit] < self.kernels_of[unit]
            });
        let removed = gone.map(|at| Removed {
            kind: RemovedKind::Kernel,
            name: definitions.name[at],
            definitions: vec![small(at)],
        });
        let removed = removed.collect();
        let keeps = vec![definitions.name[4], definitions.name[9]];
        self.report.links = vec![Link {
            architecture: "sm_90".to_owned(),
            whole: true,
            options: [("ftz".to_owned(), 0), ("prec-sqrt".to_owned(), 1)].into(),
            notes: vec![
                "mode: whole, as all device code is bitcode".to_owned(),
                "option ftz: 0, in all modules".to_owned(),
            ],
            warnings: vec!["src/mesh/sort_00.cu was compiled with -O1, the others -O3".to_owned()],
            removed,
            opaque: vec![Opaque {
                unit: "lib/libvendor.a(solve.o)".to_owned(),
                kinds: vec!["cubin".to_owned(), "ptx".to_owned()],
                keeps,
            }],
            ..Link::default()
        }];
        let bytes = self.report.modules.iter().filter_map(|module| module.cubin_bytes);
        let cubin_bytes = bytes.sum();
        self.report.images = vec![Image {
            link: 0,
            cubin_bytes,
            cubin_bytes_before: Some(cubin_bytes + 40_000),
            image_bytes: Some(cubin_bytes - cubin_bytes / 20),
            image_bytes_before: Some(cubin_bytes - cubin_bytes / 20 + 40_000),
        }];
    }
}

/// Returns a position as reports hold it.
pub(super) fn small(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

/// Returns a count as reports hold it.
pub(super) fn long(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
