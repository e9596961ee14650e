//! A job as a folder that does it again, elsewhere or later.
//!
//! `in` holds the inputs by architecture: the plan, and the bitcode of the module and of what the plan
//! imports from. The command line is kept word by word but for the names of files, so that an option
//! that is new here needs no care. Outputs go to `out`. Tools stay where they are, and variables of the
//! script can name others.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use weft_cli::{Blame as _, Fault, files};

use crate::arguments::RunArguments;
use crate::{import, run};

/// Options whose value names an output.
const OUTPUTS: [&str; 5] = ["--output", "-o", "--report", "--time-trace", "--list"];
/// Options that name inputs, which the script names in its own way.
const INPUTS: [&str; 6] =
    ["--plan", "--also-plan", "--module", "--import", "--module-map", "--staged"];
/// Options that name tools, and the variables for them.
const TOOLS: [(&str, &str); 2] = [("--ptxas", "PTXAS"), ("--libnvvm", "LIBNVVM")];
/// Options whose value may look like an option.
const VERBATIM: [&str; 2] = ["--Xptxas", "--Xnvvm"];

/// Writes the folder `folder` before the job starts, so that a job that crashes is kept too.
pub(crate) fn save(folder: &Path, arguments: &RunArguments) -> anyhow::Result<()> {
    let mut words = vec!["run".to_owned()];
    for (position, (architecture, inputs)) in run::plans(arguments)?.into_iter().enumerate() {
        let gathered = import::gather(&inputs)?;
        let place = Path::new("in").join(&architecture);
        let write =
            |name: &str, content: &[u8]| files::write(&folder.join(&place).join(name), content);
        write("plan", &files::read(&inputs.plan)?)?;
        write("module.bc", &gathered.own)?;
        let mut map = String::new();
        for (number, (module_id, bitcode)) in gathered.sources.iter().enumerate() {
            let name = format!("import-{number}.bc");
            write(&name, bitcode)?;
            // Writing to a String cannot fail.
            let _ = writeln!(map, "{module_id}\t{}", place.join(&name).display());
        }
        write("modules.tsv", map.as_bytes())?;
        let option = if position == 0 { "--plan" } else { "--also-plan" };
        words.extend([option.to_owned(), quoted(&place.join("plan").display().to_string())]);
    }
    words.extend(
        ["--module 'in/{arch}/module.bc'", "--module-map 'in/{arch}/modules.tsv'"]
            .map(str::to_owned),
    );
    let given: Vec<_> = std::env::args_os().skip_while(|word| word != "run").skip(1).collect();
    words.extend(kept(&given));
    std::fs::create_dir_all(folder.join("out"))
        .blame(Fault::Environment, || format!("cannot make {}", folder.join("out").display()))?;
    let script = format!(
        "#!/bin/sh\n# Does a job of Weft again: inputs in `in`, outputs in `out`.\n\
         cd \"$(dirname \"$0\")\" && exec \"${{BACKEND_JOB:-backend-job}}\" {} \"$@\"\n",
        words.join(" \\\n  ")
    );
    let path = folder.join("run");
    files::write(&path, script.as_bytes())?;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))
        .blame(Fault::Environment, || format!("cannot make {} executable", path.display()))
}

/// The words of the command line `given` that the script takes over, for the shell.
fn kept(given: &[OsString]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut rest = given.iter().map(|word| word.to_string_lossy().into_owned());
    while let Some(word) = rest.next() {
        let (option, attached) = match word.split_once('=') {
            Some((option, value)) => (option.to_owned(), Some(value.to_owned())),
            None if word.starts_with("-o") && word.len() > 2 => {
                ("-o".to_owned(), Some(word[2..].to_owned()))
            }
            None => (word.clone(), None),
        };
        let option = option.as_str();
        let mut value = || attached.clone().or_else(|| rest.next()).unwrap_or_default();
        if OUTPUTS.contains(&option) {
            let value = PathBuf::from(value());
            let name = value.file_name().unwrap_or(value.as_os_str());
            kept.push(format!(
                "{option} {}",
                quoted(&Path::new("out").join(name).to_string_lossy())
            ));
        } else if let Some((_, variable)) = TOOLS.iter().find(|(tool, _)| *tool == option) {
            kept.push(format!("{option} \"${{{variable}:-{}}}\"", tool(&value())));
        } else if VERBATIM.contains(&option) {
            kept.push(quoted(&format!("{option}={}", value())));
        } else if INPUTS.contains(&option) || option == "--save" {
            value();
        } else {
            kept.push(quoted(&word));
        }
    }
    kept
}

/// A tool's file, as it can be named from anywhere; a bare name is looked for on the search path.
fn tool(name: &str) -> String {
    let path = Path::new(name);
    if path.components().count() == 1 {
        return name.to_owned();
    }
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

/// `text` as one word of the shell.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./=,:+@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_stay_and_files_get_other_names() {
        let given = [
            "--plan",
            "p",
            "--module=m",
            "-O1",
            "--import",
            "b=b.bc",
            "-o",
            "x/a.{part}.cubin",
            "--split",
            "2",
            "--Xptxas",
            "-o",
            "--ptxas=ptxas",
            "--save",
            "s",
            "--report=r.json",
            "--inline-threshold=3",
        ];
        let given = given.map(OsString::from);
        assert_eq!(
            kept(&given),
            [
                "-O1",
                "-o 'out/a.{part}.cubin'",
                "--split",
                "2",
                "--Xptxas=-o",
                "--ptxas \"${PTXAS:-ptxas}\"",
                "--report out/r.json",
                "--inline-threshold=3",
            ]
        );
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }
}
