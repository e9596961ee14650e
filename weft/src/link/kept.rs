//! Steps whose results the cache keeps. Where it has one, no program starts for the step.
//!
//! Such a step is an action of this program, which knows units and modules by their digests alone.
//! So it is never run on another machine. The program that carries it out looks its own results up
//! in the same cache, by the keys that build systems use, before it makes any.

use std::path::PathBuf;

use weft_action::{Action, Input, Outcome, Phase, Session, Tool};
use weft_artifact::Digest;
use weft_cli::{Blame as _, Fault, files};

use super::run::Step;
use crate::executables::NAME;

/// A step, and what its result follows from.
pub(super) struct KeptStep {
    pub(super) step: Step,
    /// `None` if the result is not kept.
    pub(super) facts: Option<Facts>,
}

/// Everything that the result of a step follows from, besides the programs of the link.
pub(super) struct Facts {
    /// The phase, and the module or unit.
    pub(super) subject: String,
    /// Arguments with names instead of paths.
    pub(super) arguments: Vec<String>,
    /// Names and digests of the files that are read.
    pub(super) inputs: Vec<(String, Digest)>,
    /// Name of the only result.
    pub(super) output: &'static str,
    /// File of the result.
    pub(super) path: PathBuf,
}

/// The cache as all steps of a link use it.
pub(super) struct Keeper<'a> {
    session: &'a Session,
    /// Digests of the programs and libraries of the link; `None` if nothing is kept.
    programs: Option<Vec<(String, Digest)>>,
}

impl<'a> Keeper<'a> {
    pub(super) fn new(session: &'a Session, programs: Option<Vec<(String, Digest)>>) -> Self {
        Self { session, programs }
    }

    /// Whether results are kept.
    pub(super) fn keeps(&self) -> bool {
        self.programs.is_some()
    }

    /// Says how far the link is.
    pub(super) fn tell(&self, stage: String) {
        self.session.tell(stage);
    }

    /// Gets the result of a step, and returns what the step has to say.
    pub(super) fn get(&self, kept: &KeptStep) -> anyhow::Result<String> {
        let KeptStep { step, facts } = kept;
        let (Some(programs), Some(facts)) = (&self.programs, facts) else { return step.messages() };
        let inputs = programs.iter().chain(&facts.inputs);
        let inputs = inputs.map(|(name, digest)| Input::new(name.as_str(), digest.as_bytes()));
        let action = Action {
            phase: Phase::Step,
            subject: facts.subject.clone(),
            program: Tool::this_program(NAME),
            arguments: facts.arguments.clone(),
            tools: Vec::new(),
            inputs: inputs.collect(),
            outputs: vec![facts.output.to_owned()],
            time_limit: None,
            check: weft_job::check_claim,
        };
        let mut has_run = false;
        let outcome = self.session.get(&action, || -> anyhow::Result<Outcome> {
            has_run = true;
            let stderr = step.messages()?.into_bytes();
            // It is no input that this program must leave alone.
            let content = std::fs::read(&facts.path)
                .blame(Fault::Environment, || facts.path.display().to_string())?;
            Ok(Outcome { stderr, ..Outcome::of(content) })
        })?;
        let messages = String::from_utf8_lossy(&outcome.stderr).into_owned();
        if !has_run {
            files::write(&facts.path, &outcome.into_output())?;
        }
        Ok(messages)
    }
}
