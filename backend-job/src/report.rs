//! The report of a job, for people and for programs. Times are in reports alone, and in no
//! artifact.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde::{Deserialize, Serialize};
use weft_action::{JobRecord, Session};
use weft_artifact::digest;
use weft_cli::{Blame as _, Fault, files};
use weft_container::{
    KernelCode, KernelResources, cubin_architecture, kernel_code, kernel_resources, ptx_kernels,
};
use weft_device_ir::{Counts, InlineModel, InlineReport, trace};
use weft_report::{Occupancy, Sizes};

use crate::assembled::Assembled;
use crate::inlining::Inlining;
use crate::occupancy::occupancy;
use crate::ptxas_remarks::remarks;
use crate::spills::{Spills, compile_seconds, spills};
use crate::trials::SearchReport;

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Report of the job")]
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
    /// Records of the results that the job got.
    pub(crate) jobs: Vec<JobRecord>,
    /// Architecture of a job that has nothing but its records to report.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) architecture: String,
    /// Warnings of the thin link.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<String>,
    /// Decisions of the thin link about the whole program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
    /// Wall time of each phase, in order.
    #[serde(default)]
    pub(crate) phases: Vec<Phase>,
    /// Report of the optimizer on each module, by architecture.
    #[serde(default)]
    pub(crate) modules: Vec<ModuleReport>,
    /// All kernels, sorted by architecture and name.
    #[serde(default)]
    pub(crate) kernels: Vec<KernelReport>,
    /// The PTX of each part that was made, and its kernels.
    #[serde(default)]
    pub(crate) ptx: Vec<PtxReport>,
    /// The cubins that were made.
    #[serde(default)]
    pub(crate) cubins: Vec<CubinReport>,
    /// Messages of ptxas without statistics.
    #[serde(default)]
    pub(crate) messages: Vec<String>,
    #[serde(skip, default = "now")]
    started: Instant,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Phase {
    pub(crate) name: String,
    pub(crate) seconds: f64,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ModuleReport {
    pub(crate) architecture: String,
    partitions: usize,
    /// Report of the optimizer; `None` if another version of Weft made it.
    #[serde(flatten)]
    pub(crate) optimized: Option<OptimizedReport>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct OptimizedReport {
    /// Number of bodies that were imported, or that another module provides.
    imported: u64,
    /// Number of these bodies that were inlined into functions that the module keeps.
    pub(crate) imported_inlined: u64,
    /// Number of instructions of these bodies before optimization; the next field counts the
    /// inlined ones.
    imported_instructions: u64,
    imported_instructions_inlined: u64,
    /// Decrease of the number of calls of named functions. Inlined bodies bring calls of their own.
    calls_fewer: i64,
    pub(crate) before: Sizes,
    pub(crate) after: Sizes,
    pub(crate) inlining: Inlining,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct KernelReport {
    pub(crate) architecture: String,
    #[serde(flatten)]
    pub(crate) resources: KernelResources,
    #[serde(flatten)]
    pub(crate) code: KernelCode,
    /// Spills, which only ptxas's messages state.
    #[serde(flatten)]
    pub(crate) spills: Option<Spills>,
    /// Time that ptxas took for the kernel, by its own clock; for a result from a cache, when it
    /// was made.
    #[serde(default)]
    pub(crate) compile_seconds: Option<f64>,
    pub(crate) occupancy: Option<Occupancy>,
}

/// PTX that was made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PtxReport {
    pub(crate) architecture: String,
    /// Number of bytes.
    pub(crate) bytes: u64,
    /// Number of bytes of each kernel.
    pub(crate) kernels: BTreeMap<String, u64>,
}

/// A cubin that was made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CubinReport {
    pub(crate) architecture: String,
    /// Number of bytes.
    pub(crate) bytes: u64,
    /// Digest of the content.
    #[serde(default)]
    pub(crate) digest: String,
    /// Trials, if the best of several results was wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) search: Option<SearchReport>,
}

impl Report {
    /// Starts the clock, and the trace if one is wanted.
    pub(crate) fn start(choices: &ReportChoices) -> Self {
        if choices.traces() {
            trace::start();
        }
        Self::empty()
    }

    /// Ends a phase, which began when the last one ended.
    pub(crate) fn phase(&mut self, name: impl Into<String>) {
        let seconds = self.started.elapsed().as_secs_f64();
        self.started = now();
        self.phases.push(Phase { name: name.into(), seconds });
    }

    pub(crate) fn module(
        &mut self,
        architecture: &str,
        partitions: usize,
        optimized: Option<OptimizedReport>,
    ) {
        let architecture = architecture.to_owned();
        self.modules.push(ModuleReport { architecture, partitions, optimized });
    }

    /// Adds PTX.
    pub(crate) fn ptx(&mut self, architecture: &str, ptx: &[u8]) {
        // What cannot be read has no sizes: ptxas says what is wrong with it.
        let kernels = ptx_kernels(ptx).unwrap_or_default().into_iter();
        self.ptx.push(PtxReport {
            architecture: architecture.to_owned(),
            bytes: ptx.len() as u64,
            kernels: kernels.map(|kernel| (kernel.name, kernel.text.len() as u64)).collect(),
        });
    }

    /// Adds a cubin and its kernels.
    pub(crate) fn cubin(
        &mut self,
        architecture: &str,
        assembled: &Assembled,
    ) -> anyhow::Result<()> {
        let resources = kernel_resources(&assembled.cubin)
            .blame(Fault::Tool, || "ptxas made a cubin that cannot be read".to_owned())?;
        let search = assembled.search.clone();
        self.cubins.push(CubinReport { search, ..CubinReport::of(architecture, &assembled.cubin) });
        let mut code = kernel_code(&assembled.cubin).unwrap_or_default();
        let spills = spills(&assembled.messages);
        let times = compile_seconds(&assembled.messages);
        self.kernels.extend(resources.into_iter().map(|resources| KernelReport {
            architecture: architecture.to_owned(),
            spills: Some(spills.get(&resources.name).copied().unwrap_or_default()),
            compile_seconds: times.get(&resources.name).copied(),
            occupancy: occupancy(architecture, &resources),
            code: code.remove(&resources.name).unwrap_or_default(),
            resources,
        }));
        self.messages.extend(remarks(&assembled.messages).map(str::to_owned));
        Ok(())
    }

    /// Writes and prints the report as requested.
    pub(crate) fn finish(
        mut self,
        session: &Session,
        choices: &ReportChoices,
    ) -> anyhow::Result<()> {
        self.jobs = session.records();
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
                None => writeln!(text, "{architecture}: code whose making is not known"),
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
        for trial in self
            .cubins
            .iter()
            .filter_map(|cubin| cubin.search.as_ref())
            .flat_map(|search| &search.trials)
        {
            let _ = writeln!(text, "{}", trial.in_words());
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
    pub(crate) fn of_cubin(content: &[u8]) -> anyhow::Result<Self> {
        let architecture = cubin_architecture(content).unwrap_or_default();
        let mut code = kernel_code(content)?;
        let kernels = kernel_resources(content)?.into_iter().map(|resources| KernelReport {
            architecture: architecture.clone(),
            spills: None,
            compile_seconds: None,
            occupancy: occupancy(&architecture, &resources),
            code: code.remove(&resources.name).unwrap_or_default(),
            resources,
        });
        let kernels = kernels.collect();
        let cubins = vec![CubinReport::of(&architecture, content)];
        Ok(Self { kernels, cubins, ..Self::empty() })
    }

    /// Makes the report of PTX alone.
    pub(crate) fn of_ptx(architecture: &str, content: &[u8]) -> Self {
        let mut report = Self::empty();
        report.ptx(architecture, content);
        report
    }

    pub(crate) fn empty() -> Self {
        Self {
            jobs: Vec::new(),
            architecture: String::new(),
            warnings: Vec::new(),
            notes: Vec::new(),
            phases: Vec::new(),
            modules: Vec::new(),
            kernels: Vec::new(),
            ptx: Vec::new(),
            cubins: Vec::new(),
            messages: Vec::new(),
            started: now(),
        }
    }
}

impl CubinReport {
    fn of(architecture: &str, cubin: &[u8]) -> Self {
        Self {
            architecture: architecture.to_owned(),
            bytes: cubin.len() as u64,
            digest: digest(cubin).to_string(),
            search: None,
        }
    }
}

impl OptimizedReport {
    /// Describes the work of the optimizer, whose inliner went by `model`.
    pub(crate) fn new(
        before: Counts,
        after: Counts,
        inlining: &InlineReport,
        model: InlineModel,
    ) -> Self {
        let difference = |one: u64, other: u64| one.cast_signed() - other.cast_signed();
        let imported = inlining.imported;
        Self {
            imported: imported.bodies,
            imported_inlined: imported.inlined,
            imported_instructions: imported.instructions,
            imported_instructions_inlined: imported.instructions_inlined,
            calls_fewer: difference(before.calls, after.calls),
            before: sizes(before),
            after: sizes(after),
            inlining: Inlining::of(inlining, model),
        }
    }

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
            self.occupancy.as_ref().map_or_else(|| "unknown".to_owned(), in_words),
            resources.name,
        )
    }
}

fn in_words(occupancy: &Occupancy) -> String {
    format!("{}/{} warps ({})", occupancy.warps, occupancy.of_warps, occupancy.limited_by)
}

fn sizes(counts: Counts) -> Sizes {
    let Counts { functions, kernels, instructions, calls, indirect_calls } = counts;
    Sizes { functions, kernels, instructions, calls, indirect_calls }
}

#[expect(clippy::disallowed_methods, reason = "times go into reports, never into artifacts")]
fn now() -> Instant {
    Instant::now()
}
