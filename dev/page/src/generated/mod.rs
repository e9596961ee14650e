//! The report of a large program: thousands of kernels, with what a real build says about each.
//!
//! The program does not exist, but its report resembles one of a real program of that size: most
//! units import from a few common ones, kernels share their device functions, some symbols are
//! removed, some jobs come from a cache, and there is an earlier build for comparison. The same
//! shape gives the same report.

mod compared;
mod drawing;
mod jobs;
mod kernels;
mod names;
mod units;

use drawing::Drawing;
use weft_report::BuildReport;

/// Number of kernels and of units of the program that the page is measured with.
pub const LARGE: (usize, usize) = (3000, 1000);

/// Returns the report of a program with so many kernels and units.
pub fn report(kernel_count: usize, unit_count: usize) -> BuildReport {
    let mut drawing = Drawing::new();
    drawing.report.texts = kernels::TEXTS.map(str::to_owned).into();
    units::draw(&mut drawing, kernel_count, unit_count);
    kernels::draw(&mut drawing);
    jobs::draw(&mut drawing);
    compared::draw(&mut drawing);
    drawing.into_report()
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
