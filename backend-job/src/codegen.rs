//! The codegen phase, as a declared action that runs in this process.

use weft_action::{Action, Input, Outcome, Phase, Session, Tool};
use weft_cli::{Blame as _, Declared, Fault};

use crate::arguments::CodegenChoices;

/// PTX of the linked module `linked`, which is of `subject`. Messages call it `name`.
pub(crate) fn codegen(
    session: &Session,
    subject: &str,
    linked: &[u8],
    choices: &Declared<CodegenChoices>,
    name: &str,
) -> anyhow::Result<Vec<u8>> {
    let outcome = session.get(&action(subject, linked, choices), || {
        let compiled = weft_device_ir::compile(linked, choices.resolve())
            .blame(Fault::Input, || name.to_owned())?;
        anyhow::Ok(Outcome::of(compiled.ptx))
    })?;
    Ok(outcome.into_output())
}

fn action<'data>(
    subject: &str,
    linked: &'data [u8],
    choices: &Declared<CodegenChoices>,
) -> Action<'data> {
    let mut arguments =
        ["codegen", "module.bc", "-o", "module.ptx", "--no-cache"].map(str::to_owned).to_vec();
    arguments.extend(choices.arguments());
    Action {
        phase: Phase::Codegen,
        subject: subject.to_owned(),
        program: Tool::this_program("backend-job"),
        arguments,
        tools: Vec::new(),
        inputs: vec![Input::new("module.bc", linked)],
        outputs: vec!["module.ptx".to_owned()],
    }
}
