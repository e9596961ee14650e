//! The thin link as a declared action.

use std::path::Path;

use weft_action::{Action, Input, Outcome, Phase, Tool};

use crate::arguments::Request;
use crate::load::Loaded;
use crate::{Link, outputs, report};

/// The folder of the outputs in the action's folder.
const PLANS: &str = "plans";

/// The description, and the outputs that it declares.
pub(crate) struct ThinLinkAction<'data> {
    options: Vec<String>,
    /// The summaries by the module they are of, so that the order of paths does not matter.
    summaries: Vec<&'data [u8]>,
    /// The outputs, relative to their folder.
    pub(crate) paths: Vec<String>,
}

impl<'data> ThinLinkAction<'data> {
    /// The thin link of `loaded` under `options`.
    pub(crate) fn new(loaded: &'data Loaded, options: Vec<String>) -> Self {
        let with_device = loaded.units.iter().filter(|unit| unit.summary.device.is_some());
        let mut modules: Vec<_> = with_device.map(|unit| &unit.summary.module_id).collect();
        modules.sort_unstable();
        let mut paths: Vec<String> = modules.into_iter().map(outputs::plan_path).collect();
        paths.extend([outputs::DECISIONS, outputs::MANIFEST].map(str::to_owned));
        let mut summaries: Vec<&[u8]> = loaded.contents.iter().map(Vec::as_slice).collect();
        summaries.sort_unstable();
        Self { options, summaries, paths }
    }

    /// The action.
    pub(crate) fn describe(&self) -> Action<'data> {
        let name = |number: usize| format!("summaries/{number}.summary");
        let inputs = self.summaries.iter().enumerate();
        let inputs: Vec<_> = inputs.map(|(number, it)| Input::new(name(number), it)).collect();
        let mut arguments = self.options.clone();
        arguments.push("--no-cache".to_owned());
        arguments.push(format!("--output-dir={PLANS}"));
        arguments.extend(inputs.iter().map(|input| input.name.clone()));
        Action {
            phase: Phase::Thinlink,
            subject: format!("{} summaries", self.summaries.len()),
            program: Tool::this_program("thinlink"),
            arguments,
            tools: Vec::new(),
            inputs,
            time_limit: None,
            outputs: self.paths.iter().map(|path| format!("{PLANS}/{path}")).collect(),
        }
    }

    /// What `link` writes and says, in the order of the declared outputs.
    pub(crate) fn outcome(&self, link: &Link, request: &Request) -> anyhow::Result<Outcome> {
        let files = outputs::encode(link)?;
        let declared = self.paths.iter().map(Path::new);
        anyhow::ensure!(
            files.iter().map(|file| file.path.as_path()).eq(declared),
            "the thin link has other outputs than it declared"
        );
        Ok(Outcome {
            outputs: files.into_iter().map(|file| file.content).collect(),
            stdout: report::imports(link, request).into_bytes(),
            stderr: report::messages(link, request).into_bytes(),
        })
    }
}
