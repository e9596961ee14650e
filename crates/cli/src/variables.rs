//! Reads settings from the command line, else from the environment, else from the settings file.

use std::ffi::OsString;
use std::str::FromStr;

use crate::fault::{Fault, failure};

/// The environment, as a function of the name.
pub(crate) type Variables = dyn Fn(&str) -> Option<OsString>;

/// Returns a variable. An empty one counts as not set.
#[expect(clippy::disallowed_methods, reason = "settings of execution, which no output depends on")]
pub(crate) fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// Returns the value of the command line, else of the variable, else of the file.
pub(crate) fn first<T: FromStr<Err = String>>(
    given: Option<T>,
    environment: &Variables,
    variable: &str,
    setting: &str,
    in_file: Option<&str>,
) -> anyhow::Result<Option<T>> {
    if given.is_some() {
        return Ok(given);
    }
    let (name, text) = match environment(variable) {
        Some(value) => (variable, value.to_string_lossy().into_owned()),
        None => match in_file {
            Some(text) => (setting, text.to_owned()),
            None => return Ok(None),
        },
    };
    let value = text.parse().map_err(|error| failure(Fault::Usage, format!("{name}: {error}")))?;
    Ok(Some(value))
}

/// Returns the list of the command line, else the lines of the variable, else the list of the file.
pub(crate) fn list(
    given: Vec<String>,
    environment: &Variables,
    variable: &str,
    in_file: &[String],
) -> Vec<String> {
    if !given.is_empty() {
        return given;
    }
    let named = environment(variable).map(|text| text.to_string_lossy().into_owned());
    named.map_or_else(|| in_file.to_vec(), |text| text.lines().map(str::to_owned).collect())
}

/// Reads a number above 0.
pub(crate) fn number(
    given: Option<u64>,
    environment: &Variables,
    variable: &str,
    in_file: Option<u64>,
) -> anyhow::Result<Option<u64>> {
    let wrong = "is no whole number above 0";
    let value = parsed(given, environment, variable, in_file, wrong, |text| {
        text.parse().ok().filter(|number| *number > 0)
    })?;
    if value == Some(0) {
        let text = format!("0 in the settings file, for what {variable} sets, {wrong}");
        return Err(failure(Fault::Usage, text));
    }
    Ok(value)
}

/// Reads a boolean.
pub(crate) fn flag(
    given: Option<bool>,
    environment: &Variables,
    variable: &str,
    in_file: Option<bool>,
) -> anyhow::Result<Option<bool>> {
    parsed(given, environment, variable, in_file, "is neither true nor false", |text| {
        text.parse().ok()
    })
}

/// Returns the value of the command line, else of the variable, else of the file. `wrong` describes
/// a variable that `parse` rejects.
pub(crate) fn parsed<T>(
    given: Option<T>,
    environment: &Variables,
    variable: &str,
    in_file: Option<T>,
    wrong: &str,
    parse: impl Fn(&str) -> Option<T>,
) -> anyhow::Result<Option<T>> {
    let Some(text) = environment(variable).filter(|_| given.is_none()) else {
        return Ok(given.or(in_file));
    };
    let text = text.to_string_lossy();
    let value = parse(&text);
    value.map(Some).ok_or_else(|| failure(Fault::Usage, format!("{variable}: '{text}' {wrong}")))
}
