//! Share of the backend job's time that is spent neither in LLVM nor in ptxas.
//!
//! The share is measured from outside: the three phases of some modules run one after the other,
//! then ptxas alone on the same PTX, then a process that does nothing. The time of three processes
//! that do nothing, and the time of the assemble phase beyond that of ptxas, are overhead. The time
//! of Weft's own code between two calls of LLVM in one process cannot be distinguished from LLVM's
//! and counts as LLVM's.

use std::fmt;
use std::path::{Path, PathBuf};

use dev_builds::{ARCHITECTURE, Program, Tools, Variant};
use dev_process::{Process, Result, processor_time};

/// Maximum number of modules that are measured of one program.
const MODULES: usize = 8;
/// Number of times that a module is assembled, and by ptxas alone; the quickest counts.
const TURNS: u32 = 3;
/// Number of times that a process that does nothing is started.
const STARTS: u32 = 50;

/// Seconds of processor time, of all modules together.
#[derive(Debug)]
pub(super) struct Overhead {
    modules: usize,
    import: f64,
    codegen: f64,
    assemble: f64,
    ptxas: f64,
    /// Time of one process that does nothing.
    start: f64,
}

impl Overhead {
    fn total(&self) -> f64 {
        self.import + self.codegen + self.assemble
    }

    fn outside(&self) -> f64 {
        let modules = u32::try_from(self.modules).map_or(0.0, f64::from);
        let phases = (2.0 * modules * self.start).min(self.import + self.codegen);
        phases + (self.assemble - self.ptxas).max(0.0)
    }
}

impl fmt::Display for Overhead {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { modules, import, codegen, assemble, ptxas, start } = self;
        write!(
            formatter,
            "  {modules} modules: import {import:.2} s, codegen {codegen:.2} s, assemble \
             {assemble:.2} s, of that ptxas {ptxas:.2} s; one start {:.1} ms",
            start * 1000.0
        )
    }
}

/// Returns the share of overhead in the time of all these programs together.
pub(super) fn share(overheads: &[Overhead]) -> f64 {
    let outside: f64 = overheads.iter().map(Overhead::outside).sum();
    let total: f64 = overheads.iter().map(Overhead::total).sum();
    if total > 0.0 { outside / total } else { 0.0 }
}

/// Runs the phases of a program that has been built.
pub(super) fn measure(
    program: &Program<'_>,
    tools: &Tools,
    codegen: &[String],
) -> Result<Overhead> {
    let backend_job = tools.executables.join("backend-job");
    let backend = || Process::new(&backend_job).directory(program.folder()).quietly();
    let mut overhead =
        Overhead { modules: 0, import: 0.0, codegen: 0.0, assemble: 0.0, ptxas: 0.0, start: 0.0 };
    let place = |name: &str| program.output(Variant::Weft, name);
    let scratch = |ending: &str| place(&format!("overhead.{ending}"));
    for unit in program.units().cuda.iter().take(MODULES) {
        overhead.modules += 1;
        let [linked, ptx, cubin] = ["bc", "ptx", "cubin"].map(scratch);
        let import = backend()
            .args(["import", "--no-cache", "--plan"])
            .arg(place(&format!("plans/{unit}.plan")))
            .arg("--module")
            .arg(place(&format!("{unit}.bc")))
            .arg("--module-map")
            .arg(place("modules.tsv"))
            .arg("-o")
            .arg(&linked);
        overhead.import += seconds_of(import.output(&linked))?;
        let compile = backend()
            .args(["codegen", "--no-cache"])
            .args(codegen)
            .arg(&linked)
            .arg("-o")
            .arg(&ptx);
        overhead.codegen += seconds_of(compile.output(&ptx))?;
        let assemble = || {
            let assemble =
                backend().args(["assemble", "--no-cache", "--ptxas"]).arg(&tools.toolchain.ptxas);
            assemble.arg(&ptx).arg("-o").arg(&cubin).output(&cubin)
        };
        // The two take turns, as their difference is small and the time of ptxas varies by more.
        let (mut assembled, mut alone) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..TURNS {
            assembled = assembled.min(seconds_of(assemble())?);
            alone = alone.min(seconds_of(run_ptxas(&tools.toolchain.ptxas, &ptx, &cubin))?);
        }
        overhead.assemble += assembled;
        overhead.ptxas += alone;
    }
    let before = processor_time::of_children()?;
    for _ in 0..STARTS {
        backend().arg("--version").capture()?;
    }
    overhead.start = (processor_time::of_children()? - before) / f64::from(STARTS);
    Ok(overhead)
}

fn run_ptxas(ptxas: &Path, ptx: &PathBuf, cubin: &PathBuf) -> Process {
    let arguments = ["--compile-only", "--gpu-name", ARCHITECTURE, "--output-file"];
    Process::new(ptxas).args(arguments).arg(cubin).arg(ptx).output(cubin).quietly()
}

fn seconds_of(process: Process) -> Result<f64> {
    let before = processor_time::of_children()?;
    process.capture()?;
    Ok(processor_time::of_children()? - before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_and_what_surrounds_ptxas_are_overhead() {
        let overhead = Overhead {
            modules: 2,
            import: 0.1,
            codegen: 0.4,
            assemble: 1.5,
            ptxas: 1.4,
            start: 0.005,
        };
        assert!((share(&[overhead]) - 0.12 / 2.0).abs() < 1e-9);
        assert!(share(&[]).abs() < 1e-9);
    }
}
