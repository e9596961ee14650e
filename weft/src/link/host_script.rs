//! nvcc's linker scripts of host code (`--host-linker-script`), which place device code behind all
//! else, where gigabytes of it do no harm to the distances between host code and its data.
//!
//! nvcc 13.5 crashes if it shall make such a script and link no device code (`-nodlink`). So a run
//! of its own makes the script, and the link gets the file.

use std::path::Path;

use crate::drivers::{Driver, divided};

use super::device::text;

/// Names of the option, and of the one that makes the script an addition to another.
const SCRIPT: [&str; 2] = ["--host-linker-script", "-hls"];
const ADDITION: [&str; 2] = ["--augment-host-linker-script", "-aug-hls"];

/// A link by nvcc with a script.
pub(super) struct WithScript {
    /// Command that makes the script.
    pub(super) script: Vec<String>,
    /// Command of the link, which gives the file to the host linker.
    pub(super) link: Vec<String>,
}

/// Divides a command of nvcc that links with a script of nvcc's; `None` if it does not. The command
/// for the script gets the words of `target`.
pub(super) fn divide(command: &[String], target: &[String], file: &Path) -> Option<WithScript> {
    let (program, words) = command.split_first()?;
    if Driver::of(program) != Driver::Nvcc {
        return None;
    }
    let mut script = [std::slice::from_ref(program), target].concat();
    let mut link = vec![program.clone()];
    let mut is_wanted = false;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let value = Driver::Nvcc.takes_next(word).then(|| words.next()).flatten();
        let (name, joined) = divided(word);
        if SCRIPT.contains(&name) {
            is_wanted |= value.map(String::as_str).or(joined) == Some("use-lcs");
        } else if ADDITION.contains(&name) {
            script.push(word.clone());
        } else {
            if ["-shared", "--shared"].contains(&name) {
                script.push(word.clone());
            }
            link.push(word.clone());
            link.extend(value.cloned());
        }
    }
    let file = text(file);
    script.extend(["-hls=gen-lcs", "-o", &file].map(str::to_owned));
    link.extend(["-Xlinker".to_owned(), format!("-T,{file}")]);
    is_wanted.then_some(WithScript { script, link })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &str) -> Vec<String> {
        command.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn another_run_of_nvcc_makes_the_script() {
        let divided = |command: &str| {
            let target = words("-ccbin g++");
            let divided = divide(&words(command), &target, Path::new("s.lds"))?;
            Some((divided.script.join(" "), divided.link.join(" ")))
        };
        for (command, script, link) in [
            (
                "nvcc -hls=use-lcs a.o -o app",
                "nvcc -ccbin g++ -hls=gen-lcs -o s.lds",
                "nvcc a.o -o app -Xlinker -T,s.lds",
            ),
            (
                "nvcc -shared --host-linker-script use-lcs -aug-hls a.o -o lib.so",
                "nvcc -ccbin g++ -shared -aug-hls -hls=gen-lcs -o s.lds",
                "nvcc -shared a.o -o lib.so -Xlinker -T,s.lds",
            ),
        ] {
            let expected = Some((script.to_owned(), link.to_owned()));
            assert_eq!(divided(command), expected, "{command}");
        }
        for command in ["nvcc a.o -o app", "nvcc -hls=gen-lcs -o s.lds", "g++ -hls=use-lcs a.o"] {
            assert_eq!(divided(command), None, "{command}");
        }
    }
}
