//! Options that users of CMake and Bazel give their targets: all options of the steps of a build,
//! but for those that the table of builds gives a reason about.
//!
//! A new option of a step is added to both lists automatically. Options that name files are the
//! exception: a build must declare the files that its steps read and write, so each of them needs a
//! row.

use std::collections::BTreeMap;

use weft_artifact::TrackedOption;

use crate::build_table::{BuildRow, BuildTable, Place};
use crate::definitions::{Definition, Takes};

/// The steps whose options users choose: name in the lists, program, subcommand.
const STEPS: [(&str, &str, &str); 5] = [
    ("summarize", "summarize", ""),
    ("thinlink", "thinlink", ""),
    ("import", "backend-job", "import"),
    ("codegen", "backend-job", "codegen"),
    ("assemble", "backend-job", "assemble"),
];
/// The pseudo-step of options that `summarize --option` states about the units of a target.
const UNIT: &str = "unit";
/// Names of values that are paths.
const PATHS: [&str; 4] = ["FILE", "DIR", "PROGRAM", "SUMMARY"];

/// Values of the options of arithmetic, which the build systems turn into options of the compiler.
const SWITCH: [&str; 4] = ["0", "1", "true", "false"];

/// An option in the list of a build system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildOption {
    /// Name with its hyphens.
    pub name: String,
    /// Form of the value.
    pub value: ValueForm,
    /// Names of the steps that get the option, in the order of a build; `unit` is first.
    pub steps: Vec<&'static str>,
    /// The values that are possible; empty if they cannot be listed.
    pub choices: Vec<String>,
}

/// Form of an option's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueForm {
    /// The option has no value.
    None,
    /// `--name` or `--name=VALUE`.
    Optional,
    /// `--name=VALUE`.
    Wanted,
    /// `-NVALUE`.
    Attached,
    /// `--name=PATH`.
    File,
}

/// The lists of one build system, each in the order of names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuildOptions {
    /// Options that users give.
    pub known: Vec<BuildOption>,
    /// Options that they do not give, with the reason.
    pub refused: BTreeMap<String, String>,
}

/// Returns the lists of CMake and of Bazel, and the faults of the table.
pub fn build_options(
    definitions: &[Definition],
    table: &BuildTable,
) -> (BuildOptions, BuildOptions, Vec<String>) {
    let mut faults = faults_of_rows(definitions, table);
    let [cmake, bazel] = [Place::Cmake, Place::Bazel].map(|system| {
        let mut options = BuildOptions::default();
        for definition in definitions {
            if let Some(step) = step_of(definition)
                && let Err(fault) = options.add(definition, step, system, table)
                && !faults.contains(&fault)
            {
                faults.push(fault);
            }
        }
        options.known.sort_by(|one, other| one.name.cmp(&other.name));
        options.refused.retain(|name, _| !options.known.iter().any(|known| known.name == *name));
        options
    });
    (cmake, bazel, faults)
}

impl BuildOptions {
    fn add(
        &mut self,
        definition: &Definition,
        step: &'static str,
        system: Place,
        table: &BuildTable,
    ) -> Result<(), String> {
        let names = [Some(&definition.name), definition.short.as_ref()];
        for name in names.into_iter().flatten() {
            // A short name is refused with the long one, unless it has a separate row.
            let row = |name: &str| table.rows.iter().find(|row| applies(row, step, name, system));
            let row = row(name).or_else(|| row(&definition.name));
            match row {
                Some(row) if row.place == Place::Elsewhere => {}
                Some(row) => {
                    self.refused.insert(name.clone(), row.reason.clone());
                }
                None => self.give(definition, name, step, system, table)?,
            }
            let stated = TrackedOption::NAMES
                .iter()
                .any(|(_, tracked)| step == "thinlink" && name.strip_prefix("--") == Some(tracked));
            if stated {
                self.give(definition, name, UNIT, system, table)?;
            }
        }
        Ok(())
    }

    /// Has a step get the option.
    fn give(
        &mut self,
        definition: &Definition,
        name: &str,
        step: &'static str,
        system: Place,
        table: &BuildTable,
    ) -> Result<(), String> {
        let is_path = PATHS.contains(&definition.value_name.as_str());
        let is_file = system == Place::Cmake && table.files.contains(&definition.name);
        if is_path && !is_file {
            return Err(format!(
                "{step} {name}: it names a file, so dev/knobs/table/builds.txt must say what \
                 becomes of it in {system:?}"
            ));
        }
        let value = match definition.takes {
            Takes::Nothing => ValueForm::None,
            Takes::Maybe => ValueForm::Optional,
            Takes::Always if is_file => ValueForm::File,
            Takes::Always if !name.starts_with("--") => ValueForm::Attached,
            Takes::Always => ValueForm::Wanted,
        };
        let Some(known) = self.known.iter_mut().find(|known| known.name == name) else {
            let is_switch = step == UNIT && definition.value_name == "BOOL";
            let choices = if is_switch {
                SWITCH.map(str::to_owned).to_vec()
            } else {
                definition.choices.clone()
            };
            self.known.push(BuildOption {
                name: name.to_owned(),
                value,
                steps: vec![step],
                choices,
            });
            return Ok(());
        };
        if known.value != value {
            return Err(format!("{step} {name}: other steps take its value in another way"));
        }
        // Each step itself refuses values that only other steps take.
        if known.choices != definition.choices {
            known.choices.clear();
        }
        known.steps.push(step);
        known.steps.sort_by_key(|step| STEPS.iter().position(|(name, ..)| name == step));
        Ok(())
    }
}

/// Returns the step that takes the option.
fn step_of(definition: &Definition) -> Option<&'static str> {
    let is_it = |(_, program, subcommand): &&(&str, &str, &str)| {
        (definition.program.as_str(), definition.subcommand.as_str()) == (*program, *subcommand)
    };
    STEPS.iter().find(is_it).map(|(step, ..)| *step)
}

fn applies(row: &BuildRow, step: &str, name: &str, system: Place) -> bool {
    row.name == name
        && row.step.as_ref().is_none_or(|own| own == step)
        && (row.place == system || matches!(row.place, Place::Both | Place::Elsewhere))
}

/// Returns a fault for each row without an option or command, and for each command without a row.
fn faults_of_rows(definitions: &[Definition], table: &BuildTable) -> Vec<String> {
    let mut faults = Vec::new();
    for BuildRow { step, name, .. } in &table.rows {
        let has = |known: &Definition| {
            let is_its_step = |of_it: &str| step.as_ref().is_none_or(|own| own == of_it);
            step_of(known).is_some_and(is_its_step)
                && (known.name == *name || known.short.as_ref() == Some(name))
        };
        if !definitions.iter().any(has) {
            let step = step.as_deref().unwrap_or("every");
            faults.push(format!(
                "dev/knobs/table/builds.txt: {step} {name}: there is no such option"
            ));
        }
    }
    let commands = definitions.iter().filter(|known| step_of(known).is_none());
    let mut commands: Vec<String> = commands.map(crate::knobs::command).collect();
    commands.dedup();
    let listed: Vec<String> = table.commands.iter().map(|known| known.replace('/', " ")).collect();
    for command in commands.iter().filter(|command| !listed.contains(command)) {
        faults.push(format!(
            "{command}: dev/knobs/table/builds.txt must say that builds run it, or not"
        ));
    }
    for command in listed.iter().filter(|command| !commands.contains(command)) {
        faults.push(format!("dev/knobs/table/builds.txt: {command} has no options"));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(program: &str, subcommand: &str, name: &str, takes: Takes, value: &str) -> Definition {
        Definition {
            program: program.to_owned(),
            subcommand: subcommand.to_owned(),
            name: name.to_owned(),
            takes,
            value_name: value.to_owned(),
            ..Definition::default()
        }
    }

    #[test]
    fn an_option_goes_to_all_its_steps_and_to_the_units() {
        let all = [
            of("thinlink", "", "--maxrregcount", Takes::Always, "N"),
            of("backend-job", "assemble", "--maxrregcount", Takes::Always, "N"),
            of("thinlink", "", "--ftz", Takes::Maybe, "BOOL"),
            of("backend-job", "import", "--plan", Takes::Always, "FILE"),
        ];
        let text = "import --plan both: the build's\nthinlink --ftz elsewhere: of units\n";
        let (cmake, bazel, faults) = build_options(&all, &BuildTable::of_text(text));
        assert_eq!((&cmake, faults), (&bazel, vec![]));
        let steps = |name: &str| {
            let known = cmake.known.iter().find(|known| known.name == name);
            known.map(|known| (known.value, known.steps.clone()))
        };
        let limit = (ValueForm::Wanted, vec!["unit", "thinlink", "assemble"]);
        assert_eq!(steps("--maxrregcount"), Some(limit));
        assert_eq!(steps("--ftz"), Some((ValueForm::Optional, vec!["unit"])));
        assert_eq!(cmake.refused["--plan"], "the build's");
    }

    #[test]
    fn new_files_and_commands_and_stale_rows_are_faults() {
        let file = [of("thinlink", "", "--profile", Takes::Always, "FILE")];
        let faults = |all: &[Definition], text: &str| {
            build_options(all, &BuildTable::of_text(text)).2.join("\n")
        };
        assert!(faults(&file, "").contains("thinlink --profile: it names a file"));
        // CMake has a way for files, and Bazel must have a reason.
        assert!(faults(&file, "file --profile").contains("in Bazel"));
        assert_eq!(faults(&file, "file --profile\nthinlink --profile bazel: no"), "");
        assert!(faults(&[], "thinlink --gone both: no").contains("there is no such option"));
        let command = [of("backend-job", "new", "--x", Takes::Nothing, "")];
        assert!(faults(&command, "").contains("backend-job new: "));
        assert_eq!(faults(&command, "command backend-job new: by hand"), "");
        let unlike = [
            of("thinlink", "", "--x", Takes::Nothing, ""),
            of("summarize", "", "--x", Takes::Always, "N"),
        ];
        assert!(faults(&unlike, "").contains("in another way"));
    }
}
