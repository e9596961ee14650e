//! The arithmetic of the functions of one unit.

use crate::TrackedOption;

/// The four options of nvcc that change results, with the values for the functions of one unit. An
/// option without a value stays as it is in the unit's code.
///
/// Units of one program may differ. So a plan states the arithmetic of its own module and of each
/// module that it imports from, and an imported body keeps its unit's arithmetic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arithmetic {
    /// Whether denormals are flushed to zero.
    pub ftz: Option<bool>,
    /// Whether divisions of single precision are rounded correctly.
    pub prec_div: Option<bool>,
    /// Whether square roots of single precision are rounded correctly.
    pub prec_sqrt: Option<bool>,
    /// Whether multiplications and additions may be fused.
    pub fmad: Option<bool>,
}

impl Arithmetic {
    /// The options that change results.
    pub const OPTIONS: [TrackedOption; 4] =
        [TrackedOption::Ftz, TrackedOption::PrecDiv, TrackedOption::PrecSqrt, TrackedOption::Fmad];

    /// Sets one of [`Arithmetic::OPTIONS`]; other options are ignored.
    pub fn set(&mut self, option: TrackedOption, is_on: bool) {
        let value = match option {
            TrackedOption::Ftz => &mut self.ftz,
            TrackedOption::PrecDiv => &mut self.prec_div,
            TrackedOption::PrecSqrt => &mut self.prec_sqrt,
            TrackedOption::Fmad => &mut self.fmad,
            _ => return,
        };
        *value = Some(is_on);
    }

    /// Returns every option that has a value, by its name on command lines.
    pub fn named(self) -> Vec<(&'static str, bool)> {
        let values = self.values();
        let names = TrackedOption::NAMES.into_iter();
        names.zip(values).filter_map(|((_, name), value)| Some((name, value?))).collect()
    }

    /// Returns the four options in the order of [`TrackedOption::NAMES`].
    fn values(self) -> [Option<bool>; 4] {
        [self.ftz, self.prec_div, self.prec_sqrt, self.fmad]
    }

    /// Returns two bits for each option, with the first option in the lowest bits: 0 for no value,
    /// 1 for off, 2 for on.
    pub(crate) fn number(self) -> u8 {
        let values = self.values().into_iter().zip([0, 2, 4, 6]);
        values
            .fold(0, |bits, (value, shift)| bits | value.map_or(0, |on| 1 + u8::from(on)) << shift)
    }

    /// Inverts [`Arithmetic::number`].
    pub(crate) fn of_number(number: u8) -> Result<Self, String> {
        let mut all = [None; 4];
        for (value, shift) in all.iter_mut().zip([0, 2, 4, 6]) {
            *value = match number >> shift & 3 {
                0 => None,
                1 => Some(false),
                2 => Some(true),
                _ => return Err(format!("there is no arithmetic of the number {number}")),
            };
        }
        let [ftz, prec_div, prec_sqrt, fmad] = all;
        Ok(Self { ftz, prec_div, prec_sqrt, fmad })
    }
}

impl serde::Serialize for Arithmetic {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.named())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_back_or_is_refused() {
        for number in 0..=u8::MAX {
            let is_valid = [0, 2, 4, 6].iter().all(|shift| number >> shift & 3 != 3);
            match Arithmetic::of_number(number) {
                Ok(arithmetic) => assert_eq!(arithmetic.number(), number),
                Err(_) => assert!(!is_valid, "{number}"),
            }
        }
    }

    #[test]
    fn options_are_named_as_on_command_lines() {
        let mut arithmetic = Arithmetic::default();
        for (option, is_on) in Arithmetic::OPTIONS.into_iter().zip([true, false, true, false]) {
            arithmetic.set(option, is_on);
        }
        arithmetic.set(TrackedOption::MaxrregCount, true);
        let expected = [("ftz", true), ("prec-div", false), ("prec-sqrt", true), ("fmad", false)];
        assert_eq!(arithmetic.named(), expected);
    }
}
