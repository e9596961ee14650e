//! The options that nvcc states beside LTO IR.

use weft_artifact::{OptionSetting, TrackedOption};

/// Returns the settings in `text`, such as `-maxreg 64 -ftz=0 -generate-line-info`, sorted. Those
/// in `given` win.
pub(super) fn settings(text: &str, given: &[OptionSetting]) -> Vec<OptionSetting> {
    let mut settings = given.to_vec();
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        let (option, value) = match name {
            "-ftz" => (TrackedOption::Ftz, value),
            "-prec_div" => (TrackedOption::PrecDiv, value),
            "-prec_sqrt" => (TrackedOption::PrecSqrt, value),
            "-fmad" => (TrackedOption::Fmad, value),
            "-maxreg" => (TrackedOption::MaxrregCount, value.or_else(|| words.next())),
            "-split-compile" => (TrackedOption::SplitCompile, value.or_else(|| words.next())),
            "-generate-line-info" => (TrackedOption::GenerateLineInfo, Some("1")),
            _ => continue,
        };
        let Some(value) = value.and_then(|value| value.parse().ok()) else { continue };
        if settings.iter().all(|known| known.option != option) {
            settings.push(OptionSetting { option, value, given: true, fixed: None, asked: false });
        }
    }
    settings.sort();
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_nvcc_are_settings_and_the_build_s_own_win() {
        let setting =
            |option, value| OptionSetting { option, value, given: true, fixed: None, asked: false };
        let text = "-maxreg 64 -generate-line-info -ftz=0 -prec_div=1 -prec_sqrt=1 -fmad=1 -new=2";
        let given = [setting(TrackedOption::Ftz, 1)];
        let expected = [
            setting(TrackedOption::Ftz, 1),
            setting(TrackedOption::PrecDiv, 1),
            setting(TrackedOption::PrecSqrt, 1),
            setting(TrackedOption::Fmad, 1),
            setting(TrackedOption::MaxrregCount, 64),
            setting(TrackedOption::GenerateLineInfo, 1),
        ];
        assert_eq!(settings(text, &given), expected);
        assert_eq!(settings("-maxreg -ftz=x -fmad", &[]), []);
    }
}
