//! The steps that each edit of the rebuild table reruns, with both generators.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use weft_tests::rebuild::{self, BuildSystem, Steps};

use crate::project::{Project, from_checkout};

/// Makes the edits of the table one after the other. `ran` builds the project and returns the steps
/// that ran.
fn walk(generator: &str, system: BuildSystem, ran: impl Fn(&Project) -> Steps) {
    let project = Project::copy("tests/rebuild/project");
    project.cmake(generator).args(from_checkout()).succeed();
    project.build();
    let mut differences = String::new();
    for row in rebuild::rows(system) {
        row.apply(&project.source());
        differences.push_str(&row.differences(&ran(&project)));
    }
    assert!(differences.is_empty(), "{differences}");
}

#[test]
fn ninja_runs_what_the_table_says() {
    walk("Ninja", BuildSystem::Ninja, |project| {
        let before = log(&project.output(".ninja_log"));
        project.build();
        let after = log(&project.output(".ninja_log"));
        steps_of_outputs(after.difference(&before).map(|line| output(line)), project)
    });
}

#[test]
fn make_runs_what_the_table_says() {
    walk("Unix Makefiles", BuildSystem::Make, |project| steps_of_messages(&project.build()));
}

/// Returns the lines of Ninja's log: start, end, time of the output, output, hash of the command.
fn log(path: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(path).expect("Ninja's log");
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

fn output(line: &str) -> &str {
    line.split('\t').nth(3).expect("an output")
}

/// Returns the steps that made the given outputs.
fn steps_of_outputs<'log>(outputs: impl Iterator<Item = &'log str>, project: &Project) -> Steps {
    let build_folder = format!("{}/", project.build_folder().display());
    let mut steps = Sorted::default();
    for output in outputs {
        // Ninja also records outputs of custom commands under their absolute paths.
        let output = output.strip_prefix(&build_folder).unwrap_or(output);
        let weft = output.strip_prefix("program.weft/sm_90/");
        let compiled = output.strip_prefix("CMakeFiles/program.dir/");
        let (step, unit) =
            if let Some(object) = compiled.and_then(|object| object.strip_suffix(".o")) {
                (
                    if Path::new(object).extension() == Some("cu".as_ref()) {
                        "compile"
                    } else {
                        "compile-host"
                    },
                    object,
                )
            } else if let Some((unit, step)) = weft.and_then(step_of_file) {
                (step, unit)
            } else if output.starts_with("program.weft/") {
                ("image", "")
            } else if output == "program" {
                ("link", "")
            } else if output == "build.ninja" || output.ends_with("cmake_install.cmake") {
                continue; // CMake itself ran, as CMakeLists.txt or the list of sources changed.
            } else if output.starts_with("CMakeFiles/") {
                continue;
            } else {
                panic!("Ninja made {output}, which the test does not know");
            };
        steps.add(step, unit);
    }
    steps.finish()
}

/// Returns the unit and the step of a file below `program.weft/sm_90`.
fn step_of_file(file: &str) -> Option<(&str, &'static str)> {
    if file.starts_with("plans/") {
        return Some(("", "thinlink"));
    }
    // `.linked.bc` precedes `.bc`, because it ends with it.
    [(".summary", "summarize"), (".linked.bc", "import"), (".bc", "summarize"), (".ptx", "codegen")]
        .into_iter()
        .chain((file != "image.cubin").then_some((".cubin", "assemble")))
        .find_map(|(suffix, step)| Some((file.strip_suffix(suffix)?, step)))
}

/// Returns the steps that the messages announce.
fn steps_of_messages(messages: &BTreeMap<String, Vec<String>>) -> Steps {
    let mut steps = Sorted::default();
    for (verb, texts) in messages {
        for text in texts {
            let object =
                text.rsplit_once("program.dir/").and_then(|object| object.1.strip_suffix(".o"));
            match (verb.as_str(), object) {
                ("Building", Some(object)) if text.starts_with("CUDA") => {
                    steps.add("compile", object);
                }
                ("Building", Some(object)) => steps.add("compile-host", object),
                ("Linking", _) => steps.add("link", ""),
                ("thinlink", _) => steps.add("thinlink", ""),
                ("nvlink" | "fatbinary" | "register", _) => steps.add("image", ""),
                ("codegen", _) => {
                    // One step of the build.
                    steps.add("codegen", text);
                    steps.add("assemble", text);
                }
                (step, _) => steps.add(step, text),
            }
        }
    }
    steps.finish()
}

/// Steps in the form of the table: units are sorted and unique, and a step of the whole program has
/// none.
#[derive(Default)]
struct Sorted(BTreeMap<String, BTreeSet<String>>);

impl Sorted {
    fn add(&mut self, step: &str, unit: &str) {
        let units = self.0.entry(step.to_owned()).or_default();
        if !unit.is_empty() {
            units.insert(unit.to_owned());
        }
    }

    fn finish(self) -> Steps {
        self.0.into_iter().map(|(step, units)| (step, units.into_iter().collect())).collect()
    }
}
