//! The stable, logical name of a module.

use std::fmt;

use serde::Serialize;
use thiserror::Error;
use wincode::{SchemaRead, SchemaWrite};

/// Name of a module that the build gives it, such as the source path relative to the workspace.
///
/// It is part of promoted symbol names and so of the assembler's input, and it names the plan's
/// file. So it must be the same in every checkout and safe as a relative path: not empty, `/`
/// between components, no component `.` or `..`, not absolute, no backslash, no control character.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, SchemaRead, SchemaWrite,
)]
#[serde(transparent)]
pub struct ModuleId(String);

impl ModuleId {
    /// Checks `name` and makes it a module id.
    pub fn new(name: impl Into<String>) -> Result<Self, ModuleIdError> {
        let name = name.into();
        match fault(&name) {
            None => Ok(Self(name)),
            Some(fault) => Err(ModuleIdError { name, fault }),
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Checks an id that came out of a decoded record.
    pub fn validate(&self) -> Result<(), ModuleIdError> {
        match fault(&self.0) {
            None => Ok(()),
            Some(fault) => Err(ModuleIdError { name: self.0.clone(), fault }),
        }
    }
}

impl fmt::Display for ModuleId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::str::FromStr for ModuleId {
    type Err = ModuleIdError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::new(name)
    }
}

fn fault(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("it is empty")
    } else if name.starts_with('/') {
        Some("it is an absolute path, which differs between machines")
    } else if name.contains('\\') || name.chars().any(char::is_control) {
        Some("it holds a backslash or a control character")
    } else if name.split('/').any(|part| part.is_empty() || part == "." || part == "..") {
        Some("it has an empty, '.' or '..' component")
    } else {
        None
    }
}

/// A name that cannot be a module id.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("'{name}' cannot be a module id: {fault}")]
pub struct ModuleIdError {
    name: String,
    fault: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_are_module_ids() {
        for name in ["a.cu", "src/a.cu", "pkg:target/a b.cu", "é.cu"] {
            assert!(ModuleId::new(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn names_that_differ_between_machines_or_escape_are_refused() {
        for name in ["", "/a.cu", "../a.cu", "a//b.cu", "a/./b.cu", "a\\b.cu", "a\n.cu", "a/"] {
            assert!(ModuleId::new(name).is_err(), "{name:?}");
        }
    }
}
