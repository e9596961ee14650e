//! The stable, logical name of a module.

use std::fmt;

use serde::Serialize;
use thiserror::Error;
use wincode::{SchemaRead, SchemaWrite};

/// Name that the build gives to a module, such as the source path relative to the workspace.
///
/// The name is part of promoted symbol names, and so of the assembler's input, and it names the
/// plan's file. So it must be the same in every checkout and safe as a relative path: not empty,
/// `/` between components, no component `.` or `..`, not absolute, no backslash, no control
/// character.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, SchemaRead, SchemaWrite,
)]
#[serde(transparent)]
pub struct ModuleId(String);

/// Separator between the id of a unit and the number of a module in it.
const MODULE_NUMBER: &str = "~module";

impl ModuleId {
    /// Checks `name` and makes it a module id.
    pub fn new(name: impl Into<String>) -> Result<Self, ModuleIdError> {
        let name = name.into();
        match fault(&name) {
            None => Ok(Self(name)),
            Some(fault) => Err(ModuleIdError { name, fault }),
        }
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the id of module `number`, counted from 1, of a unit that holds several modules for
    /// one architecture: the unit's own id for the first, then `ID~module2` and so on.
    #[must_use]
    pub fn of_module(&self, number: usize) -> Self {
        match number {
            ..=1 => self.clone(),
            number => Self(format!("{}{MODULE_NUMBER}{number}", self.0)),
        }
    }

    /// Returns the id of the member `name` of the archive with this id.
    pub fn of_member(&self, name: &str) -> Result<Self, ModuleIdError> {
        Self::new(format!("{}/{name}", self.0))
    }

    /// Returns the id of the unit that holds the module, and the module's number in it, counted
    /// from 1. This is the inverse of [`ModuleId::of_module`].
    pub fn unit_and_number(&self) -> (&str, usize) {
        let numbered = self.0.rsplit_once(MODULE_NUMBER).and_then(|(unit, number)| {
            let number = number.parse().ok().filter(|&number| number > 1)?;
            (self.0 == format!("{unit}{MODULE_NUMBER}{number}")).then_some((unit, number))
        });
        numbered.unwrap_or((&self.0, 1))
    }

    /// Checks an id from a decoded record.
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
    fn modules_of_one_unit_are_numbered() -> Result<(), ModuleIdError> {
        let unit = ModuleId::new("lib.a/a.o~2")?;
        assert_eq!(ModuleId::new("lib.a")?.of_member("a.o~2")?, unit);
        assert!(unit.of_member("..").is_err());
        assert_eq!(unit.of_module(1), unit);
        assert_eq!(unit.of_module(12).as_str(), "lib.a/a.o~2~module12");
        for number in [1, 2, 12] {
            assert_eq!(unit.of_module(number).unit_and_number(), (unit.as_str(), number));
        }
        for name in ["a~module", "a~module1", "a~module+2", "a~module02", "a~module2b", "a"] {
            assert_eq!(ModuleId::new(name)?.unit_and_number(), (name, 1), "{name}");
        }
        Ok(())
    }

    #[test]
    fn names_that_differ_between_machines_or_escape_are_refused() {
        for name in ["", "/a.cu", "../a.cu", "a//b.cu", "a/./b.cu", "a\\b.cu", "a\n.cu", "a/"] {
            assert!(ModuleId::new(name).is_err(), "{name:?}");
        }
    }
}
