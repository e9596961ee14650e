//! The import phase at its edge: which files, and whose fault.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use weft_artifact::{Artifact as _, ModuleId, Plan};
use weft_cli::{Blame as _, Fault, failure};
use weft_container::{DeviceCode, device_code};

use crate::arguments::ImportInputs;
use crate::files;

/// The linked module and the files that went into it.
pub(crate) struct Imported {
    pub(crate) linked: Vec<u8>,
    pub(crate) read: Vec<PathBuf>,
}

pub(crate) fn import(inputs: &ImportInputs) -> anyhow::Result<Imported> {
    let plan = Plan::decode(&files::read(&inputs.plan)?)
        .blame(Fault::Input, || inputs.plan.display().to_string())?;
    let places = places(inputs)?;
    let own = bitcode(&inputs.module, &plan.architecture)?;
    let mut read = vec![inputs.plan.clone(), inputs.module.clone()];
    let mut sources = BTreeMap::new();
    for list in &plan.imports {
        let path = places.get(&list.module_id).ok_or_else(|| missing(inputs, &list.module_id))?;
        sources.insert(list.module_id.clone(), bitcode(path, &plan.architecture)?);
        read.push(path.clone());
    }
    let linked = weft_device_ir::link(&plan, &own, &sources).map_err(|failed| {
        let path = places.get(&failed.module_id).unwrap_or(&inputs.module);
        failure(Fault::Input, format!("{}: {}", path.display(), failed.error))
    })?;
    Ok(Imported { linked, read })
}

/// Where each module's bitcode is, by the command line and the map.
fn places(inputs: &ImportInputs) -> anyhow::Result<BTreeMap<ModuleId, PathBuf>> {
    let mut places = BTreeMap::new();
    if let Some(path) = &inputs.module_map {
        let text = String::from_utf8(files::read(path)?)
            .blame(Fault::Input, || path.display().to_string())?;
        for (number, line) in (1..).zip(text.lines()) {
            let wrong = || format!("{}:{number}", path.display());
            let (module_id, file) = line.split_once('\t').ok_or_else(|| {
                failure(Fault::Input, format!("{}: expected ID<TAB>FILE", wrong()))
            })?;
            places.insert(ModuleId::new(module_id).blame(Fault::Input, wrong)?, file.into());
        }
    }
    places.extend(inputs.import.iter().cloned());
    Ok(places)
}

fn bitcode(path: &Path, architecture: &str) -> anyhow::Result<Vec<u8>> {
    let file = files::read(path)?;
    // Bitcode alone has no name for its architecture in its container; objects may hold several.
    let code = device_code(&file, Some(architecture))
        .blame(Fault::Input, || path.display().to_string())?;
    match code {
        DeviceCode::Bitcode { bitcode, .. } => Ok(bitcode.to_vec()),
        DeviceCode::None => {
            Err(failure(Fault::Input, format!("{}: it holds no device bitcode", path.display())))
        }
    }
}

fn missing(inputs: &ImportInputs, module_id: &ModuleId) -> anyhow::Error {
    let plan = inputs.plan.display();
    failure(
        Fault::Input,
        format!("{plan}: the plan imports from '{module_id}', and no --import gives its bitcode"),
    )
}
