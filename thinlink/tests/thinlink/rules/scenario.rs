//! One scenario: prose, units, what `thinlink` says and does, and what `weft` answers about it.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use weft_artifact::{Artifact as _, SummaryFile};

use super::summaries;
use crate::command_line::{text, thinlink, weft};
use crate::support::{Module, units};

/// A scenario as its file has it.
pub(super) struct Scenario {
    /// The rule.
    pub(super) prose: String,
    /// Everything before the first command.
    setting: String,
    units: Vec<Module>,
    /// Files beside the summaries, with their content.
    files: Vec<(String, String)>,
    /// Words behind `$`, in order: `thinlink` or `weft`, and its arguments.
    pub(super) commands: Vec<Vec<String>>,
}

const PROMPT: &str = "$ ";

impl Scenario {
    pub(super) fn parse(file: &str) -> Result<Self, String> {
        let start = file.find("\n$ ").ok_or("it runs nothing")? + 1;
        let (setting, transcript) = file.split_at(start);
        let units_start =
            ["\nunit ", "\nfile "].iter().filter_map(|start| setting.find(start)).min();
        let units_start = units_start.ok_or("it has no unit")? + 1;
        let (prose, described) = setting.split_at(units_start);
        let (mut files, mut units) = (Vec::new(), String::new());
        for line in described.lines() {
            if let Some(file) = line.strip_prefix("file ") {
                let (name, content) = file.split_once(": ").ok_or("file NAME: CONTENT")?;
                files.push((name.to_owned(), content.replace("; ", "\n")));
            } else {
                units.push_str(line);
                units.push('\n');
            }
        }
        let commands = transcript.lines().filter_map(|line| line.strip_prefix(PROMPT));
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
        Ok(Self {
            prose: prose.to_owned(),
            setting: setting.to_owned(),
            units: summaries::parse(&units)?,
            files,
            commands: commands.map(words).collect(),
        })
    }

    /// The file as it would be if all it says were right.
    pub(super) fn play(&self) -> Result<String, Box<dyn Error>> {
        let folder = tempfile::tempdir()?;
        let mut names = Vec::new();
        for unit in units(&self.units)? {
            names.push(unit.path.display().to_string());
            fs::write(folder.path().join(&unit.path), SummaryFile::from(unit.summary).encode()?)?;
        }
        for (name, content) in &self.files {
            fs::write(folder.path().join(name), content)?;
        }
        let commands = self.commands.iter().map(|words| run(folder.path(), words, &names));
        let transcript = commands.collect::<Result<Vec<_>, _>>()?.join("\n");
        Ok(format!("{}{transcript}", self.setting))
    }
}

/// Options of links that do not state them: attributes are in their own scenarios only, and limits
/// are the ones of functions.
const DEFAULTS: [&str; 3] =
    ["--propagate-attrs=false", "--import-kernel-multiplier=1", "--close-modules=false"];

/// Runs one command, and returns everything that there is to see of it.
fn run(folder: &Path, words: &[String], summaries: &[String]) -> Result<String, Box<dyn Error>> {
    let (program, rest) = words.split_first().ok_or("a command without a program")?;
    let is_link = program == "thinlink";
    let mut arguments: Vec<&str> = rest.iter().map(String::as_str).collect();
    if is_link {
        arguments.insert(0, "--output-dir=out");
    } else if arguments.first().is_some_and(|word| *word != "plan") {
        arguments.insert(1, "--output-dir=out");
    }
    if is_link {
        for default in DEFAULTS {
            let name = default.split_once('=').map_or(default, |(name, _)| name);
            // In closed modules the limits of imports are those that users have.
            let is_closed = words.iter().any(|word| word == "--close-modules");
            let is_limit = name == "--import-kernel-multiplier";
            if !(is_closed && is_limit || words.iter().any(|word| word.starts_with(name))) {
                arguments.push(default);
            }
        }
        arguments.extend(summaries.iter().map(String::as_str));
        if folder.join("out").exists() {
            fs::remove_dir_all(folder.join("out"))?;
        }
    }
    let output = match program.as_str() {
        "thinlink" => thinlink(folder, &arguments)?,
        "weft" => weft(folder, &arguments)?,
        other => return Err(format!("no scenario runs {other}").into()),
    };
    let mut shown = format!("{PROMPT}{}\n", words.join(" "));
    shown += &text(&output.stdout);
    shown += &text(&output.stderr);
    if !output.status.success() {
        writeln!(shown, "exit code {}", output.status.code().unwrap_or(-1))?;
    } else if is_link {
        shown += &plans(folder, summaries)?;
    }
    Ok(shown)
}

/// Returns the text of the plans without the architecture.
fn plans(folder: &Path, summaries: &[String]) -> Result<String, Box<dyn Error>> {
    let mut shown = String::new();
    for summary in summaries {
        let module = summary.strip_suffix(".summary").ok_or("no summary")?;
        let path = format!("out/{module}.plan");
        if folder.join(&path).exists() {
            writeln!(shown, "plan of {module}")?;
            let printed = weft(folder, &["plan", "--print", &path])?;
            let printed = text(&printed.stdout).into_owned();
            let facts = printed.lines().skip_while(|line| line.starts_with("module "));
            for fact in facts.skip_while(|line| line.starts_with("architecture ")) {
                writeln!(shown, "  {fact}")?;
            }
        }
    }
    Ok(shown)
}
