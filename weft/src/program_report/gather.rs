//! Makes the data of a report from the files that were read.

use std::collections::BTreeMap;

use weft_action::Phase;
use weft_artifact::{Plan, digest};
use weft_container::{PtxKernel, ptx_kernels};
use weft_job::JobReport;
use weft_report::{BuildReport, Image, Listing, NameTable};

use super::jobs::{Timeline, timeline};
use super::kernels::Kernels;
use super::links::Program;
use super::placed::Placed;
use super::read::{JobFile, Material, ReadLink};
use super::sites::{origins, sites};
use super::table::{Texts, position};

/// Everything that is known so far.
struct Gathering<'read> {
    names: NameTable,
    texts: Texts,
    program: Program,
    kernels: Kernels,
    /// Plans of modules.
    plans: BTreeMap<u32, &'read Plan>,
    /// Bytes of the PTX and of the cubins of each module.
    ptx: BTreeMap<u32, u64>,
    cubins: BTreeMap<u32, Code>,
    /// Bytes of the linked image of each architecture.
    images: BTreeMap<u32, u64>,
    jobs: Vec<Placed>,
    /// Modules and messages of ptxas.
    messages: Vec<(u32, u32)>,
}

/// The cubins of a module.
#[derive(Default)]
struct Code {
    bytes: u64,
    /// Digests, in the order of the partitions.
    digests: Vec<String>,
}

/// Returns the report on the program `title`, with the code of kernels as text if that is
/// wanted and there. It does not depend on the order of the files.
pub(super) fn gather(
    title: &str,
    material: &Material,
    with_listings: bool,
) -> anyhow::Result<BuildReport> {
    let mut names = NameTable::default();
    let program = Program::new(&material.links, &mut names)?;
    let plans = plans(&program, &material.links);
    let mut gathering = Gathering {
        names,
        texts: Texts::default(),
        program,
        kernels: Kernels::default(),
        plans,
        ptx: BTreeMap::new(),
        cubins: BTreeMap::new(),
        images: BTreeMap::new(),
        jobs: Vec::new(),
        messages: Vec::new(),
    };
    // A report of a job comes before the product of the same job.
    let (products, jobs): (Vec<_>, Vec<_>) =
        material.files.iter().partition(|file| file.report.jobs.is_empty());
    for file in jobs.into_iter().chain(products) {
        gathering.add(file);
        gathering.add_jobs(&file.unit, &file.report);
    }
    for file in &material.files {
        gathering.add_ptx(file, with_listings);
        for summary in &file.summaries {
            gathering.program.add_opaque(summary, &gathering.names);
        }
    }
    for image in &material.images {
        gathering.add_image(&image.report);
    }
    Ok(gathering.into_report(title))
}

/// Returns the plans by module.
fn plans<'read>(program: &Program, links: &'read [ReadLink]) -> BTreeMap<u32, &'read Plan> {
    let mut plans = BTreeMap::new();
    for read in links {
        let architecture = &read.manifest.architecture;
        let link = program.links.iter().position(|link| link.architecture == *architecture);
        let Some(link) = link.map(position) else { continue };
        for plan in &read.plans {
            let module = program.find(link, plan.module_id.as_str());
            plans.extend(module.map(|module| (module, plan)));
        }
    }
    plans
}

impl Gathering<'_> {
    fn add(&mut self, file: &JobFile) {
        let report = &file.report;
        for module in &report.modules {
            let Some(optimized) = &module.optimized else { continue };
            let number = self.module(&module.architecture, &file.unit);
            let plan = self.plans.get(&number);
            let link = self.program.modules[number as usize].link;
            let origins = plan.map(|plan| origins(&self.program, link, plan));
            let sites =
                sites(&optimized.inlining, origins.as_ref(), &mut self.names, &mut self.texts);
            let module = &mut self.program.modules[number as usize];
            module.sites = sites;
            module.before = Some(optimized.before);
            module.after = Some(optimized.after);
            module.imported_inlined = Some(optimized.imported_inlined);
        }
        for kernel in &report.kernels {
            let module = self.module(&kernel.architecture, &file.unit);
            self.kernels.add(module, kernel, &mut self.names);
        }
        self.add_sizes(file);
        // A job that made several cubins does not say which of them a message is about.
        if let Some(cubin) = report.cubins.first() {
            let module = self.module(&cubin.architecture, &file.unit);
            let messages = report.messages.iter().map(|text| self.texts.number(text));
            self.messages.extend(messages.map(|text| (module, text)));
        }
    }

    /// Adds the records of a file, and what a thin link said about the whole program.
    fn add_jobs(&mut self, unit: &str, report: &JobReport) {
        let first = report.modules.first().map(|module| module.architecture.as_str());
        let cubin = report.cubins.first().map(|cubin| cubin.architecture.as_str());
        let stated = Some(report.architecture.as_str()).filter(|stated| !stated.is_empty());
        let link = stated.or(first).or(cubin).map(|architecture| self.program.link(architecture));
        if let Some(link) = link {
            let link = &mut self.program.links[link as usize];
            link.notes.extend(report.notes.iter().cloned());
            link.warnings.extend(report.warnings.iter().cloned());
        }
        for record in &report.jobs {
            // The first module of a unit represents the unit.
            let is_link = record.phase == Phase::Thinlink.name();
            let module = link.filter(|_| !is_link).and_then(|link| self.program.find(link, unit));
            let mut record = record.clone();
            if !is_link {
                unit.clone_into(&mut record.subject);
            }
            self.jobs.push(Placed { record, link, module });
        }
    }

    fn add_sizes(&mut self, file: &JobFile) {
        let mut ptx: BTreeMap<u32, u64> = BTreeMap::new();
        for made in &file.report.ptx {
            let module = self.module(&made.architecture, &file.unit);
            *ptx.entry(module).or_default() += made.bytes;
        }
        let mut cubins: BTreeMap<u32, Code> = BTreeMap::new();
        for made in &file.report.cubins {
            let module = self.module(&made.architecture, &file.unit);
            let code = cubins.entry(module).or_default();
            code.bytes += made.bytes;
            code.digests.push(made.digest.clone());
        }
        for (module, bytes) in ptx {
            self.ptx.entry(module).or_insert(bytes);
        }
        for (module, code) in cubins {
            self.cubins.entry(module).or_insert(code);
        }
    }

    /// Adds what PTX says about kernels that are known.
    fn add_ptx(&mut self, file: &JobFile, with_listings: bool) {
        for made in &file.report.ptx {
            let module = self.module(&made.architecture, &file.unit);
            for (name, bytes) in &made.kernels {
                let name = self.names.number(name);
                if let Some(kernel) = self.kernels.find(module, name) {
                    kernel.ptx_bytes = Some(*bytes);
                }
            }
        }
        let Some((architecture, text)) = file.ptx.as_ref().filter(|_| with_listings) else {
            return;
        };
        let module = self.module(architecture, &file.unit);
        for PtxKernel { name, text: range, .. } in ptx_kernels(text).unwrap_or_default() {
            let name = self.names.number(&name);
            if let Some(kernel) = self.kernels.find(module, name) {
                let text = String::from_utf8_lossy(&text[range]).into_owned();
                kernel.listings.push(Listing { kind: "ptx".to_owned(), text });
            }
        }
    }

    /// Adds what a linked image says about kernels that are known. nvlink has added what they need
    /// of other modules: registers and stack of the functions that they call, shared memory.
    fn add_image(&mut self, report: &JobReport) {
        for kernel in &report.kernels {
            let link = self.program.link(&kernel.architecture);
            let modules = &self.program.modules;
            let is_of_link = |module: u32| modules[module as usize].link == link;
            self.kernels.add_linked(kernel, is_of_link, &mut self.names);
        }
        for cubin in &report.cubins {
            let link = self.program.link(&cubin.architecture);
            *self.images.entry(link).or_default() += cubin.bytes;
        }
    }

    fn module(&mut self, architecture: &str, unit: &str) -> u32 {
        let link = self.program.link(architecture);
        self.program.module(link, unit)
    }

    fn into_report(self, title: &str) -> BuildReport {
        let Self { names, texts, program, kernels, ptx, cubins, jobs, messages, .. } = self;
        let linked = self.images;
        let Program { links, mut modules, definitions, .. } = program;
        for (module, bytes) in &ptx {
            modules[*module as usize].ptx_bytes = Some(*bytes);
        }
        let mut images: BTreeMap<u32, u64> = BTreeMap::new();
        for (module, code) in &cubins {
            let module = &mut modules[*module as usize];
            module.cubin_bytes = Some(code.bytes);
            module.code_digest = match code.digests.as_slice() {
                [digest] => digest.clone(),
                several if several.iter().any(String::is_empty) => String::new(),
                several => digest(several.concat().as_bytes()).to_string(),
            };
            *images.entry(module.link).or_default() += code.bytes;
        }
        for link in linked.keys() {
            images.entry(*link).or_default();
        }
        let images = images.into_iter().map(|(link, cubin_bytes)| {
            let image_bytes = linked.get(&link).copied();
            Image { link, cubin_bytes, image_bytes, ..Image::default() }
        });
        let images = images.collect();
        let kernels = kernels.sorted(|module| modules[module as usize].link, &names);
        let imports = |module: u32| {
            let imports = &modules[module as usize].imports;
            imports.iter().map(|edge| edge.source).collect()
        };
        let id = |module: u32| modules[module as usize].id.clone();
        let Timeline { jobs, epoch, critical_path } = timeline(jobs, &imports, &id);
        BuildReport {
            names: names.into_names(),
            links,
            modules,
            kernels,
            definitions,
            texts: texts.into_texts(),
            messages,
            images,
            jobs,
            epoch,
            critical_path,
            ..BuildReport::new(title)
        }
    }
}
