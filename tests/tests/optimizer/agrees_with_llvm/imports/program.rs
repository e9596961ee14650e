//! Programs in the form that both thin links read: bitcode with LLVM's summary, and Weft's
//! summaries.

use std::collections::{BTreeMap, BTreeSet};

use dev_graph::{Graph, Program as _, module_text};
use weft_artifact::{Artifact as _, DeviceModule, Guid, HostFacts, Linkage, SummaryFile, Symbol};
use weft_tests::Workbench;

use crate::agrees_with_llvm::units::Unit;

/// Modules of a program, in the order of their ids. The files of module `n` are `mN.bc` and
/// `mN.summary`.
pub(super) struct Program {
    modules: Vec<Module>,
    /// Whether the host code is known, and launches every kernel and uses nothing else.
    pub(super) complete_host_information: bool,
    folder: std::path::PathBuf,
}

struct Module {
    id: String,
    device: DeviceModule,
    by_guid: BTreeMap<u64, usize>,
}

impl Program {
    /// Makes a program of real units.
    pub(super) fn of_units(bench: &Workbench, units: &[Unit]) -> Self {
        let mut units: Vec<&Unit> = units.iter().collect();
        units.sort_by(|one, other| one.id.cmp(&other.id));
        for (number, unit) in units.iter().enumerate() {
            let summarize = bench.weft("summarize");
            summarize
                .args(["--module-id", &unit.id, "--bitcode", "plain.bc"])
                .args(["-o".to_owned(), format!("m{number}.summary")])
                .arg(&unit.file)
                .succeed();
            // clang marks the bitcode for a link of whole modules, for which LLVM would write no
            // summary with facts for imports.
            let text = bench.text_of("plain.bc");
            bench.write("plain.ll", text.replace("!\"ThinLTO\", i32 0", "!\"ThinLTO\", i32 1"));
            add_llvm_summary(bench, "plain.ll", number);
        }
        Self::read(bench, units.iter().map(|unit| unit.id.clone()))
    }

    /// Makes a generated program.
    pub(super) fn of_graph(bench: &Workbench, graph: &Graph, profile: bool) -> Self {
        for number in 0..graph.modules() {
            let module = graph.module(number);
            bench.write("plain.ll", module_text(&module, profile));
            add_llvm_summary(bench, "plain.ll", number);
            let summarize = bench.weft("summarize");
            summarize
                .args(["--module-id", &module.id, "-o"])
                .args([format!("m{number}.summary"), format!("m{number}.bc")])
                .succeed();
        }
        Self::read(bench, (0..graph.modules()).map(|number| graph.id(number)))
    }

    /// Makes a program of modules with ids, in LLVM IR, in the order of the ids.
    pub(super) fn of_ir(bench: &Workbench, modules: &[(&str, String)]) -> Self {
        for (number, (id, text)) in modules.iter().enumerate() {
            bench.write("plain.ll", text);
            add_llvm_summary(bench, "plain.ll", number);
            let summarize = bench.weft("summarize").args(["--module-id", id, "-o"]);
            summarize.args([format!("m{number}.summary"), format!("m{number}.bc")]).succeed();
        }
        Self::read(bench, modules.iter().map(|(id, _)| (*id).to_owned()))
    }

    fn read(bench: &Workbench, ids: impl Iterator<Item = String>) -> Self {
        let modules = ids.enumerate().map(|(number, id)| {
            let file = match SummaryFile::decode(&bench.read(&format!("m{number}.summary"))) {
                Ok(file) => file,
                Err(error) => panic!("{id}: {error}"),
            };
            let device = file.summaries.into_iter().next().and_then(|summary| summary.device);
            let device = device.unwrap_or_else(|| panic!("{id}: no device code"));
            let guids = device.symbols.iter().map(|symbol| symbol.guid.0).zip(0..);
            Module { by_guid: guids.collect(), id, device }
        });
        let (modules, folder) = (modules.collect(), bench.path().to_owned());
        Self { modules, complete_host_information: false, folder }
    }

    /// Adds host code whose references are all known.
    pub(super) fn with_complete_host_information(self) -> Self {
        for number in 0..self.modules.len() {
            let path = self.folder.join(format!("m{number}.summary"));
            let read = std::fs::read(&path).map_err(|error| error.to_string());
            let changed = read
                .and_then(|bytes| SummaryFile::decode(&bytes).map_err(|error| error.to_string()))
                .and_then(|mut file| {
                    for summary in &mut file.summaries {
                        summary.host = Some(HostFacts::default());
                    }
                    file.encode().map_err(|error| error.to_string())
                })
                .and_then(|bytes| std::fs::write(&path, bytes).map_err(|error| error.to_string()));
            if let Err(error) = changed {
                panic!("{}: {error}", path.display());
            }
        }
        Self { complete_host_information: true, ..self }
    }

    /// Returns the module ids in order.
    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.modules.iter().map(|module| module.id.as_str())
    }

    /// Returns the names of the files with Weft's summaries.
    pub(super) fn summaries(&self) -> impl Iterator<Item = String> {
        (0..self.modules.len()).map(|number| format!("m{number}.summary"))
    }

    /// Returns the names of the bitcode files, in the order of the ids.
    pub(super) fn bitcode(&self) -> impl Iterator<Item = String> {
        (0..self.modules.len()).map(|number| format!("m{number}.bc"))
    }

    /// Returns the symbol of a module that has a GUID.
    pub(super) fn symbol(&self, id: &str, guid: u64) -> Option<&Symbol> {
        let module = self.module(id);
        module.by_guid.get(&guid).map(|&position| &module.device.symbols[position])
    }

    /// Returns the GUID of a symbol of a module.
    pub(super) fn guid(&self, id: &str, name: &str) -> Guid {
        let symbols = &self.module(id).device.symbols;
        match symbols.binary_search_by(|symbol| symbol.name.as_str().cmp(name)) {
            Ok(position) => symbols[position].guid,
            Err(position) => panic!("{id} has no symbol {name}, which would be at {position}"),
        }
    }

    fn module(&self, id: &str) -> &Module {
        match self.modules.binary_search_by(|module| module.id.as_str().cmp(id)) {
            Ok(position) => &self.modules[position],
            Err(position) => panic!("there is no module {id}, which would be at {position}"),
        }
    }

    /// Returns whether the module has a kernel that an earlier module defines, too.
    pub(super) fn has_kernel_copy(&self, id: &str) -> bool {
        let kernels = |module| {
            visible(module)
                .filter(|symbol| symbol.is_definition() && symbol.is_kernel())
                .map(|symbol| &symbol.name)
        };
        let before = self.modules.iter().take_while(|module| module.id != id);
        let before: BTreeSet<&String> = before.flat_map(kernels).collect();
        kernels(self.module(id)).any(|name| before.contains(name))
    }

    /// Returns the functions with external linkage that are not kernels, in the order of modules
    /// and names.
    pub(super) fn external_functions(&self) -> impl Iterator<Item = &Symbol> {
        let symbols = self.modules.iter().flat_map(|module| &module.device.symbols);
        symbols.filter(|symbol| {
            symbol.linkage == Linkage::External
                && symbol.function().is_some_and(|function| !function.flags.kernel)
        })
    }

    /// Returns, for each module, its visible symbols with the resolution that LLVM's linker needs:
    /// `p` for the prevailing definition, `x` for a symbol that is needed from outside.
    pub(super) fn resolutions(&self) -> Vec<Vec<(&str, String)>> {
        let mut prevailing: BTreeMap<&str, (bool, usize)> = BTreeMap::new();
        for (number, module) in self.modules.iter().enumerate() {
            for symbol in visible(module).filter(|symbol| symbol.is_definition()) {
                let is_strong = !symbol.linkage.is_merged();
                let known = prevailing.entry(&symbol.name).or_insert((is_strong, number));
                if is_strong && !known.0 {
                    *known = (true, number);
                }
            }
        }
        let of_module = |(number, module)| {
            let of_symbol = |symbol: &'_ Symbol| {
                let prevails = symbol.is_definition()
                    && prevailing
                        .get(symbol.name.as_str())
                        .is_some_and(|prevailing| prevailing.1 == number);
                let is_root = !self.complete_host_information || symbol.is_kernel();
                match (prevails, is_root) {
                    (false, _) => String::new(),
                    (true, false) => "p".to_owned(),
                    (true, true) => "px".to_owned(),
                }
            };
            visible(module).map(|symbol| (symbol.name.as_str(), of_symbol(symbol))).collect()
        };
        self.modules.iter().enumerate().map(of_module).collect()
    }
}

fn visible(module: &Module) -> impl Iterator<Item = &Symbol> {
    let symbols = module.device.symbols.iter();
    symbols.filter(|symbol| !symbol.linkage.is_local() && !symbol.name.starts_with("llvm."))
}

fn add_llvm_summary(bench: &Workbench, file: &str, number: usize) {
    let output = format!("m{number}.bc");
    bench.llvm("opt").args(["-module-summary", "-module-hash", file, "-o", &output]).succeed();
}
