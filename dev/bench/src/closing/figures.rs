//! Metrics of the programs that the bench of kernels builds, too: the instructions that are
//! assembled needlessly, the share of imports that is used, and time and code beside a build in
//! which no module is closed.
//!
//! Each program is linked once as users link it, and once with `--close-modules=false`.

use super::imports::{self, Imports};
use super::options::{Options, print};
use crate::device_link::{Setup, link};
use crate::figures::{geometric_mean, number, share};
use dev_builds::{Program, Settings, Variant};
use dev_process::Result;
use dev_programs::Source;

/// Option of the thin link that closes modules, and the form that turns it off.
const OPTION: &str = "--close-modules";
const OFF: &str = "--close-modules=false";

/// Seconds of processor time below which a device link is repeated [`TURNS`] times each way, as the
/// time of a short one varies by more than the difference to be measured; the quickest turn counts.
const SHORT: f64 = 15.0;
/// Number of turns of a short device link.
const TURNS: u32 = 3;

/// Figures of one build of a program.
#[derive(Clone, Copy, Debug, Default)]
struct Built {
    /// Processor time of the device link, in seconds.
    seconds: f64,
    /// Number of instructions of all cubins.
    assembled: u64,
    /// Number of instructions of the image.
    linked: u64,
    /// Imported instructions; `None` if the executables do not count them.
    imports: Option<Imports>,
}

impl Built {
    fn wasted_share(&self) -> f64 {
        share(self.assembled.saturating_sub(self.linked), self.assembled)
    }
}

/// Figures of the programs as users link them.
pub(super) struct Figures {
    built: Vec<(&'static str, Built)>,
}

impl Figures {
    /// Links all programs.
    pub(super) fn measure(programs: &[Source], setup: &Setup) -> Result<Self> {
        let mut built = Vec::new();
        for source in programs {
            println!("{}: {}", source.name, source.what);
            built.push((source.name, build(source, setup, &[])?));
        }
        Ok(Self { built })
    }

    /// Prints the metrics of one build.
    pub(super) fn print(&self, options: &Options) {
        if options.wants("wasted_share") {
            let shares = self.built.iter().map(|(name, built)| (*name, built.wasted_share()));
            print_each("wasted_share", shares, |shares| worst(&shares));
        }
        if options.wants("imported_used") {
            let all: Option<Imports> = self.built.iter().map(|(_, built)| built.imports).sum();
            if let Some(all) = all {
                let used = |built: &Built| built.imports.unwrap_or_default().used_share();
                let shares = self.built.iter().map(|(name, built)| (*name, used(built)));
                print_each("imported_used", shares, |_| all.used_share());
            } else {
                println!("reports of this backend-job do not count imported instructions");
            }
        }
    }

    /// Links all programs without closing modules and prints how that compares.
    pub(super) fn compare(
        &self,
        programs: &[Source],
        setup: &Setup,
        options: &Options,
    ) -> Result<()> {
        if !setup.thinlink_has(OPTION)? {
            println!("this thinlink has no {OPTION}: there is nothing to compare with");
            return Ok(());
        }
        let mut times = Vec::new();
        let mut growths = Vec::new();
        for (source, (name, with)) in programs.iter().zip(&self.built) {
            println!("{name}: without closing modules");
            let without = build(source, setup, &[OFF])?;
            let mut quickest = [with.seconds, without.seconds];
            if with.seconds < SHORT {
                for _ in 1..TURNS {
                    for (options, quickest) in [&[][..], &[OFF]].into_iter().zip(&mut quickest) {
                        let seconds =
                            link(&open(source, setup)?, Variant::Weft, &settings(source, options))?;
                        *quickest = quickest.min(seconds.processor);
                    }
                }
            }
            let [with_seconds, without_seconds] = quickest;
            println!("  {with_seconds:.2} s with closed modules, {without_seconds:.2} s without");
            times.push((*name, with_seconds / without_seconds));
            growths.push((*name, number(with.linked) / number(without.linked)));
        }
        if options.wants("cpu_vs_before") {
            print_each("cpu_vs_before", times, geometric_mean);
        }
        if options.wants("code_growth") {
            print_each("code_growth", growths, |growths| worst(&growths));
        }
        Ok(())
    }
}

fn open<'tools>(source: &Source, setup: &'tools Setup) -> Result<Program<'tools>> {
    source.open(&setup.folder, Variant::Weft, &setup.tools)
}

fn settings(source: &Source, thinlink_options: &[&str]) -> Settings {
    let thinlink_options = thinlink_options.iter().map(|&option| option.to_owned()).collect();
    Settings { thinlink_options, reports: true, ..source.settings() }
}

/// Builds a program and reads the figures of the build.
fn build(source: &Source, setup: &Setup, thinlink_options: &[&str]) -> Result<Built> {
    let program = open(source, setup)?;
    let seconds = link(&program, Variant::Weft, &settings(source, thinlink_options))?.processor;
    let toolchain = &setup.tools.toolchain;
    let mut built = Built { seconds, ..Built::default() };
    for cubin in program.cubins() {
        built.assembled += dev_sass::instructions(toolchain, &cubin)?;
    }
    built.linked = dev_sass::instructions(toolchain, &program.image(Variant::Weft)?)?;
    built.imports = imports::read(&program.codegen_reports())?;
    let Built { assembled, linked, .. } = built;
    println!("  device link {seconds:.2} s of processor time");
    println!("  {assembled} instructions assembled, {linked} linked");
    if let Some(Imports { instructions, inlined }) = built.imports {
        println!("  {instructions} instructions of IR imported, {inlined} of them inlined");
    }
    Ok(built)
}

/// Prints a metric of each program, and the same metric of all programs together.
fn print_each(
    name: &str,
    values: impl IntoIterator<Item = (&'static str, f64)>,
    together: impl FnOnce(Vec<f64>) -> f64,
) {
    let mut all = Vec::new();
    for (program, value) in values {
        print(&format!("{program}.{name}"), value);
        all.push(value);
    }
    print(name, together(all));
}

/// Returns the largest of some values.
fn worst(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_assembled_and_not_linked_is_wasted() {
        let built = |assembled, linked| Built { assembled, linked, ..Built::default() };
        assert!((built(80, 60).wasted_share() - 0.25).abs() < 1e-9);
        assert!(built(0, 0).wasted_share().abs() < 1e-9);
        assert!((worst(&[0.5, 2.0, 1.0]) - 2.0).abs() < 1e-9);
    }
}
