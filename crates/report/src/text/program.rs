//! Everything but kernels: units, removed symbols, options, messages, times.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::Writer;
use super::table::{Column, Row};
use crate::data::{JobOrigin, Module, Removed, RemovedKind};
use crate::names::printable;
use crate::shown::{bytes, counted, duration};
use crate::trace::subject;

/// Phases in the order of a build.
const PHASES: [&str; 5] = ["summarize", "thinlink", "import", "codegen", "assemble"];

impl Writer<'_> {
    /// Returns the units with their sizes, and what each imports.
    pub(super) fn units(&self) -> String {
        let columns = [
            Column::name("unit"),
            Column::word("functions"),
            Column::word("calls").spare(2),
            Column::word("instructions"),
            Column::number("cubin").spare(1),
            Column::word("arch"),
        ];
        let rows: Vec<Row> = self.report.modules.iter().map(|module| self.module(module)).collect();
        if rows.is_empty() {
            return String::new();
        }
        let head = "Units: functions, calls and IR instructions before and after optimization, and \
                    what each imports.";
        self.section(head, &self.table(&columns, &rows))
    }

    fn module(&self, module: &Module) -> Row {
        let sizes = |of: &dyn Fn(&crate::data::Sizes) -> u64| match (&module.before, &module.after)
        {
            (Some(before), Some(after)) => format!("{} -> {}", of(before), of(after)),
            _ => String::new(),
        };
        let links = &self.report.links;
        let link = links.get(module.link as usize).filter(|_| links.len() > 1);
        let cells = vec![
            printable(&module.id).into_owned(),
            if module.empty { "emits nothing".to_owned() } else { sizes(&|of| of.functions) },
            sizes(&|of| of.calls),
            sizes(&|of| of.instructions),
            module.cubin_bytes.map_or(String::new(), bytes),
            link.map_or(String::new(), |link| link.architecture.clone()),
        ];
        let id = |at: u32| self.report.modules.get(at as usize).map_or("", |of| of.id.as_str());
        let mut below = String::new();
        let members: Vec<_> = module.members.iter().map(|member| id(*member)).collect();
        if !members.is_empty() {
            let members = format!("compiled with {}", members.join(", "));
            below += &self.paragraph("    ", &members);
        }
        if !module.imports.is_empty() {
            below += &self.paragraph("    ", &imports(module, &id));
        }
        Row { cells, below }
    }

    /// Returns the device code without bitcode, and what it keeps.
    pub(super) fn opaque(&self) -> String {
        let mut rows = String::new();
        for (link, of) in (0..).zip(&self.report.links) {
            for opaque in &of.opaque {
                let kept = opaque.keeps.iter().map(|name| self.name(*name, self.width / 2));
                let kept: Vec<_> = kept.collect();
                let keeps = match kept.as_slice() {
                    [] => String::new(),
                    _ => format!(" keeps {}", kept.join(", ")),
                };
                let kinds = opaque.kinds.join(", ");
                let unit = &opaque.unit;
                rows +=
                    &self.paragraph("", &format!("{unit}{}: {kinds}{keeps}", self.of_link(link)));
            }
        }
        self.section("Device code without bitcode, which is linked as it is.", &rows)
    }

    pub(super) fn removed(&self) -> String {
        let rows = |kind: RemovedKind| {
            let mut rows = String::new();
            for (link, of) in (0..).zip(&self.report.links) {
                let link = self.of_link(link);
                let room = self.width.saturating_sub(link.len());
                let is_wanted = |removed: &&Removed| removed.kind == kind;
                for removed in of.removed.iter().filter(is_wanted) {
                    // Writing to a String cannot fail.
                    let _ = writeln!(rows, "{}{link}", self.name(removed.name, room));
                }
            }
            rows
        };
        let kernels = rows(RemovedKind::Kernel);
        let kernels =
            self.section("Kernels that were removed, as nothing launches them.", &kernels);
        let variables = rows(RemovedKind::Variable);
        let variables =
            self.section("Variables that were removed, as nothing refers to them.", &variables);
        let is_between = !kernels.is_empty() && !variables.is_empty();
        format!("{kernels}{}{variables}", if is_between { "\n" } else { "" })
    }

    /// Returns the options that hold for the whole program, and how they were reconciled.
    pub(super) fn options(&self) -> String {
        let mut rows = String::new();
        for (number, link) in (0..).zip(&self.report.links) {
            let of = self.of_link(number);
            let options = link.options.iter().map(|(name, value)| format!("{name}={value}"));
            let options: Vec<_> = options.collect();
            if !options.is_empty() {
                rows += &self.paragraph("", &format!("{}{of}", options.join(", ")));
            }
            for note in &link.notes {
                rows += &self.paragraph("", &format!("{note}{of}"));
            }
        }
        self.section("Options that hold for the whole program.", &rows)
    }

    pub(super) fn warnings(&self) -> String {
        let links = (0..).zip(&self.report.links);
        let rows = links.flat_map(|(number, link)| {
            let of = self.of_link(number);
            link.warnings.iter().map(move |text| self.paragraph("", &format!("{text}{of}")))
        });
        self.section("Warnings.", &rows.collect::<String>())
    }

    pub(super) fn messages(&self) -> String {
        let texts = &self.report.texts;
        let rows = self.report.messages.iter().map(|(module, text)| {
            let text = texts.get(*text as usize).map_or("", String::as_str);
            self.paragraph("", &format!("{}: {text}", self.unit(*module)))
        });
        self.section("Messages of ptxas.", &rows.collect::<String>())
    }

    /// Returns the times of the jobs by phase.
    pub(super) fn times(&self) -> String {
        let mut phases: BTreeMap<(usize, &str), Phase<'_>> = BTreeMap::new();
        for job in &self.report.jobs {
            let rank = PHASES.iter().position(|phase| *phase == job.phase);
            let key = (rank.unwrap_or(PHASES.len()), job.phase.as_str());
            let phase = phases.entry(key).or_default();
            phase.jobs += 1;
            phase.total += job.took;
            phase.earlier += u64::from(job.earlier);
            phase.from_caches +=
                u64::from(matches!(job.origin, JobOrigin::Cache | JobOrigin::RemoteCache));
            if job.took > phase.longest.0 {
                phase.longest = (job.took, subject(self.report, job));
            }
        }
        let columns = [
            Column::word("phase"),
            Column::number("jobs"),
            Column::number("cached"),
            Column::number("before"),
            Column::number("together").spare(1),
            Column::number("longest"),
            Column::name("of").spare(2),
        ];
        let some = |number: u64| if number == 0 { String::new() } else { number.to_string() };
        let rows = phases.iter().map(|((_, name), phase)| Row {
            cells: vec![
                (*name).to_owned(),
                phase.jobs.to_string(),
                some(phase.from_caches),
                some(phase.earlier),
                duration(phase.total),
                duration(phase.longest.0),
                printable(phase.longest.1).into_owned(),
            ],
            below: String::new(),
        });
        let rows: Vec<Row> = rows.collect();
        if rows.is_empty() {
            return String::new();
        }
        let head = "Wall time of the jobs when they last ran. Results of cached jobs came from a \
                    cache, and jobs from before did not run in this build.";
        let mut text = self.section(head, &self.table(&columns, &rows));
        text += &self.critical_path();
        text
    }

    fn critical_path(&self) -> String {
        let jobs = &self.report.jobs;
        let path = self.report.critical_path.iter().filter_map(|at| jobs.get(*at as usize));
        let path: Vec<_> = path.collect();
        let [first, .., last] = path.as_slice() else { return String::new() };
        let took = (last.start + last.took).saturating_sub(first.start);
        let steps = path.iter().map(|job| format!("{} {}", job.phase, subject(self.report, job)));
        let steps: Vec<_> = steps.collect();
        let took = duration(took);
        let words = format!("Critical path, {took} from start to end: {}.", steps.join(", then "));
        self.paragraph("", &words)
    }
}

/// The jobs of a phase; times in microseconds.
#[derive(Default)]
struct Phase<'all> {
    jobs: u64,
    from_caches: u64,
    earlier: u64,
    total: u64,
    /// The longest job: its time, and its object.
    longest: (u64, &'all str),
}

/// Returns what a module imports, in words.
fn imports<'all>(module: &Module, id: &dyn Fn(u32) -> &'all str) -> String {
    let symbols = module.imports.iter().map(|edge| u64::from(edge.symbols)).sum();
    let copies: u64 = module.imports.iter().map(|edge| u64::from(edge.copies)).sum();
    let sources: Vec<_> = module.imports.iter().map(|edge| id(edge.source)).collect();
    let mut more = Vec::new();
    if copies > 0 {
        more.push(format!("{copies} emitted here"));
    }
    // A copy is no body for inlining, though it may be inlined.
    if let Some(inlined) = module.imported_inlined.filter(|_| symbols > copies) {
        more.push(format!("{inlined} inlined"));
    }
    let more = if more.is_empty() { String::new() } else { format!(" ({})", more.join(", ")) };
    format!("imports {} from {}{more}", counted(symbols, "definition"), sources.join(", "))
}
