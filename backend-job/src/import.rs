//! The import phase: reads the files that it needs, and names the file at fault in errors.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use weft_action::{Action, Input, Outcome, Phase, Session, Tool};
use weft_artifact::{Artifact as _, LtoIrPlan, ModuleId, PhaseOptions, Plan, StagedImports};
use weft_cli::{Blame as _, Fault, failure, files};
use weft_container::{
    DeviceCode, LtoIrUse, archive_members, device_code, is_archive, with_ptx_options,
};
use weft_lto_ir::job::JobInput;

use crate::arguments::ImportInputs;
use crate::check_plan::fault_of;
use crate::results;

/// A linked module, its id, and the files that it was made from.
pub(crate) struct Imported {
    pub(crate) module_id: ModuleId,
    pub(crate) architecture: String,
    pub(crate) linked: Vec<u8>,
    pub(crate) read: Vec<PathBuf>,
}

/// The input of the phase: the plan, and modules without their containers. A module is bitcode, or
/// a fat binary with its LTO IR if the plan is for LTO IR.
pub(crate) struct Material {
    plan_file: Vec<u8>,
    plan: Plan,
    /// The module itself.
    pub(crate) own: Vec<u8>,
    /// The other members of the bundle, and the modules that the plan imports from.
    pub(crate) sources: BTreeMap<ModuleId, Vec<u8>>,
    /// Files that were read.
    read: Vec<PathBuf>,
}

/// Reads the files that the plan needs and carries out the plan.
pub(crate) fn import(session: &Session, inputs: &ImportInputs) -> anyhow::Result<Imported> {
    let material = gather(inputs)?;
    if let Some(orders) = &material.plan.lto_ir {
        let linked = lto_ir(session, inputs, &material, orders)?;
        let Material { plan: Plan { module_id, architecture, .. }, read, .. } = material;
        return Ok(Imported { module_id, architecture, linked, read });
    }
    let map = material.module_map();
    let outcome = session.get(&material.action(&map), || {
        let Material { plan, own, sources, .. } = &material;
        let places = places(inputs)?;
        let linked = weft_device_ir::link(plan, own, sources).map_err(|failed| {
            let staged = inputs.staged.as_ref().filter(|_| failed.module_id != plan.module_id);
            let path = places.get(&failed.module_id).or(staged).unwrap_or(&inputs.module);
            failure(Fault::Input, format!("{}: {}", path.display(), failed.error))
        })?;
        anyhow::Ok(Outcome::of(linked))
    })?;
    let Material { plan, read, .. } = material;
    let Plan { module_id, architecture, .. } = plan;
    Ok(Imported { module_id, architecture, linked: outcome.into_output(), read })
}

/// Carries out the plan of a module of LTO IR, whose linked module is PTX. nvlink's runs are the
/// declared actions of this phase; what is left to do takes no time.
fn lto_ir(
    session: &Session,
    inputs: &ImportInputs,
    material: &Material,
    orders: &LtoIrPlan,
) -> anyhow::Result<Vec<u8>> {
    let Material { plan, own, sources, .. } = material;
    let units = orders.units.iter();
    let units = units.map(|id| sources.get(id).unwrap_or(own).as_slice()).collect();
    let members = plan.members.iter().filter_map(|member| sources.get(&member.module_id));
    let own = std::iter::once(own).chain(members).map(Vec::as_slice).collect();
    let job = JobInput { plan, orders, own, units, libnvvm_options: &inputs.libnvvm_options };
    let name = || inputs.module.display().to_string();
    let nvlink = inputs.nvlink.find().with_context(name)?;
    let ptx = weft_lto_ir::job::link(session, &nvlink, &job).with_context(name)?;
    let options = PhaseOptions { lto_ir: true, ..plan.options.clone() };
    Ok(with_ptx_options(ptx.into_bytes(), &options))
}

/// Reads all files that the plan needs.
pub(crate) fn gather(inputs: &ImportInputs) -> anyhow::Result<Material> {
    let plan_file = files::read(&inputs.plan)?;
    let plan =
        Plan::decode(&plan_file).blame(Fault::Input, || inputs.plan.display().to_string())?;
    if let Some(fault) = fault_of(&plan, inputs.module_id.as_ref()) {
        return Err(failure(Fault::Input, format!("{}: {fault}", inputs.plan.display())));
    }
    let places = places(inputs)?;
    let mut read = vec![inputs.plan.clone()];
    let own = module(&inputs.module, &plan.module_id, &plan, &mut read)?;
    let mut staged = staged(inputs)?;
    read.extend(inputs.staged.clone());
    let mut sources = BTreeMap::new();
    for module_id in plan.other_modules() {
        let source = if let (Some(path), Some(file)) = (&inputs.staged, staged.remove(module_id)) {
            module_in(path, file, module_id, &plan, &mut read)?
        } else {
            let path = places.get(module_id).ok_or_else(|| missing(inputs, &plan, module_id))?;
            module(path, module_id, &plan, &mut read)?
        };
        sources.insert(module_id.clone(), source);
    }
    Ok(Material { plan_file, plan, own, sources, read })
}

impl Material {
    /// Returns the map of modules in the action's folder, with the names of the sources there.
    fn module_map(&self) -> String {
        let mut map = String::new();
        for (number, id) in self.sources.keys().enumerate() {
            // Writing to a String cannot fail.
            let _ = writeln!(map, "{id}\t{}", source_name(number));
        }
        map
    }

    fn action<'data>(&'data self, map: &'data str) -> Action<'data> {
        let mut inputs = vec![
            Input::new("module.plan", &self.plan_file),
            Input::new("module.bc", &self.own),
            Input::new("modules.tsv", map.as_bytes()),
        ];
        let sources = self.sources.values().enumerate();
        inputs.extend(sources.map(|(number, source)| Input::new(source_name(number), source)));
        let arguments = [
            ["import", "--plan=module.plan", "--module=module.bc"],
            ["--module-map=modules.tsv", "--output=linked.bc", "--no-cache"],
        ];
        Action {
            phase: Phase::Import,
            subject: self.plan.module_id.to_string(),
            program: Tool::this_program("backend-job"),
            arguments: arguments.concat().into_iter().map(str::to_owned).collect(),
            tools: Vec::new(),
            inputs,
            outputs: vec!["linked.bc".to_owned()],
            time_limit: None,
            check: results::check,
        }
    }
}

fn source_name(number: usize) -> String {
    format!("sources/{number}.bc")
}

/// Reads a plan.
pub(crate) fn plan(path: &Path) -> anyhow::Result<Plan> {
    Plan::decode(&files::read(path)?).blame(Fault::Input, || path.display().to_string())
}

/// Reads the import sources that come in one file.
fn staged(inputs: &ImportInputs) -> anyhow::Result<BTreeMap<ModuleId, Vec<u8>>> {
    let Some(path) = &inputs.staged else { return Ok(BTreeMap::new()) };
    let staged = StagedImports::decode(&files::read(path)?)
        .blame(Fault::Input, || path.display().to_string())?;
    Ok(staged.modules.into_iter().map(|module| (module.module_id, module.file)).collect())
}

/// Returns the path of each module's bitcode, by the command line and the map.
fn places(inputs: &ImportInputs) -> anyhow::Result<BTreeMap<ModuleId, PathBuf>> {
    let mut places = match &inputs.module_map {
        Some(path) => module_map(path)?,
        None => BTreeMap::new(),
    };
    let mut given = BTreeMap::new();
    for (module_id, path) in &inputs.import {
        if let Some(other) = given.insert(module_id, path) {
            return Err(twice("--import", module_id, other, path));
        }
        // The command line wins over the map.
        places.insert(module_id.clone(), path.clone());
    }
    Ok(places)
}

/// Reads a file of lines `ID<TAB>FILE`.
pub(crate) fn module_map(path: &Path) -> anyhow::Result<BTreeMap<ModuleId, PathBuf>> {
    let mut places: BTreeMap<ModuleId, PathBuf> = BTreeMap::new();
    let text =
        String::from_utf8(files::read(path)?).blame(Fault::Input, || path.display().to_string())?;
    for (number, line) in (1..).zip(text.lines()) {
        let wrong = || format!("{}:{number}", path.display());
        let (module_id, file) = line
            .split_once('\t')
            .ok_or_else(|| failure(Fault::Input, format!("{}: expected ID<TAB>FILE", wrong())))?;
        let (module_id, file) = (ModuleId::new(module_id).blame(Fault::Input, wrong)?, file.into());
        if let Some(other) = places.insert(module_id.clone(), file) {
            return Err(twice(&wrong(), &module_id, &other, &places[&module_id]));
        }
    }
    Ok(places)
}

/// The error for two files under one id, which leaves open which of them is meant.
fn twice(place: &str, module_id: &ModuleId, first: &Path, second: &Path) -> anyhow::Error {
    let (first, second) = (first.display(), second.display());
    let message = format!("{place}: module '{module_id}' has two files, {first} and {second}");
    failure(Fault::Input, message)
}

/// Returns the module `module_id`, in the form that `plan` is for, which `path` is or holds. Adds
/// the files to `read`.
fn module(
    path: &Path,
    module_id: &ModuleId,
    plan: &Plan,
    read: &mut Vec<PathBuf>,
) -> anyhow::Result<Vec<u8>> {
    let file = files::read(path)?;
    if !read.iter().any(|known| known == path) {
        read.push(path.to_owned());
    }
    module_in(path, file, module_id, plan, read)
}

/// Returns the module `module_id` in `file`, the content of `path`. Adds the file of a thin
/// archive's member to `read`.
fn module_in(
    path: &Path,
    mut file: Vec<u8>,
    module_id: &ModuleId,
    plan: &Plan,
    read: &mut Vec<PathBuf>,
) -> anyhow::Result<Vec<u8>> {
    let mut name = path.display().to_string();
    let (unit, number) = module_id.unit_and_number();
    if is_archive(&file) {
        let member = member_name(unit);
        file = archive_member(path, &file, member, read)?;
        name = format!("{name}({member})");
    }
    // Plain bitcode states no architecture outside the bitcode; objects may hold several
    // architectures.
    let architecture = plan.architecture.as_str();
    let code = device_code(&file, Some(architecture), LtoIrUse::Taken)
        .blame(Fault::Input, || name.clone())?;
    let DeviceCode { modules: bitcode, lto_ir, .. } = &code;
    let count = bitcode.len() + lto_ir.len();
    // `summarize` numbers bitcode first. The module may have been extracted from an object that
    // holds several.
    let position = if count == 1 { Some(0) } else { number.checked_sub(1) };
    let found = position.and_then(|position| match plan.lto_ir {
        None => bitcode.get(position).map(|module| module.content.to_vec()),
        Some(_) => Some(lto_ir.get(position.checked_sub(bitcode.len())?)?.fatbin.clone()),
    });
    let kind = if plan.lto_ir.is_some() { "LTO IR" } else { "device bitcode" };
    found.ok_or_else(|| {
        let message = match count {
            0 => format!("{name}: it holds no {kind}"),
            1 => format!("{name}: it holds no {kind}, for which the plan of '{module_id}' is"),
            _ => format!(
                "{name}: it holds {count} modules for {architecture}, so none is '{module_id}'"
            ),
        };
        failure(Fault::Input, message)
    })
}

/// Returns the name of the member in the unit's id, which `summarize` writes `ID/MEMBER`.
fn member_name(unit: &str) -> &str {
    unit.rsplit_once('/').map_or(unit, |(_, member)| member)
}

/// Returns the member `wanted` of the archive `file`. For a thin archive, only that member's file
/// is read.
fn archive_member(
    path: &Path,
    file: &[u8],
    wanted: &str,
    read: &mut Vec<PathBuf>,
) -> anyhow::Result<Vec<u8>> {
    let folder = path.parent().unwrap_or(Path::new(""));
    // Members are numbered in order, so the files of a thin archive are listed first, and one is
    // read.
    let mut thin = Vec::new();
    let members = archive_members(file, |member| {
        thin.push(folder.join(member));
        Ok(Vec::new())
    });
    let members = members.blame(Fault::Input, || path.display().to_string())?;
    let position = members.iter().position(|member| member.name == wanted).ok_or_else(|| {
        failure(Fault::Input, format!("{}: the archive has no member '{wanted}'", path.display()))
    })?;
    match thin.get(position) {
        Some(path) => {
            read.push(path.clone());
            files::read(path)
        }
        None => Ok(members[position].content.to_vec()),
    }
}

fn missing(inputs: &ImportInputs, plan: &Plan, module_id: &ModuleId) -> anyhow::Error {
    let lacks = match &inputs.staged {
        Some(path) => format!("which {} lacks", path.display()),
        None => "and no --import gives its code".to_owned(),
    };
    let file = inputs.plan.display();
    let use_of = use_of(plan, module_id);
    failure(Fault::Input, format!("{file}: the plan {use_of} '{module_id}', {lacks}"))
}

/// Returns what the plan does with `module_id`, which it needs.
pub(crate) fn use_of(plan: &Plan, module_id: &ModuleId) -> &'static str {
    let is_member = plan.members.iter().any(|member| member.module_id == *module_id);
    let is_unit = plan.lto_ir.as_ref().is_some_and(|orders| orders.units.contains(module_id));
    match (is_member, is_unit) {
        (true, _) => "also compiles",
        (false, true) => "links",
        (false, false) => "imports from",
    }
}
