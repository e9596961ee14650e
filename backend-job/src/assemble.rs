//! The assemble phase: ptxas as a declared action.

use anyhow::anyhow;
use weft_action::{Action, Input, Phase, Session, Tool, find_program};
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

/// A relocatable cubin of `ptx`, which is of `subject`.
///
/// The file names are fixed: ptxas writes its input's name into debug information.
pub(crate) fn assemble(
    session: &Session,
    subject: &str,
    ptx: &[u8],
    architecture: &str,
    choices: &AssembleChoices,
) -> anyhow::Result<Vec<u8>> {
    let mut arguments: Vec<String> =
        ["--compile-only", "--gpu-name", architecture].into_iter().map(str::to_owned).collect();
    arguments.extend(choices.ptxas_options.iter().cloned());
    arguments.extend(["--output-file", "module.cubin", "module.ptx"].map(str::to_owned));
    let action = Action {
        phase: Phase::Assemble,
        subject: subject.to_owned(),
        program: Tool { name: "ptxas".to_owned(), path: ptxas(choices)? },
        arguments,
        tools: Vec::new(),
        inputs: vec![Input::new("module.ptx", ptx)],
        outputs: vec!["module.cubin".to_owned()],
    };
    let outcome = session.get(&action, || anyhow::Ok(action.run_here()?))?;
    Ok(outcome.into_output())
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
