//! Options that modules must agree on: every state and every input, for all of them, with the
//! messages; and options of arithmetic, of which each module keeps its own.

use thinlink::Policy;
use weft_artifact::Linkage::External;
use weft_artifact::{Arithmetic, PhaseOptions, TrackedOption};

use crate::links::{Link, complete, link_by, link_units};
use crate::support::{Module, TestResult, units};

/// A module's value of an option.
type Input = Option<u32>;

fn modules(option: TrackedOption, inputs: &[Input]) -> Vec<Module> {
    let names = ["a", "b", "c"].iter().zip(inputs);
    names
        .map(|(name, input)| {
            let module = Module::new(name).function(name, External, &[]);
            match input {
                Some(value) => module.option(option, *value),
                None => module,
            }
        })
        .collect()
}

fn given(option: TrackedOption, value: u32) -> Policy {
    let options = PhaseOptions { settings: vec![(option, value)], ..PhaseOptions::default() };
    Policy { options, ..complete() }
}

/// Options that modules must agree on.
fn agreed() -> impl Iterator<Item = (TrackedOption, &'static str)> {
    TrackedOption::NAMES.into_iter().filter(|(option, _)| !Arithmetic::OPTIONS.contains(option))
}

/// The value of an option of arithmetic in each module's plan.
fn arithmetic(link: &Link, option: TrackedOption) -> Vec<Option<bool>> {
    let value = |plan: &weft_artifact::Plan| match option {
        TrackedOption::Ftz => plan.arithmetic.ftz,
        TrackedOption::PrecDiv => plan.arithmetic.prec_div,
        TrackedOption::PrecSqrt => plan.arithmetic.prec_sqrt,
        _ => plan.arithmetic.fmad,
    };
    link.plans.iter().map(value).collect()
}

fn is_flag(option: TrackedOption) -> bool {
    option == TrackedOption::GenerateLineInfo
}

/// The setting in every plan.
fn setting(link: &Link, option: TrackedOption) -> Option<u32> {
    let settings: Vec<_> = link.plans.iter().map(|plan| plan.options.setting(option)).collect();
    assert!(settings.windows(2).all(|pair| pair[0] == pair[1]), "{settings:?}");
    settings.first().copied().flatten()
}

#[test]
fn states_and_inputs_of_all_options() -> TestResult {
    // Inputs of three modules, and what becomes of them: the value and the state by name.
    let table: [(&[Input], Input, &str); 12] = [
        (&[], None, "unseen"),
        (&[None], None, "absent"),
        (&[None, None], None, "absent"),
        (&[Some(1)], Some(1), "present"),
        (&[Some(1), Some(1)], Some(1), "present"),
        (&[None, Some(1)], Some(1), "mixed"),
        (&[Some(1), None], Some(1), "mixed"),
        (&[None, Some(1), Some(1)], Some(1), "mixed"),
        (&[Some(1), None, None], Some(1), "mixed"),
        (&[Some(1), Some(2)], None, "conflict"),
        (&[None, Some(1), Some(2)], None, "conflict"),
        (&[Some(1), Some(2), None], None, "conflict"),
    ];
    for (option, name) in agreed() {
        for (inputs, value, state) in table {
            let modules = modules(option, inputs);
            let linked = link_units(&units(&modules)?, &complete());
            let case = format!("{name} {inputs:?}");
            if state == "conflict" && !is_flag(option) {
                let message = linked.err().map(|error| error.to_string()).unwrap_or_default();
                let files: Vec<&str> = ["a.summary", "b.summary", "c.summary"]
                    .into_iter()
                    .zip(inputs)
                    .filter_map(|(file, input)| input.map(|_| file))
                    .collect();
                let expected = format!(
                    "{} and {} were compiled with different values of the option {name}: 1 and 2",
                    files[0], files[1]
                );
                assert_eq!(message, expected, "{case}");
                continue;
            }
            let link = linked?;
            // Of a flag, having it is all: no two values conflict, and a module without mixes.
            let is_mixed = state == "mixed"
                || is_flag(option) && state == "conflict" && inputs.contains(&None);
            let value = if is_flag(option) && state == "conflict" { Some(1) } else { value };
            assert_eq!(setting(&link, option), value, "{case}");
            assert_eq!(link.warnings.len(), usize::from(is_mixed), "{case}: {:?}", link.warnings);
            if is_mixed {
                let first = |is_given: bool| {
                    let position = inputs.iter().position(|input| input.is_some() == is_given);
                    ["a", "b", "c"][position.unwrap_or_default()]
                };
                let expected = format!(
                    "option {name} is present in some modules but not in all: {}.summary has \
                     {name}=1, {}.summary does not say; taking 1 for all",
                    first(true),
                    first(false)
                );
                assert_eq!(link.warnings[0], expected, "{case}");
            }
            let log =
                format!("option {name}: 1, {}", if is_mixed { "mixed" } else { "in all modules" });
            assert_eq!(link.log.contains(&log), value.is_some(), "{case}: {:?}", link.log);
        }
    }
    Ok(())
}

#[test]
fn the_command_line_wins_and_silences_conflicts_of_the_assemblers_options() -> TestResult {
    for (option, name) in agreed() {
        let is_limit = matches!(option, TrackedOption::MaxrregCount | TrackedOption::SplitCompile);
        for inputs in [&[None, None][..], &[Some(1), Some(1)], &[Some(1), None]] {
            let link = link_by(&given(option, 7), &modules(option, inputs))?;
            assert_eq!(setting(&link, option), Some(7), "{name} {inputs:?}");
            let is_mixed = inputs.contains(&None) && inputs.contains(&Some(1)) && !is_limit;
            assert_eq!(link.warnings.len(), usize::from(is_mixed), "{name} {inputs:?}");
            let what_modules_say = match inputs.contains(&Some(1)) {
                _ if is_limit => " alone",
                true => ", not 1",
                false => "",
            };
            let said = format!("option {name}: 7, by the command line{what_modules_say}");
            assert!(link.log.contains(&said), "{inputs:?}: {:?}", link.log);
        }
        let clash = link_units(&units(&modules(option, &[Some(1), Some(2)]))?, &given(option, 7));
        assert_eq!(clash.is_ok(), is_limit || is_flag(option), "{name}");
    }
    Ok(())
}

#[test]
fn a_flag_that_is_off_is_not_there() -> TestResult {
    let option = TrackedOption::GenerateLineInfo;
    let link = link_by(&complete(), &modules(option, &[Some(0), None]))?;
    assert_eq!(setting(&link, option), None);
    assert!(link.warnings.is_empty());
    Ok(())
}

#[test]
fn each_module_computes_as_it_says() -> TestResult {
    let table: [(&[Input], Input, &str); 6] = [
        (&[None, None], None, ""),
        (&[Some(1), Some(1)], Some(1), ": 1, in all modules"),
        (&[Some(0), Some(0)], Some(0), ": 0, in all modules"),
        (&[Some(1), None], None, ": 1, in a.summary and others"),
        (
            &[Some(1), Some(0)],
            None,
            ": each module keeps its own: a.summary has NAME=1, b.summary has NAME=0",
        ),
        (
            &[None, Some(0), Some(1)],
            None,
            ": each module keeps its own: b.summary has NAME=0, c.summary has NAME=1",
        ),
    ];
    for (option, name) in TrackedOption::NAMES.into_iter().take(4) {
        for (inputs, settled, said) in table {
            let case = format!("{name} {inputs:?}");
            let link = link_by(&complete(), &modules(option, inputs))?;
            let own: Vec<_> = inputs.iter().map(|input| input.map(|value| value != 0)).collect();
            assert_eq!(arithmetic(&link, option), own, "{case}");
            assert_eq!(setting(&link, option), settled, "{case}");
            assert!(link.warnings.is_empty(), "{case}: {:?}", link.warnings);
            let expected = format!("option {name}{}", said.replace("NAME", name));
            assert_eq!(link.log.contains(&expected), !said.is_empty(), "{case}: {:?}", link.log);
            for value in [0, 1] {
                let link = link_by(&given(option, value), &modules(option, inputs))?;
                let all = vec![Some(value != 0); inputs.len()];
                assert_eq!(arithmetic(&link, option), all, "{case}");
                assert_eq!(setting(&link, option), Some(value), "{case}");
            }
        }
    }
    Ok(())
}

/// Another function in a unit may change what its code merely shows, but for whether denormals are
/// flushed, which is an attribute of each function.
#[test]
fn what_all_units_state_is_an_option_of_the_program() -> TestResult {
    for (option, name) in TrackedOption::NAMES.into_iter().take(3) {
        for given in [[true, true], [true, false], [false, true], [false, false]] {
            let mut units = units(&modules(option, &[Some(1), Some(1)]))?;
            let devices = units.iter_mut().flat_map(|unit| &mut unit.summary.device);
            for (setting, is_given) in devices.flat_map(|device| &mut device.options).zip(given) {
                setting.given = is_given;
            }
            let link = link_units(&units, &complete())?;
            let is_settled = given == [true, true] || option == TrackedOption::Ftz;
            assert_eq!(setting(&link, option), is_settled.then_some(1), "{name} {given:?}");
        }
    }
    Ok(())
}

#[test]
fn code_that_cannot_be_changed_any_more_is_told_by_name() -> TestResult {
    for (option, name) in [(TrackedOption::Ftz, "ftz"), (TrackedOption::PrecSqrt, "prec-sqrt")] {
        let mut units = units(&modules(option, &[Some(1), None, Some(0)]))?;
        let devices = units.iter_mut().flat_map(|unit| &mut unit.summary.device);
        for setting in devices.flat_map(|device| &mut device.options) {
            setting.given = false;
            setting.fixed = Some(setting.value);
        }
        // Each module keeps its own value, which its code has anyway.
        let link = link_units(&units, &complete())?;
        assert_eq!(arithmetic(&link, option), [None, None, None]);
        for (value, file, fixed) in [(0, "a.summary", 1), (1, "c.summary", 0)] {
            let refused = link_units(&units, &given(option, value)).err();
            let message = refused.map(|error| error.to_string()).unwrap_or_default();
            let start = format!(
                "{file}: its code has {name}={fixed} for good, as libdevice was linked by it, \
                 and so it cannot have {name}={value}: "
            );
            assert!(message.starts_with(&start), "{message}");
            let advice = match (option, value) {
                (TrackedOption::Ftz, 0) => "without -fgpu-flush-denormals-to-zero".to_owned(),
                (TrackedOption::Ftz, _) => "with -fgpu-flush-denormals-to-zero".to_owned(),
                _ => format!("-nvvm-reflect-add=__CUDA_PREC_SQRT={value}"),
            };
            assert!(message.ends_with(&advice), "{message}");
        }
    }
    Ok(())
}

#[test]
fn the_license_of_a_units_own_code_is_lent_to_all_of_it() -> TestResult {
    let mut units = units(&modules(TrackedOption::Fmad, &[Some(1), Some(0)]))?;
    for unit in &mut units {
        for option in unit.summary.device.iter_mut().flat_map(|device| &mut device.options) {
            option.given = false;
        }
    }
    let link = link_units(&units, &complete())?;
    // A unit without a license may hold nothing but libdevice's code, and forbids nothing.
    assert_eq!(arithmetic(&link, TrackedOption::Fmad), [Some(true), None]);
    assert_eq!(setting(&link, TrackedOption::Fmad), None);
    assert!(link.warnings.is_empty());
    Ok(())
}
