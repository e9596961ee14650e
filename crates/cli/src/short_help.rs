//! The short help, `-h`: what people need, on one screen. `--help` has everything.

use std::ffi::OsString;

use clap::{Arg, Command};

/// Options of groups that the short help shows all the same.
const COMMON: &[&str] = &[
    "cache_dir",
    "full",
    "has_global_host_info",
    "keep",
    "no_cache",
    "ptxas",
    "remote_executor",
    "stats",
    "tune_for",
    "verbose",
];

/// Whether a command line may end with a help text: by an option, by the command `help`, or as it
/// lacks a command.
pub(crate) fn may_ask_for_help(arguments: &[OsString]) -> bool {
    let asks = |argument: &OsString| {
        let text = argument.as_encoded_bytes();
        let is_short = text.starts_with(b"-") && !text.starts_with(b"--");
        text == b"help" || text.starts_with(b"--h") || is_short && text.contains(&b'h')
    };
    arguments.len() < 4 || arguments.iter().any(asks)
}

/// Omits the options of groups, except the common ones, from the short help, and lists their groups
/// at its end. The short help shows the first sentence of each option.
pub(crate) fn short_help(command: Command) -> Command {
    let command = command.mut_subcommands(short_help).mut_args(with_first_sentence);
    let mut groups: Vec<String> = Vec::new();
    for group in command.get_arguments().filter(|option| is_rare(option)) {
        let group = group.get_help_heading().unwrap_or_default().to_owned();
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    if groups.is_empty() {
        return command;
    }
    let groups = format!("More options, by --help: {}", groups.join("; ").to_lowercase());
    let short = match command.get_after_help() {
        Some(text) => format!("{groups}\n\n{text}"),
        None => groups,
    };
    let long = command.get_after_help().cloned().unwrap_or_default();
    command
        .mut_args(|option| if is_rare(&option) { option.hide_short_help(true) } else { option })
        .after_help(short)
        .after_long_help(long)
}

fn is_rare(option: &Arg) -> bool {
    option.get_help_heading().is_some()
        && !option.is_hide_set()
        && !COMMON.contains(&option.get_id().as_str())
}

fn with_first_sentence(option: Arg) -> Arg {
    let Some(whole) = option.get_help().map(ToString::to_string) else { return option };
    let option = match option.get_long_help() {
        Some(_) => option,
        None => option.long_help(whole.clone()),
    };
    option.help(first_sentence(&whole).to_owned())
}

/// Returns a text up to its first period before another sentence.
fn first_sentence(text: &str) -> &str {
    let ends = text.match_indices(". ").map(|(end, _)| end);
    let is_end = |end: &usize| text[end + 2..].starts_with(|c: char| c.is_uppercase() || c == '`');
    ends.into_iter().find(is_end).map_or(text, |end| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_before_another_one() {
        for (text, first) in [
            ("One. Two. Three.", "One"),
            ("The newest, such as 8.5 or so", "The newest, such as 8.5 or so"),
            ("A list, e. g. this. `X` stands for it", "A list, e. g. this"),
        ] {
            assert_eq!(first_sentence(text), first);
        }
    }
}
