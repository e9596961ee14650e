//! Options as an action declares them.
//!
//! An action's arguments must hold every option that its outputs depend on, and hold it in one way
//! only. Written by hand, that is a second list beside the options, and an option that is missing
//! there makes a cache give wrong results. Instead, `Declared<T>` is flattened into a command line
//! instead of `T`, and keeps the value of each option of `T`, including defaults, by the
//! definitions that the parser has of them.

use std::ffi::OsStr;
use std::ops::Deref;

use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, CommandFactory, Error, FromArgMatches, Id, Parser,
};

use crate::execution::ExecutionArguments;
use crate::printed::CommonArguments;

/// Options, and the arguments that express them.
#[derive(Clone, Debug)]
pub struct Declared<T> {
    value: T,
    arguments: Vec<Argument>,
}

/// An option with its value, and the option's name.
#[derive(Clone, Debug)]
struct Argument {
    name: String,
    text: String,
}

impl<T> Declared<T> {
    /// Returns arguments with the meaning of the command line: one for each option and value, in
    /// the order of the options' names, with `=` before values. The user's spelling and order are
    /// lost, except that the values of one option keep their order.
    ///
    /// Options about the source of results are left out, and so are positional arguments. Options
    /// that name files are kept: if one were left out silently, it could change an output and no
    /// key.
    pub fn arguments(&self) -> Vec<String> {
        self.arguments.iter().map(|argument| argument.text.clone()).collect()
    }

    /// Returns the [`arguments`](Self::arguments) without the options of the given names, such as
    /// `--threads`, that cannot change an output or that the action names in its own way.
    pub fn arguments_without(&self, names: &[&str]) -> Vec<String> {
        let kept =
            self.arguments.iter().filter(|argument| !names.contains(&argument.name.as_str()));
        kept.map(|argument| argument.text.clone()).collect()
    }

    /// Returns the options themselves.
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<T> Deref for Declared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: Args> FromArgMatches for Declared<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        Ok(Self { arguments: given::<T>(matches), value: T::from_arg_matches(matches)? })
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        // The arguments come first, as the second step takes the values out of the matches.
        Ok(Self { arguments: given::<T>(matches), value: T::from_arg_matches_mut(matches)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<T: Args> Args for Declared<T> {
    fn group_id() -> Option<Id> {
        T::group_id()
    }

    fn augment_args(command: Command) -> Command {
        T::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        T::augment_args_for_update(command)
    }
}

impl<T: CommandFactory> CommandFactory for Declared<T> {
    fn command() -> Command {
        T::command()
    }

    fn command_for_update() -> Command {
        T::command_for_update()
    }
}

impl<T: Parser + Args> Parser for Declared<T> {}

/// Returns the arguments in `matches` that belong to options of `T`.
fn given<T: Args>(matches: &ArgMatches) -> Vec<Argument> {
    let common = CommonArguments::augment_args(Command::new("common"));
    let excluded = ExecutionArguments::augment_args(common);
    let is_excluded = |option: &Arg| {
        excluded.get_arguments().any(|argument| argument.get_id() == option.get_id())
    };
    let command = T::augment_args(Command::new("options"));
    let mut options: Vec<&Arg> = command
        .get_arguments()
        .filter(|option| !option.is_positional() && !is_excluded(option))
        .collect();
    options.sort_by_key(|option| name(option));
    options.into_iter().flat_map(|option| arguments(option, matches)).collect()
}

/// Returns `--name`, or `-n` for an option without a long name.
fn name(option: &Arg) -> String {
    match (option.get_long(), option.get_short()) {
        (Some(long), _) => format!("--{long}"),
        (None, short) => format!("-{}", short.unwrap_or_default()),
    }
}

fn arguments(option: &Arg, matches: &ArgMatches) -> Vec<Argument> {
    let id = option.get_id().as_str();
    let name = name(option);
    let sign = if name.starts_with("--") { "=" } else { "" };
    let texts: Vec<String> = match option.get_action() {
        // The raw value of a flag is `true` or `false`, which is not for a command line.
        ArgAction::SetTrue if matches.get_flag(id) => vec![name.clone()],
        ArgAction::SetFalse if !matches.get_flag(id) => vec![name.clone()],
        ArgAction::SetTrue | ArgAction::SetFalse => Vec::new(),
        _ => {
            let values = matches.get_raw(id).into_iter().flatten().map(OsStr::to_string_lossy);
            values.map(|value| format!("{name}{sign}{value}")).collect()
        }
    };
    texts.into_iter().map(|text| Argument { name: name.clone(), text }).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser, Debug)]
    struct Line {
        input: String,
        #[command(flatten)]
        options: Declared<Options>,
        #[arg(long)]
        other: bool,
    }

    #[derive(Args, Debug)]
    struct Options {
        #[arg(short = 'O', default_value = "3")]
        level: String,
        #[arg(short, long, default_value_t = 7)]
        limit: u32,
        #[arg(long)]
        fast: bool,
        #[arg(long = "no-slow", action = ArgAction::SetFalse)]
        slow: bool,
        #[arg(long)]
        name: Option<String>,
        #[arg(long = "pass", allow_hyphen_values = true)]
        passed: Vec<String>,
        #[arg(long)]
        report: Option<std::path::PathBuf>,
        #[command(flatten)]
        execution: ExecutionArguments,
    }

    fn parse(words: &[&str]) -> Line {
        Line::try_parse_from([&["program"], words].concat()).expect("a good command line")
    }

    #[test]
    fn defaults_are_declared_and_flags_only_when_given() {
        let line = parse(&["in"]);
        assert_eq!(line.options.arguments(), ["--limit=7", "-O3"]);
        assert!(line.options.slow && !line.options.fast && line.options.name.is_none());
        // Options about the source of results are left out.
        let line = parse(&["in", "--report=file", "--no-cache", "--cache-dir=dir", "--stats"]);
        assert!(line.options.report.is_some());
        assert_eq!(line.options.arguments(), ["--limit=7", "--report=file", "-O3"]);
        let line = parse(&["in", "--fast", "--no-slow", "--name=", "--other"]);
        let expected = ["--fast", "--limit=7", "--name=", "--no-slow", "-O3"];
        assert_eq!(line.options.arguments(), expected);
        assert_eq!((line.input.as_str(), line.other), ("in", true));
    }

    #[test]
    fn spelling_and_order_do_not_matter_and_values_do() {
        let one = parse(&["in", "-O2", "--limit", "9", "--pass=-x", "--pass", "a=b"]);
        let other = parse(&["--pass", "-x", "-l9", "in", "--pass=a=b", "-O", "2"]);
        assert_eq!(one.options.arguments(), other.options.arguments());
        assert_eq!(one.options.arguments(), ["--limit=9", "--pass=-x", "--pass=a=b", "-O2"]);
        let swapped = parse(&["in", "-O2", "-l9", "--pass=a=b", "--pass=-x"]);
        assert_ne!(one.options.arguments(), swapped.options.arguments());
        assert_eq!(one.options.arguments_without(&["--pass", "-O"]), ["--limit=9"]);
        assert_eq!((one.options.level.as_str(), one.options.limit), ("2", 9));
        assert_eq!(one.options.passed, ["-x", "a=b"]);
    }

    #[test]
    fn what_is_declared_says_the_same_again() {
        let line = parse(&["in", "--fast", "--pass=-x", "--pass=--y=z", "--name=n", "-O1"]);
        let words = line.options.arguments();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let again = parse(&[&["in"], &words[..]].concat());
        assert_eq!(again.options.arguments(), line.options.arguments());
    }
}
