//! Commands that compile a unit, changed so that its device code is LTO IR.

use std::collections::BTreeSet;

use weft_cli::files;

use crate::drivers::{Driver, divided};
use crate::words::words;

/// The architecture that nvcc compiles for if it is told none, of CUDA 13.
const DEFAULT: &str = "75";

/// Options that say what device code nvcc makes, each with a value.
const OF_CODE: [&str; 6] =
    ["--generate-code", "--gpu-architecture", "--gpu-code", "-arch", "-code", "-gencode"];
/// Options of nvcc's own link-time optimization, which Weft replaces.
const OF_LTO: [&str; 2] = ["--dlink-time-opt", "-dlto"];

/// Returns the command with LTO IR for each architecture instead of machine code. Only nvcc knows
/// the meaning of words such as `native`: `plan` returns the commands that nvcc says it would run.
/// If it says nothing, the command stays as it is, and so does its unit in the link.
pub(super) fn to_lto_ir(
    arguments: &[String],
    plan: impl FnOnce(&[String]) -> anyhow::Result<String>,
) -> anyhow::Result<Vec<String>> {
    let (mut command, mut numbers) = (Vec::new(), BTreeSet::new());
    let mut is_known = true;
    let all = words(arguments, Driver::Nvcc)?;
    let mut rest = all.iter().map(|word| word.text.as_str());
    while let Some(word) = rest.next() {
        let value = Driver::Nvcc.takes_next(word).then(|| rest.next()).flatten();
        let (name, joined) = divided(word);
        if OF_LTO.contains(&word) {
            continue;
        }
        let code = value.or(joined).filter(|_| OF_CODE.contains(&name));
        let Some(code) = code else {
            command.push(word.to_owned());
            command.extend(value.map(str::to_owned));
            continue;
        };
        match architectures(name, code) {
            Some(found) => numbers.extend(found),
            None => is_known = false,
        }
    }
    if !is_known {
        let plan = plan(arguments)?;
        numbers = planned(&plan);
        for warning in plan.lines().filter(|line| line.starts_with("nvcc warning")) {
            files::say(format!("{warning}\n"));
        }
        if numbers.is_empty() {
            files::say(
                "weft: note: nvcc does not say for which architectures it compiles: the unit's \
                 device code goes to the link as it is\n",
            );
            return Ok(arguments.to_vec());
        }
    }
    if numbers.is_empty() {
        numbers.insert(DEFAULT.to_owned());
    }
    let codes = numbers.into_iter();
    command.extend(codes.map(|code| format!("-gencode=arch=compute_{code},code=lto_{code}")));
    Ok(command)
}

/// Returns the architectures of the machine code that nvcc packs by its plan, the commands that it
/// would run: `--image3=kind=elf,sm=90,file=…` of fatbinary.
fn planned(plan: &str) -> BTreeSet<String> {
    let images = plan.split("kind=elf,sm=").skip(1);
    images.filter_map(|image| image.split_once(',')).map(|(number, _)| number.to_owned()).collect()
}

/// Returns the architectures for which an option makes nvcc generate code, as `90` or `90a`; `None`
/// if it uses words for them. If `-gencode` names codes, only these count.
fn architectures(option: &str, value: &str) -> Option<Vec<String>> {
    let words = value.split(|separator: char| "[],= \"'".contains(separator));
    let words = words.filter(|word| !word.is_empty() && !["arch", "code"].contains(word));
    let mut found = Vec::new();
    for (position, word) in words.enumerate() {
        let (kind, number) = word.split_once('_')?;
        let is_number = number.starts_with(|first: char| first.is_ascii_digit());
        if !is_number || !["compute", "lto", "sm"].contains(&kind) {
            return None;
        }
        // `arch=compute_90` says which features the source may use.
        let is_front = option.ends_with("code") && position == 0 && option.contains("gen");
        if !is_front {
            found.push(number.to_owned());
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(command: &str) -> String {
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        to_lto_ir(&words, |_| panic!("the architectures are known")).unwrap().join(" ")
    }

    #[test]
    fn codes_become_lto_ir() {
        let lto = |number: &str| format!("-gencode=arch=compute_{number},code=lto_{number}");
        for (command, expected) in [
            ("-dc a.cu", vec!["75"]),
            ("-dc -arch=sm_90 a.cu", vec!["90"]),
            ("-dc -arch sm_90a a.cu", vec!["90a"]),
            ("-dc -dlto -arch=sm_90 a.cu", vec!["90"]),
            (
                "-dc -gencode arch=compute_80,code=sm_80 a.cu -gencode=arch=compute_90,code=sm_90",
                vec!["80", "90"],
            ),
            ("-dc --generate-code=arch=compute_90,code=[compute_90,sm_90] a.cu", vec!["90"]),
            ("-dc a.cu -arch=compute_80 -code=sm_80,sm_86", vec!["80", "86"]),
        ] {
            let codes: Vec<String> = expected.iter().map(|number| lto(number)).collect();
            assert_eq!(changed(command), format!("-dc a.cu {}", codes.join(" ")), "{command}");
        }
    }

    #[test]
    fn words_for_architectures_are_what_nvcc_plans() {
        let words: Vec<String> = ["-dc", "-arch=all-major", "a.cu"].map(str::to_owned).to_vec();
        let plan = "#$ fatbinary \"--image3=kind=elf,sm=75,file=/tmp/a\" \
                    \"--image3=kind=ptx,sm=120,file=/tmp/b\" \
                    \"--image3=kind=elf,sm=120,file=/tmp/c\"";
        let changed = |plan: &str| to_lto_ir(&words, |_| Ok(plan.to_owned())).unwrap().join(" ");
        let expected = "-dc a.cu -gencode=arch=compute_120,code=lto_120 \
                        -gencode=arch=compute_75,code=lto_75";
        assert_eq!(changed(plan), expected);
        assert_eq!(changed("nvcc fatal: nothing"), words.join(" "));
    }
}
