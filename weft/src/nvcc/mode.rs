//! The kinds of commands of nvcc.

use crate::drivers::{Driver, divided};
use crate::words::words;

/// The kinds of commands that this program changes, and all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Objects with relocatable device code.
    Unit,
    /// An object that registers the linked device code of others.
    DeviceLink,
    /// A program or shared library.
    Link,
    /// The same, with relocatable device code of the sources that the command names, if any.
    UnitsAndLink,
    /// Something else, or nothing that can be changed.
    Other,
}

/// Options with which nvcc compiles to relocatable device code.
const RELOCATABLE: [&str; 4] = ["--device-c", "--device-w", "-dc", "-dw"];
/// Options with which nvcc compiles to objects.
const COMPILES: [&str; 2] = ["--compile", "-c"];
const DEVICE_LINKS: [&str; 2] = ["--device-link", "-dlink"];
/// Options with which device code is not optimized, so nvcc makes no LTO IR of it.
const FOR_DEBUGGING: [&str; 2] = ["--device-debug", "-G"];
/// Options with a value that says whether device code is relocatable.
const IS_RELOCATABLE: [&str; 2] = ["--relocatable-device-code", "-rdc"];

/// Returns what `arguments` make.
pub(super) fn of(arguments: &[String]) -> anyhow::Result<Mode> {
    let words = words(arguments, Driver::Nvcc)?;
    let (mut is_relocatable, mut compiles, mut others) = (false, false, false);
    let mut is_debugged = false;
    let mut rest = words.iter().map(|word| word.text.as_str());
    while let Some(word) = rest.next() {
        let value = Driver::Nvcc.takes_next(word).then(|| rest.next()).flatten();
        let (name, joined) = divided(word);
        if DEVICE_LINKS.contains(&word) {
            return Ok(Mode::DeviceLink);
        } else if RELOCATABLE.contains(&word) {
            (is_relocatable, compiles) = (true, true);
        } else if COMPILES.contains(&word) {
            compiles = true;
        } else if IS_RELOCATABLE.contains(&name) {
            is_relocatable = value.or(joined) == Some("true");
        } else {
            others |= Driver::Nvcc.links_nothing(word);
            is_debugged |= FOR_DEBUGGING.contains(&word);
        }
    }
    Ok(match (compiles, is_relocatable && !is_debugged, others) {
        (_, _, true) | (true, false, false) => Mode::Other,
        (true, true, false) => Mode::Unit,
        (false, true, false) => Mode::UnitsAndLink,
        (false, false, false) => Mode::Link,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_nvcc_by_what_they_make() {
        for (command, mode) in [
            ("-dc a.cu", Mode::Unit),
            ("-rdc=true -c a.cu -o a.o", Mode::Unit),
            ("-x cu -rdc true --compile a.cpp", Mode::Unit),
            ("-c a.cu", Mode::Other),
            ("-G -dc a.cu", Mode::Other),
            ("-dc -g -lineinfo a.cu", Mode::Unit),
            ("-rdc=false -c a.cu", Mode::Other),
            ("-dc -ptx a.cu", Mode::Other),
            ("-E a.cu", Mode::Other),
            ("--version", Mode::Other),
            ("-dlink a.o b.o -o c.o", Mode::DeviceLink),
            ("--device-link a.o", Mode::DeviceLink),
            ("a.o b.o -o app -lm", Mode::Link),
            ("-rdc=true a.cu b.cu -o app", Mode::UnitsAndLink),
            ("-G -rdc=true a.cu b.cu -o app", Mode::Link),
            ("-shared a.o -Xlinker -c -o liba.so", Mode::Link),
        ] {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            assert_eq!(of(&words).unwrap(), mode, "{command}");
        }
    }
}
