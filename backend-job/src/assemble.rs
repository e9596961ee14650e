//! The assemble phase: ptxas as a declared action.

use anyhow::anyhow;
use weft_action::{
    Action, ActionError, Input, Outcome, Phase, Session, TimeLimit, Tool, find_program,
};
use weft_artifact::PhaseOptions;
use weft_cli::{Fault, failure};
use weft_container::{
    ExtensibleError, constants_apart, cubin_symbols, is_cubin, is_empty_ptx, relocatable,
    relocatable_with_constants, shows_all_constants,
};
use weft_device_ir::trace;

use crate::assemble_choices::{AssembleChoices, FUNCTION_LIMIT};
use crate::assembled::Assembled;
use crate::blame_kernel::blamed_function;
use crate::modes::Mode;
use crate::ptxas_remarks::PTX;
use crate::register_limits::limitable;
use crate::search::search;
use crate::{clones, function_limits, results};

/// The architecture that PTX is for: the first word of its `.target` directive.
pub(crate) fn target_of(ptx: &[u8]) -> anyhow::Result<String> {
    let text = String::from_utf8_lossy(ptx);
    text.lines()
        .find_map(|line| line.strip_prefix(".target"))
        .and_then(|rest| rest.split([',', ' ', '\t']).find(|word| !word.is_empty()))
        .map(str::to_owned)
        .ok_or_else(|| anyhow!("not PTX: it has no .target directive"))
}

/// PTX to assemble.
pub(crate) struct Ptx<'text> {
    /// Name of the module, or of the file.
    pub(crate) subject: &'text str,
    pub(crate) text: &'text [u8],
    /// Architecture that the PTX is for.
    pub(crate) target: &'text str,
}

/// A cubin of `input`, for which ptxas runs within `limit`.
pub(crate) fn assemble(
    session: &Session,
    input: &Ptx<'_>,
    settled: &PhaseOptions,
    choices: &AssembleChoices,
    limit: Option<&TimeLimit>,
) -> anyhow::Result<Assembled> {
    let &Ptx { subject, text: ptx, target } = input;
    let _span = trace::span("assemble", target);
    choices.check(settled)?;
    let passed = choices.passed_options()?;
    let architecture = choices.architecture(target);
    let with = |mode, more: &[String], ptx: &[u8]| -> anyhow::Result<Option<Assembled>> {
        let words = [&passed.words, more].concat();
        let arguments = choices.ptxas_arguments(mode, architecture, settled, &words);
        let ptxas = |ptx: &[u8]| -> anyhow::Result<Assembled> {
            let action = Action {
                time_limit: limit.cloned(),
                ..action(subject, ptx, arguments.clone(), &passed.files, choices)?
            };
            run(session, &action, ptx, choices)
        };
        if mode == Mode::Extensible {
            return whole_kernels(ptx, choices, &ptxas);
        }
        match ptxas(ptx) {
            Err(error) if lacks(mode, &error.to_string()) => Ok(None),
            outcome => outcome.map(Some),
        }
    };
    let in_mode = |mode, ptx: &[u8]| with(mode, &[], ptx);
    let modes = choices.modes(ptx, architecture, settled);
    // nvlink passes over an empty file, where it would copy notes from a cubin without code.
    if !modes.contains(&Mode::Program) && is_empty_ptx(ptx) {
        return Ok(Assembled::default());
    }
    let (mode, assembled) = first(&modes, &|mode| in_mode(mode, ptx))?;
    if choices.searches(settled) {
        let limitable =
            if choices.leaves_registers_open(ptx, settled) { limitable(ptx) } else { Vec::new() };
        return search(architecture, ptx, (mode, assembled), &modes, limitable, &in_mode);
    }
    if mode == Mode::Relocatable
        && modes.contains(&Mode::Cloned)
        && clones::are_worth_a_try(&assembled.cubin)
        && let Some(cloned) = in_mode(Mode::Cloned, ptx)?
        && clones::are_better(architecture, &cloned, &assembled)
    {
        return Ok(cloned);
    }
    if mode == Mode::Relocatable
        && choices.may_limit_functions(settled)
        && let Some(limit) = function_limits::limit(architecture, &assembled.cubin)
        && let Some(limited) = with(mode, &[format!("--{FUNCTION_LIMIT}={limit}")], ptx)?
        && function_limits::is_better(&limited, &assembled)
    {
        return Ok(limited);
    }
    Ok(assembled)
}

/// A cubin by `ptxas`, which takes a module for an extensible whole program; `None` if the code
/// depends on places that the linker chooses. A module with constants takes two runs of ptxas, and
/// the messages are those of the first.
fn whole_kernels(
    ptx: &[u8],
    choices: &AssembleChoices,
    ptxas: &dyn Fn(&[u8]) -> anyhow::Result<Assembled>,
) -> anyhow::Result<Option<Assembled>> {
    let (cubin, messages) = if let Some(apart) = constants_apart(ptx).ok().flatten() {
        let [first, second] = &apart.texts;
        // PTX that ptxas refuses in every mode is refused in the next one, with the module's own
        // text.
        let Ok(first) = ptxas(first) else { return Ok(None) };
        if !shows_all_constants(&first.cubin).unwrap_or(false) {
            return Ok(None);
        }
        let Ok(second) = ptxas(second) else { return Ok(None) };
        let cubin = relocatable_with_constants([&first.cubin, &second.cubin], &apart);
        (cubin, first.messages)
    } else {
        let assembled = ptxas(ptx)?;
        (relocatable(assembled.cubin).map(Some), assembled.messages)
    };
    match cubin {
        Ok(cubin) => Ok(cubin.map(|cubin| Assembled { cubin, messages, search: None })),
        // Constants that ptxas made itself, which nobody can see in the PTX.
        Err(ExtensibleError::SharedConstants(_)) => Ok(None),
        Err(error) => Err(failure(Fault::Tool, format!("{}: {error}", choices.ptxas.display()))),
    }
}

/// Whether ptxas failed because it is of a CUDA that does not have the mode yet: that of CUDA 12.6
/// does not clone functions. Every ptxas has the mode of parts of a program, which comes last.
fn lacks(mode: Mode, message: &str) -> bool {
    mode == Mode::Cloned && message.contains("Unknown option '-enable-func-clone-sc'")
}

/// Assembles in the first mode that is possible.
fn first(
    modes: &[Mode],
    assemble: &dyn Fn(Mode) -> anyhow::Result<Option<Assembled>>,
) -> anyhow::Result<(Mode, Assembled)> {
    for &mode in modes {
        if let Some(assembled) = assemble(mode)? {
            return Ok((mode, assembled));
        }
    }
    Err(anyhow!("no mode of ptxas is possible"))
}

/// The action that runs ptxas with these arguments.
///
/// The file names are fixed: ptxas writes its input's name into debug information.
fn action<'content>(
    subject: &str,
    ptx: &'content [u8],
    mut arguments: Vec<String>,
    files: &'content [(String, Vec<u8>)],
    choices: &AssembleChoices,
) -> anyhow::Result<Action<'content>> {
    arguments.extend(["--output-file", "module.cubin", PTX].map(str::to_owned));
    let mut inputs = vec![Input::new(PTX, ptx)];
    inputs.extend(files.iter().map(|(name, content)| Input::new(name.clone(), content)));
    Ok(Action {
        phase: Phase::Assemble,
        subject: subject.to_owned(),
        program: Tool { name: "ptxas".to_owned(), path: ptxas(choices)? },
        arguments,
        tools: Vec::new(),
        inputs,
        outputs: vec!["module.cubin".to_owned()],
        time_limit: None,
        check: results::check,
    })
}

/// The result of an action that assembles `ptx`.
fn run(
    session: &Session,
    action: &Action<'_>,
    ptx: &[u8],
    choices: &AssembleChoices,
) -> anyhow::Result<Assembled> {
    let outcome = session
        .get(action, || -> Result<Outcome, anyhow::Error> {
            let outcome = action.run_here()?;
            check(&outcome, choices)?;
            Ok(outcome)
        })
        .map_err(|error| match error.downcast::<ActionError>() {
            Ok(error) => failed(ptx, &error),
            Err(error) => error,
        })?;
    Ok(Assembled { messages: outcome.messages(), cubin: outcome.into_output(), search: None })
}

/// A tool that exits with 0 may have written anything.
fn check(outcome: &Outcome, choices: &AssembleChoices) -> anyhow::Result<()> {
    let cubin = outcome.outputs.first().map_or(&[][..], Vec::as_slice);
    if is_cubin(cubin) && cubin_symbols(cubin).is_ok() {
        return Ok(());
    }
    let what = "reported success and wrote something else than a cubin";
    let (program, messages) = (choices.ptxas.display(), outcome.messages());
    Err(failure(Fault::Tool, format!("{program} {what}:\n{messages}")))
}

fn failed(ptx: &[u8], error: &ActionError) -> anyhow::Error {
    let messages = match error {
        ActionError::Start { .. } | ActionError::Folder { .. } | ActionError::Remote { .. } => {
            return failure(Fault::Environment, error.to_string());
        }
        ActionError::Failed { messages, .. }
        | ActionError::OutOfTime { messages, .. }
        | ActionError::NoOutput { messages, .. }
        | ActionError::Refused { messages, .. } => messages,
    };
    let message = match blamed_function(&String::from_utf8_lossy(ptx), messages) {
        Some(function) => format!("in '{function}': {error}"),
        None => error.to_string(),
    };
    failure(Fault::Tool, message)
}

#[expect(clippy::disallowed_methods, reason = "a bare program name is looked up as a shell would")]
pub(crate) fn ptxas(choices: &AssembleChoices) -> anyhow::Result<std::path::PathBuf> {
    find_program(&choices.ptxas, std::env::var_os("PATH").as_deref()).ok_or_else(|| {
        let name = choices.ptxas.display();
        failure(
            Fault::Environment,
            format!(
                "there is no {name}: --ptxas names NVIDIA's assembler, of CUDA 12 or 13; \
                 {}",
                weft_cli::DOCTOR_HINT
            ),
        )
    })
}
