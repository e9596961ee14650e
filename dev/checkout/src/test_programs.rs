//! Programs with tests, as cargo builds them.

use std::path::PathBuf;

use serde::Deserialize;

/// Arguments of cargo that build the programs without running them, and tell of each in a line
/// that [`TestProgram::of_message`] reads.
pub const BUILD: [&str; 4] =
    ["test", "--no-run", "--locked", "--message-format=json-render-diagnostics"];

/// A program with tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestProgram {
    /// Path of the program.
    pub executable: PathBuf,
    /// Folder of the package, in which cargo runs its tests.
    pub folder: PathBuf,
}

impl TestProgram {
    /// Name of the program, which cargo makes of that of the package or of the file of tests.
    pub fn name(&self) -> String {
        let file = self.executable.file_name().unwrap_or_default().to_string_lossy();
        file.rsplit_once('-').map_or_else(|| file.to_string(), |(name, _)| name.to_owned())
    }

    /// Reads a line of cargo. Most lines tell of something else, such as an executable that the
    /// tests start.
    pub fn of_message(line: &str) -> Option<Self> {
        let built: Built = serde_json::from_str(line).ok()?;
        let folder = built.manifest_path.parent()?.to_owned();
        built.profile.test.then_some(Self { executable: built.executable?, folder })
    }
}

#[derive(Deserialize)]
struct Built {
    executable: Option<PathBuf>,
    manifest_path: PathBuf,
    profile: Profile,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_and_executables_hold_no_tests() {
        let line = |executable: &str, is_test: bool| {
            format!(
                r#"{{"reason":"compiler-artifact","manifest_path":"/w/a/Cargo.toml",
                "profile":{{"opt_level":"1","test":{is_test}}},"executable":{executable}}}"#
            )
        };
        let found = |line: &str| TestProgram::of_message(line).map(|program| program.executable);
        let program = TestProgram { executable: "/t/deps/a-1".into(), folder: "/w/a".into() };
        assert_eq!(program.name(), "a");
        assert_eq!(TestProgram::of_message(&line("\"/t/deps/a-1\"", true)), Some(program));
        assert_eq!(found(&line("\"/t/a\"", false)), None, "an executable");
        assert_eq!(found(&line("null", false)), None, "a library");
        assert_eq!(found(r#"{"reason":"build-finished","success":true}"#), None);
    }
}
