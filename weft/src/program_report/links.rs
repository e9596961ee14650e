//! The thin links' part of a report: architectures, modules, definitions.

use std::collections::BTreeMap;

use weft_artifact::{ImportList, LinkMode, Summary};
use weft_cli::{Fault, failure};
use weft_report::{
    Definitions, Edge, Facts, Link, Module, NameTable, Opaque, Removed, RemovedKind, Words,
};

use super::opaque;
use super::read::ReadLink;
use super::table::position;

/// Architectures, modules and definitions of a program.
#[derive(Default)]
pub(super) struct Program {
    pub(super) links: Vec<Link>,
    pub(super) modules: Vec<Module>,
    pub(super) definitions: Definitions,
    /// Positions of the modules, by architecture and id.
    known: BTreeMap<(u32, String), u32>,
}

impl Program {
    /// Reads the thin links, by architecture.
    pub(super) fn new(read: &[ReadLink], names: &mut NameTable) -> anyhow::Result<Self> {
        let mut read: Vec<&ReadLink> = read.iter().collect();
        read.sort_by_key(|read| order(&read.manifest.architecture));
        let mut program = Self::default();
        let mut facts = Facts::default();
        for read in read {
            let architecture = &read.manifest.architecture;
            let wrong =
                |reason| failure(Fault::Input, format!("thin link for {architecture}: {reason}"));
            if program.links.iter().any(|link| link.architecture == *architecture) {
                return Err(wrong("there are two manifests for it".to_owned()));
            }
            let first = facts.definitions.name.len();
            facts.add(&read.decisions, names).map_err(wrong)?;
            let link = position(program.links.len());
            for decided in &mut facts.modules[program.modules.len()..] {
                let module = Module {
                    id: decided.id.clone(),
                    link,
                    candidates: std::mem::take(&mut decided.candidates),
                    closures: std::mem::take(&mut decided.closures),
                    ..Module::default()
                };
                program.known.insert((link, module.id.clone()), position(program.modules.len()));
                program.modules.push(module);
            }
            program.add_plans(link, read).map_err(wrong)?;
            let removed = removed(read, &facts.definitions, first, names);
            program.links.push(described(read, removed));
        }
        program.definitions = facts.definitions;
        Ok(program)
    }

    /// Adds what manifest and plans say about the modules of a link. The error says which of the
    /// files are of another link.
    fn add_plans(&mut self, link: u32, read: &ReadLink) -> Result<(), String> {
        for (listed, plan) in read.manifest.modules.iter().zip(&read.plans) {
            let imports: Result<_, String> =
                plan.imports.iter().map(|list| self.edge(link, list)).collect();
            let members: Result<_, String> =
                listed.members.iter().map(|member| self.known(link, member)).collect();
            let number = self.known(link, &listed.module_id)?;
            let module = &mut self.modules[number as usize];
            module.members = members?;
            module.imports = imports?;
            module.empty = !listed.emits_code;
            module.copied_functions = listed.copied_functions as u64;
            module.estimated_cost = listed.estimated_cost;
            module.plan_digest.clone_from(&listed.plan_digest);
        }
        Ok(())
    }

    fn edge(&self, link: u32, list: &ImportList) -> Result<Edge, String> {
        let (symbols, copies) = (position(list.symbols.len()), position(list.copies.len()));
        Ok(Edge { source: self.known(link, list.module_id.as_str())?, symbols, copies })
    }

    fn known(&self, link: u32, id: &str) -> Result<u32, String> {
        self.find(link, id).ok_or_else(|| format!("its decisions know no module '{id}'"))
    }

    /// Returns the position of a module.
    pub(super) fn find(&self, link: u32, id: &str) -> Option<u32> {
        self.known.get(&(link, id.to_owned())).copied()
    }

    /// Returns the position of a module, which is added if no thin link knows it.
    pub(super) fn module(&mut self, link: u32, id: &str) -> u32 {
        let next = position(self.modules.len());
        *self.known.entry((link, id.to_owned())).or_insert_with(|| {
            self.modules.push(Module { id: id.to_owned(), link, ..Module::default() });
            next
        })
    }

    /// Adds the opaque code of a unit to the architectures that it is for.
    pub(super) fn add_opaque(&mut self, summary: &Summary, names: &NameTable) {
        if summary.opaque.is_empty() {
            return;
        }
        for (number, link) in (0..).zip(&mut self.links) {
            let is_for =
                |image: &str| image.is_empty() || plain(image) == plain(&link.architecture);
            let modules = &self.modules;
            let is_of_link = |module: u32| modules[module as usize].link == number;
            let defined = opaque::defined(&self.definitions, is_of_link);
            let found = opaque::opaque(summary, is_for, &defined, names);
            // A unit is summarized once for each architecture, and each summary has all images.
            let is_known = |new: &Opaque| link.opaque.iter().any(|known| known.unit == new.unit);
            let new = found.filter(|found| !is_known(found));
            link.opaque.extend(new);
        }
    }

    /// Returns the position of an architecture, which is added if no thin link is for it. ptxas's
    /// files do not always say which variant of an architecture they are for.
    pub(super) fn link(&mut self, architecture: &str) -> u32 {
        let position_of = |fits: &dyn Fn(&str) -> bool| {
            self.links.iter().position(|link| fits(&link.architecture)).map(position)
        };
        let exact = position_of(&|known| known == architecture);
        let found = exact.or_else(|| position_of(&|known| plain(known) == plain(architecture)));
        found.unwrap_or_else(|| {
            let architecture = architecture.to_owned();
            self.links.push(Link { architecture, ..Link::default() });
            position(self.links.len() - 1)
        })
    }
}

/// Returns an architecture without the letter of its variant.
fn plain(architecture: &str) -> &str {
    architecture.trim_end_matches(['a', 'f'])
}

/// Returns what architectures are sorted by: `sm_90` comes before `sm_120`.
fn order(architecture: &str) -> (usize, String) {
    (plain(architecture).len(), architecture.to_owned())
}

fn described(read: &ReadLink, removed: Vec<Removed>) -> Link {
    let manifest = &read.manifest;
    let options = manifest.modules.first().map(|module| module.phase_options.clone());
    Link {
        architecture: manifest.architecture.clone(),
        whole: manifest.mode == LinkMode::Whole,
        device_runtime: manifest.device_runtime,
        options: options.unwrap_or_default(),
        removed,
        ..Link::default()
    }
}

/// Lists what was removed, with the definitions from number `first` on that go.
fn removed(
    read: &ReadLink,
    definitions: &Definitions,
    first: usize,
    names: &mut NameTable,
) -> Vec<Removed> {
    let mut gone: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for number in first..definitions.name.len() {
        if Words::is_removal(definitions.fate[number]) {
            gone.entry(definitions.name[number]).or_default().push(position(number));
        }
    }
    let manifest = &read.manifest;
    let kernels = manifest.removed_kernels.iter().map(|name| (RemovedKind::Kernel, name));
    let variables = manifest.removed_variables.iter().map(|name| (RemovedKind::Variable, name));
    let listed = kernels.chain(variables);
    listed
        .map(|(kind, name)| {
            let name = names.number(name);
            Removed { kind, name, definitions: gone.get(&name).cloned().unwrap_or_default() }
        })
        .collect()
}
