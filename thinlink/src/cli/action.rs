//! The thin link as a declared action.

use weft_action::{Action, Input, Phase, Tool};
use weft_artifact::Decisions;

use super::arguments::Request;
use crate::emit::files;
use crate::model::program::PackedUnit;

/// The folder of the outputs in the action's folder.
const PLANS: &str = "plans";

/// A file that an option names.
struct OptionFile {
    option: &'static str,
    /// Name in the action's folder.
    name: &'static str,
    content: Vec<u8>,
}

/// The description, and the outputs that it declares.
pub(crate) struct ThinLinkAction<'data> {
    options: Vec<String>,
    /// Subject of the action, for messages.
    subject: String,
    /// The summaries in an order independent of their paths, each with whether it is of a library
    /// of device code; empty where they are not needed.
    summaries: Vec<(&'data [u8], bool)>,
    /// Further files, each in one form regardless of how it was written.
    files: Vec<OptionFile>,
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
        let policy = &request.policy;
        let workload = &policy.imports.workload;
        let workload = (!workload.is_empty()).then(|| serde_json::to_vec(workload)).transpose()?;
        let choices = policy.feedback.choices();
        let feedback = (!choices.kernels().is_empty())
            .then(|| choices.text().map(String::into_bytes))
            .transpose()?;
        let text = |text: String| text.into_bytes();
        let files = [
            ("--thinlto-workload-def", "workload.json", workload),
            (
                "--link-order",
                "link-order.txt",
                policy.link_order.as_ref().map(|it| text(it.text())),
            ),
            (
                "--archive-members",
                "archive-members.txt",
                policy.archives.as_ref().map(|it| text(it.text())),
            ),
            (
                "--hidden-host-symbols",
                "hidden-host-symbols.txt",
                policy.hidden_host_symbols.as_ref().map(|it| text(it.text())),
            ),
            ("--feedback", "feedback.json", feedback),
        ];
        let files = files.into_iter().filter_map(|(option, name, content)| {
            content.map(|content| OptionFile { option, name, content })
        });
        let files = files.collect();
        Ok(Self { options, subject, summaries, files, paths })
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
        for OptionFile { option, name, content } in &self.files {
            inputs.push(Input::new(*name, content));
            arguments.push(format!("{option}={name}"));
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
