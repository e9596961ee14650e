//! Links in memory, with their outputs decoded.

use std::error::Error;

use thinlink::{ClosingPolicy, OutputFile, Policy, Tally, Unit, outputs};
use weft_artifact::{Artifact as _, Plan};

use crate::support::{Module, units};

/// The result of a link.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// The plans, sorted by module id.
    pub(crate) plans: Vec<Plan>,
    /// Numbers of each module's definitions, in the plans' order.
    pub(crate) tallies: Vec<Tally>,
    pub(crate) warnings: Vec<String>,
    pub(crate) log: Vec<String>,
    /// All outputs as they would be written.
    pub(crate) files: Vec<OutputFile>,
}

/// Returns the policy with complete host information, and everything else as by default.
pub(crate) fn complete() -> Policy {
    Policy { complete_host_info: true, ..Policy::default() }
}

/// Returns the same policy without closed modules, by which imports follow from limits alone.
pub(crate) fn open() -> Policy {
    Policy { closing: ClosingPolicy { is_on: false, ..ClosingPolicy::default() }, ..complete() }
}

/// Links with complete host information.
pub(crate) fn link(modules: &[Module]) -> Result<Link, Box<dyn Error>> {
    link_by(&complete(), modules)
}

pub(crate) fn link_by(policy: &Policy, modules: &[Module]) -> Result<Link, Box<dyn Error>> {
    link_units(&units(modules)?, policy)
}

/// Links `units`, given in any order.
pub(crate) fn link_units(units: &[Unit], policy: &Policy) -> Result<Link, Box<dyn Error>> {
    let (units, code) = thinlink::pack(units)?;
    let decided = thinlink::link(&units, code, policy)?;
    let (files, tallies) = outputs::in_memory(&decided)?;
    let plans =
        files.iter().filter(|file| file.path.extension().is_some_and(|ending| ending == "plan"));
    let plans = plans.map(|file| Plan::decode(&file.content)).collect::<Result<_, _>>()?;
    Ok(Link { plans, tallies, warnings: decided.warnings, log: decided.log, files })
}

fn plan<'link>(link: &'link Link, module: &str) -> Option<&'link Plan> {
    link.plans.iter().find(|plan| plan.module_id.as_str() == module)
}

/// Returns the imports of a module, as `source:symbol`, in the plan's order.
pub(crate) fn imports(link: &Link, module: &str) -> Vec<String> {
    plan(link, module)
        .into_iter()
        .flat_map(|plan| &plan.imports)
        .flat_map(|list| list.symbols.iter().map(move |name| format!("{}:{name}", list.module_id)))
        .collect()
}
