//! Steps whose results the cache keeps. Where it has one, no program starts for the step.
//!
//! Such a step is an action of this program, which knows units and modules by their digests alone.
//! So it is never run on another machine. The program that carries it out looks its own results up
//! in the same cache, by the keys that build systems use, before it makes any.

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use weft_action::{Action, ChildGroup, Input, Missing, Outcome, Phase, Session, Tool};
use weft_artifact::Digest;
use weft_cli::{Blame as _, Fault, failure, files};
use weft_workers::Workers;

use super::run::Step;
use crate::executables::NAME;

/// A step, and everything that its result depends on.
pub(super) struct KeptStep {
    pub(super) step: Step,
    /// `None` if the result is not kept.
    pub(super) facts: Option<Facts>,
}

/// Everything that the result of a step depends on, besides the programs of the link.
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

/// The answer of all caches for a step.
pub(super) enum Found<'a> {
    /// The result, which has been written, with the messages of the step.
    Result(String),
    /// Nothing; `None` if none is kept for the step.
    Nothing(Option<Box<Missing<'a>>>),
}

/// Largest number of results of a server that a link waits for at a time.
const MOST_WAITING: usize = 64;

/// The cache as all steps of a link use it.
pub(super) struct Keeper<'a> {
    session: &'a Session,
    /// Digests of the programs and libraries of the link; `None` if nothing is kept.
    programs: Option<Vec<(String, Digest)>>,
    /// Folder of the files between the steps, unless it is to stay.
    folder: Option<&'a Path>,
    /// The running steps, from the first on.
    group: OnceLock<io::Result<ChildGroup>>,
}

impl<'a> Keeper<'a> {
    pub(super) fn new(
        session: &'a Session,
        programs: Option<Vec<(String, Digest)>>,
        folder: Option<&'a Path>,
    ) -> Self {
        Self { session, programs, folder, group: OnceLock::new() }
    }

    /// Runs a step, which ends when this process does. Returns its messages.
    pub(super) fn run(&self, step: &Step) -> anyhow::Result<String> {
        self.run_about(step, &[])
    }

    /// Runs a step like [`run`](Self::run). `names` are files that its messages may name, with what
    /// users call them.
    pub(super) fn run_about(
        &self,
        step: &Step,
        names: &[(String, String)],
    ) -> anyhow::Result<String> {
        match self.group.get_or_init(|| ChildGroup::start(self.folder)) {
            Ok(group) => step.messages(group, names),
            Err(error) => Err(failure(Fault::Environment, format!("cannot start weft: {error}"))),
        }
    }

    /// Whether results are kept.
    pub(super) fn keeps(&self) -> bool {
        self.programs.is_some()
    }

    /// Reports the progress of the link.
    pub(super) fn tell(&self, stage: String) {
        self.session.tell(stage);
    }

    /// Returns workers for [`find`](Self::find), if they wait for a server.
    pub(super) fn that_wait(&self) -> Option<Workers> {
        let at_a_time = self.session.results_of_servers_at_a_time()?;
        Some(Workers::that_wait(NonZeroUsize::new(at_a_time.min(MOST_WAITING))?))
    }

    /// Gets the result of a step from a cache.
    pub(super) fn find(&self, kept: &KeptStep) -> anyhow::Result<Found<'a>> {
        let (Some(programs), Some(facts)) = (&self.programs, &kept.facts) else {
            return Ok(Found::Nothing(None));
        };
        match self.session.find(&action(programs, facts)) {
            Err(missing) => Ok(Found::Nothing(Some(missing))),
            Ok(outcome) => {
                let messages = messages(&outcome);
                files::write(&facts.path, &outcome.into_output())?;
                Ok(Found::Result(messages))
            }
        }
    }

    /// Carries out a step without a kept result. Returns its messages.
    pub(super) fn make(
        &self,
        kept: &KeptStep,
        missing: Option<Box<Missing<'a>>>,
    ) -> anyhow::Result<String> {
        let KeptStep { step, facts } = kept;
        let (Some(programs), Some(facts), Some(missing)) = (&self.programs, facts, missing) else {
            return self.run(step);
        };
        let make = || -> anyhow::Result<Outcome> {
            let stderr = self.run(step)?.into_bytes();
            // It is no input that this program must leave alone.
            let content = std::fs::read(&facts.path)
                .blame(Fault::Environment, || facts.path.display().to_string())?;
            Ok(Outcome { stderr, ..Outcome::of(content) })
        };
        Ok(messages(&self.session.make(&action(programs, facts), *missing, make)?))
    }
}

/// Returns the action of a step.
fn action<'data>(programs: &'data [(String, Digest)], facts: &'data Facts) -> Action<'data> {
    let inputs = programs.iter().chain(&facts.inputs);
    let inputs = inputs.map(|(name, digest)| Input::new(name.as_str(), digest.as_bytes()));
    Action {
        phase: Phase::Step,
        subject: facts.subject.clone(),
        program: Tool::this_program(NAME),
        arguments: facts.arguments.clone(),
        tools: Vec::new(),
        inputs: inputs.collect(),
        outputs: vec![facts.output.to_owned()],
        time_limit: None,
        check: weft_job::check_claim,
    }
}

fn messages(outcome: &Outcome) -> String {
    String::from_utf8_lossy(&outcome.stderr).into_owned()
}
