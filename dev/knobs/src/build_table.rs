//! The table of options that users of CMake and Bazel do not give there: `table/builds.txt`, whose
//! head describes its lines.

/// The table.
#[derive(Clone, Debug, Default)]
pub struct BuildTable {
    /// Rows of options.
    pub rows: Vec<BuildRow>,
    /// Options by which CMake takes a path.
    pub files: Vec<String>,
    /// Commands whose options no build gives: program and subcommand, such as `weft cache`.
    pub commands: Vec<String>,
}

/// An option that is not given in a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildRow {
    /// The step; `None` for every step that has the option.
    pub step: Option<String>,
    /// Name of the option with its hyphens.
    pub name: String,
    /// The build systems in which it is not given.
    pub place: Place,
    /// The reason, in the words of a message.
    pub reason: String,
}

/// The build systems in which an option is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In CMake.
    Cmake,
    /// In Bazel.
    Bazel,
    /// In both.
    Both,
    /// In this step, while other steps have an option of the name.
    Elsewhere,
}

impl BuildTable {
    /// Returns the table that this crate holds.
    pub fn of_weft() -> Result<Self, String> {
        Self::read(include_str!("../table/builds.txt"))
            .map_err(|error| format!("dev/knobs/table/builds.txt:{error}"))
    }

    /// Reads a table. An error starts with the number of the line.
    fn read(text: &str) -> Result<Self, String> {
        let mut table = Self::default();
        for (index, line) in text.lines().enumerate() {
            if !line.trim().is_empty() && !line.starts_with('#') {
                table.add(line).map_err(|reason| format!("{}: {reason}: {line}", index + 1))?;
            }
        }
        Ok(table)
    }

    fn add(&mut self, line: &str) -> Result<(), &'static str> {
        if let Some(name) = line.strip_prefix("file ") {
            self.files.push(name.to_owned());
            return Ok(());
        }
        let (head, reason) = line.split_once(": ").ok_or("no reason")?;
        if reason.contains([';', '|', '"']) {
            return Err("the reason has a character that divides lists");
        }
        if let Some(command) = head.strip_prefix("command ") {
            self.commands.push(command.to_owned());
            return Ok(());
        }
        let words: Vec<&str> = head.split(' ').collect();
        let [step, name, place] = words[..] else { return Err("expected STEP OPTION SYSTEM") };
        let place = match place {
            "cmake" => Place::Cmake,
            "bazel" => Place::Bazel,
            "both" => Place::Both,
            "elsewhere" => Place::Elsewhere,
            _ => return Err("an unknown system"),
        };
        self.rows.push(BuildRow {
            step: (step != "every").then(|| step.to_owned()),
            name: name.to_owned(),
            place,
            reason: reason.to_owned(),
        });
        Ok(())
    }
}

#[cfg(test)]
impl BuildTable {
    /// Reads the table of a test.
    pub(crate) fn of_text(text: &str) -> Self {
        Self::read(text).unwrap_or_else(|error| panic!("{error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_faults_named() {
        let table = BuildTable::of_text(
            "# text\n\ncommand p q: by hand\nfile --list\nevery --report bazel: no, it: writes\n",
        );
        assert_eq!(
            (&*table.files, &*table.commands),
            (&["--list".into()][..], &["p q".into()][..])
        );
        assert_eq!((table.rows[0].step.as_deref(), table.rows[0].place), (None, Place::Bazel));
        assert_eq!(table.rows[0].reason, "no, it: writes");
        for wrong in ["step --option both", "step both: x", "step -o make: x", "step -o both: x; y"]
        {
            assert!(
                BuildTable::read(wrong).is_err_and(|error| error.starts_with("1: ")),
                "{wrong}"
            );
        }
    }
}
