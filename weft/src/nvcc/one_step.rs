//! Commands that compile units and link a program in one step, divided into one command for each
//! unit and one for the link.

use std::path::{Path, PathBuf};

use crate::drivers::{Driver, divided};
use crate::words::words;

/// Extensions of sources that nvcc compiles.
const SOURCES: [&str; 7] = ["C", "c", "c++", "cc", "cpp", "cu", "cxx"];
/// Options for the link alone, each with its value.
const OF_LINK: [&str; 10] = [
    "--library",
    "--library-path",
    "--linker-options",
    "--nvlink-options",
    "--shared",
    "-L",
    "-Xlinker",
    "-Xnvlink",
    "-l",
    "-shared",
];
/// Options that say in which language sources are, each with its value. The link has none.
const LANGUAGE: [&str; 2] = ["--x", "-x"];
/// Starts of options that write dependencies, of which one file would hold those of all units.
const DEPENDENCIES: [&str; 3] = ["--dependency", "--generate-", "-M"];
/// Options that name the output.
const OUTPUT: [&str; 3] = ["--output", "--output-file", "-o"];

/// A command without its program, divided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Divided {
    /// The units, each with the arguments that compile it to the object.
    pub(super) units: Vec<Unit>,
    /// The arguments of the link.
    pub(super) link: Vec<String>,
}

/// A source that is compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) source: String,
    pub(super) object: PathBuf,
    pub(super) arguments: Vec<String>,
}

/// Divides a command that links, with objects in `folder`; `None` if it compiles nothing, or writes
/// dependencies of what it compiles.
pub(super) fn divide(arguments: &[String], folder: &Path) -> anyhow::Result<Option<Divided>> {
    let all = words(arguments, Driver::Nvcc)?;
    let mut rest = all.iter().map(|word| word.text.as_str());
    let (mut options, mut sources, mut link) = (Vec::new(), Vec::new(), Vec::new());
    while let Some(word) = rest.next() {
        let value = Driver::Nvcc.takes_next(word).then(|| rest.next()).flatten();
        let (name, _) = divided(word);
        let is_among = |list: &[&str]| list.contains(&name);
        let words = || std::iter::once(word).chain(value).map(str::to_owned);
        let is_code = name == "--generate-code";
        if !is_code && DEPENDENCIES.iter().any(|start| word.starts_with(start)) {
            return Ok(None);
        }
        if !word.starts_with('-') {
            if is_source(word) {
                let object = folder.join(format!("{}.o", sources.len()));
                link.push(object.to_string_lossy().into_owned());
                sources.push((word.to_owned(), object));
            } else {
                link.push(word.to_owned());
            }
            continue;
        }
        let joined =
            ["-L", "-l"].iter().any(|start| word.starts_with(start)) && word != "-lineinfo";
        let for_link = is_among(&OF_LINK) || is_among(&OUTPUT) || joined;
        if !for_link {
            options.extend(words());
        }
        if !is_among(&LANGUAGE) {
            link.extend(words());
        }
    }
    if sources.is_empty() {
        return Ok(None);
    }
    let unit = |(source, object): (String, PathBuf)| {
        let output = object.to_string_lossy().into_owned();
        let own = ["-dc".to_owned(), source.clone(), "-o".to_owned(), output];
        Unit { arguments: options.iter().cloned().chain(own).collect(), source, object }
    };
    Ok(Some(Divided { units: sources.into_iter().map(unit).collect(), link }))
}

fn is_source(word: &str) -> bool {
    let extension = Path::new(word).extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| SOURCES.contains(&extension))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(command: &str) -> Option<(Vec<String>, String)> {
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        let divided = divide(&words, Path::new("t")).unwrap()?;
        let units = divided.units.iter().map(|unit| unit.arguments.join(" "));
        Some((units.collect(), divided.link.join(" ")))
    }

    #[test]
    fn each_command_gets_the_options_that_are_for_it() {
        let (units, link) = parts(
            "-rdc=true -O3 -lineinfo main.cpp a.cu -x cu lib.a -Xlinker -rpath -lm -L dir -shared \
             -Xptxas -v --generate-code arch=compute_90,code=sm_90 -o app",
        )
        .unwrap();
        let code = "--generate-code arch=compute_90,code=sm_90";
        let options = format!("-rdc=true -O3 -lineinfo -x cu -Xptxas -v {code} -dc");
        assert_eq!(
            units,
            [format!("{options} main.cpp -o t/0.o"), format!("{options} a.cu -o t/1.o")]
        );
        assert_eq!(
            link,
            format!(
                "-rdc=true -O3 -lineinfo t/0.o t/1.o lib.a -Xlinker -rpath -lm -L dir -shared \
                 -Xptxas -v {code} -o app"
            )
        );
        assert_eq!(parts("a.o -lm -o app"), None);
        assert_eq!(parts("a.cu -MD -o app"), None);
    }
}
