//! Measures the work that the processes of a build save each other. `cargo xtask bench remote` runs
//! this program and reads its last lines. Ninja builds a generated program of 60 units in the
//! folder that the first argument names, with the executables in the folder that the second one
//! names.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use dev_builds::{BuildLog, Program, Settings, Target, Tools, Variant};
use dev_process::{Error, Process, Result};
use dev_programs::deep::{self, Size};
use weft_tests::{Casd, RealServer, workspace_root};

const SIZE: Size = Size { units: 60, levels: 3, calls: 2, statements: 2 };
/// Number of jobs that need the same executable at the same time.
const JOBS: usize = 40;
/// Number of builds with and without a silent cache, of which the fastest counts.
const BUILDS: usize = 3;

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(folder), Some(executables)) = (arguments.next(), arguments.next()) else {
        return Err(Error::usage("remote_shared FOLDER EXECUTABLES"));
    };
    let toolchain = dev_toolchain::ensure(workspace_root(), dev_toolchain::Scope::Builds)?;
    let tools = Tools { toolchain, executables: executables.clone() };
    let source = folder.join("source");
    deep::write(&source, &SIZE, 1)?;
    let program = Program::copy_if_different(&source, &folder.join("program"), &tools)?;
    program.write_ninja(Variant::Weft, &Settings::default())?;
    build(&program, Target::Objects)?;
    let notes = folder.join("notes");
    let beside_a_silent_cache = silent_cache_seconds(&program, &notes)?;
    let (calls, hits, sent) = full_hit(&program, &notes)?;
    let uploads = executable_uploads(&program, &executables.join("backend-job"), &notes)?;
    println!("silent_cache_seconds {beside_a_silent_cache}");
    println!("rpc_per_hit {}", calls / hits);
    println!("bytes_up_hit {sent}");
    println!("executable_uploads {uploads}");
    Ok(())
}

/// Returns how much longer the device link takes beside a cache that accepts connections and says
/// nothing than without a cache.
fn silent_cache_seconds(program: &Program<'_>, notes: &Path) -> Result<f64> {
    let listener = TcpListener::bind(("127.0.0.1", 0));
    let listener = listener.map_err(|error| Error::new(format!("cannot listen: {error}")))?;
    let address = listener.local_addr();
    let address = address.map_err(|error| Error::new(format!("cannot listen: {error}")))?;
    let (mut alone, mut beside) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..BUILDS {
        alone = alone.min(link(program, notes, &[])?.seconds);
        let log = link(program, notes, &[format!("--remote-cache=grpc://{address}")])?;
        beside = beside.min(log.seconds);
        let warnings = log.printed.matches("going on without the remote cache").count();
        println!("alone {alone:.2} s, beside a silent cache {beside:.2} s, {warnings} warnings");
        if warnings != 1 {
            return Err(Error::new(format!("the build has said {warnings} times what is wrong")));
        }
    }
    Ok(beside - alone)
}

/// Runs all steps of the device link on a cluster, and then again. Returns the calls, the hits and
/// the bytes sent of the second link.
fn full_hit(program: &Program<'_>, notes: &Path) -> Result<(f64, f64, f64)> {
    let server = RealServer::start(Casd::Newer);
    let options = [format!("--remote-executor={}", server.url()), "--stats".to_owned()];
    let clean = link(program, notes, &options)?;
    println!("the first link sent {} bytes", sum(&clean, " sent (", " bytes"));
    let again = link_again(program, notes, &options)?;
    let ran = sum(&again, " from a remote cache, ", " run remotely");
    if ran > 0.0 {
        return Err(Error::new(format!("the second link ran {ran} steps")));
    }
    let hits = again.printed.matches("1 from a remote cache").count();
    let hits = f64::from(u32::try_from(hits).unwrap_or(0));
    let calls = sum(&again, " received, ", " calls");
    let sent = sum(&again, " sent (", " bytes");
    println!("the second link had {hits} hits with {calls} calls and sent {sent} bytes");
    Ok((calls, hits, sent))
}

/// Returns the number of bytes that jobs send at the same time to an empty store, divided by the
/// size of the executable that all of them need.
fn executable_uploads(program: &Program<'_>, executable: &Path, notes: &Path) -> Result<f64> {
    let server = RealServer::start(Casd::Newer);
    drop(fs::remove_dir_all(notes));
    let module = linked_module(program.folder())?;
    let options = ["--cache=off", "--stats", &format!("--cache-dir={}", notes.display())]
        .map(str::to_owned)
        .into_iter()
        .chain([format!("--remote-executor={}", server.url())]);
    let options: Vec<String> = options.collect();
    let job = |number: usize| {
        let output = notes.with_extension(format!("{number}.ptx"));
        let told = Process::new(executable)
            .arg("codegen")
            .args(&options)
            .arg(format!("--remote-salt={number}"))
            .arg(&module)
            .arg("-o")
            .arg(&output)
            .outcome()?;
        drop(fs::remove_file(output));
        if !told.success {
            return Err(Error::new(told.stderr));
        }
        Ok(sum_in(&told.stderr, " sent (", " bytes"))
    };
    let sent: Result<Vec<f64>> = std::thread::scope(|scope| {
        let job = &job;
        let jobs: Vec<_> = (0..JOBS).map(|number| scope.spawn(move || job(number))).collect();
        let panicked = || Error::new("a job has panicked");
        jobs.into_iter().map(|job| job.join().map_err(|_| panicked())?).collect()
    });
    let sent: f64 = sent?.iter().sum();
    let size = executable.metadata().map(|data| data.len()).unwrap_or_default();
    println!("{JOBS} jobs sent {sent} bytes; the executable has {size}");
    #[expect(clippy::cast_precision_loss, reason = "sizes of files are far below 2^52")]
    let size = size as f64;
    Ok(sent / size)
}

/// Returns a linked module of the program.
fn linked_module(folder: &Path) -> Result<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(".linked.bc") {
                return Ok(path);
            }
        }
    }
    Err(Error::new(format!("{}: no linked module is there", folder.display())))
}

/// Links with no results and no notes at the beginning.
fn link(program: &Program<'_>, notes: &Path, options: &[String]) -> Result<BuildLog> {
    drop(fs::remove_dir_all(notes));
    link_again(program, notes, options)
}

/// Links with the notes of the link before.
fn link_again(program: &Program<'_>, notes: &Path, options: &[String]) -> Result<BuildLog> {
    let own = ["--cache=off".to_owned(), format!("--cache-dir={}", notes.display())];
    let execution_options = own.into_iter().chain(options.iter().cloned()).collect();
    let settings = Settings { execution_options, ..Settings::default() };
    program.write_ninja(Variant::Weft, &settings)?;
    program.forget_device_link(Variant::Weft)?;
    build(program, Target::Image)
}

fn build(program: &Program<'_>, target: Target) -> Result<BuildLog> {
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    program.build(Variant::Weft, target, jobs)
}

fn sum(log: &BuildLog, before: &str, after: &str) -> f64 {
    sum_in(&log.printed, before, after)
}

/// Returns the sum of the numbers between two texts in lines of `--stats`.
fn sum_in(printed: &str, before: &str, after: &str) -> f64 {
    let told = printed.lines().filter_map(|line| line.split_once(before)?.1.split_once(after));
    told.filter_map(|(number, _)| number.parse::<f64>().ok()).sum()
}
