//! The modules in the inputs of a link, by their content: a job reads only a module of a file, so
//! an edit of the file's host code does not affect the job.

use std::collections::BTreeMap;

use weft_artifact::{Digest, ModuleId, Plan, digest};
use weft_cli::{Blame as _, Fault, files};
use weft_container::{LtoIrUse, device_code};
use weft_workers::Workers;

use super::inputs::{Input, members};

/// Digests of the modules for one architecture, by their ids.
pub(super) struct Modules(BTreeMap<ModuleId, Digest>);

impl Modules {
    /// Reads the modules of all inputs.
    pub(super) fn read(
        inputs: &[Input],
        architecture: &str,
        workers: &Workers,
    ) -> anyhow::Result<Self> {
        let mut all = BTreeMap::new();
        for of_input in workers.map(inputs, |input| modules(input, architecture)) {
            all.extend(of_input?);
        }
        Ok(Self(all))
    }

    /// Returns names and digests of everything that the job of `plan` reads besides the plan;
    /// `None` if a module is missing, which the job reports.
    pub(super) fn of_job(&self, plan: &Plan) -> Option<Vec<(String, Digest)>> {
        let own = Some(("module".to_owned(), *self.0.get(&plan.module_id)?));
        let others = (0..)
            .zip(plan.other_modules())
            .map(|(number, id): (usize, _)| Some((format!("sources/{number}"), *self.0.get(id)?)));
        std::iter::once(own).chain(others).collect()
    }
}

/// Returns the id and digest of each module of an input.
fn modules(input: &Input, architecture: &str) -> anyhow::Result<Vec<(ModuleId, Digest)>> {
    let mut modules = Vec::new();
    if !input.fits(architecture) {
        return Ok(modules);
    }
    let name = || input.path.display().to_string();
    let file = files::read(&input.path)?;
    for member in members(&input.path, &file)? {
        let unit = match member.name.as_str() {
            "" => input.module_id.clone(),
            member => input.module_id.of_member(member).blame(Fault::Input, name)?,
        };
        let code = device_code(&member.content, Some(architecture), LtoIrUse::Taken);
        let code = code.blame(Fault::Input, name)?;
        let bitcode = code.modules.iter().map(|module| digest(module.content));
        let digests = bitcode.chain(code.lto_ir.iter().map(|module| digest(&module.fatbin)));
        modules.extend((1..).zip(digests).map(|(number, digest)| (unit.of_module(number), digest)));
    }
    Ok(modules)
}
