//! Options for device code in a link by nvcc, translated for the steps of Weft.
//!
//! nvcc passes them to the tools of its own device link, which Weft replaces. All other options of
//! nvcc act where units are compiled, and units record the options that they were compiled with.

use crate::drivers::{Driver, divided};
use crate::words::words;

/// The name of a step, and an option for it.
type StepOption = (&'static str, String);

/// Returns the options of a command for the steps, in their order; none if it is not nvcc's.
pub(super) fn step_options(command: &[String]) -> anyhow::Result<Vec<StepOption>> {
    let is_nvcc = command.first().is_some_and(|program| Driver::of(program) == Driver::Nvcc);
    if !is_nvcc {
        return Ok(Vec::new());
    }
    let words = words(&command[1..], Driver::Nvcc)?;
    let mut rest = words.iter().map(|word| word.text.as_str());
    let mut options = Vec::new();
    while let Some(word) = rest.next() {
        let value = Driver::Nvcc.takes_next(word).then(|| rest.next()).flatten();
        let (name, joined) = divided(word);
        let value = value.or(joined).unwrap_or_default();
        options.extend(of_option(name, value));
    }
    Ok(options)
}

fn of_option(name: &str, value: &str) -> Vec<StepOption> {
    let each = |step, option: fn(String) -> String| {
        list(value).into_iter().map(|item| (step, option(item))).collect()
    };
    match name {
        "-Xptxas" | "--ptxas-options" => each("run", |item| format!("--Xptxas={item}")),
        "-Xnvlink" | "--nvlink-options" => each("nvlink", |item| item),
        "-Xfatbin" | "--fatbin-options" => each("fatbinary", |item| item),
        "-maxrregcount" | "--maxrregcount" => {
            vec![("thinlink", format!("--maxrregcount={value}"))]
        }
        "-compress-mode" | "--compress-mode" => {
            vec![("fatbinary", format!("--compress-mode={value}"))]
        }
        "-no-compress" | "--no-compress" => vec![("fatbinary", "-compress=false".to_owned())],
        "-G" | "--device-debug" => vec![("nvlink", "--debug".to_owned())],
        "-res-usage" | "--resource-usage" => vec![("nvlink", "--verbose".to_owned())],
        _ => Vec::new(),
    }
}

/// Divides a value at commas, but for those behind a backslash.
fn list(value: &str) -> Vec<String> {
    let mut items = vec![String::new()];
    let mut characters = value.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, items.last_mut()) {
            (',', _) => items.push(String::new()),
            ('\\', Some(item)) if characters.peek() == Some(&',') => {
                item.extend(characters.next());
            }
            (_, Some(item)) => item.push(character),
            (_, None) => {}
        }
    }
    items.retain(|item| !item.is_empty());
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(command: &str) -> Vec<String> {
        let command: Vec<String> = command.split(' ').map(str::to_owned).collect();
        let options = step_options(&command).unwrap();
        options.into_iter().map(|(step, option)| format!("{step}: {option}")).collect()
    }

    #[test]
    fn options_for_the_device_link_go_to_its_steps() {
        for (command, expected) in [
            ("nvcc a.o -Xptxas -v,-O2 -o app", vec!["run: --Xptxas=-v", "run: --Xptxas=-O2"]),
            ("nvcc --ptxas-options=-dlcm\\,=ca a.o", vec!["run: --Xptxas=-dlcm,=ca"]),
            ("nvcc -maxrregcount 40 a.o", vec!["thinlink: --maxrregcount=40"]),
            ("nvcc --maxrregcount=64 a.o", vec!["thinlink: --maxrregcount=64"]),
            ("nvcc -Xnvlink --verbose -G a.o", vec!["nvlink: --verbose", "nvlink: --debug"]),
            ("nvcc -Xfatbin -compress-all a.o", vec!["fatbinary: -compress-all"]),
            ("nvcc --compress-mode size a.o", vec!["fatbinary: --compress-mode=size"]),
            ("nvcc -O3 -lineinfo -Xcompiler -fPIC -std=c++17 a.o", vec![]),
            ("g++ -G 8 -Xptxas a.o", vec![]),
        ] {
            assert_eq!(options(command), expected, "{command}");
        }
    }
}
