//! The assemble phase: ptxas as a declared action.

use anyhow::anyhow;
use weft_action::{Action, ActionError, find_program};
use weft_artifact::{PhaseOptions, TrackedOption};
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
    settled: &PhaseOptions,
    choices: &AssembleChoices,
) -> anyhow::Result<Vec<u8>> {
    let mut arguments: Vec<String> =
        ["--compile-only", "--gpu-name", architecture].into_iter().map(str::to_owned).collect();
    arguments.extend(settled_arguments(settled, &choices.ptxas_options));
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

/// What the thin link settled, for ptxas, without what `given` says otherwise.
fn settled_arguments(settled: &PhaseOptions, given: &[String]) -> Vec<String> {
    let value = |option| settled.setting(option);
    let is_set = |option| value(option).is_some_and(|value| value != 0);
    let limit = value(TrackedOption::MaxrregCount).filter(|limit| *limit != 0);
    // ptxas does not optimise code for a debugger.
    let level = settled.optimisation_level.filter(|_| !settled.debug);
    let wanted = [
        ("maxrregcount", limit.map(|limit| format!("--maxrregcount={limit}"))),
        (
            "split-compile",
            value(TrackedOption::SplitCompile).map(|count| format!("--split-compile={count}")),
        ),
        (
            "generate-line-info",
            is_set(TrackedOption::GenerateLineInfo).then(|| "--generate-line-info".to_owned()),
        ),
        ("device-debug", settled.debug.then(|| "--device-debug".to_owned())),
        ("opt-level", level.map(|level| format!("--opt-level={level}"))),
    ];
    let is_given = |name: &str| {
        given.iter().any(|option| {
            let option = option.trim_start_matches('-');
            let option = option.split_once('=').map_or(option, |(option, _)| option);
            option == name || short_of(name) == Some(option)
        })
    };
    wanted
        .into_iter()
        .filter(|(name, _)| !is_given(name))
        .filter_map(|(_, argument)| argument)
        .collect()
}

/// ptxas's other name of an option.
fn short_of(name: &str) -> Option<&'static str> {
    match name {
        "generate-line-info" => Some("lineinfo"),
        "device-debug" => Some("g"),
        "opt-level" => Some("O"),
        _ => None,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_wins_over_what_was_settled() -> Result<(), String> {
        let settled: PhaseOptions =
            "opt-level=2 debug=1 ftz=1 maxrregcount=64 split-compile=4 generate-line-info=1"
                .parse()?;
        let all = settled_arguments(&settled, &[]);
        let expected =
            ["--maxrregcount=64", "--split-compile=4", "--generate-line-info", "--device-debug"];
        assert_eq!(all, expected);
        let given = ["--maxrregcount=32", "-lineinfo", "-g", "-O=1"].map(str::to_owned);
        assert_eq!(settled_arguments(&settled, &given), ["--split-compile=4"]);
        assert!(settled_arguments(&"maxrregcount=0".parse()?, &[]).is_empty());
        Ok(())
    }
}
