//! Measures the cost of whole builds beside a server. `cargo xtask bench remote` runs this program
//! and reads its last lines. The built program is one of the generated programs of `bench kernels`.
//! Ninja builds it in the folder that the first argument names, with the executables in the folder
//! that the second argument names.

use std::fs;
use std::path::{Path, PathBuf};

use dev_builds::{BuildLog, MeasuredStep, Program, Settings, Target, Tools, Variant};
use dev_process::{Error, Result, processor_time};
use dev_programs::deep::{self, Size};
use weft_artifact::JobClasses;
use weft_tests::{Casd, RealServer, workspace_root};

/// Size of the program, whose compilation takes far longer than the start of its processes.
const SIZE: Size = Size { units: 33, levels: 6, calls: 3, statements: 3 };
/// Number of builds from the remote cache, of which the median counts.
const CACHED_BUILDS: usize = 3;
/// The unit that is edited. The edit changes a constant in its kernel, which no other unit can
/// import.
const UNIT: &str = "src/unit_07.cu";
const EDIT: [&str; 2] = ["1.0f, 0.5f, (unsigned)i", "1.0f, 0.75f, (unsigned)i"];

/// Wall and processor time of one device link, in seconds.
#[derive(Clone, Copy, Debug)]
struct Spent {
    wall: f64,
    processor: f64,
}

fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(folder), Some(executables)) = (arguments.next(), arguments.next()) else {
        return Err(Error::usage("remote_builds FOLDER EXECUTABLES"));
    };
    let tools = Tools {
        toolchain: dev_toolchain::ensure(workspace_root(), dev_toolchain::Scope::Builds)?,
        executables,
    };
    let source = folder.join("source");
    deep::write(&source, &SIZE, 1)?;
    let program = Program::copy_if_different(&source, &folder.join("program"), &tools)?;
    let server = RealServer::start(Casd::Newer);
    compare_classes(&program)?;
    compare_with_local(&program, &folder, &server)?;
    rebuild_on_cluster(&program, &server)
}

/// Compares the memory that jobs take with the classes that the thin link puts them into.
fn compare_classes(program: &Program<'_>) -> Result<()> {
    let settings = Settings { usage: true, ..Settings::default() };
    program.write_ninja(Variant::Weft, &settings)?;
    build(program, Target::Objects)?;
    link(program, &settings)?;
    let manifest = read(&program.output(Variant::Weft, "plans/manifest.json"))?;
    let manifest: serde_json::Value = serde_json::from_slice(&manifest)
        .map_err(|error| Error::new(format!("the manifest: {error}")))?;
    let cost = |unit: &str| {
        let modules = manifest["modules"].as_array()?;
        modules.iter().find(|module| module["module_id"] == *unit)?["estimated_cost"].as_u64()
    };
    let (mut jobs, mut misses) = (0, 0);
    for MeasuredStep { verb, unit, memory_bytes, .. } in program.measured_steps()? {
        let Some(classes) = cost(&unit).map(JobClasses::of) else { continue };
        let class = match verb.as_str() {
            "codegen" => classes.codegen,
            "assemble" => classes.assemble,
            _ => continue,
        };
        jobs += 1;
        misses += u32::from(memory_bytes > u64::from(class.memory_mib) << 20);
    }
    if jobs == 0 {
        return Err(Error::new("no job was measured"));
    }
    println!("memory_class_misses {}", f64::from(misses) / f64::from(jobs));
    Ok(())
}

/// Compares the device link on this machine with one from a remote cache that holds all results.
/// The local cache is empty, as on a machine that builds for the first time.
fn compare_with_local(program: &Program<'_>, folder: &Path, server: &RealServer) -> Result<()> {
    program.write_ninja(Variant::Weft, &Settings::default())?;
    build(program, Target::Objects)?;
    let (local, _) = link(program, &Settings::default())?;
    let image = read(&program.image(Variant::Weft)?)?;
    let url = server.url();
    let mut from_cache = Vec::new();
    for number in 0..=CACHED_BUILDS {
        let cache = folder.join("cache");
        drop(fs::remove_dir_all(&cache));
        let options = [format!("--remote-cache={url}"), format!("--cache-dir={}", cache.display())];
        let settings = Settings { execution_options: options.into(), ..Settings::default() };
        let (spent, _) = link(program, &settings)?;
        if read(&program.image(Variant::Weft)?)? != image {
            return Err(Error::new("the image from the cache is another one"));
        }
        // The first build fills the remote cache.
        println!("{} {spent:?}", if number == 0 { "filling the cache" } else { "from the cache" });
        from_cache.extend((number > 0).then_some(spent));
    }
    println!("here {local:?}");
    let middle = |of: fn(&Spent) -> f64| {
        let mut values: Vec<f64> = from_cache.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    println!("cached_rebuild_vs_local {}", middle(|spent| spent.wall) / local.wall);
    println!("cached_rebuild_vs_local_cpu {}", middle(|spent| spent.processor) / local.processor);
    Ok(())
}

/// Measures a build whose steps all run on the cluster, and a rebuild after an edit that no other
/// unit imports.
fn rebuild_on_cluster(program: &Program<'_>, server: &RealServer) -> Result<()> {
    let options = [format!("--remote-executor={}", server.url())];
    let options = options.into_iter().chain(["--cache=off", "--stats"].map(str::to_owned));
    let settings = Settings { execution_options: options.collect(), ..Settings::default() };
    let (_, log) = link(program, &settings)?;
    println!("bytes_up_clean {}", bytes_up(&log));
    edit(program, EDIT)?;
    let rebuilt = build(program, Target::Objects).and_then(|_| build(program, Target::Image));
    edit(program, [EDIT[1], EDIT[0]])?;
    let log = rebuilt?;
    let count = log.count(&["summarize", "thinlink", "import", "codegen", "assemble"]);
    println!("the edit of one unit ran {count} steps of Weft");
    println!("bytes_up_rebuild {}", bytes_up(&log));
    let bitcode = program.units().cuda.iter().map(|unit| {
        let path = program.output(Variant::Weft, &format!("{unit}.bc"));
        path.metadata().map(|metadata| metadata.len()).unwrap_or_default()
    });
    println!("bytes_of_bitcode {}", bitcode.sum::<u64>());
    build(program, Target::Objects).map(drop)
}

fn link(program: &Program<'_>, settings: &Settings) -> Result<(Spent, BuildLog)> {
    program.write_ninja(Variant::Weft, settings)?;
    program.forget_device_link(Variant::Weft)?;
    let before = processor_time::of_children()?;
    let log = build(program, Target::Image)?;
    let processor = processor_time::of_children()? - before;
    Ok((Spent { wall: log.seconds, processor }, log))
}

fn build(program: &Program<'_>, target: Target) -> Result<BuildLog> {
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    program.build(Variant::Weft, target, jobs)
}

/// Returns the number of bytes that all steps have sent, according to `--stats`.
fn bytes_up(log: &BuildLog) -> u64 {
    let told =
        log.printed.lines().filter_map(|line| line.split_once(" sent (")?.1.split_once(" bytes"));
    told.filter_map(|(bytes, _)| bytes.parse::<u64>().ok()).sum()
}

fn edit(program: &Program<'_>, [from, to]: [&str; 2]) -> Result<()> {
    let path = program.folder().join(UNIT);
    let text = String::from_utf8_lossy(&read(&path)?).into_owned();
    if !text.contains(from) {
        return Err(Error::new(format!("{}: {from:?} is not in it", path.display())));
    }
    fs::write(&path, text.replacen(from, to, 1))
        .map_err(|error| Error::new(format!("cannot write {}: {error}", path.display())))
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|error| Error::new(format!("cannot read {}: {error}", path.display())))
}
