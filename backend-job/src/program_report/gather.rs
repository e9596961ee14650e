//! Makes the data of a report out of what was read.

use std::collections::BTreeMap;

use weft_container::{PtxKernel, ptx_kernels};
use weft_report::{BuildReport, Image, Listing, NameTable};

use super::kernels::Kernels;
use super::links::Program;
use super::read::{JobFile, Material};
use super::table::Texts;

/// Everything that is known so far.
struct Gathering {
    names: NameTable,
    texts: Texts,
    program: Program,
    kernels: Kernels,
    /// Bytes of the PTX and of the cubins of each module.
    ptx: BTreeMap<u32, u64>,
    cubins: BTreeMap<u32, u64>,
    /// Modules and messages of ptxas.
    messages: Vec<(u32, u32)>,
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
    let mut gathering = Gathering {
        names,
        texts: Texts::default(),
        program,
        kernels: Kernels::default(),
        ptx: BTreeMap::new(),
        cubins: BTreeMap::new(),
        messages: Vec::new(),
    };
    // A report of a job comes before the product of the same job.
    let (products, jobs): (Vec<_>, Vec<_>) =
        material.files.iter().partition(|file| file.report.phases.is_empty());
    for file in jobs.into_iter().chain(products) {
        gathering.add(file);
    }
    for file in &material.files {
        gathering.add_ptx(file, with_listings);
    }
    Ok(gathering.into_report(title))
}

impl Gathering {
    fn add(&mut self, file: &JobFile) {
        let report = &file.report;
        for module in &report.modules {
            let Some(optimized) = &module.optimized else { continue };
            let module = self.module(&module.architecture, &file.unit);
            let module = &mut self.program.modules[module as usize];
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

    fn add_sizes(&mut self, file: &JobFile) {
        let mut ptx: BTreeMap<u32, u64> = BTreeMap::new();
        for made in &file.report.ptx {
            let module = self.module(&made.architecture, &file.unit);
            *ptx.entry(module).or_default() += made.bytes;
        }
        let mut cubins: BTreeMap<u32, u64> = BTreeMap::new();
        for made in &file.report.cubins {
            let module = self.module(&made.architecture, &file.unit);
            *cubins.entry(module).or_default() += made.bytes;
        }
        for (module, bytes) in ptx {
            self.ptx.entry(module).or_insert(bytes);
        }
        for (module, bytes) in cubins {
            self.cubins.entry(module).or_insert(bytes);
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
        for PtxKernel { name, text: range } in ptx_kernels(text).unwrap_or_default() {
            let name = self.names.number(&name);
            if let Some(kernel) = self.kernels.find(module, name) {
                let text = String::from_utf8_lossy(&text[range]).into_owned();
                kernel.listings.push(Listing { kind: "ptx".to_owned(), text });
            }
        }
    }

    fn module(&mut self, architecture: &str, unit: &str) -> u32 {
        let link = self.program.link(architecture);
        self.program.module(link, unit)
    }

    fn into_report(self, title: &str) -> BuildReport {
        let Self { names, texts, program, kernels, ptx, cubins, messages } = self;
        let Program { links, mut modules, definitions, .. } = program;
        for (module, bytes) in &ptx {
            modules[*module as usize].ptx_bytes = Some(*bytes);
        }
        let mut images: BTreeMap<u32, u64> = BTreeMap::new();
        for (module, bytes) in &cubins {
            let module = &mut modules[*module as usize];
            module.cubin_bytes = Some(*bytes);
            *images.entry(module.link).or_default() += bytes;
        }
        let images = images.into_iter();
        let images = images
            .map(|(link, cubin_bytes)| Image { link, cubin_bytes, cubin_bytes_before: None })
            .collect();
        let kernels = kernels.sorted(|module| modules[module as usize].link, &names);
        BuildReport {
            names: names.into_names(),
            links,
            modules,
            kernels,
            definitions,
            texts: texts.into_texts(),
            messages,
            images,
            ..BuildReport::new(title)
        }
    }
}
