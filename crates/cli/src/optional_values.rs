//! The rule of options whose value can be left out: a value must follow `=`.
//!
//! In `thinlink --devirtualize a.summary` the parser would otherwise take the summary for the
//! value. All booleans follow the rule, also where a value used to be required: `--flag` means
//! `--flag=true`.

use std::any::TypeId;

use clap::{Arg, Command};

/// Returns the options of `command` and of all commands below it that break the rule, with the
/// faults. Every executable has a test that there are none.
pub fn breaches(command: &Command) -> Vec<String> {
    let options = command.get_arguments().filter(|option| !option.is_positional());
    let own = options.filter_map(|option| {
        let what = breach(option)?;
        Some(format!("{} --{}: {what}", command.get_name(), option.get_id()))
    });
    own.chain(command.get_subcommands().flat_map(breaches)).collect()
}

fn breach(option: &Arg) -> Option<&'static str> {
    if !option.get_action().takes_values() {
        return None;
    }
    // An option takes one value where its definition does not state a number.
    let count = option.get_num_args().unwrap_or_default();
    let is_optional = count.min_values() < count.max_values();
    let is_boolean = option.get_value_parser().type_id() == TypeId::of::<bool>()
        || option.get_value_names().is_some_and(|names| names.iter().any(|name| name == "BOOL"));
    match (is_boolean, is_optional) {
        (true, false) => Some("a boolean must do without a value"),
        (_, true) if !option.is_require_equals_set() => Some("its value must follow '='"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use clap::{ArgAction, value_parser};

    use super::*;

    #[test]
    fn what_could_take_the_next_argument_is_found_at_any_depth() {
        let boolean = |name: &'static str| {
            Arg::new(name).long(name).action(ArgAction::Set).value_parser(value_parser!(bool))
        };
        let mut command = Command::new("program")
            .arg(Arg::new("files").num_args(1..))
            .arg(Arg::new("switch").long("switch").action(ArgAction::SetTrue))
            .arg(Arg::new("name").long("name"))
            .arg(Arg::new("pair").long("pair").num_args(2))
            .arg(boolean("right").num_args(0..=1).require_equals(true))
            .arg(boolean("strict"))
            .subcommand(
                Command::new("inner")
                    .arg(boolean("loose").num_args(0..=1))
                    .arg(Arg::new("word").long("word").value_name("BOOL"))
                    .arg(Arg::new("many").long("many").num_args(1..)),
            );
        command.build();
        assert_eq!(
            breaches(&command),
            [
                "program --strict: a boolean must do without a value",
                "inner --loose: its value must follow '='",
                "inner --word: a boolean must do without a value",
                "inner --many: its value must follow '='",
            ]
        );
    }
}
