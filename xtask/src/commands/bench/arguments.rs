//! Command lines of benches that have options.

use dev_process::{Error, Result};

/// The options on the command line of a bench in their order, each with its value: `flags` have none, and
/// the value is empty; those in `valued` have one, after `=` or as the next argument.
pub(super) fn parse<'names>(
    bench: &str,
    flags: &[&'names str],
    valued: &[&'names str],
    arguments: &[String],
) -> Result<Vec<(&'names str, String)>> {
    let mut options = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let (name, attached) = match argument.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (argument.as_str(), None),
        };
        let known = |names: &[&'names str]| names.iter().find(|it| **it == name).copied();
        if let Some(name) = known(valued) {
            let value = attached.or_else(|| arguments.next().cloned());
            let missing = || Error::usage(format!("{name} needs a value"));
            options.push((name, value.ok_or_else(missing)?));
        } else if let (Some(name), None) = (known(flags), attached) {
            options.push((name, String::new()));
        } else {
            return Err(Error::usage(format!("bench {bench} has no option {argument:?}")));
        }
    }
    Ok(options)
}

/// The value of an option that takes a number.
pub(super) fn number(name: &str, value: &str) -> Result<u64> {
    value.parse().map_err(|_| Error::usage(format!("{name} takes a number, got {value:?}")))
}
