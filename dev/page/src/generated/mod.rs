//! The report of a large program: thousands of kernels, with what a real build says about each.
//!
//! The program does not exist, but its report is as one of a real program of that size: most units
//! import from a few that all use, kernels share their device functions, some symbols go, some
//! jobs come from a cache, and there is an earlier build to compare with. The same shape gives the
//! same report.

mod compared;
mod jobs;
mod kernels;
mod names;
mod units;

use dev_random::Choices;
use weft_report::{BuildReport, Image, Link, NameTable, Opaque, Removed, RemovedKind};

/// Number of kernels and of units of the program that the page is measured with.
pub const LARGE: (usize, usize) = (3000, 1000);

/// Returns the report of a program with so many kernels and units.
pub fn report(kernel_count: usize, unit_count: usize) -> BuildReport {
    let mut drawing = Drawing {
        choices: Choices::new(7),
        names: NameTable::default(),
        report: BuildReport::new("generated"),
        first: Vec::new(),
        kernels_of: Vec::new(),
    };
    drawing.report.texts = kernels::TEXTS.map(str::to_owned).into();
    units::draw(&mut drawing, kernel_count, unit_count);
    kernels::draw(&mut drawing);
    jobs::draw(&mut drawing);
    compared::draw(&mut drawing);
    drawing.link();
    let Drawing { names, mut report, .. } = drawing;
    report.names = names.into_names();
    report
}

/// A report that is being drawn.
struct Drawing {
    choices: Choices,
    names: NameTable,
    report: BuildReport,
    /// First definition of each unit.
    first: Vec<usize>,
    /// Number of kernels of each unit, which are its first definitions.
    kernels_of: Vec<usize>,
}

impl Drawing {
    /// Returns a number from `least` on, of which the small ones are the most frequent.
    fn mostly_small(&mut self, least: usize, bound: usize) -> usize {
        let parts = [(); 3].map(|()| self.choices.below(bound - least + 1));
        least + parts.into_iter().min().unwrap_or(0)
    }

    /// Adds what holds for the whole program.
    fn link(&mut self) {
        let definitions = &self.report.definitions;
        let gone = (0..definitions.name.len())
            .filter(|at| weft_report::Words::is_removal(definitions.fate[*at]))
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
        self.report.images =
            vec![Image { link: 0, cubin_bytes, cubin_bytes_before: Some(cubin_bytes + 40_000) }];
    }
}

/// Returns a position as reports hold it.
fn small(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

/// Returns a count as reports hold it.
fn long(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_has_its_size_and_is_the_same_each_time() {
        let made = report(300, 100);
        assert_eq!((made.kernels.len(), made.modules.len()), (300, 100));
        assert_eq!(made, report(300, 100));
        let imports = made.modules.iter().map(|module| module.imports.len()).sum::<usize>();
        let candidates = made.modules.iter().map(|module| module.candidates.len()).sum::<usize>();
        let sites = made.modules.iter().map(|module| module.sites.len()).sum::<usize>();
        let closures = made.modules.iter().map(|module| module.closures.len()).sum::<usize>();
        assert!(
            imports > 300 && candidates > 600 && sites > 2000,
            "{imports} {candidates} {sites}"
        );
        assert!(closures > 250, "{closures}");
        assert!(made.jobs.len() > 300 && made.critical_path.len() > 3);
        assert!(!made.links[0].removed.is_empty());
    }
}
