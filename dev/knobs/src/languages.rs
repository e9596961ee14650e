//! The lists of options in the words of CMake and of Starlark.

use crate::builds::{BuildOption, BuildOptions, ValueForm};

/// CMake's list, from the root of the checkout.
pub const CMAKE: &str = "cmake/private/_weft_known_options.cmake";
/// Bazel's list, from the root of the checkout.
pub const BAZEL: &str = "bazel/private/rules/known_options.bzl";

/// Returns CMake's list.
pub fn cmake(options: &BuildOptions) -> String {
    let known = lines(options.known.iter().map(|option| {
        let row = row(option, "|");
        format!("    \"{}|{row}\"", option.name)
    }));
    let refused =
        lines(options.refused.iter().map(|(name, reason)| format!("    \"{name}|{reason}\"")));
    format!(
        "\
# Made by `cargo xtask knobs --write` from the programs' definitions; do not edit.
include_guard(GLOBAL)

# _weft_known_options(<known> <refused>)
#
# Sets <known> to the options that OPTIONS takes, as NAME|VALUE|STEPS|CHOICES: VALUE is none,
# optional, wanted, after (as in -O3) or file; STEPS and CHOICES have commas between, and without
# CHOICES the steps judge the value. Sets <refused> to options of the steps that are not given
# there, as NAME|REASON.
function(_weft_known_options known refused)
  set(${{known}}
{known}    PARENT_SCOPE)
  set(${{refused}}
{refused}    PARENT_SCOPE)
endfunction()
"
    )
}

/// Returns Bazel's list.
pub fn bazel(options: &BuildOptions) -> String {
    let entry = |name: &str, value: &str| format!("    \"{name}\": \"{value}\",");
    let known = options.known.iter().map(|option| entry(&option.name, &row(option, " ")));
    let refused = options.refused.iter().map(|(name, reason)| entry(name, reason));
    let (known, refused) = (lines(known), lines(refused));
    format!(
        "\
\"\"\"The options of the steps of a build.

Made by `cargo xtask knobs --write` from the programs' definitions; do not edit.
\"\"\"

# The options that the attribute `options` takes, as `VALUE STEPS CHOICES`: VALUE is none, optional,
# wanted or after (as in -O3); STEPS and CHOICES have commas between, and without CHOICES the
# steps judge the value.
KNOWN_OPTIONS = {{
{known}}}

# Options of the steps that are not given there, with the reason.
REFUSED_OPTIONS = {{
{refused}}}
"
    )
}

/// Joins lines, of which each gets an end.
fn lines(lines: impl Iterator<Item = String>) -> String {
    lines.map(|line| line + "\n").collect()
}

/// Returns all about an option but its name, with `separator` between the parts.
fn row(option: &BuildOption, separator: &str) -> String {
    let value = match option.value {
        ValueForm::None => "none",
        ValueForm::Optional => "optional",
        ValueForm::Wanted => "wanted",
        ValueForm::Attached => "after",
        ValueForm::File => "file",
    };
    let parts = [value.to_owned(), option.steps.join(","), option.choices.join(",")];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lists_say_the_same() {
        let option = BuildOption {
            name: "--close".to_owned(),
            value: ValueForm::Optional,
            steps: vec!["unit", "thinlink"],
            choices: vec!["true".to_owned(), "false".to_owned()],
        };
        let refused = [("--plan".to_owned(), "no".to_owned())].into();
        let options = BuildOptions { known: vec![option], refused };
        let text = cmake(&options);
        assert!(text.contains("    \"--close|optional|unit,thinlink|true,false\"\n"), "{text}");
        assert!(text.contains("    \"--plan|no\"\n"), "{text}");
        let text = bazel(&options);
        assert!(
            text.contains("    \"--close\": \"optional unit,thinlink true,false\",\n"),
            "{text}"
        );
        assert!(text.contains("    \"--plan\": \"no\",\n"), "{text}");
    }
}
