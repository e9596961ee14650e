//! Options of benches: one list says which there are, reads them and describes them.

use dev_process::{Error, Result};

/// An option that a bench has.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) name: &'static str,
    /// Name of the option's value, or nothing for a flag.
    pub(super) value: &'static str,
    pub(super) help: &'static str,
}

/// An option on the command line, with its value, which is empty for a flag.
pub(super) type Given = (&'static str, String);

/// Returns the option `--only`, which takes `value`.
pub(super) const fn only(value: &'static str, help: &'static str) -> Known {
    Known { name: "--only", value, help }
}

/// Returns the chosen ones of the `parts` of the bench `name`; without a choice all.
pub(super) fn chosen(
    name: &str,
    parts: &[&'static str],
    given: &[Given],
) -> Result<Vec<&'static str>> {
    let chosen = given.iter().map(|(_, value)| {
        let part = parts.iter().copied().find(|part| part == value);
        part.ok_or_else(|| {
            let parts = parts.join(", ");
            Error::usage(format!("bench {name} takes --only with one of {parts}, not {value:?}"))
        })
    });
    let chosen = chosen.collect::<Result<Vec<_>>>()?;
    Ok(if chosen.is_empty() { parts.to_vec() } else { chosen })
}

/// The generated program of two benches.
pub(super) const QUICK: Known =
    Known { name: "--quick", value: "", help: "generate a program with a level of calls less" };
pub(super) const SEED: Known =
    Known { name: "--seed", value: "N", help: "generate the programs of this seed" };
pub(super) const EXECUTABLES: Known = Known {
    name: "--executables",
    value: "DIR",
    help: "measure the executables in DIR, to compare versions",
};

/// Returns whether an argument asks for help.
pub(super) fn is_help(argument: &str) -> bool {
    ["--help", "-h"].contains(&argument)
}

/// Returns the lines that describe options.
pub(super) fn list(options: &[Known]) -> String {
    let lines = options.iter().map(|Known { name, value, help }| {
        let left = format!("{name} {value}");
        format!("  {left:22}  {help}")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Reads the options on the command line of a bench, in their order. A value comes after `=` or as
/// the next argument.
pub(super) fn parse(bench: &str, known: &[Known], arguments: &[String]) -> Result<Vec<Given>> {
    let mut options = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let (name, attached) = match argument.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (argument.as_str(), None),
        };
        match known.iter().find(|option| option.name == name) {
            Some(Known { name, value: "", .. }) if attached.is_none() => {
                options.push((*name, String::new()));
            }
            Some(Known { name, value, .. }) if !value.is_empty() => {
                let value = attached.or_else(|| arguments.next().cloned());
                let missing = || Error::usage(format!("{name} needs a value"));
                options.push((*name, value.ok_or_else(missing)?));
            }
            _ => return Err(Error::usage(format!("bench {bench} has no option {argument:?}"))),
        }
    }
    Ok(options)
}

/// Reads the value of an option that takes a number.
pub(super) fn number(name: &str, value: &str) -> Result<u64> {
    value.parse().map_err(|_| Error::usage(format!("{name} takes a number, got {value:?}")))
}

/// Parses a line of options for a test.
#[cfg(test)]
pub(super) fn parse_line(known: &[Known], line: &str) -> Result<Vec<Given>> {
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    parse("test", known, &words)
}
