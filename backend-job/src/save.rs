//! Saves a job as a folder whose script repeats it, elsewhere or later.
//!
//! `in` holds the inputs by architecture: the plan, and the bitcode of the module and of the
//! modules that the plan imports from. The command line is kept word by word except for the names
//! of files, so new options need no change here. Outputs go to `out`. Tools stay in their places,
//! and variables of the script can name others. The folder may be shared, so it holds no options
//! about servers: their values are credentials, or hold some. Variables and settings files are not
//! read for it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use clap::Arg;
use weft_cli::{Blame as _, ExecutionArguments, Fault, files};

use crate::arguments::RunArguments;
use crate::{import, plans};

/// Options whose value names an output.
const OUTPUTS: [&str; 5] = ["--output", "-o", "--report", "--time-trace", "--list"];
/// Options that name inputs; the script uses other names for these.
const INPUTS: [&str; 6] =
    ["--plan", "--also-plan", "--module", "--import", "--module-map", "--staged"];
/// Options that name tools, with their variables in the script.
const TOOLS: [(&str, &str); 4] =
    [("--ptxas", "PTXAS"), ("--libnvvm", "LIBNVVM"), ("--nvlink", "NVLINK"), ("--nvvm", "NVVM")];
/// Options whose value may look like an option.
const VERBATIM: [&str; 2] = ["--Xptxas", "--Xnvvm"];

/// Writes the folder `folder` before the job starts, so that a job that crashes is kept, too.
pub(crate) fn save(folder: &Path, arguments: &RunArguments) -> anyhow::Result<()> {
    let mut words = vec!["run".to_owned()];
    for (position, (architecture, inputs)) in plans::plans(arguments)?.into_iter().enumerate() {
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
    let Kept { words: others, left_out } = kept(&given);
    words.extend(others);
    std::fs::create_dir_all(folder.join("out"))
        .blame(Fault::Environment, || format!("cannot make {}", folder.join("out").display()))?;
    let script = format!(
        "#!/bin/sh\n# Does a job of Weft again: inputs in `in`, outputs in `out`.\n{}\
         cd \"$(dirname \"$0\")\" && exec \"${{BACKEND_JOB:-backend-job}}\" {} \"$@\"\n",
        note(&left_out),
        words.join(" \\\n  ")
    );
    let path = folder.join("run");
    files::write(&path, script.as_bytes())?;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))
        .blame(Fault::Environment, || format!("cannot make {} executable", path.display()))
}

/// A command line, divided for the script.
#[derive(Debug, PartialEq, Eq)]
struct Kept {
    /// Words that the script takes over, in the shell's syntax.
    words: Vec<String>,
    /// Names of the options that the script leaves out because their values are private.
    left_out: BTreeSet<String>,
}

/// Returns the script's comment on options that were left out.
fn note(left_out: &BTreeSet<String>) -> String {
    if left_out.is_empty() {
        return String::new();
    }
    let names: Vec<_> = left_out.iter().map(String::as_str).collect();
    format!(
        "# Left out, since their values may hold credentials: {}.\n\
         # Arguments of this script are added to the command.\n",
        names.join(", ")
    )
}

/// Divides the words of the command line `given` after `run`.
fn kept(given: &[OsString]) -> Kept {
    let private = ExecutionArguments::private_options();
    let (mut kept, mut left_out) = (Vec::new(), BTreeSet::new());
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
        } else if let Some(private) = private.iter().find(|argument| names(argument, option)) {
            if private.get_action().takes_values() && !private.is_require_equals_set() {
                value();
            }
            left_out.insert(option.to_owned());
        } else {
            kept.push(quoted(&word));
        }
    }
    Kept { words: kept, left_out }
}

/// Whether `option` is a name of `argument`.
fn names(argument: &Arg, option: &str) -> bool {
    let aliases = argument.get_all_aliases().into_iter().flatten();
    let mut all = argument.get_long().into_iter().chain(aliases);
    option.strip_prefix("--").is_some_and(|name| all.any(|known| known == name))
}

/// Returns the absolute path of a tool. A bare name stays, as it is looked for on the search path.
fn tool(name: &str) -> String {
    let path = Path::new(name);
    if path.components().count() == 1 {
        return name.to_owned();
    }
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

/// Returns `text` as one word of the shell.
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
            kept(&given).words,
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

    #[test]
    fn no_option_that_speaks_of_servers_is_kept() {
        for argument in ExecutionArguments::private_options() {
            let name = format!("--{}", argument.get_long().unwrap_or_default());
            assert!(name.len() > 2, "{argument:?}");
            let attached = vec![format!("{name}=secret")];
            let apart = vec![name.clone(), "secret".to_owned()];
            let forms = if argument.is_require_equals_set() {
                vec![attached, vec![name.clone()]]
            } else {
                vec![attached, apart]
            };
            for form in forms {
                let given = [vec!["-O1".to_owned()], form, vec!["-v".to_owned()]].concat();
                let given: Vec<_> = given.into_iter().map(OsString::from).collect();
                let left_out = BTreeSet::from([name.clone()]);
                assert_eq!(kept(&given), Kept { words: vec!["-O1".into(), "-v".into()], left_out });
            }
        }
        let given = ["--remote-header", "k=v", "--cache=off"].map(OsString::from);
        let Kept { words, left_out } = kept(&given);
        assert_eq!(words, ["--cache=off"]);
        assert!(note(&left_out).contains("credentials: --remote-header.\n"));
        assert_eq!(note(&BTreeSet::new()), "");
    }
}
