//! Measures the jobs of a program: builds it step by step on this machine and looks at its files.

use std::collections::BTreeMap;
use std::path::Path;

use crate::jobs::{Job, Jobs};
use dev_builds::{MeasuredStep, Program, Settings, Target, Tools, Variant};
use dev_process::{Error, Result, while_trying};
use serde::Deserialize;

/// Clock by which a job's time is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Wall time: right on a machine that does nothing else.
    Wall,
    /// Processor time, which other work of the machine hardly changes. Steps wait for nothing but
    /// the processor, and their files are in memory.
    Processor,
}

/// Builds the device link of `program` as often as `builds` says, one step after the other, and
/// returns its jobs. The median of each step's times counts, and the largest of its memory.
pub fn gather(
    name: &str,
    program: &Program<'_>,
    tools: &Tools,
    settings: &Settings,
    builds: usize,
    clock: Clock,
) -> Result<Jobs> {
    let mut runs = Vec::new();
    for _ in 0..builds {
        runs.push(measure(program, settings, 1)?);
    }
    jobs_of(name, clock, program, tools, &runs)
}

/// Runs the device link with at most `jobs` steps at a time and returns what they used.
pub fn measure(
    program: &Program<'_>,
    settings: &Settings,
    jobs: usize,
) -> Result<Vec<MeasuredStep>> {
    let settings = Settings { usage: true, ..settings.clone() };
    let variant = if settings.full_jobs.is_some() { Variant::Full } else { Variant::Weft };
    program.write_ninja(variant, &settings)?;
    program.build(variant, Target::Objects, 2)?;
    program.forget_device_link(variant)?;
    program.build(variant, Target::Image, jobs)?;
    program.measured_steps()
}

/// The parts of the manifest that say what a job reads.
#[derive(Deserialize)]
struct Manifest {
    modules: Vec<Module>,
}

#[derive(Deserialize)]
struct Module {
    #[serde(rename = "module_id")]
    id: String,
    import_sources: Vec<String>,
    estimated_cost: u64,
}

/// Makes jobs of the measured steps and of the files that the last build has left.
pub fn jobs_of(
    name: &str,
    clock: Clock,
    program: &Program<'_>,
    tools: &Tools,
    runs: &[Vec<MeasuredStep>],
) -> Result<Jobs> {
    let path = program.output(Variant::Weft, "plans/manifest.json");
    let text = std::fs::read(&path).map_err(while_trying("read", &path))?;
    let manifest: Manifest = serde_json::from_slice(&text)
        .map_err(|error| Error::new(format!("{}: {error}", path.display())))?;
    let modules: BTreeMap<&str, &Module> =
        manifest.modules.iter().map(|module| (&*module.id, module)).collect();
    let builds = runs.len();
    let measured = match clock {
        Clock::Wall => format!("each step alone; wall times, medians of {builds} builds"),
        Clock::Processor => format!("each step alone; processor times, medians of {builds} builds"),
    };
    let jobs = Jobs::new(name, &measured, manifest.modules.len());
    let mut files = Files { jobs, places: BTreeMap::new(), program };
    let tool = |files: &mut Files<'_, '_>, name: &str, path: &Path| {
        let bytes = path.metadata().map_err(while_trying("read", path))?.len();
        Ok::<usize, Error>(files.jobs.file(name, bytes, true))
    };
    let [summarize, thinlink, backend_job] = ["summarize", "thinlink", "backend-job"]
        .map(|name| tool(&mut files, name, &tools.executables.join(name)));
    let (summarize, thinlink, backend_job) = (summarize?, thinlink?, backend_job?);
    let ptxas = tool(&mut files, "ptxas", &tools.toolchain.ptxas)?;
    let last = runs.last().ok_or_else(|| Error::new("nothing was measured"))?;
    let is_assemble = |step: &&MeasuredStep| step.verb == "assemble";
    let cubins = last.iter().filter(is_assemble).map(|step| format!("{}.cubin", step.unit));
    let cubins: Vec<String> = cubins.collect();
    for step in last {
        let unit = step.unit.as_str();
        let of = |ending: &str| [unit, ".", ending].concat();
        let all = |ending: &str| -> Vec<String> {
            modules.keys().map(|unit| [*unit, ".", ending].concat()).collect()
        };
        let (tools, reads, writes) = match step.verb.as_str() {
            "summarize" => (vec![summarize], vec![of("o")], vec![of("summary"), of("bc")]),
            "summarize-host" => (vec![summarize], vec![of("o")], vec![of("summary")]),
            "thinlink" => {
                let host = program.units().host.iter().map(|unit| format!("{unit}.summary"));
                (vec![thinlink], all("summary").into_iter().chain(host).collect(), all("plan"))
            }
            "import" => {
                let sources = modules.get(unit).map(|module| module.import_sources.as_slice());
                let sources = sources.unwrap_or_default().iter();
                let mut reads = vec![of("plan"), of("bc")];
                reads.extend(sources.map(|source| format!("{source}.bc")));
                (vec![backend_job], reads, vec![of("linked")])
            }
            "codegen" => (vec![backend_job], vec![of("linked")], vec![of("ptx")]),
            "assemble" => (vec![backend_job, ptxas], vec![of("ptx")], vec![of("cubin")]),
            "nvlink" => (vec![], cubins.clone(), vec!["image.cubin".to_owned()]),
            "fatbinary" => {
                (vec![], vec!["image.cubin".to_owned()], vec!["image.fatbin".to_owned()])
            }
            "register" => {
                (vec![], vec!["image.fatbin".to_owned()], vec!["registration.c".to_owned()])
            }
            _ => {
                let reads = ["registration.c", "image.fatbin"].map(str::to_owned);
                (vec![], reads.to_vec(), vec!["registration.o".to_owned()])
            }
        };
        let same = runs.iter().flatten();
        let same: Vec<&MeasuredStep> =
            same.filter(|other| other.verb == step.verb && other.unit == step.unit).collect();
        let processor_seconds = median(same.iter().map(|step| step.processor_seconds));
        let job = Job {
            phase: step.verb.clone(),
            unit: step.unit.clone(),
            runs_here: tools.is_empty(),
            seconds: match clock {
                Clock::Wall => median(same.iter().map(|step| step.seconds)),
                Clock::Processor => processor_seconds,
            },
            processor_seconds,
            memory_bytes: same.iter().map(|step| step.memory_bytes).max().unwrap_or_default(),
            estimated_cost: modules.get(unit).map_or(0, |module| module.estimated_cost),
            reads: tools.into_iter().chain(files.all(&reads)?).collect(),
            writes: files.all(&writes)?,
        };
        files.jobs.jobs.push(job);
    }
    files.jobs.order()?;
    Ok(files.jobs)
}

/// The files of the build, each listed once.
struct Files<'program, 'tools> {
    jobs: Jobs,
    places: BTreeMap<String, usize>,
    program: &'program Program<'tools>,
}

impl Files<'_, '_> {
    fn all(&mut self, names: &[String]) -> Result<Vec<usize>> {
        names.iter().map(|name| self.place(name)).collect()
    }

    fn place(&mut self, name: &str) -> Result<usize> {
        if let Some(&place) = self.places.get(name) {
            return Ok(place);
        }
        let on_disk = match name.rsplit_once('.') {
            Some((unit, "linked")) => format!("{unit}.linked.bc"),
            Some((_, "plan")) => format!("plans/{name}"),
            _ => name.to_owned(),
        };
        let path = self.program.output(Variant::Weft, &on_disk);
        let bytes = path.metadata().map_err(while_trying("read", &path))?.len();
        let place = self.jobs.file(name, bytes, false);
        self.places.insert(name.to_owned(), place);
        Ok(place)
    }
}

/// Returns the middle one of some values, the upper one of two; 0 if there is none.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
