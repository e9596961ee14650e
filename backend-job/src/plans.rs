//! The plans that a call of `run` carries out.

use std::path::{Path, PathBuf};

use weft_cli::{Fault, failure};

use crate::arguments::{ImportInputs, RunArguments};
use crate::emit::Emission;
use crate::import;
use crate::outputs::{names_architecture, of_architecture};

/// Returns the architecture of each plan, and the inputs for it.
pub(crate) fn plans(arguments: &RunArguments) -> anyhow::Result<Vec<(String, ImportInputs)>> {
    let mut plans: Vec<(String, ImportInputs)> = Vec::new();
    for path in std::iter::once(&arguments.inputs.plan).chain(&arguments.also_plan) {
        let architecture = import::plan(path)?.architecture;
        if plans.iter().any(|(known, _)| *known == architecture) {
            let message = format!("{}: another plan is for {architecture} too", path.display());
            return Err(failure(Fault::Input, message));
        }
        let inputs = inputs_for(&arguments.inputs, path, &architecture);
        plans.push((architecture, inputs));
    }
    let emission = Emission::new(arguments.emit.iter().copied(), &arguments.output);
    for pattern in emission.files() {
        if plans.len() > 1 && !names_architecture(pattern) {
            let message = format!(
                "several plans make several files: put {{arch}} into the name '{}'",
                pattern.display()
            );
            return Err(failure(Fault::Usage, message));
        }
    }
    Ok(plans)
}

fn inputs_for(inputs: &ImportInputs, plan: &Path, architecture: &str) -> ImportInputs {
    let place = |pattern: &PathBuf| of_architecture(pattern, architecture);
    ImportInputs {
        plan: plan.to_owned(),
        module_id: inputs.module_id.clone(),
        module: place(&inputs.module),
        import: inputs.import.iter().map(|(id, path)| (id.clone(), place(path))).collect(),
        module_map: inputs.module_map.as_ref().map(place),
        staged: inputs.staged.as_ref().map(place),
        nvlink: inputs.nvlink.clone(),
        libnvvm_options: inputs.libnvvm_options.clone(),
    }
}
