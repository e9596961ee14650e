//! Figures that earlier builds of a program gave its kernels, and choices that follow from them: an
//! input of the thin link that a team can commit.
//!
//! The file is JSON with one kernel in a line, sorted, so that differences are easy to read and to
//! merge. An empty file is one without kernels. A kernel has a *choice* that the next build follows
//! and *trials*: the figures of the linked kernel for each choice that was built. `weft
//! feedback` writes choices and trials. The thin link follows the choices alone, so figures change
//! no plan.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use wincode::{SchemaRead, SchemaWrite};

/// Version of the file.
const VERSION: u32 = 1;

/// The fewest and the most registers that a limit may state: ptxas knows no others.
const REGISTERS: std::ops::RangeInclusive<u32> = 16..=255;

/// The largest share of a budget, in percent.
const LARGEST_PERCENT: u32 = 10_000;

/// Choices for building a kernel that are not left to the models.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    SchemaRead,
    SchemaWrite,
)]
#[serde(deny_unknown_fields)]
pub struct KernelChoice {
    /// Share of the budget of a kernel that inlining may spend, in percent; with 0, only bodies
    /// that are no larger than their calls are inlined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inline_percent: Option<u32>,
    /// The most registers that a thread may use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_registers: Option<u32>,
}

/// Figures of a kernel that was built by one choice, in the linked program. Instructions are those
/// of the kernel and of all functions that it reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KernelTrial {
    /// The choice.
    pub choice: KernelChoice,
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of a thread's stack.
    pub stack: u32,
    /// Loads from and stores to local memory, weighted by loops.
    pub local: u64,
    /// Instructions.
    pub instructions: u64,
    /// Functions of the program that the kernel reaches by calls.
    pub functions: u64,
    /// Resident warps of a multiprocessor; `None` for an architecture whose limits are not
    /// published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warps: Option<u32>,
    /// Cycles in which instructions are issued, weighted by loops.
    pub cycles: u64,
}

/// Everything that is known of one kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KernelFeedback {
    /// Architecture of the image that holds the kernel, such as `sm_90`.
    pub architecture: String,
    /// The kernel's name in the linked program.
    pub kernel: String,
    /// Choice of the next build.
    pub choice: KernelChoice,
    /// The trials, in the order in which they were made.
    pub tried: Vec<KernelTrial>,
}

/// The content of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Feedback {
    /// The kernels, sorted by architecture and name.
    kernels: Vec<KernelFeedback>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    version: u32,
    kernels: Vec<KernelFeedback>,
}

impl Feedback {
    /// Makes the content of kernels, no two of which are of one name and one architecture.
    #[must_use]
    pub fn new(mut kernels: Vec<KernelFeedback>) -> Self {
        kernels.sort_by(|one, other| key(one).cmp(&key(other)));
        Self { kernels }
    }

    /// Reads a file. The error says what is wrong with it.
    pub fn read(content: &[u8]) -> Result<Self, String> {
        if content.trim_ascii().is_empty() {
            return Ok(Self::default());
        }
        let content: Content = serde_json::from_slice(content)
            .map_err(|error| format!("no feedback about kernels: {error}"))?;
        if content.version != VERSION {
            let version = content.version;
            return Err(format!("feedback of version {version}, and not of version {VERSION}"));
        }
        let feedback = Self::new(content.kernels);
        let pairs = feedback.kernels.iter().zip(feedback.kernels.iter().skip(1));
        if let Some((twice, _)) = pairs.into_iter().find(|(one, next)| key(one) == key(next)) {
            return Err(format!("'{}' is there twice for {}", twice.kernel, twice.architecture));
        }
        for kernel in &feedback.kernels {
            let tried = kernel.tried.iter().map(|trial| trial.choice);
            for choice in tried.chain([kernel.choice]) {
                choice.check().map_err(|reason| format!("'{}': {reason}", kernel.kernel))?;
            }
        }
        Ok(feedback)
    }

    /// Returns the kernels, sorted by architecture and name.
    #[must_use]
    pub fn kernels(&self) -> &[KernelFeedback] {
        &self.kernels
    }

    /// Returns the text of the file.
    pub fn text(&self) -> Result<String, serde_json::Error> {
        let mut text = format!("{{\"version\":{VERSION},\"kernels\":[");
        for (position, kernel) in self.kernels.iter().enumerate() {
            let end = if position == 0 { "" } else { "," };
            // Writing to a String cannot fail.
            let _ = write!(text, "{end}\n{}", serde_json::to_string(kernel)?);
        }
        text.push_str("\n]}\n");
        Ok(text)
    }

    /// Returns the same with nothing but choices: all that a thin link depends on.
    #[must_use]
    pub fn choices(&self) -> Self {
        let chosen = self.kernels.iter().filter(|kernel| !kernel.choice.is_default());
        let chosen = chosen.map(|kernel| KernelFeedback { tried: Vec::new(), ..kernel.clone() });
        Self { kernels: chosen.collect() }
    }

    /// Returns the choice for a kernel, if the models do not choose.
    #[must_use]
    pub fn choice(&self, architecture: &str, kernel: &str) -> Option<KernelChoice> {
        let found = self.kernels.binary_search_by(|known| key(known).cmp(&(architecture, kernel)));
        let choice = self.kernels[found.ok()?].choice;
        (!choice.is_default()).then_some(choice)
    }
}

fn key(kernel: &KernelFeedback) -> (&str, &str) {
    (&kernel.architecture, &kernel.kernel)
}

impl KernelChoice {
    /// Whether everything is left to the models.
    #[must_use]
    pub fn is_default(self) -> bool {
        self == Self::default()
    }

    /// Returns the share of a budget that inlining may spend.
    #[must_use]
    pub fn share_of(self, budget: u32) -> u32 {
        let percent = u64::from(self.inline_percent.unwrap_or(100));
        u32::try_from(u64::from(budget) * percent / 100).unwrap_or(u32::MAX)
    }

    fn check(self) -> Result<(), String> {
        if let Some(percent) = self.inline_percent.filter(|percent| *percent > LARGEST_PERCENT) {
            return Err(format!("{percent} percent are more than {LARGEST_PERCENT}"));
        }
        match self.max_registers.filter(|registers| !REGISTERS.contains(registers)) {
            Some(registers) => Err(format!("no thread can be limited to {registers} registers")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kernel(architecture: &str, name: &str, choice: KernelChoice) -> KernelFeedback {
        let trial = KernelTrial { registers: 90, cycles: 7, ..KernelTrial::default() };
        KernelFeedback {
            architecture: architecture.to_owned(),
            kernel: name.to_owned(),
            choice,
            tried: vec![trial, KernelTrial { choice, warps: Some(16), ..trial }],
        }
    }

    const HALF: KernelChoice = KernelChoice { inline_percent: Some(50), max_registers: Some(64) };

    #[test]
    fn the_file_has_a_line_for_each_kernel_and_reads_back() -> Result<(), String> {
        let kernels = vec![
            kernel("sm_90", "b", KernelChoice::default()),
            kernel("sm_90", "a", HALF),
            kernel("sm_80", "c", HALF),
        ];
        let feedback = Feedback::new(kernels);
        let text = feedback.text().map_err(|error| error.to_string())?;
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 5, "{text}");
        assert!(lines[1].starts_with(r#"{"architecture":"sm_80","kernel":"c","choice""#), "{text}");
        assert_eq!(Feedback::read(text.as_bytes())?, feedback);
        assert_eq!(Feedback::read(b" \n")?, Feedback::default());
        let empty = Feedback::default().text().map_err(|error| error.to_string())?;
        assert_eq!(Feedback::read(empty.as_bytes())?, Feedback::default());
        Ok(())
    }

    #[test]
    fn figures_are_no_choices() {
        let all = vec![kernel("sm_90", "a", HALF), kernel("sm_90", "b", KernelChoice::default())];
        let feedback = Feedback::new(all);
        assert_eq!(feedback.choice("sm_90", "a"), Some(HALF));
        assert_eq!(feedback.choice("sm_90", "b"), None);
        assert_eq!(feedback.choice("sm_80", "a"), None);
        let choices = feedback.choices();
        assert_eq!(choices.kernels().len(), 1);
        assert_eq!(
            (choices.kernels()[0].kernel.as_str(), &choices.kernels()[0].tried[..]),
            ("a", &[][..])
        );
        assert_eq!(choices.choice("sm_90", "a"), Some(HALF));
    }

    #[test]
    fn a_choice_is_a_share_of_a_budget() {
        assert_eq!(KernelChoice::default().share_of(7), 7);
        assert_eq!(HALF.share_of(7), 3);
        let all = KernelChoice { inline_percent: Some(LARGEST_PERCENT), max_registers: None };
        assert_eq!(all.share_of(u32::MAX), u32::MAX);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let kernel = |choice: &str| {
            format!(r#"{{"architecture":"sm_90","kernel":"k","choice":{choice},"tried":[]}}"#)
        };
        let wrong = |version: u32, kernels: &[String]| {
            let kernels = kernels.join(",");
            let text = format!(r#"{{"version":{version},"kernels":[{kernels}]}}"#);
            Feedback::read(text.as_bytes()).err().unwrap_or_default()
        };
        let twice = [kernel("{}"), kernel("{}")];
        assert_eq!(wrong(1, &twice), "'k' is there twice for sm_90");
        assert_eq!(wrong(2, &twice), "feedback of version 2, and not of version 1");
        let error = Feedback::read(b"{}").err().unwrap_or_default();
        assert!(error.starts_with("no feedback about kernels: missing field"), "{error}");
        let single = |choice: &str| wrong(1, &[kernel(choice)]);
        assert_eq!(
            single(r#"{"max_registers":8}"#),
            "'k': no thread can be limited to 8 registers"
        );
        assert_eq!(single(r#"{"inline_percent":10001}"#), "'k': 10001 percent are more than 10000");
        assert_eq!(
            single(r#"{"max_registers":256}"#),
            "'k': no thread can be limited to 256 registers"
        );
        assert!(single(r#"{"speed":1}"#).contains("unknown field `speed`"));
        let bounds = ["10000,\"max_registers\":16", "0,\"max_registers\":255"];
        for choice in bounds.map(|choice| format!(r#"{{"inline_percent":{choice}}}"#)) {
            assert_eq!(single(&choice), "", "{choice}");
        }
    }
}
