//! Options that an unknown one may mean.
//!
//! The parser's own measure takes `--remote-priority` for `--import-priority`. Here an option is
//! suggested if it starts with what was written, or if few letters differ.

use std::ffi::OsString;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use strsim::damerau_levenshtein;

/// Maximum number of suggested options.
const MOST: usize = 3;
/// Minimum length of a prefix that suggests all options that start with it.
const SHORTEST_BEGINNING: usize = 3;
/// Number of letters for each typo that is allowed.
const LETTERS_PER_TYPO: usize = 4;

/// Replaces the parser's suggestion in an error about an unknown option. `arguments` is the whole
/// command line of `command`.
pub(crate) fn improve(
    mut error: clap::Error,
    command: &Command,
    arguments: &[OsString],
) -> clap::Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let Some(unknown) = unknown.strip_prefix("--") else { return error };
    let called = called(command, arguments);
    let options = called.get_arguments().filter(|option| !option.is_hide_set());
    let suggested = similar(unknown, options.filter_map(clap::Arg::get_long));
    error.remove(ContextKind::SuggestedArg);
    if let Some(suggested) = suggested {
        error.insert(ContextKind::SuggestedArg, suggested);
    }
    error
}

/// Returns the command that the arguments call, which is `command` or one below it.
fn called<'a>(command: &'a Command, arguments: &[OsString]) -> &'a Command {
    arguments.iter().skip(1).fold(command, |called, argument| {
        argument.to_str().and_then(|name| called.find_subcommand(name)).unwrap_or(called)
    })
}

/// Returns the options that `unknown` may mean, most likely first.
fn similar<'a>(unknown: &str, options: impl Iterator<Item = &'a str>) -> Option<ContextValue> {
    let is_beginning = unknown.len() >= SHORTEST_BEGINNING;
    let most = (unknown.len() / LETTERS_PER_TYPO).max(1);
    let mut similar: Vec<_> = options
        .filter_map(|option| {
            let starts = is_beginning && option.starts_with(unknown);
            let typos = damerau_levenshtein(unknown, option);
            (starts || typos <= most).then_some((typos, option))
        })
        .collect();
    similar.sort_unstable();
    let names = similar.iter().take(MOST).map(|(_, option)| format!("--{option}")).collect();
    match similar.as_slice() {
        [] => None,
        [(_, one)] => Some(ContextValue::String(format!("--{one}"))),
        _ => Some(ContextValue::Strings(names)),
    }
}

#[cfg(test)]
mod tests {
    use clap::Arg;

    use super::*;

    fn tip(arguments: &[&str]) -> Option<String> {
        let options = ["remote-cache", "remote-priority", "import-instr-limit", "import-cutoff"];
        let options = options.map(|name| Arg::new(name).long(name).num_args(1));
        let work = Command::new("work").arg(Arg::new("pack").long("pack").num_args(1));
        let command = Command::new("program").args(options).subcommand(work);
        let arguments: Vec<_> = [&["program"], arguments].concat().iter().map(Into::into).collect();
        let error = command.clone().try_get_matches_from(&arguments).unwrap_err();
        let text = improve(error, &command, &arguments).to_string();
        text.lines().find_map(|line| line.trim().strip_prefix("tip: ")).map(str::to_owned)
    }

    #[test]
    fn an_option_is_suggested_if_few_letters_differ_or_it_is_longer() {
        let one = |name: &str| Some(format!("a similar argument exists: '{name}'"));
        assert_eq!(tip(&["--remote-prioriti", "1"]), one("--remote-priority"));
        assert_eq!(tip(&["--remtoe-cache=1"]), one("--remote-cache"));
        let both = "some similar arguments exist: '--import-cutoff', '--import-instr-limit'";
        assert_eq!(tip(&["--import", "1"]).as_deref(), Some(both));
        assert_eq!(tip(&["work", "--pakc", "1"]), one("--pack"));
    }

    #[test]
    fn what_has_another_meaning_is_not_suggested() {
        assert_eq!(tip(&["--import-priority", "1"]), None);
        assert_eq!(tip(&["work", "--remote-cache", "1"]), None);
        assert_eq!(tip(&["--re", "1"]), None);
    }
}
