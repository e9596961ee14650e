//! The options of the programs, by their own definitions.

use clap::{Arg, ArgAction, Command, CommandFactory as _};

/// Options of every program that are no knobs: each prints a text and ends.
const EXCEPTED: [&str; 4] = ["help", "version", "completion", "man"];

/// Whether an option has a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Takes {
    /// No value.
    #[default]
    Nothing,
    /// A value or none.
    Maybe,
    /// A value in any case.
    Always,
}

/// One option of one command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Definition {
    /// Program, such as `backend-job`.
    pub program: String,
    /// Subcommand, such as `codegen` or `cache/stats`; empty for the program itself.
    pub subcommand: String,
    /// Name with its hyphens, the long one if there is one.
    pub name: String,
    /// Default value, as clap or the help text states it; empty if there is none.
    pub default: String,
    /// First paragraph of the help text.
    pub help: String,
    /// Short name with its hyphen, if the option has one besides the long name.
    pub short: Option<String>,
    /// Whether the option has a value.
    pub takes: Takes,
    /// Name of the value, such as `FILE`; empty if there is none.
    pub value_name: String,
    /// The values that are possible; empty if they cannot be listed.
    pub choices: Vec<String>,
}

/// Returns all options of all commands of the programs, in the order of their definitions.
pub fn definitions() -> Vec<Definition> {
    let programs = [
        summarize::Arguments::command(),
        thinlink::Arguments::command(),
        backend_job::Arguments::command(),
        weft::Arguments::command(),
    ];
    let mut found = Vec::new();
    for mut command in programs {
        command.build();
        let program = command.get_name().to_owned();
        collect(&command, &program, "", &mut found);
    }
    found
}

fn collect(command: &Command, program: &str, subcommand: &str, found: &mut Vec<Definition>) {
    for option in command.get_arguments().filter(|option| is_knob(option)) {
        let help = option.get_long_help().or_else(|| option.get_help());
        let help = help.map(|text| words(&text.to_string())).unwrap_or_default();
        found.push(Definition {
            program: program.to_owned(),
            subcommand: subcommand.to_owned(),
            name: name(option),
            default: default(option, &help),
            help: option.get_help().map(|text| words(&text.to_string())).unwrap_or_default(),
            short: option.get_long().and(option.get_short()).map(|short| format!("-{short}")),
            takes: takes(option),
            value_name: value_name(option),
            choices: choices(option),
        });
    }
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        let name = below.get_name();
        let path =
            if subcommand.is_empty() { name.to_owned() } else { format!("{subcommand}/{name}") };
        collect(below, program, &path, found);
    }
}

fn is_knob(option: &Arg) -> bool {
    !option.is_positional() && !EXCEPTED.contains(&option.get_id().as_str())
}

fn name(option: &Arg) -> String {
    match (option.get_long(), option.get_short()) {
        (Some(long), _) => format!("--{long}"),
        (None, short) => format!("-{}", short.unwrap_or_default()),
    }
}

/// Returns the value of an option that is not given. If it depends on other options, the help text
/// states it as `[default: …]`.
fn default(option: &Arg, help: &str) -> String {
    let stated = help.split_once("[default: ").and_then(|(_, rest)| rest.split_once(']'));
    if let Some((stated, _)) = stated {
        return stated.to_owned();
    }
    let values = option.get_default_values().iter().map(|value| value.to_string_lossy());
    let values = values.collect::<Vec<_>>().join(",");
    let is_flag = matches!(option.get_action(), ArgAction::SetTrue | ArgAction::SetFalse);
    if is_flag { "off".to_owned() } else { values }
}

fn takes(option: &Arg) -> Takes {
    let is_flag = matches!(option.get_action(), ArgAction::SetTrue | ArgAction::SetFalse);
    let least = option.get_num_args().map_or(1, |range| range.min_values());
    match (is_flag, least) {
        (true, _) => Takes::Nothing,
        (false, 0) => Takes::Maybe,
        (false, _) => Takes::Always,
    }
}

fn value_name(option: &Arg) -> String {
    match takes(option) {
        Takes::Nothing => String::new(),
        _ => option.get_value_names().unwrap_or_default().join(" "),
    }
}

fn choices(option: &Arg) -> Vec<String> {
    match takes(option) {
        Takes::Nothing => Vec::new(),
        _ => option.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect(),
    }
}

/// Returns the text with one space between words.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_programs_and_of_subcommands_are_found_with_their_defaults() {
        let all = definitions();
        let default = |program: &str, subcommand: &str, name: &str| {
            let is_it = |known: &&Definition| {
                (known.program.as_str(), known.subcommand.as_str(), known.name.as_str())
                    == (program, subcommand, name)
            };
            all.iter().find(is_it).map(|known| known.default.as_str())
        };
        assert_eq!(default("thinlink", "", "--import-cutoff"), Some("-1"));
        assert_eq!(default("thinlink", "", "--trace"), Some("off"));
        assert_eq!(default("weft", "plan", "--print"), Some(""));
        assert_eq!(default("weft", "cache/stats", "--zero"), Some("off"));
        assert_eq!(default("summarize", "", "--import-priority"), Some("normal"));
        assert_eq!(default("summarize", "", "--help"), None);
        assert_eq!(default("summarize", "", "--completion"), None);
    }

    #[test]
    fn values_are_those_of_the_definitions() {
        let all = definitions();
        let find = |program: &str, subcommand: &str, name: &str| {
            let is_it = |known: &&Definition| {
                (known.program.as_str(), known.subcommand.as_str(), known.name.as_str())
                    == (program, subcommand, name)
            };
            all.iter().find(is_it).cloned().unwrap_or_default()
        };
        let debug = find("thinlink", "", "--debug");
        assert_eq!((debug.takes, debug.short.as_deref()), (Takes::Nothing, Some("-g")));
        let close = find("thinlink", "", "--close-modules");
        assert_eq!((close.takes, close.choices.join(" ").as_str()), (Takes::Maybe, "true false"));
        let feedback = find("thinlink", "", "--feedback");
        assert_eq!((feedback.takes, feedback.value_name.as_str()), (Takes::Always, "FILE"));
        let level = find("backend-job", "codegen", "-O");
        assert_eq!((level.takes, level.short), (Takes::Always, None));
        assert!(level.choices.contains(&"fast-compile=mid".to_owned()), "{:?}", level.choices);
    }
}
