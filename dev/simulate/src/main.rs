//! Measures jobs and predicts builds. `cargo xtask simulate` runs this program.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use dev_builds::{Settings, Tools};
use dev_process::{Error, Result, ended};
use dev_programs::{NAMES, Selection, all};
use dev_simulate::cluster::Cluster;
use dev_simulate::draw::draw;
use dev_simulate::gather::Clock;
use dev_simulate::jobs::Jobs;
use dev_simulate::priority::Rule;
use dev_simulate::{classes, curves, gather, text};

const USAGE: &str = "usage: cargo xtask simulate [OPTION...]
       cargo xtask simulate gather PROGRAM [BUILDS [processor]]
       cargo xtask simulate classes [PROGRAM...]
       cargo xtask simulate pictures
Predicts a build for 1 to 1,000 workers, measures the jobs of a program of `bench kernels`, by
processor time on a machine that does other work, compares the thin link's classes of memory and
time with measured jobs, or draws the pictures of docs/scale.md.

  --jobs FILE       measured jobs [default: dev/simulate/data/generated.json]
  --cluster FILE    description of the cluster [default: dev/simulate/data/cluster.json]
  --workers N,...   numbers of workers [default: 1 to 1,000 in ten steps]
  --units N         draw a program of N units from the measured ones
  --hit-rate SHARE  share of the results that the cluster has, in place of the description's
  --rule RULE       hlfet or fifo [default: hlfet]
  --seed N          seed of what is drawn [default: 1]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    ended(run(&arguments))
}

/// Takes the checkout and the folder of the executables, which only `gather` uses, before the
/// user's arguments.
fn run(arguments: &[String]) -> Result<()> {
    let [checkout, executables, rest @ ..] = arguments else { return Err(Error::usage(USAGE)) };
    let (checkout, executables) = (Path::new(checkout), PathBuf::from(executables));
    let data = checkout.join("dev/simulate/data");
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    let gather = |program: &str, builds: &str, clock| {
        measure(checkout, executables.clone(), program, builds, clock, &data)
    };
    match rest.as_slice() {
        ["gather", program] => gather(program, "3", Clock::Wall),
        ["gather", program, builds] => gather(program, builds, Clock::Wall),
        ["gather", program, builds, "processor"] => gather(program, builds, Clock::Processor),
        ["classes", programs @ ..] => compare_classes(checkout, &executables, programs),
        ["pictures"] => {
            let jobs = Jobs::load(&data.join("generated.json"))?;
            let cluster = Cluster::load(&data.join("cluster.json"))?;
            curves::write(&jobs, &cluster, &checkout.join("docs/pictures"))
        }
        options => predict(options, &data),
    }
}

/// Measures a program and keeps its jobs.
fn measure(
    checkout: &Path,
    executables: PathBuf,
    name: &str,
    builds: &str,
    clock: Clock,
    data: &Path,
) -> Result<()> {
    let only = [name.to_owned()];
    let selection = Selection { names: &NAMES, only: &only, quick: true, seed: 1 };
    let sources = all(checkout, &selection)?;
    let source = sources.first().ok_or_else(|| Error::usage(USAGE))?;
    let toolchain = dev_toolchain::ensure(checkout, dev_toolchain::Scope::Builds)?;
    let folder = executables.join("../bench/simulate");
    let tools = Tools { toolchain, executables };
    let program = source.open(&folder, dev_builds::Variant::Weft, &tools)?;
    let builds = number("BUILDS", builds)?;
    let jobs = gather::gather(source.name, &program, &tools, &source.settings(), builds, clock)?;
    println!("{}", text::describe(&jobs));
    jobs.save(&data.join(format!("{name}.json")))
}

/// Programs whose jobs are compared with their classes, and those of them that are measured as one
/// job, too, for the largest jobs.
const COMPARED: [&str; 5] = ["transport", "generated", "ggml", "cub", "functors"];
const WHOLE: [&str; 2] = ["generated", "functors"];

/// Measures the jobs of programs and compares them with their classes.
fn compare_classes(checkout: &Path, executables: &Path, programs: &[&str]) -> Result<()> {
    let only: Vec<String> = programs.iter().map(|&program| program.to_owned()).collect();
    let selection = Selection { names: &COMPARED, only: &only, quick: true, seed: 1 };
    let toolchain = dev_toolchain::ensure(checkout, dev_toolchain::Scope::Builds)?;
    let tools = Tools { toolchain, executables: executables.to_path_buf() };
    let mut measured = Vec::new();
    for source in all(checkout, &selection)? {
        let folder = executables.join("../bench/simulate");
        let program = source.open(&folder, dev_builds::Variant::Weft, &tools)?;
        let whole = WHOLE.contains(&source.name).then_some(Some(1));
        for full_jobs in [None].into_iter().chain(whole) {
            let settings = Settings { full_jobs, ..source.settings() };
            let jobs =
                gather::gather(source.name, &program, &tools, &settings, 1, Clock::Processor)?;
            println!("{}", text::describe(&jobs));
            measured.push(jobs);
        }
    }
    for line in classes::compare(&measured) {
        println!("{line}");
    }
    Ok(())
}

/// Reads the options and prints the table.
fn predict(options: &[&str], data: &Path) -> Result<()> {
    let (mut jobs, mut cluster) = (data.join("generated.json"), data.join("cluster.json"));
    let (mut workers, mut rule) = (curves::WORKERS.to_vec(), Rule::Hlfet);
    let (mut units, mut hit_rate, mut seed) = (None, None, 1);
    for pair in options.chunks(2) {
        let [name, value] = *pair else { return Err(Error::usage(USAGE)) };
        match name {
            "--jobs" => jobs = value.into(),
            "--cluster" => cluster = value.into(),
            "--workers" => {
                let numbers = value.split(',').map(|one| number(name, one));
                workers = numbers.collect::<Result<_>>()?;
            }
            "--units" => units = Some(number(name, value)?),
            "--hit-rate" => hit_rate = Some(number(name, value)?),
            "--rule" => {
                rule = match value {
                    "hlfet" => Rule::Hlfet,
                    "fifo" => Rule::Fifo,
                    _ => return Err(Error::usage(USAGE)),
                }
            }
            "--seed" => seed = number(name, value)?,
            _ => return Err(Error::usage(USAGE)),
        }
    }
    let mut jobs = Jobs::load(&jobs)?;
    let mut cluster = Cluster::load(&cluster)?;
    cluster.hit_rate = hit_rate.unwrap_or(cluster.hit_rate);
    if let Some(units) = units {
        jobs = draw(&jobs, units, seed)?;
    }
    println!("{}\n", text::describe(&jobs));
    for line in text::table(&jobs, &cluster, &workers, rule, seed)? {
        println!("{line}");
    }
    Ok(())
}

fn number<T: std::str::FromStr>(name: &str, value: &str) -> Result<T> {
    value.parse().map_err(|_| Error::usage(format!("{name} takes a number, got {value:?}")))
}
