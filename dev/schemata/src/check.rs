//! The compiler's word on which mutants compile.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use dev_checkout::copy::Checkout;
use dev_process::{Error, Result, while_trying};
use serde::Deserialize;

use crate::edit::Changed;
use crate::mutant::{Fate, Mutant};
use crate::places;

/// Modules that each package gets: the switches, and the number of them.
const SWITCH: &str = include_str!("../files/weft_switch.rs");
const SWITCH_FILE: &str = "weft_switch.rs";
const COUNT_FILE: &str = "weft_switch_count.rs";
const MODULES: &str = "\npub mod weft_switch;\npub mod weft_switch_count;\n";

/// Flags of the compiler: a mutant may leave something unused.
pub(crate) const FLAGS: (&str, &str) = ("RUSTFLAGS", "--cap-lints=allow");

/// The error for a match that does not cover all values.
const UNCOVERED: &str = "E0004";

#[derive(Deserialize)]
struct Line {
    message: Option<Message>,
}

#[derive(Deserialize)]
struct Message {
    level: String,
    code: Option<Code>,
    spans: Vec<Span>,
    rendered: Option<String>,
}

#[derive(Deserialize)]
struct Code {
    code: String,
}

#[derive(Deserialize)]
struct Span {
    file_name: String,
    byte_start: usize,
    byte_end: usize,
    is_primary: bool,
}

/// The files of `folders` that get switches, relative to the root.
pub(crate) fn own_files(mutants: &[Mutant], folders: &BTreeMap<&str, String>) -> BTreeSet<PathBuf> {
    let own = mutants.iter().map(|mutant| PathBuf::from(&mutant.file));
    let others = folders.values().flat_map(|folder| {
        ["lib.rs", SWITCH_FILE, COUNT_FILE]
            .map(|name| PathBuf::from(format!("{folder}/src/{name}")))
    });
    own.chain(others).collect()
}

/// Puts a switch for each mutant without a fate into the packages `folders` of `checkout`, whose
/// sources are below `root`. Mutants are numbered from 1. Mutants that can have none get a fate.
pub(crate) fn switch_all(
    root: &Path,
    checkout: &Checkout,
    mutants: &[Mutant],
    folders: &BTreeMap<&str, String>,
    fates: &mut BTreeMap<usize, Fate>,
) -> Result<()> {
    for folder in folders.values() {
        checkout.write(&format!("{folder}/src/{SWITCH_FILE}"), SWITCH)?;
        let count = format!("pub const COUNT: usize = {};\n", mutants.len() + 1);
        checkout.write(&format!("{folder}/src/{COUNT_FILE}"), &count)?;
    }
    let mut sources = BTreeMap::new();
    let roots: Vec<String> =
        folders.values().map(|folder| format!("{folder}/src/lib.rs")).collect();
    let files = mutants.iter().map(|mutant| &mutant.file).chain(&roots);
    for file in files.collect::<BTreeSet<_>>() {
        let path = root.join(file);
        let source = fs::read_to_string(&path).map_err(while_trying("read", &path))?;
        sources.insert(file.as_str(), source);
    }
    // Each round of the compiler looks further than the last one.
    loop {
        let changed = write(checkout, mutants, &sources, fates)?;
        let before = fates.len();
        let errors = errors(checkout, folders)?;
        if errors.is_empty() {
            return Ok(());
        }
        println!("{} errors of the compiler", errors.len());
        for error in &errors {
            blame(error, &changed, mutants, fates);
        }
        if fates.len() == before {
            let texts = errors.iter().filter_map(|error| error.rendered.as_deref());
            return Err(Error::new(texts.take(3).collect::<String>()));
        }
    }
}

/// Writes all files, with switches for mutants without a fate.
fn write<'f>(
    checkout: &Checkout,
    mutants: &[Mutant],
    sources: &BTreeMap<&'f str, String>,
    fates: &mut BTreeMap<usize, Fate>,
) -> Result<BTreeMap<&'f str, Changed>> {
    let mut all = BTreeMap::new();
    for (&file, source) in sources {
        let numbered = (1..).zip(mutants);
        let has_none =
            |number: &usize| matches!(fates.get(number), Some(Fate::Unviable | Fate::Unswitchable));
        let own: Vec<_> =
            numbered.filter(|(number, mutant)| mutant.file == file && !has_none(number)).collect();
        let is_root = file.ends_with("src/lib.rs");
        // The modules of the switches belong to libraries.
        let own = if file.ends_with("src/main.rs") { Vec::new() } else { own };
        let switchable =
            places::switch(source, &own).map_err(|error| Error::new(format!("{file}: {error}")))?;
        let placed: BTreeSet<usize> = switchable.placed.into_iter().collect();
        for (number, mutant) in (1..).zip(mutants) {
            if mutant.file == file && !placed.contains(&number) {
                fates.entry(number).or_insert(Fate::Unswitchable);
            }
        }
        let text = if is_root {
            switchable.changed.text.clone() + MODULES
        } else {
            switchable.changed.text.clone()
        };
        checkout.write(file, &text)?;
        all.insert(file, switchable.changed);
    }
    Ok(all)
}

/// The errors of the compiler.
fn errors(checkout: &Checkout, folders: &BTreeMap<&str, String>) -> Result<Vec<Message>> {
    let packages = folders.keys().flat_map(|package| ["-p", package]);
    let arguments: Vec<_> = ["check", "--locked", "--lib", "--keep-going", "--message-format=json"]
        .into_iter()
        .chain(packages)
        .collect();
    let outcome = checkout.cargo(&arguments).variable(FLAGS.0, FLAGS.1).quietly().outcome()?;
    let lines = outcome.stdout.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok());
    let messages = lines.filter_map(|line| line.message);
    let errors: Vec<_> =
        messages.filter(|message| message.level == "error" && !message.spans.is_empty()).collect();
    if errors.is_empty() && !outcome.success {
        return Err(Error::new(outcome.stderr));
    }
    Ok(errors)
}

/// Finds the mutants that an error comes from: those that brought what it marks, or else those of
/// the switch around it.
fn blame(
    error: &Message,
    changed: &BTreeMap<&str, Changed>,
    mutants: &[Mutant],
    fates: &mut BTreeMap<usize, Fate>,
) {
    let before = fates.len();
    for span in &error.spans {
        let Some(changed) = changed.get(span.file_name.as_str()) else { continue };
        let brought = changed.brought.iter().filter(|brought| span.is_within(&brought.range));
        if let Some(brought) = brought.min_by_key(|brought| brought.range.len()) {
            let by_switch = mutants[brought.mutant - 1].may_fail_by_switch();
            let fate = if by_switch { Fate::Unswitchable } else { Fate::Unviable };
            fates.insert(brought.mutant, fate);
        }
    }
    if fates.len() > before {
        return;
    }
    let is_uncovered = error.code.as_ref().is_some_and(|code| code.code == UNCOVERED);
    let fate = if is_uncovered { Fate::Unviable } else { Fate::Unswitchable };
    for span in error.spans.iter().filter(|span| span.is_primary) {
        let Some(changed) = changed.get(span.file_name.as_str()) else { continue };
        let around = changed.switched.iter().filter(|switched| span.is_within(&switched.range));
        if let Some(switched) = around.min_by_key(|switched| switched.range.len()) {
            fates.extend(switched.mutants.iter().map(|&mutant| (mutant, fate)));
        }
    }
}

impl Span {
    fn is_within(&self, range: &Range<usize>) -> bool {
        range.start <= self.byte_start && self.byte_end <= range.end
    }
}
