//! Demonstrates Weft on the example program, which is built without LTO, with Weft and with
//! NVIDIA's LTO.
//!
//! The demo shows the costs and gains of the three, the steps that each of them reruns after an
//! edit, and the output of the programs. It fails when a promise of Weft does not hold.

mod measure;
mod metrics;
mod promises;
mod report;
mod run_programs;

use std::path::Path;

use dev_builds::{Program, Settings, Tools};
use dev_checkout::executables;
use dev_process::{Error, Result, Stopwatch};
use dev_toolchain::Scope;
use measure::{Measurement, PerVariant};

/// Program that is built.
const EXAMPLE: &str = "examples/transport";

/// Builds, measures, edits and runs the program.
pub fn run(root: &Path) -> Result<()> {
    let stopwatch = Stopwatch::start();
    let toolchain = dev_toolchain::ensure(root, Scope::Builds)?;
    let executables = executables::build(root, &toolchain)?;
    let tools = Tools { toolchain, executables };
    let folder = executables::target_folder(root)?.join("demo");
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    println!("\nbuilding {EXAMPLE} three ways, {jobs} commands at once");
    let programs = PerVariant::make(|variant| {
        let program = Program::copy(&root.join(EXAMPLE), &folder.join(variant.name()), &tools)?;
        program.write_ninja(variant, &Settings::default())?;
        Ok(program)
    })?;
    let measurement = measure(&programs, &tools, jobs)?;
    println!("\n{}", report::kernels(&measurement));
    println!("{}", report::builds(&measurement));
    println!("{}", report::changes(&measurement));
    println!("{}", metrics::lines(&measurement));
    let mut broken = promises::broken(&measurement);
    broken.extend(run_programs::run(&programs)?);
    if broken.is_empty() {
        println!("\nall promises hold ({stopwatch})");
        return Ok(());
    }
    Err(Error::new(format!("\nbroken promises:\n  {}", broken.join("\n  "))))
}

fn measure(programs: &PerVariant<Program<'_>>, tools: &Tools, jobs: usize) -> Result<Measurement> {
    let builds = PerVariant::make(|variant| {
        let build = measure::build(programs.of(variant), variant, jobs)?;
        println!("  {:5} {}", variant.name(), report::progress(&build));
        Ok(build)
    })?;
    let images = PerVariant::make(|variant| {
        dev_sass::read(&tools.toolchain, &programs.of(variant).image(variant)?)
    })?;
    let weft = &programs.weft;
    let packed = measure::packed(programs, tools, jobs)?;
    let (seconds, commands) = (packed.seconds, packed.commands);
    println!("  packed device link {seconds:6.2} s in {commands:3} commands");
    let removed = weft.removed_kernels()?;
    let removed: Vec<&str> = removed.iter().map(String::as_str).collect();
    let mut removed = dev_sass::short_names(&tools.toolchain, &removed)?;
    removed.sort();
    let changes = measure::changes(programs, jobs)?;
    let units = weft.units().clone();
    Ok(Measurement { units, builds, images, packed, removed, changes })
}
