//! The command line of `weft link`.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{Args, Parser};
use weft_action::first_variable;
use weft_cli::{Fault, failure};
use weft_workers::Workers;

use super::nvcc_options;
use crate::drivers::Driver;
use crate::nvcc_flags::with_flags;
use crate::words::split;

/// Link a program: its device code by Weft, then its host code by COMMAND
///
/// COMMAND is the link as it is, such as `g++ a.o b.o -o app -lcudart_static`. Device code in its
/// objects and archives is optimized if it is clang's (`-foffload-lto`) or nvcc's (`-rdc=true
/// -gencode arch=compute_90,code=lto_90`). The image becomes one more object of COMMAND. Without
/// such code, and where COMMAND links no program, COMMAND alone runs.
#[derive(Args, Clone, Debug)]
pub(crate) struct LinkArguments {
    /// The number of jobs at a time [default: one for each processor, or what make grants]
    #[arg(short, long, value_name = "N")]
    pub(super) jobs: Option<NonZeroUsize>,
    /// Keep the files between the steps in this folder
    #[arg(long, value_name = "DIR")]
    pub(super) keep: Option<PathBuf>,
    /// Also write what the link did: a page to FILE.html, data to FILE.json, a short form to
    /// FILE.md, a trace to FILE.trace, and otherwise a text
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Root of CUDA [default: that of COMMAND if it is nvcc, `$WEFT_CUDA_ROOT`, the folder above
    /// that of the ptxas on the search path, or /usr/local/cuda]
    #[arg(long, value_name = "DIR")]
    pub(super) cuda: Option<PathBuf>,
    /// An option for one step, such as `-Xthinlink=--tune-for=edits`: summarize, thinlink, run
    /// (of `backend-job`), nvlink or fatbinary; may be repeated
    #[arg(short = 'X', value_name = "STEP=OPTION", value_parser = step_option)]
    pub(super) options: Vec<StepOption>,
    /// The link as the build would do it
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub(super) command: Vec<String>,
}

/// Variable with options for `weft-nvcc`.
const FLAGS: &str = "WEFT_LINK_FLAGS";

/// A command line of `weft link` alone.
#[derive(Parser)]
struct Line {
    #[command(flatten)]
    link: LinkArguments,
}

/// Names of the steps that take options.
const STEPS: [&str; 5] = ["summarize", "thinlink", "run", "nvlink", "fatbinary"];

/// An option for one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StepOption {
    step: String,
    option: String,
}

fn step_option(text: &str) -> Result<StepOption, String> {
    match text.split_once('=') {
        Some((step, option)) if STEPS.contains(&step) && !option.is_empty() => {
            Ok(StepOption { step: step.to_owned(), option: option.to_owned() })
        }
        _ => Err(format!("expected STEP=OPTION, with one of the steps {}", STEPS.join(", "))),
    }
}

impl LinkArguments {
    /// Returns the arguments for links of a build that calls nvcc, whose command line has no room
    /// for them: those of the variable `WEFT_LINK_FLAGS`.
    pub(crate) fn of_variable() -> anyhow::Result<Self> {
        let flags = split(&first_variable(FLAGS).unwrap_or_default());
        let words = std::iter::once("weft link".to_owned()).chain(flags);
        let words = words.chain(["--", "nvcc"].map(str::to_owned));
        let Line { link } = Line::try_parse_from(words).map_err(|error| {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            let reason = first.strip_prefix("error: ").unwrap_or(first);
            failure(Fault::Usage, format!("{FLAGS}: {reason}; `weft link -h` has its options"))
        })?;
        Ok(link)
    }

    /// Returns the arguments with another command.
    pub(crate) fn with_command(&self, command: Vec<String>) -> Self {
        Self { command, ..self.clone() }
    }

    /// Returns the arguments with the words of nvcc's variables, if the command is nvcc's.
    pub(crate) fn with_flags_of_nvcc(&self) -> Self {
        let command = match self.command.split_first() {
            Some((program, rest)) if Driver::of(program) == Driver::Nvcc => {
                [vec![program.clone()], with_flags(rest.to_vec())].concat()
            }
            _ => self.command.clone(),
        };
        Self { command, ..self.clone() }
    }

    /// Returns the arguments with the options for steps that the command itself has, before those
    /// that were given.
    pub(super) fn with_options_of_command(&self) -> anyhow::Result<Self> {
        let of_command = nvcc_options::step_options(&self.command)?.into_iter();
        let of_command =
            of_command.map(|(step, option)| StepOption { step: step.to_owned(), option });
        let options = of_command.chain(self.options.iter().cloned()).collect();
        Ok(Self { options, ..self.clone() })
    }

    /// Returns the workers for the steps. This must be called before any file is opened.
    pub(crate) fn workers(&self) -> Workers {
        Workers::new(self.jobs)
    }

    /// Returns the options for `step`.
    pub(super) fn of_step(&self, step: &str) -> impl Iterator<Item = String> {
        let of_step = self.options.iter().filter(move |option| option.step == step);
        of_step.map(|option| option.option.clone())
    }

    /// Returns the options for all steps, as they were given.
    pub(super) fn declared(&self) -> Vec<String> {
        let options = self.options.iter();
        options.map(|StepOption { step, option }| format!("-X{step}={option}")).collect()
    }

    /// Whether an option for a step names a file, whose content may decide the result.
    pub(super) fn names_files(&self) -> bool {
        self.options.iter().any(|StepOption { option, .. }| {
            let value = option.split_once('=').map_or(option.as_str(), |(_, value)| value);
            Path::new(value.trim_start_matches('@')).exists()
        })
    }

    /// Returns the program of the command.
    pub(super) fn program(&self) -> anyhow::Result<&str> {
        let program = self.command.first().map(String::as_str);
        program.ok_or_else(|| failure(Fault::Usage, "there is no command behind --"))
    }
}
