//! The assemble phase: ptxas as a declared action.

use anyhow::anyhow;
use weft_action::{Action, ActionError, find_program};
use weft_cli::{Fault, failure};

use crate::arguments::AssembleChoices;

/// The architecture that PTX is for: the first word of its `.target` directive.
pub(crate) fn target_of(ptx: &[u8]) -> anyhow::Result<String> {
    let text = String::from_utf8_lossy(ptx);
    text.lines()
        .find_map(|line| line.strip_prefix(".target"))
        .and_then(|rest| rest.split([',', ' ', '\t']).find(|word| !word.is_empty()))
        .map(str::to_owned)
        .ok_or_else(|| anyhow!("not PTX: it has no .target directive"))
}

/// A relocatable cubin of `ptx`.
///
/// The file names are fixed: ptxas writes its input's name into debug information.
pub(crate) fn assemble(
    ptx: &[u8],
    architecture: &str,
    choices: &AssembleChoices,
) -> anyhow::Result<Vec<u8>> {
    let mut arguments: Vec<String> =
        ["--compile-only", "--gpu-name", architecture].into_iter().map(str::to_owned).collect();
    arguments.extend(choices.ptxas_options.iter().cloned());
    arguments.extend(["--output-file", "module.cubin", "module.ptx"].map(str::to_owned));
    let action = Action {
        program: ptxas(choices)?,
        arguments,
        inputs: vec![("module.ptx", ptx)],
        output: "module.cubin",
    };
    action.run_here().map_err(|error| {
        let fault = match error {
            ActionError::Failed { .. } | ActionError::NoOutput { .. } => Fault::Tool,
            ActionError::Start { .. } | ActionError::Folder { .. } => Fault::Environment,
        };
        failure(fault, error.to_string())
    })
}

#[expect(clippy::disallowed_methods, reason = "a bare program name is looked up as a shell would")]
fn ptxas(choices: &AssembleChoices) -> anyhow::Result<std::path::PathBuf> {
    find_program(&choices.ptxas, std::env::var_os("PATH").as_deref()).ok_or_else(|| {
        let name = choices.ptxas.display();
        failure(
            Fault::Environment,
            format!("there is no {name}: --ptxas names NVIDIA's assembler, of CUDA 13"),
        )
    })
}
