//! Copies the import sources of each plan, and the other members of its bundle, into one file.
//!
//! The modules that an import phase reads are known only after the thin link, but a build such as
//! Bazel declares every action's inputs before. Declaring all bitcode for every module makes the
//! number of inputs grow with the square of the number of modules, and changes the key of every
//! import when one module changes. With this step in between, an import reads one file more than
//! its plan and its module, and that file changes only when something in it does.

use std::path::Path;

use weft_artifact::{Artifact as _, ModuleId, StagedImports, StagedModule};
use weft_cli::{Blame as _, Fault, failure, files};

use crate::arguments::StageArguments;
use crate::import;

pub(crate) fn stage(arguments: &StageArguments) -> anyhow::Result<()> {
    let places = import::module_map(&arguments.module_map)?;
    for module_id in places.keys() {
        let path = arguments.plans.join(format!("{module_id}.plan"));
        let mut staged = StagedImports::default();
        let plan = import::plan(&path)?;
        for needed in plan.other_modules() {
            let Some(source) = places.get(needed) else {
                let use_of = import::use_of(&plan, needed);
                return Err(unknown(&path, use_of, needed, &arguments.module_map));
            };
            let file = files::read(source)?;
            staged.modules.push(StagedModule { module_id: needed.clone(), file });
        }
        let output = arguments.output_dir.join(format!("{module_id}.imports"));
        let content =
            staged.encode().blame(Fault::Input, || format!("for {}", output.display()))?;
        files::write(&output, &content)?;
    }
    Ok(())
}

fn unknown(plan: &Path, use_of: &str, module_id: &ModuleId, module_map: &Path) -> anyhow::Error {
    let (plan, module_map) = (plan.display(), module_map.display());
    let message = format!("{plan}: the plan {use_of} '{module_id}', which {module_map} lacks");
    failure(Fault::Input, message)
}
