//! Checks that the corpus is sound: folders, descriptions and sources agree.

use std::collections::BTreeSet;

use super::description::{Description, Maker};
use super::folders::corpus;
use super::program::{DESCRIPTION, Program, programs};

/// Minimum number of programs in the corpus.
const LEAST: usize = 250;

/// Returns whether a file is a header, which no line of a description names.
fn is_header(file: &str) -> bool {
    file.rsplit_once('.').is_some_and(|(_, extension)| extension == "h")
}

fn files(program: &Program) -> BTreeSet<String> {
    let entries = std::fs::read_dir(&program.folder)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", program.folder.display()));
    entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Returns the sources that the steps of a description compile.
fn sources(program: &Program) -> BTreeSet<String> {
    let compiles = |maker| !matches!(maker, Maker::Archive | Maker::Relocatable | Maker::Library);
    let steps = program.description.steps.iter().filter(|step| compiles(step.maker));
    steps.flat_map(|step| step.inputs.iter().cloned()).collect()
}

#[test]
fn there_are_programs_and_each_says_why() {
    let programs = programs();
    assert!(programs.len() >= LEAST, "{} programs, at least {LEAST} are wanted", programs.len());
    for program in &programs {
        let words = program.reason.split_whitespace().count();
        assert!(words >= 10, "{}: the reason is hardly a sentence", program.name);
        assert!(program.reason.ends_with('.'), "{}: the reason is no sentence", program.name);
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(program.name.chars().all(is_plain), "{} is no name for a folder", program.name);
    }
    let reasons: BTreeSet<&str> = programs.iter().map(|program| program.reason.as_str()).collect();
    assert_eq!(reasons.len(), programs.len(), "two programs have the same reason");
}

#[test]
fn every_file_belongs_to_its_program() {
    for program in programs() {
        let (files, sources) = (files(&program), sources(&program));
        for file in files.iter().filter(|file| *file != DESCRIPTION && !is_header(file)) {
            assert!(sources.contains(file), "{}: no line compiles {file}", program.name);
        }
        let missing: Vec<_> = sources.difference(&files).collect();
        assert!(missing.is_empty(), "{}: sources that are not there: {missing:?}", program.name);
        for header in files.iter().filter(|file| is_header(file)) {
            let text = |file: &String| {
                std::fs::read_to_string(program.folder.join(file)).unwrap_or_default()
            };
            let includes = files.iter().any(|file| text(file).contains(&format!("\"{header}\"")));
            assert!(includes, "{}: nothing includes {header}", program.name);
        }
    }
}

#[test]
fn every_program_says_what_host_code_needs() {
    for program in programs() {
        let description = &program.description;
        let needs = description.launched.len() + description.touched.len();
        assert!(needs > 0, "{}: nothing is launched or touched", program.name);
        let wanted = description.launched.iter().chain(&description.touched);
        let both: Vec<_> = wanted.filter(|symbol| description.removed.contains(symbol)).collect();
        assert!(both.is_empty(), "{}: both needed and removed: {both:?}", program.name);
    }
}

/// Checks that sources are small enough to be read at a glance, because the oracle prints whole
/// programs.
#[test]
fn programs_are_small() {
    for program in programs() {
        let lines = |file: &String| {
            let text = std::fs::read_to_string(program.folder.join(file)).unwrap_or_default();
            text.lines().count()
        };
        let files = files(&program);
        let total: usize = files.iter().filter(|file| *file != DESCRIPTION).map(lines).sum();
        assert!(total <= 70, "{}: {total} lines of source", program.name);
        let units = program.description.steps.len();
        assert!(units <= 6, "{}: {units} steps", program.name);
    }
}

#[test]
fn beside_programs_there_is_nothing_else() {
    let folder = corpus();
    let entries = std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", folder.display()));
    let files: BTreeSet<String> = entries
        .flatten()
        .filter(|entry| !entry.path().join(DESCRIPTION).is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(files, ["README.md", "small.h"].map(str::to_owned).into());
}

#[test]
fn mistakes_in_descriptions_are_errors() {
    let sound = "reason: R.\nclang: a.cu\nlink: a.o\nlaunched: k\n";
    assert!(Description::parse(sound).is_ok());
    for (text, message) in [
        ("clang: a.cu\nlink: a.o\n", "no reason"),
        ("reason: R.\nclang: a.cu\n", "no link order"),
        ("reason: R.\nlink: a.o\n", "nothing makes a.o"),
        ("reason: R.\nclang: a.cu\nclang: b.cu\nlink: a.o\n", "b.o is not linked"),
        ("reason: R.\nclang: a.cu\nclang: a.cu\nlink: a.o\n", "line 3: clang: another file"),
        ("reason: R.\nreason: S.\n", "line 2: reason: given twice"),
        ("reason: R.\nclnag: a.cu\n", "line 2: clnag: no such key"),
        ("reason: R.\nlink\n", "line 2 has no colon"),
        ("  a.cu\n", "line 1 continues nothing"),
        ("reason: R.\nheaders: large\n", "expected small"),
        ("reason: R.\nlaunched:\n", "line 2: launched: nothing follows"),
        ("reason: R.\nclang: a.cu ->\n", "no output follows"),
        ("reason: R.\nclang: a.cu\nnvcc: b.cu\narchive: l.a a.o b.o\n", "are mixed"),
        ("reason: R.\narchive: l.a\n", "no members"),
        ("reason: R.\nboth: no\n", "expected yes"),
        ("reason: R.\nboth: yes\ncubin: a.cu\nlink: a.cubin\n", "nvcc cannot make all"),
    ] {
        let error = Description::parse(text).err().unwrap_or_default();
        assert!(error.contains(message), "{text}: {error}");
    }
}
