//! The report of a job, for people and for programs. Times are in reports alone, and in no
//! artifact.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde::{Deserialize, Serialize};
use weft_cli::{Blame as _, Fault, files};
use weft_container::{KernelResources, cubin_architecture, kernel_resources};
use weft_device_ir::{Counts, ImportedBodies, trace};

use crate::assembled::Assembled;
use crate::occupancy::{Occupancy, occupancy};
use crate::ptxas_remarks::remarks;
use crate::spills::{Spills, compile_seconds, spills};

#[derive(Args, Clone, Debug)]
pub(crate) struct ReportChoices {
    /// Also write what was done, as JSON: resources and occupancy of kernels, sizes, times
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Print the same as a table, and what ptxas had to say
    #[arg(short, long)]
    verbose: bool,
    /// Also write where the time went, pass by pass, for Chrome's tracing page or Perfetto
    #[arg(long, value_name = "FILE")]
    time_trace: Option<PathBuf>,
}

impl ReportChoices {
    /// Whether a trace is wanted.
    pub(crate) fn traces(&self) -> bool {
        self.time_trace.is_some()
    }
}

/// The content of a report.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Report {
    /// Wall time of each phase, in order.
    pub(crate) phases: Vec<Phase>,
    /// Report of the optimizer on each module, by architecture.
    pub(crate) modules: Vec<ModuleReport>,
    /// All kernels, sorted by architecture and name.
    pub(crate) kernels: Vec<KernelReport>,
    /// Messages of ptxas without statistics.
    pub(crate) messages: Vec<String>,
    #[serde(skip, default = "now")]
    started: Instant,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Phase {
    pub(crate) name: String,
    pub(crate) seconds: f64,
}

/// The work of the optimizer on a module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work {
    pub(crate) before: Counts,
    pub(crate) after: Counts,
    pub(crate) imported: ImportedBodies,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ModuleReport {
    pub(crate) architecture: String,
    partitions: usize,
    /// Report of the optimizer; `None` if the result came from a cache.
    #[serde(flatten)]
    pub(crate) optimized: Option<OptimizedReport>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct OptimizedReport {
    /// Number of bodies that were imported, or that another module provides.
    imported: u64,
    /// Number of these bodies that were inlined into functions that the module keeps.
    imported_inlined: u64,
    /// Number of instructions of these bodies before optimization; the next field counts the
    /// inlined ones.
    imported_instructions: u64,
    imported_instructions_inlined: u64,
    /// Decrease of the number of calls of named functions. Inlined bodies bring calls of their own.
    calls_fewer: i64,
    before: Sizes,
    after: Sizes,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Sizes {
    functions: u64,
    kernels: u64,
    instructions: u64,
    calls: u64,
    indirect_calls: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct KernelReport {
    pub(crate) architecture: String,
    #[serde(flatten)]
    resources: KernelResources,
    /// Spills, which only ptxas's messages state.
    #[serde(flatten)]
    spills: Option<Spills>,
    /// Time that ptxas took for the kernel, by its own clock; for a result from a cache, when it
    /// was made.
    #[serde(default)]
    compile_seconds: Option<f64>,
    occupancy: Option<Occupancy>,
}

impl Report {
    /// Starts the clock, and the trace if one is wanted.
    pub(crate) fn start(choices: &ReportChoices) -> Self {
        if choices.traces() {
            trace::start();
        }
        Self {
            phases: Vec::new(),
            modules: Vec::new(),
            kernels: Vec::new(),
            messages: Vec::new(),
            started: now(),
        }
    }

    /// Ends a phase, which began when the last one ended.
    pub(crate) fn phase(&mut self, name: impl Into<String>) {
        let seconds = self.started.elapsed().as_secs_f64();
        self.started = now();
        self.phases.push(Phase { name: name.into(), seconds });
    }

    pub(crate) fn module(&mut self, architecture: &str, partitions: usize, work: Option<Work>) {
        let architecture = architecture.to_owned();
        let difference = |one: u64, other: u64| one.cast_signed() - other.cast_signed();
        let optimized = work.map(|Work { before, after, imported }| OptimizedReport {
            imported: imported.bodies,
            imported_inlined: imported.inlined,
            imported_instructions: imported.instructions,
            imported_instructions_inlined: imported.instructions_inlined,
            calls_fewer: difference(before.calls, after.calls),
            before: before.into(),
            after: after.into(),
        });
        self.modules.push(ModuleReport { architecture, partitions, optimized });
    }

    /// Adds the kernels of a cubin.
    pub(crate) fn cubin(
        &mut self,
        architecture: &str,
        assembled: &Assembled,
    ) -> anyhow::Result<()> {
        let resources = kernel_resources(&assembled.cubin)
            .blame(Fault::Tool, || "ptxas made a cubin that cannot be read".to_owned())?;
        let spills = spills(&assembled.messages);
        let times = compile_seconds(&assembled.messages);
        self.kernels.extend(resources.into_iter().map(|resources| KernelReport {
            architecture: architecture.to_owned(),
            spills: Some(spills.get(&resources.name).copied().unwrap_or_default()),
            compile_seconds: times.get(&resources.name).copied(),
            occupancy: occupancy(architecture, &resources),
            resources,
        }));
        self.messages.extend(remarks(&assembled.messages).map(str::to_owned));
        Ok(())
    }

    /// Writes and prints the report as requested.
    pub(crate) fn finish(mut self, choices: &ReportChoices) -> anyhow::Result<()> {
        self.kernels.sort_by(|one, other| {
            let key = |kernel: &KernelReport| {
                (kernel.architecture.clone(), kernel.resources.name.clone())
            };
            key(one).cmp(&key(other))
        });
        if choices.verbose {
            files::say(self.table());
        }
        if let Some(path) = &choices.report {
            let mut json = serde_json::to_string_pretty(&self)?;
            json.push('\n');
            files::write(path, json.as_bytes())?;
        }
        if let Some(path) = &choices.time_trace {
            files::write(path, trace::finish().as_bytes())?;
        }
        Ok(())
    }

    fn table(&self) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        for module in &self.modules {
            let ModuleReport { architecture, partitions, optimized } = module;
            let _ = match optimized {
                None => writeln!(text, "{architecture}: code from the cache"),
                Some(optimized) => {
                    let optimized = optimized.in_words();
                    writeln!(text, "{architecture}: {optimized}, {partitions} partition(s)")
                }
            };
        }
        if !self.kernels.is_empty() {
            let _ = writeln!(text, "{}", KernelReport::columns());
        }
        for kernel in &self.kernels {
            let _ = writeln!(text, "{}", kernel.row());
        }
        for message in &self.messages {
            let _ = writeln!(text, "{message}");
        }
        for phase in &self.phases {
            let _ = writeln!(text, "{:>9.3} s  {}", phase.seconds, phase.name);
        }
        text
    }

    /// Makes the report that a cubin allows without the job that made it.
    pub(crate) fn of_cubin(cubin: &[u8]) -> anyhow::Result<Self> {
        let architecture = cubin_architecture(cubin).unwrap_or_default();
        let kernels = kernel_resources(cubin)?.into_iter().map(|resources| KernelReport {
            architecture: architecture.clone(),
            spills: None,
            compile_seconds: None,
            occupancy: occupancy(&architecture, &resources),
            resources,
        });
        let kernels = kernels.collect();
        let (phases, modules, messages) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { phases, modules, kernels, messages, started: now() })
    }
}

impl OptimizedReport {
    pub(crate) fn in_words(&self) -> String {
        let Self { imported, before, after, .. } = self;
        format!(
            "{imported} bodies for inlining, {} -> {} functions, {} -> {} calls, \
             {} -> {} instructions",
            before.functions,
            after.functions,
            before.calls,
            after.calls,
            before.instructions,
            after.instructions,
        )
    }
}

impl KernelReport {
    /// Returns the head of a table of rows.
    pub(crate) fn columns() -> String {
        format!(
            "{:>9} {:>5} {:>6} {:>6} {:>7} {:>8} {:>4} {:>7} {:>7} {:>8}  occupancy                \
             kernel",
            "arch", "regs", "stack", "spill", "shared", "const", "bar", "global", "t/s/s", "ms"
        )
    }

    pub(crate) fn row(&self) -> String {
        let resources = &self.resources;
        let milliseconds = |seconds: f64| format!("{:.1}", seconds * 1000.0);
        let spilled =
            |spills: Spills| (spills.spill_store_bytes + spills.spill_load_bytes).to_string();
        format!(
            "{:>9} {:>5} {:>6} {:>6} {:>7} {:>8} {:>4} {:>7} {:>7} {:>8}  {:<24} {}",
            self.architecture,
            resources.registers,
            resources.stack_bytes,
            self.spills.map_or_else(|| "?".to_owned(), spilled),
            resources.shared_bytes,
            resources.constant_bytes.values().sum::<u64>(),
            resources.barriers,
            resources.global_bytes,
            format!("{}/{}/{}", resources.textures, resources.surfaces, resources.samplers),
            self.compile_seconds.map_or_else(|| "?".to_owned(), milliseconds),
            self.occupancy.as_ref().map_or_else(|| "unknown".to_owned(), Occupancy::in_words),
            resources.name,
        )
    }

    /// Returns the occupancy in thousandths; the largest number if it is unknown.
    pub(crate) fn occupied(&self) -> u32 {
        self.occupancy
            .as_ref()
            .map_or(u32::MAX, |occupancy| occupancy.warps * 1000 / occupancy.of_warps)
    }

    pub(crate) fn name(&self) -> &str {
        &self.resources.name
    }
}

impl Occupancy {
    fn in_words(&self) -> String {
        format!("{}/{} warps ({})", self.warps, self.of_warps, self.limited_by)
    }
}

impl From<Counts> for Sizes {
    fn from(counts: Counts) -> Self {
        Self {
            functions: counts.functions,
            kernels: counts.kernels,
            instructions: counts.instructions,
            calls: counts.calls,
            indirect_calls: counts.indirect_calls,
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "times go into reports, never into artifacts")]
fn now() -> Instant {
    Instant::now()
}
