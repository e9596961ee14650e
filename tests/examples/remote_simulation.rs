//! Compares the simulator with a real server that has one and two workers on this machine.
//! `cargo xtask bench remote` runs this program and reads its last lines. The arguments are a
//! folder for programs, the folder of Weft's executables, and, if it shall be written, the file for
//! the measured overheads of an action.
//!
//! The overheads come from one program. The builds of another one are predicted from them and from
//! its jobs' times on this machine, without the server. Other work of the machine changes all of
//! these times, so each build is repeated until one was left alone, and else the least disturbed of
//! all counts.

use std::fs;
use std::path::{Path, PathBuf};

use dev_builds::{MeasuredStep, Program, Settings, Target, Tools, Variant};
use dev_process::{Error, Result, Stopwatch, processor_time, remove};
use dev_programs::deep::{self, Size};
use dev_programs::wide;
use dev_simulate::calibration::Calibration;
use dev_simulate::cluster::{Client, Cluster};
use dev_simulate::engine::simulate;
use dev_simulate::gather::{Clock, jobs_of, measure};
use dev_simulate::priority::Rule;
use weft_tests::{Casd, RealServer, workspace_root};

/// Number of units of the program that the overheads are measured with.
const SMALL: u32 = 16;
/// Size of the program whose builds are predicted.
const SIZE: Size = Size { units: 12, levels: 6, calls: 3, statements: 3 };
const SEED: u64 = 1;
/// Largest number of builds of a kind.
const BUILDS: usize = 3;
/// Processors that other work may take during a build that was left alone.
const ALONE: f64 = 0.1;
/// Number of steps that Ninja starts at a time, so that no worker waits for the client.
const JOBS: usize = 8;
/// Numbers of workers that are compared.
const WORKERS: [usize; 2] = [1, 2];

/// One build.
struct Build {
    steps: Vec<MeasuredStep>,
    /// Wall time in seconds.
    seconds: f64,
    /// Seconds of processor time of the server and its workers.
    server: f64,
}

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(folder), Some(executables)) = (arguments.next(), arguments.next()) else {
        return Err(Error::usage("remote_simulation FOLDER EXECUTABLES [OVERHEADS]"));
    };
    let toolchain = dev_toolchain::ensure(workspace_root(), dev_toolchain::Scope::Builds)?;
    let tools = Tools { toolchain, executables };
    let open = |name: &str, write: &dyn Fn(&Path) -> Result<()>| {
        let source = folder.join(format!("{name}-source"));
        remove(&source)?;
        write(&source)?;
        Program::copy_if_different(&source, &folder.join(name), &tools)
    };
    let small = open("wide", &|source| wide::write(source, SMALL, SEED))?;
    let program = open("deep", &|source| deep::write(source, &SIZE, SEED))?;

    let here = [least_disturbed("wide here", || here(&small))?.steps];
    let alone = least_disturbed("wide with 1 worker, step by step", || remote(&small, 1, 1))?;
    let crowded = [least_disturbed("wide with 1 worker", || remote(&small, 1, JOBS))?.steps];
    let (server_processor, alone) = (alone.server, [alone.steps]);
    let calibration =
        Calibration { here: &here, alone: &alone, crowded: &crowded, server_processor };
    let overheads = calibration.overheads();
    for (phase, overhead) in &overheads {
        println!("overhead of {phase}: {overhead:?}");
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let cluster = |workers| Cluster {
        workers,
        slots_per_worker: 1,
        client: Client { cores, jobs: JOBS },
        is_one_machine: true,
        round_trip_seconds: 0.0,
        client_link: None,
        worker_link: None,
        store_link: None,
        hit_rate: 0.0,
        overheads: overheads.clone(),
    };
    let steps = least_disturbed("deep here", || self::here(&program))?.steps;
    let jobs = jobs_of("deep", Clock::Wall, &program, &tools, &[steps])?;
    println!("deep: {} jobs, {:.2} s of work", jobs.jobs.len(), jobs.work());
    let mut worst = 0.0_f64;
    for workers in WORKERS {
        let predicted = simulate(&jobs, &cluster(workers), Rule::Fifo, SEED)?.wall;
        let name = format!("deep with {workers} workers");
        let real = least_disturbed(&name, || remote(&program, workers, JOBS))?.seconds;
        let error = predicted / real - 1.0;
        println!("{name}: {predicted:.2} s predicted, {real:.2} s real, {:+.1}%", 100.0 * error);
        worst = worst.max(error.abs());
    }
    println!("simulation_error {worst:.4}");
    if let Some(path) = arguments.next() {
        let text = serde_json::to_string_pretty(&overheads);
        let text = text.map_err(|error| Error::new(format!("cannot write overheads: {error}")))?;
        fs::write(&path, text + "\n")
            .map_err(|error| Error::new(format!("cannot write {}: {error}", path.display())))?;
    }
    Ok(())
}

/// Repeats a build until other work left it alone, and returns the least disturbed one.
fn least_disturbed(name: &str, build: impl Fn() -> Result<Build>) -> Result<Build> {
    let mut best: Option<(f64, Build)> = None;
    for _ in 0..BUILDS {
        let before = (machine_seconds()?, processor_time::of_tree(std::process::id())?);
        let stopwatch = Stopwatch::start();
        let run = build()?;
        let seconds = stopwatch.seconds();
        let after = (machine_seconds()?, processor_time::of_tree(std::process::id())?);
        let others = ((after.0 - before.0) - (after.1 - before.1)).max(0.0) / seconds;
        println!("{name}: {:.2} s, beside {others:.2} busy processors", run.seconds);
        if best.as_ref().is_none_or(|(least, _)| others < *least) {
            best = Some((others, run));
        }
        if others < ALONE {
            break;
        }
    }
    best.map(|(_, run)| run).ok_or_else(|| Error::new("no build was made"))
}

/// Returns the seconds that all processors of the machine were busy since its start.
fn machine_seconds() -> Result<f64> {
    let path = Path::new("/proc/stat");
    let text = fs::read_to_string(path)
        .map_err(|error| Error::new(format!("cannot read {}: {error}", path.display())))?;
    let fields = text.lines().next().unwrap_or_default().split_whitespace().skip(1);
    let fields: Vec<f64> = fields.filter_map(|field| field.parse().ok()).collect();
    match fields.as_slice() {
        // The fourth and fifth are the time without work.
        [user, nice, system, _, _, interrupts, soft, stolen, ..] => {
            Ok((user + nice + system + interrupts + soft + stolen) / 100.0)
        }
        _ => Err(Error::new("/proc/stat: unexpected text")),
    }
}

/// Builds the device link of a program on this machine, step by step.
fn here(program: &Program<'_>) -> Result<Build> {
    let stopwatch = Stopwatch::start();
    let steps = measure(program, &Settings::default(), 1)?;
    Ok(Build { steps, seconds: stopwatch.seconds(), server: 0.0 })
}

/// Builds the device link of a program on a fresh server, with `jobs` steps at a time.
fn remote(program: &Program<'_>, workers: usize, jobs: usize) -> Result<Build> {
    let server = RealServer::with_options(Casd::Newer, &[&format!("--jobs={workers}")]);
    let options = [format!("--remote-executor={}", server.url())];
    let options = options.into_iter().chain(["--cache=off".to_owned()]);
    let settings =
        Settings { execution_options: options.collect(), usage: true, ..Settings::default() };
    program.write_ninja(Variant::Weft, &settings)?;
    program.build(Variant::Weft, Target::Objects, 2)?;
    program.forget_device_link(Variant::Weft)?;
    let before = processor_time::of_tree(server.id())?;
    let log = program.build(Variant::Weft, Target::Image, jobs)?;
    let processor = processor_time::of_tree(server.id())? - before;
    Ok(Build { steps: program.measured_steps()?, seconds: log.seconds, server: processor })
}
