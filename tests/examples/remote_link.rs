//! Measures `weft link` as the client of a remote cache that has the summaries of 10,000 units.
//! `cargo xtask bench remote` runs this program with the executables in the folder that the
//! argument names, and reads its last lines.
//!
//! One unit has device code and is edited before each link, so neither the image nor that unit's
//! results are known. The local cache is empty. Time is that of the whole command: the thin link,
//! the edited unit's job and the host linker are in it.

use std::path::{Path, PathBuf};

use dev_process::{Error, Process, Result, Stopwatch, processor_time};
use weft_tests::{Casd, RealServer, Workbench, tools};

/// Number of units whose summaries the cache has.
const UNITS: u32 = 10_000;
/// Number of links, of which the median counts.
const LINKS: usize = 3;
/// A unit of host code. Its name and its number are replaced in the object that it is compiled to.
const UNIT: &str = "int f_00000(void) { return 0; }\n";
const KERNEL: &str = "
__global__ void step(int *values) { values[threadIdx.x] = NUMBER; }
int main() { step<<<1, 32>>>(nullptr); return 0; }
";

fn main() -> Result<()> {
    let Some(executables) = std::env::args_os().nth(1).map(PathBuf::from) else {
        return Err(Error::usage("remote_link EXECUTABLES"));
    };
    let bench = Workbench::new();
    write_units(&bench)?;
    let server = RealServer::start(Casd::Newer);
    let mut figures = Vec::new();
    for number in 0..=LINKS {
        bench.write("step.cu", KERNEL.replace("NUMBER", &number.to_string()));
        bench.compile_cuda("step", &[]);
        let cache = bench.file(&format!("cache{number}"));
        let (wall, processor) = link(&bench, &executables, &server, &cache)?;
        println!("link {number}: {wall:.2} s, {processor:.2} s of processor time");
        // The first link fills the remote cache.
        if number > 0 {
            let hits = hits(&bench, &executables, &cache)?;
            if hits < UNITS {
                return Err(Error::new(format!("only {hits} results are from the remote cache")));
            }
            let results = f64::from(hits);
            figures.push((results / wall, processor * 1000.0 / results));
        }
    }
    let middle = |of: fn(&(f64, f64)) -> f64| {
        let mut values: Vec<f64> = figures.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    println!("actions_per_second {}", middle(|figures| figures.0));
    println!("client_cpu_ms_per_action {}", middle(|figures| figures.1));
    Ok(())
}

/// Writes the objects and the file that lists them.
fn write_units(bench: &Workbench) -> Result<()> {
    bench.write("unit.c", UNIT);
    let compile = Process::new("cc").args(["-c", "unit.c", "-o", "unit.o"]).directory(bench.path());
    compile.run()?;
    let template = bench.read("unit.o");
    let name = b"f_00000";
    let Some(place) = template.windows(name.len()).position(|bytes| bytes == name) else {
        return Err(Error::new("the object does not have the function's name"));
    };
    let mut list = String::new();
    for number in 0..UNITS {
        let mut object = template.clone();
        object[place..place + name.len()].copy_from_slice(format!("f_{number:05}").as_bytes());
        let file = format!("unit{number}.o");
        bench.write(&file, object);
        list.push_str(&file);
        list.push('\n');
    }
    bench.write("units.rsp", list);
    Ok(())
}

/// Links the program with an empty local cache. Returns wall and processor time in seconds.
fn link(
    bench: &Workbench,
    executables: &Path,
    server: &RealServer,
    cache: &Path,
) -> Result<(f64, f64)> {
    let cuda = tools().cuda_root();
    let (stopwatch, before) = (Stopwatch::start(), processor_time::of_children()?);
    Process::new(executables.join("weft"))
        .args(["link", "--cuda"])
        .arg(cuda)
        .args(["--", "c++", "step.o", "@units.rsp", "-o", "program"])
        .arg(format!("-L{}/lib", cuda.display()))
        .args(["-lcudart_static", "-ldl", "-lrt", "-lpthread"])
        .variable("WEFT_CACHE", "on")
        .variable("WEFT_CACHE_DIR", cache)
        .variable("WEFT_REMOTE_CACHE", server.url())
        .directory(bench.path())
        .run()?;
    Ok((stopwatch.seconds(), processor_time::of_children()? - before))
}

/// Returns the number of results that the links with this cache had from the remote one.
fn hits(bench: &Workbench, executables: &Path, cache: &Path) -> Result<u32> {
    let table = Process::new(executables.join("weft"))
        .args(["cache", "stats", "--cache-dir"])
        .arg(cache)
        .directory(bench.path())
        .capture()?;
    let number = table.lines().find_map(|line| {
        let (before, _) = line.split_once(" from a remote cache")?;
        before.rsplit(' ').next()?.parse().ok()
    });
    number.ok_or_else(|| Error::new(format!("no results of a remote cache in:\n{table}")))
}
