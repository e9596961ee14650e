//! The thin link as a declared action.

use weft_action::{Action, Input, Phase, Tool};
use weft_artifact::Decisions;

use super::arguments::Request;
use crate::emit::files;
use crate::model::program::PackedUnit;

/// The folder of the outputs in the action's folder.
const PLANS: &str = "plans";

/// The workload definition in the action's folder.
const WORKLOAD: &str = "workload.json";

/// The link order in the action's folder.
const LINK_ORDER: &str = "link-order.txt";

/// The members of archives in the action's folder.
const ARCHIVE_MEMBERS: &str = "archive-members.txt";

/// The feedback in the action's folder.
const FEEDBACK: &str = "feedback.json";

/// The description, and the outputs that it declares.
pub(crate) struct ThinLinkAction<'data> {
    options: Vec<String>,
    /// Subject of the action, for messages.
    subject: String,
    /// The summaries in an order independent of their paths, each with whether it is of a library
    /// of device code; empty where they are not needed.
    summaries: Vec<(&'data [u8], bool)>,
    /// The workload definition, in one form regardless of how its file was written.
    workload: Option<Vec<u8>>,
    /// The link order, in one form regardless of how its file was written.
    link_order: Option<Vec<u8>>,
    /// The members of archives, in one form.
    archives: Option<Vec<u8>>,
    /// The choices of the feedback, without its figures.
    feedback: Option<Vec<u8>>,
    /// The outputs, relative to their folder.
    pub(crate) paths: Vec<String>,
}

impl<'data> ThinLinkAction<'data> {
    /// Returns the thin link of `units`, whose files held `contents`, for `request`, under
    /// `options`.
    pub(crate) fn new(
        contents: &'data [Vec<u8>],
        units: &[PackedUnit],
        request: &Request,
        options: Vec<String>,
    ) -> anyhow::Result<Self> {
        let with_device = units.iter().filter(|unit| unit.device.is_some());
        let mut modules: Vec<_> = with_device.map(|unit| &unit.module_id).collect();
        modules.sort_unstable();
        let mut paths: Vec<String> = modules.into_iter().map(files::plan_path).collect();
        paths.extend([Decisions::FILE_NAME, files::MANIFEST].map(str::to_owned));
        let paths_of_summaries = request.summaries.iter();
        let is_library = paths_of_summaries.map(|path| request.libraries.contains(path));
        let mut summaries: Vec<(&[u8], bool)> =
            contents.iter().map(Vec::as_slice).zip(is_library).collect();
        summaries.sort_unstable();
        let subject = format!("{} summaries", request.summaries.len());
        let workload = &request.policy.imports.workload;
        let workload = (!workload.is_empty()).then(|| serde_json::to_vec(workload)).transpose()?;
        let link_order = request.policy.link_order.as_ref().map(|order| order.text().into_bytes());
        let archives = request.policy.archives.as_ref();
        let archives = archives.map(|archives| archives.text().into_bytes());
        let choices = request.policy.feedback.choices();
        let feedback = (!choices.kernels().is_empty())
            .then(|| choices.text().map(String::into_bytes))
            .transpose()?;
        Ok(Self { options, subject, summaries, workload, link_order, archives, feedback, paths })
    }

    /// Returns the action.
    pub(crate) fn describe(&self) -> Action<'_> {
        let name = |number: usize| format!("summaries/{number}.summary");
        let inputs = self.summaries.iter().enumerate();
        let mut inputs: Vec<_> =
            inputs.map(|(number, (content, _))| Input::new(name(number), content)).collect();
        let mut arguments = self.options.clone();
        arguments.push("--no-cache".to_owned());
        arguments.push(format!("--output-dir={PLANS}"));
        arguments.extend(inputs.iter().zip(&self.summaries).map(|(input, (_, is_library))| {
            if *is_library { format!("--library={}", input.name) } else { input.name.clone() }
        }));
        if let Some(workload) = &self.workload {
            inputs.push(Input::new(WORKLOAD, workload));
            arguments.push(format!("--thinlto-workload-def={WORKLOAD}"));
        }
        if let Some(link_order) = &self.link_order {
            inputs.push(Input::new(LINK_ORDER, link_order));
            arguments.push(format!("--link-order={LINK_ORDER}"));
        }
        if let Some(archives) = &self.archives {
            inputs.push(Input::new(ARCHIVE_MEMBERS, archives));
            arguments.push(format!("--archive-members={ARCHIVE_MEMBERS}"));
        }
        if let Some(feedback) = &self.feedback {
            inputs.push(Input::new(FEEDBACK, feedback));
            arguments.push(format!("--feedback={FEEDBACK}"));
        }
        Action {
            phase: Phase::Thinlink,
            subject: self.subject.clone(),
            program: Tool::this_program("thinlink"),
            arguments,
            tools: Vec::new(),
            inputs,
            time_limit: None,
            check: |claim| claim.check_each(weft_artifact::check),
            outputs: self.paths.iter().map(|path| format!("{PLANS}/{path}")).collect(),
        }
    }
}
