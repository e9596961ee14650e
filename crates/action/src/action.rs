//! A declared action and its outcome.

use crate::claim::{Check, check_outputs};
use crate::time_limit::TimeLimit;
use crate::tool::Tool;

/// The phase that an action carries out. Its name is a word of messages and of keys. All names but
/// the last are words of the command line, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Makes the summary of one unit.
    Summarize,
    /// Makes plans from all summaries.
    Thinlink,
    /// Makes a linked module from a plan and bitcode.
    Import,
    /// Makes PTX from a linked module.
    Codegen,
    /// Makes a cubin from PTX.
    Assemble,
    /// Makes an object from bitcode and its index, for LLVM's own distributed ThinLTO.
    Compile,
    /// Makes one file of a device link by another executable: a summary, or a module's cubin.
    Step,
    /// Makes the image of a program from its units, by all phases above.
    Link,
}

impl Phase {
    /// Every phase, in the order of a build.
    pub const ALL: [Self; 8] = [
        Self::Summarize,
        Self::Thinlink,
        Self::Import,
        Self::Codegen,
        Self::Assemble,
        Self::Compile,
        Self::Step,
        Self::Link,
    ];

    /// Returns the phase's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Summarize => "summarize",
            Self::Thinlink => "thinlink",
            Self::Import => "import",
            Self::Codegen => "codegen",
            Self::Assemble => "assemble",
            Self::Compile => "compile",
            Self::Step => "step",
            Self::Link => "link",
        }
    }

    /// Whether the phase takes so long that a lookup of its result pays. The other three take about
    /// as long as digesting their inputs, and the digest of this executable comes on top; a summary
    /// of a large unit is an exception, which [`Action::is_costly`] knows.
    pub const fn is_costly(self) -> bool {
        !matches!(self, Self::Summarize | Self::Thinlink | Self::Import)
    }
}

/// A declared action: everything that its outputs may depend on.
#[derive(Clone, Debug)]
pub struct Action<'data> {
    /// Phase that the action carries out.
    pub phase: Phase,
    /// Name of the object of the work, such as a module id. It serves messages, and finds the
    /// earlier runs that a miss is compared with; the outputs do not depend on it.
    pub subject: String,
    /// Program to run.
    pub program: Tool,
    /// Arguments of the program. Files have their names of `inputs` and `outputs`.
    pub arguments: Vec<String>,
    /// Other programs and libraries that the program needs.
    pub tools: Vec<Tool>,
    /// Files that the program reads.
    pub inputs: Vec<Input<'data>>,
    /// Names of the files that the program writes.
    pub outputs: Vec<String>,
    /// Time after which the program is ended. The outputs do not depend on it.
    pub time_limit: Option<TimeLimit>,
    /// Check that a result must pass, wherever it comes from.
    pub check: Check,
}

/// A file that an action reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input<'data> {
    /// Name relative to the action's folder, with `/` between its parts.
    pub name: String,
    /// Content of the file.
    pub content: &'data [u8],
}

/// Size of a unit from which making its summary takes seconds, in bytes: vendors' libraries are
/// larger, and objects of compilers are smaller.
const LARGE_UNIT: usize = 4 << 20;

impl Action<'_> {
    /// Whether the action takes so long that a lookup of its result pays, as those do that need
    /// other programs and libraries.
    pub fn is_costly(&self) -> bool {
        let size = || self.inputs.iter().map(|input| input.content.len()).sum::<usize>();
        self.phase.is_costly()
            || !self.tools.is_empty()
            || (self.phase == Phase::Summarize && size() >= LARGE_UNIT)
    }
}

impl<'data> Input<'data> {
    /// Creates an input.
    pub fn new(name: impl Into<String>, content: &'data [u8]) -> Self {
        Self { name: name.into(), content }
    }
}

/// Maximum number of bytes of messages in a result.
const LONGEST_MESSAGES: usize = 16 << 20;

/// Result of an action that succeeded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Content of each declared output, in the order of the declaration.
    pub outputs: Vec<Vec<u8>>,
    /// Bytes that the action wrote to standard output.
    pub stdout: Vec<u8>,
    /// Bytes that the action wrote to standard error.
    pub stderr: Vec<u8>,
}

impl Outcome {
    /// Creates the outcome of a phase that ran in this process and has one output.
    pub fn of(output: Vec<u8>) -> Self {
        Self { outputs: vec![output], ..Self::default() }
    }

    /// Returns the content of the only output.
    pub fn into_output(self) -> Vec<u8> {
        self.outputs.into_iter().next().unwrap_or_default()
    }

    /// Returns this outcome with standard error cut to the maximum length. The process that runs
    /// the action and those that get its result later so print the same. Standard output may be
    /// data, and is not cut.
    #[must_use]
    pub(crate) fn with_bounded_messages(mut self) -> Self {
        let length = self.stderr.len();
        if length > LONGEST_MESSAGES {
            let whole_lines =
                self.stderr[..LONGEST_MESSAGES].iter().rposition(|byte| *byte == b'\n');
            self.stderr.truncate(whole_lines.map_or(LONGEST_MESSAGES, |end| end + 1));
            let rest = length - self.stderr.len();
            self.stderr.extend(format!("({rest} more bytes of messages)\n").bytes());
        }
        self
    }

    /// Returns both streams as one text.
    pub fn messages(&self) -> String {
        messages(&self.stdout, &self.stderr)
    }
}

impl Action<'_> {
    /// Says what is wrong with `outcome` as the result of this action.
    pub(crate) fn check_outcome(&self, outcome: &Outcome) -> Result<(), String> {
        let names = self.outputs.iter().map(String::as_str);
        let arguments = self.arguments.iter().map(String::as_str).collect();
        check_outputs(self.check, arguments, names, &outcome.outputs)
    }

    /// Returns the program's name and the arguments as one line, for messages.
    pub(crate) fn command_line(&self) -> String {
        let name = std::iter::once(self.program.name.clone());
        name.chain(self.arguments.iter().cloned()).collect::<Vec<_>>().join(" ")
    }
}

/// Returns both streams of a program as one text, for people.
pub(crate) fn messages(stdout: &[u8], stderr: &[u8]) -> String {
    String::from_utf8_lossy(&[stdout, stderr].concat()).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_kept_up_to_a_bound_by_whole_lines() {
        let of = |text: String| Outcome { stderr: text.into_bytes(), ..Outcome::default() };
        let short = of("line\n".repeat(10));
        assert_eq!(short.clone().with_bounded_messages(), short);
        let longest = of("x".repeat(LONGEST_MESSAGES));
        assert_eq!(longest.clone().with_bounded_messages(), longest);
        let long = of("line\n".repeat(LONGEST_MESSAGES / 5 + 100)).with_bounded_messages();
        assert!(long.stderr.len() < LONGEST_MESSAGES + 50);
        assert!(long.stderr.ends_with(b"line\n(500 more bytes of messages)\n"));
        let line = of("x".repeat(LONGEST_MESSAGES + 7)).with_bounded_messages();
        assert!(line.stderr.ends_with(b"x(7 more bytes of messages)\n"));
    }
}
