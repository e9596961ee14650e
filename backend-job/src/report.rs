//! The report of a job that runs, for people and for programs. Times are in reports alone, and in
//! no artifact.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use weft_action::Session;
use weft_cli::{Blame as _, Fault, files};
use weft_container::{kernel_code, kernel_resources};
use weft_device_ir::{Counts, InlineModel, InlineReport, trace};
use weft_job::{
    CubinReport, JobReport, KernelReport, ModuleReport, OptimizedReport, PhaseReport, PtxReport,
    compile_seconds, occupancy, spills,
};
use weft_report::Sizes;

use crate::assembled::Assembled;
use crate::inlining::inlining;
use crate::ptxas_remarks::remarks;
use crate::report_table::table;

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

/// A report while the job runs.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) content: JobReport,
    /// End of the last phase.
    started: Instant,
}

impl Report {
    /// Starts the clock, and the trace if one is wanted.
    pub(crate) fn start(choices: &ReportChoices) -> Self {
        if choices.traces() {
            trace::start();
        }
        Self { content: JobReport::default(), started: now() }
    }

    /// Ends a phase, which began when the last one ended.
    pub(crate) fn phase(&mut self, name: impl Into<String>) {
        let seconds = self.started.elapsed().as_secs_f64();
        self.started = now();
        self.content.phases.push(PhaseReport { name: name.into(), seconds });
    }

    pub(crate) fn module(
        &mut self,
        architecture: &str,
        partitions: usize,
        optimized: Option<OptimizedReport>,
    ) {
        let architecture = architecture.to_owned();
        self.content.modules.push(ModuleReport { architecture, partitions, optimized });
    }

    /// Adds PTX.
    pub(crate) fn ptx(&mut self, architecture: &str, ptx: &[u8]) {
        self.content.ptx.push(PtxReport::of(architecture, ptx));
    }

    /// Adds a cubin and its kernels.
    pub(crate) fn cubin(
        &mut self,
        architecture: &str,
        assembled: &Assembled,
    ) -> anyhow::Result<()> {
        let search = assembled.search.clone();
        let cubin = CubinReport { search, ..CubinReport::of(architecture, &assembled.cubin) };
        self.content.cubins.push(cubin);
        if assembled.cubin.is_empty() {
            return Ok(());
        }
        let resources = kernel_resources(&assembled.cubin)
            .blame(Fault::Tool, || "ptxas made a cubin that cannot be read".to_owned())?;
        let mut code = kernel_code(&assembled.cubin).unwrap_or_default();
        let spills = spills(&assembled.messages);
        let times = compile_seconds(&assembled.messages);
        self.content.kernels.extend(resources.into_iter().map(|resources| KernelReport {
            architecture: architecture.to_owned(),
            spills: Some(spills.get(&resources.name).copied().unwrap_or_default()),
            compile_seconds: times.get(&resources.name).copied(),
            occupancy: occupancy(architecture, &resources),
            code: code.remove(&resources.name).unwrap_or_default(),
            resources,
        }));
        self.content.messages.extend(remarks(&assembled.messages).map(str::to_owned));
        Ok(())
    }

    /// Writes and prints the report as requested.
    pub(crate) fn finish(self, session: &Session, choices: &ReportChoices) -> anyhow::Result<()> {
        let mut content = self.content;
        content.jobs = session.records();
        content.kernels.sort_by(|one, other| {
            let key = |kernel: &KernelReport| {
                (kernel.architecture.clone(), kernel.resources.name.clone())
            };
            key(one).cmp(&key(other))
        });
        if choices.verbose {
            files::say(table(&content));
        }
        if let Some(path) = &choices.report {
            let mut json = serde_json::to_string_pretty(&content)?;
            json.push('\n');
            files::write(path, json.as_bytes())?;
        }
        if let Some(path) = &choices.time_trace {
            files::write(path, trace::finish().as_bytes())?;
        }
        Ok(())
    }
}

/// Describes the work of the optimizer, whose inliner went by `model`.
pub(crate) fn optimized_report(
    before: Counts,
    after: Counts,
    inlined: &InlineReport,
    model: InlineModel,
) -> OptimizedReport {
    let difference = |one: u64, other: u64| one.cast_signed() - other.cast_signed();
    let imported = inlined.imported;
    OptimizedReport {
        imported: imported.bodies,
        imported_inlined: imported.inlined,
        imported_instructions: imported.instructions,
        imported_instructions_inlined: imported.instructions_inlined,
        calls_fewer: difference(before.calls, after.calls),
        before: sizes(before),
        after: sizes(after),
        inlining: inlining(inlined, model),
    }
}

fn sizes(counts: Counts) -> Sizes {
    let Counts { functions, kernels, instructions, calls, indirect_calls } = counts;
    Sizes { functions, kernels, instructions, calls, indirect_calls }
}

#[expect(clippy::disallowed_methods, reason = "times go into reports, never into artifacts")]
fn now() -> Instant {
    Instant::now()
}
