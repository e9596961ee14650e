//! Each option acts or is refused: the rows of the table of knobs that hold command lines are
//! carried out with the real programs.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use dev_knobs::{Proof, Row, Table, Trial};
use weft_tests::{Outcome, Run, Workbench, tools, workspace_root};

/// Prepares the program in `tests/knobs`: every file that a row may name.
fn prepared() -> Workbench {
    let bench = Workbench::new();
    for file in ["a.cu", "b.cu", "c.cu", "shared.cuh"] {
        let text = fs::read(workspace_root().join("tests/knobs").join(file)).unwrap();
        bench.write(file, text);
    }
    let units = ["a", "b", "c"];
    bench.prepare(&units);
    bench.thinlink(&units, &[]);
    bench.import("a", &units).succeed();
    bench.codegen("a").arg("--emit=bc,ptx").succeed();
    bench.assemble("a").args(["--report", "report.json"]).succeed();
    bench.write("modules.tsv", "a\ta.bc\nb\tb.bc\nc\tc.bc\n");
    bench.write("reports.tsv", "a\treport.json\na\ta.ptx\n");
    bench
        .weft("backend-job")
        .args(["stage", "--plans", "plans", "--module-map", "modules.tsv", "-o", "imports"])
        .succeed();
    fs::create_dir(bench.file("tools")).unwrap();
    for (name, tool) in [
        ("ptxas", tools().cuda("ptxas")),
        ("libnvvm.so", tools().cuda_root().join("nvvm/lib64/libnvvm.so")),
    ] {
        std::os::unix::fs::symlink(tool, bench.file("tools").join(name)).unwrap();
    }
    bench
}

/// Runs a command in an empty folder `out`.
fn run(bench: &Workbench, words: &[String]) -> Outcome {
    let out = bench.file("out");
    if out.exists() {
        fs::remove_dir_all(&out).unwrap();
    }
    fs::create_dir(&out).unwrap();
    let (program, arguments) = words.split_first().unwrap();
    Run::new(tools().weft(program), bench.path()).args(arguments).outcome()
}

/// The outputs of a command: the files below `out`, and both streams.
#[derive(Clone, Debug, Default)]
struct Outputs {
    code: Option<i32>,
    files: BTreeMap<String, Vec<u8>>,
}

impl Outputs {
    fn of(bench: &Workbench, words: &[String]) -> Self {
        let Outcome { code, stdout, stderr, .. } = run(bench, words);
        let mut files = BTreeMap::new();
        collect(&bench.file("out"), "", &mut files);
        files.insert("stdout".to_owned(), stdout.into_bytes());
        files.insert("stderr".to_owned(), stderr.into_bytes());
        Self { code, files }
    }

    fn messages(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.files["stderr"])
    }
}

/// Adds the files below `folder`. A folder counts as a file without content.
fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{name}/"), files);
            files.insert(name, Vec::new());
        } else {
            files.insert(name, fs::read(entry.path()).unwrap());
        }
    }
}

fn words(trial: &Trial) -> Vec<String> {
    [&trial.command[..], &trial.arguments[..]].concat()
}

/// Returns what is wrong with a row whose option must change files.
fn tried(bench: &Workbench, without: &Outputs, trial: &Trial, files: &[String]) -> Option<String> {
    let with = Outputs::of(bench, &words(trial));
    let of_files = files.iter().any(|file| file != "stderr");
    if of_files && with.code != Some(0) {
        return Some(format!("fails: {}", with.messages()));
    }
    let same = files.iter().find(|file| with.files.get(*file) == without.files.get(*file));
    same.map(|file| format!("changes nothing in {file}: {}", with.messages()))
}

/// Returns what is wrong with a row whose option must be an error.
fn refused(bench: &Workbench, trial: &Trial, text: &str) -> Option<String> {
    let outputs = Outputs::of(bench, &words(trial));
    let is_refused = outputs.code == Some(2) && outputs.messages().contains(text);
    let code = outputs.code;
    (!is_refused)
        .then(|| format!("is not refused with {text:?}, but: {code:?} {}", outputs.messages()))
}

#[test]
fn every_option_that_is_tried_acts_or_is_refused() {
    let bench = prepared();
    let table = Table::of_weft().unwrap();
    let mut outputs: BTreeMap<&[String], Outputs> = BTreeMap::new();
    let mut faults = Vec::new();
    let mut count = 0;
    for Row { program, name, proofs, .. } in &table.rows {
        for proof in proofs {
            let (trial, fault) = match proof {
                Proof::Try(trial, files) => {
                    let command = trial.command.as_slice();
                    let known = outputs.entry(command);
                    let without = known.or_insert_with(|| Outputs::of(&bench, command));
                    (trial, tried(&bench, without, trial, files))
                }
                Proof::Refused(trial, text) => (trial, refused(&bench, trial, text)),
                Proof::Scenario(_) | Proof::Test(..) => continue,
            };
            count += 1;
            let line = words(trial).join(" ");
            faults.extend(fault.map(|fault| format!("{program} {name} {fault}\n  $ {line}")));
        }
    }
    assert!(count > 0, "the table has no row to try");
    assert!(faults.is_empty(), "{} of {count} rows:\n{}", faults.len(), faults.join("\n"));
}

/// Lines of a screen.
const SCREEN: usize = 60;

#[test]
fn short_help_fits_on_a_screen_and_long_help_has_every_option() {
    let mut options: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for option in dev_knobs::definitions() {
        let command = (option.program, option.subcommand);
        options.entry(command).or_default().push(option.name);
    }
    assert!(options.len() > 20, "only {} commands", options.len());
    for ((program, subcommand), names) in options {
        let words = subcommand.split('/').filter(|word| !word.is_empty());
        let help = |option: &str| {
            Run::new(tools().weft(&program), ".").args(words.clone()).arg(option).succeed().stdout
        };
        let (short, long) = (help("-h"), help("--help"));
        let lines = short.lines().count();
        assert!(lines <= SCREEN, "{program} {subcommand}: {lines} lines\n{short}");
        let is_hidden = |name: &&String| !long.contains(name.as_str());
        let hidden: Vec<&String> = names.iter().filter(is_hidden).collect();
        let expected = ["--isolated", "--notices-on-stdout", "--print-report"];
        assert!(hidden.iter().all(|name| expected.contains(&name.as_str())), "{hidden:?}");
    }
}
