//! Options that all modules should have been compiled with alike.
//!
//! Each of these options goes through a small machine, one module after the other in module-id
//! order. A module either has the option, with a value, or does not.
//!
//! | state | has it | does not |
//! |---|---|---|
//! | unseen | present | absent |
//! | absent | mixed | absent |
//! | present | present, or conflict if the value differs | mixed |
//! | mixed | mixed, or conflict if the value differs | mixed |
//! | conflict | conflict | conflict |
//!
//! At the end, *mixed* is a warning and *conflict* an error. `maxrregcount` and `split-compile` on
//! the command line override the values in modules, since they concern only the assembler.
//!
//! The four options of [`super::arithmetic`] are handled differently: they are facts of single
//! functions and instructions, so units that differ in them can be linked. A register limit is no
//! such fact, though each module is assembled separately: a kernel needs as many registers as the
//! functions that it calls in other modules, so a limit that some modules lack is effective in
//! none.
//!
//! Cost: three steps per module.

use std::path::Path;

use weft_artifact::{Arithmetic, TrackedOption};

use super::arithmetic::{self, Reconciled};
use crate::model::error::LinkError;
use crate::model::ids::PerModule;
use crate::model::program::{Device, PackedUnit};

/// Warning about line information that is requested and that no module has.
const NO_LINES: &str = "--generate-line-info does nothing, as no module has line tables: compile \
                        the units with -gline-tables-only (clang) or -lineinfo (nvcc)";

/// State of one option after some modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Unseen,
    Absent,
    Present,
    Mixed,
    Conflict,
}

/// One option's machine. The paths are for messages.
struct Machine<'units> {
    state: State,
    /// The first value and the module that has it.
    value: Option<(u32, &'units Path)>,
    /// The first module without the option.
    without: Option<&'units Path>,
    /// The first module with another value.
    other: Option<(u32, &'units Path)>,
}

impl<'units> Machine<'units> {
    fn new() -> Self {
        Self { state: State::Unseen, value: None, without: None, other: None }
    }

    fn step(&mut self, input: Option<u32>, path: &'units Path) {
        let Some(found) = input else {
            self.without.get_or_insert(path);
            self.state = match self.state {
                State::Unseen | State::Absent => State::Absent,
                State::Present | State::Mixed => State::Mixed,
                State::Conflict => State::Conflict,
            };
            return;
        };
        let (value, _) = *self.value.get_or_insert((found, path));
        self.state = match self.state {
            State::Conflict => State::Conflict,
            _ if value != found => {
                self.other = Some((found, path));
                State::Conflict
            }
            State::Unseen | State::Present => State::Present,
            State::Absent | State::Mixed => State::Mixed,
        };
    }
}

/// Options that hold for all modules, and the arithmetic of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Agreement {
    /// Sorted by option.
    pub(crate) settings: Vec<(TrackedOption, u32)>,
    /// How each module's functions compute, in the modules' order.
    pub(crate) arithmetic: PerModule<Arithmetic>,
    pub(crate) warnings: Vec<String>,
    /// For `--verbose`: a line for each option that is stated anywhere.
    pub(crate) log: Vec<String>,
}

/// Reconciles `modules`, which are sorted by module id, with the `given` values of the command
/// line.
pub(crate) fn agree(
    modules: &[(&PackedUnit, &Device)],
    given: &[(TrackedOption, u32)],
) -> Result<Agreement, LinkError> {
    let mut agreement = Agreement {
        arithmetic: PerModule::filled(Arithmetic::default(), modules.len()),
        ..Agreement::default()
    };
    for (option, name) in TrackedOption::NAMES {
        let given = given.iter().rfind(|(known, _)| *known == option).map(|(_, value)| *value);
        if Arithmetic::OPTIONS.contains(&option) {
            if option == TrackedOption::PrecSqrt {
                agreement.warnings.extend(arithmetic::unasked_roots(modules, given));
            }
            let values = &mut agreement.arithmetic;
            let Reconciled { log, setting } =
                arithmetic::reconcile(modules, option, name, given, values)?;
            agreement.log.extend(log);
            agreement.settings.extend(setting.map(|value| (option, value)));
            continue;
        }
        let is_assemblers = [TrackedOption::MaxrregCount, TrackedOption::SplitCompile];
        if let Some(value) = given.filter(|_| is_assemblers.contains(&option)) {
            agreement.settings.push((option, value));
            agreement.log.push(format!("option {name}: {value}, by the command line alone"));
            continue;
        }
        let mut machine = Machine::new();
        for (unit, module) in modules {
            machine.step(input(module, option), &unit.path);
        }
        let found = conclude(&machine, name, given, &mut agreement)?;
        if option == TrackedOption::GenerateLineInfo && given == Some(1) && found.is_none() {
            agreement.warnings.push(NO_LINES.to_owned());
        }
        if let (Some(value), Some(found)) = (given, found)
            && value != found
        {
            let line = format!("option {name}: {value}, by the command line, not {found}");
            agreement.log.push(line);
        } else if let Some(value) = given {
            agreement.log.push(format!("option {name}: {value}, by the command line"));
        }
        agreement.settings.extend(given.or(found).map(|value| (option, value)));
    }
    agreement.settings.sort_unstable();
    Ok(agreement)
}

/// Returns the value of an option after all modules, and adds its lines to `agreement`.
fn conclude(
    machine: &Machine<'_>,
    name: &str,
    given: Option<u32>,
    agreement: &mut Agreement,
) -> Result<Option<u32>, LinkError> {
    let Some((value, path)) = machine.value else { return Ok(None) };
    match (machine.state, machine.other, machine.without) {
        (State::Conflict, Some((second_value, second)), _) => Err(LinkError::OptionConflict {
            option: name.to_owned(),
            first: path.to_owned(),
            first_value: value,
            second: second.to_owned(),
            second_value,
        }),
        (State::Mixed, _, Some(without)) => {
            let (path, without) = (path.display(), without.display());
            let taken = given.unwrap_or(value);
            agreement.warnings.push(format!(
                "option {name} is present in some modules but not in all: {path} has \
                 {name}={value}, {without} does not say; taking {taken} for all"
            ));
            agreement.log.push(format!("option {name}: {value}, mixed"));
            Ok(Some(value))
        }
        _ => {
            agreement.log.push(format!("option {name}: {value}, in all modules"));
            Ok(Some(value))
        }
    }
}

/// Returns the machine's input from a module.
fn input(module: &Device, option: TrackedOption) -> Option<u32> {
    let setting = module.options.iter().find(|setting| setting.option == option)?;
    match option {
        // This option has no other value.
        TrackedOption::GenerateLineInfo => (setting.value != 0).then_some(1),
        _ => Some(setting.value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_takes_every_input() {
        use State::{Absent, Conflict, Mixed, Present, Unseen};
        let reach: [(State, &[Option<u32>]); 5] = [
            (Unseen, &[]),
            (Absent, &[None]),
            (Present, &[Some(1)]),
            (Mixed, &[Some(1), None]),
            (Conflict, &[Some(1), Some(2)]),
        ];
        let table = [
            (Unseen, [Present, Present, Absent]),
            (Absent, [Mixed, Mixed, Absent]),
            (Present, [Present, Conflict, Mixed]),
            (Mixed, [Mixed, Conflict, Mixed]),
            (Conflict, [Conflict, Conflict, Conflict]),
        ];
        for ((state, inputs), (named, expected)) in reach.into_iter().zip(table) {
            assert_eq!(state, named);
            for (input, expected) in [Some(1), Some(2), None].into_iter().zip(expected) {
                let mut machine = Machine::new();
                for &earlier in inputs {
                    machine.step(earlier, Path::new("earlier"));
                }
                assert_eq!(machine.state, state);
                machine.step(input, Path::new("later"));
                assert_eq!(machine.state, expected, "{state:?} and {input:?}");
            }
        }
    }
}
